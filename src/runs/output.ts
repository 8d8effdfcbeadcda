import type { AssistantPart, ProviderState } from '../models/model.ts';
import type { OutputItem } from '../store/runs.ts';

/** What a step of the agent says, as one message; nothing if it only calls. */
export function outputOf(
  { content, provider }: { content: AssistantPart[]; provider: ProviderState | null },
): OutputItem[] {
  const text = content.filter((part) => part.type === 'output_text');
  if (text.length === 0) return [];
  const incomplete_reason = provider?.incomplete_reason;
  return [{
    type: 'message', role: 'assistant', content: text,
    ...(incomplete_reason && { incomplete_reason }),
  }];
}
