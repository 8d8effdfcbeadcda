/** The one tool an agent sees. */
import type { Integration } from '../action/action.ts';
import type { VisibleActions } from './visibility.ts';

export interface ToolDescription {
  name: 'call_action';
  description: string;
  input_schema: object;
}

const INTEGRATIONS_LIMIT = 50;

// `action` comes first and alone is required: a model that writes the name first lets its call be
// shown while it is being written. No oneOf at the top: providers refuse it.
const INPUT_SCHEMA = {
  type: 'object',
  properties: {
    action: { type: 'string', description: 'Dotted name of the action: gateway.actions.search' },
    input: { type: 'object', additionalProperties: true,
      description: 'What the action takes, as its input_schema says.' },
    connection_id: { type: 'string',
      description: 'Which account, if an integration has more than one connection.' },
    fields: { type: 'array', items: { type: 'string' },
      description: 'Only these fields of the result, as dotted paths: data.id' },
    cursor: { type: 'string',
      description: 'page.next_cursor of the result before, for the next page; the rest of the call'
        + ' stays as it was.' },
  },
  required: ['action'],
  additionalProperties: false,
} as const;

/**
 * The tool for a caller who sees the actions in `visible`. The same workspace gets the same text,
 * so that the prompt cache of a provider holds. What has to be reconnected is named, for no search
 * finds it: an agent that does not know of it says that the thing cannot be done.
 */
export function describeTool(visible: VisibleActions): ToolDescription {
  const connected = named([...visible.connected()].map(({ integration }) => integration));
  const broken = named([...visible.broken()]);
  return {
    name: 'call_action',
    description: 'Performs one action of a connected integration through the gateway, which holds'
      + ' the credentials, and returns its result or exactly what is missing. Find actions with'
      + ' {"action": "gateway.actions.search", "input": {"query": "…"}} and read how one is called'
      + ' with {"action": "gateway.actions.describe", "input": {"name": "…"}}.'
      + ` Connected integrations: ${connected || 'none'}.`
      + (broken && ` To be reconnected before they can be used: ${broken}.`),
    input_schema: INPUT_SCHEMA,
  };
}

function named(integrations: readonly Integration[]): string {
  const titles = new Map(integrations.map(({ slug, title }) => [slug, title]));
  const slugs = [...titles.keys()].sort();
  const shown = slugs.slice(0, INTEGRATIONS_LIMIT).map((slug) => `${slug} (${titles.get(slug)})`);
  const more = slugs.length > shown.length ? `, and ${slugs.length - shown.length} more` : '';
  return shown.join(', ') + more;
}
