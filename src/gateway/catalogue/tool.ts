/** The one tool an agent sees. */
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
 * so that the prompt cache of a provider holds.
 */
export function describeTool(visible: VisibleActions): ToolDescription {
  const titles = new Map([...visible.connected()]
    .map(({ integration }) => [integration.slug, integration.title]));
  const slugs = [...titles.keys()].sort();
  const shown = slugs.slice(0, INTEGRATIONS_LIMIT).map((slug) => `${slug} (${titles.get(slug)})`);
  const more = slugs.length > shown.length ? `, and ${slugs.length - shown.length} more` : '';
  return {
    name: 'call_action',
    description: 'Performs one action of a connected integration through the gateway, which holds'
      + ' the credentials, and returns its result or exactly what is missing. Find actions with'
      + ' {"action": "gateway.actions.search", "input": {"query": "…"}} and read how one is called'
      + ' with {"action": "gateway.actions.describe", "input": {"name": "…"}}.'
      + ` Connected integrations: ${shown.join(', ') || 'none'}${more}.`,
    input_schema: INPUT_SCHEMA,
  };
}
