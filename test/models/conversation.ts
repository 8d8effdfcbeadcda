import type { AssistantPart, StepPart, TranscriptMessage } from '../../src/models/model.ts';
import { rehearsal, request, run } from './support.ts';

type Arguments = { action: string; input?: Record<string, unknown> };

export interface Told {
  /** All calls made, in order. */
  calls: Arguments[];
  /** What was said last. */
  text: string;
  steps: number;
  parts: StepPart[];
}

/**
 * A session with the rehearsal model: `say` runs one prompt to its end. `perform` plays the
 * gateway: it gives the `result` or the `error` of a call.
 */
export function conversation(perform: (call: Arguments) => { result?: unknown; error?: unknown }) {
  const transcript: TranscriptMessage[] = [];
  const isCall = (part: AssistantPart) => part.type === 'tool_call';
  let runs = 0;
  let ids = 0;
  async function say(text: string): Promise<Told> {
    const run_id = `run_${++runs}`;
    transcript.push({ role: 'user', run_id, content: [{ type: 'input_text', text }] });
    const told: Told = { calls: [], text: '', steps: 0, parts: [] };
    for (;;) {
      const { parts, result } = await run(rehearsal, request({
        transcript, new_id: (kind) => `${kind}_${++ids}`,
      }));
      told.steps++;
      told.parts.push(...parts);
      const { content, provider } = result;
      transcript.push({ role: 'assistant', run_id, content, provider });
      for (const part of content) if (part.type === 'output_text') told.text = part.text;
      if (!content.some(isCall)) return told;
      for (const part of content) {
        if (part.type !== 'tool_call') continue;
        const call = part.arguments as Arguments;
        told.calls.push(call);
        const { tool_call_id, name } = part;
        transcript.push({
          role: 'tool', run_id,
          content: [{ type: 'tool_result', tool_call_id, name, ...perform(call) }],
        });
      }
    }
  }
  return { say };
}

/** A gateway's answer to a call that went well. */
export function ok(result: unknown) {
  return { result: { ok: true, invocation_id: 'inv_1', action: 'a', connection_id: 'c', result } };
}
