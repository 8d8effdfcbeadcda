/** The gateway's own actions: how an agent finds its way around the others. */
import type { Caller } from '../../caller.ts';
import type { JsonObject } from '../../json.ts';
import type { ActionDefinition, ActionSource } from '../action/action.ts';
import { lacks } from '../action/failure.ts';
import { toAction, type ActionSearch, type Catalogue } from '../catalogue/catalogue.ts';
import { unknownAction } from '../catalogue/unknownAction.ts';

export const BUILTIN_SLUG = 'gateway';

/** `catalogue` is asked when an action is performed: the catalogue itself holds these actions. */
export function createBuiltinSource(catalogue: () => Catalogue): ActionSource {
  return {
    integration: { slug: BUILTIN_SLUG, title: 'Gateway' },
    actions: [searchAction(catalogue), describeAction(catalogue), connectionsAction(catalogue)],
  };
}

type Answer = (input: JsonObject, caller: Caller) => Promise<unknown>;

/** All of these read, and answer in one piece. */
function builtin(
  verb: string, description: Pick<ActionDefinition, 'title' | 'description' | 'input_schema'>,
  answer: Answer): ActionDefinition {
  return {
    ...description,
    name: `${BUILTIN_SLUG}.${verb}`,
    integration: BUILTIN_SLUG,
    source_key: verb,
    effect: 'read',
    output_schema: null,
    paged: false,
    async perform({ input, departure }, caller) {
      departure.mark();
      return { result: await answer(input, caller), next_cursor: null };
    },
  };
}

function searchAction(catalogue: () => Catalogue): ActionDefinition {
  return builtin('actions.search', {
    title: 'Search actions',
    description: 'Actions of the connected integrations that fit the words of the query best, the'
      + ' best first, with the schema of their input.',
    input_schema: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 1_000,
          description: 'A few words on what is to be done: list my sessions' },
        integration: { type: 'string', description: 'Only actions of this integration.' },
        read_only: { type: 'boolean', description: 'Only actions that do (or do not) just read.' },
        limit: { type: 'integer', minimum: 1, maximum: 50, description: '10 if it is left out.' },
      },
      required: ['query'],
      additionalProperties: false,
    },
  }, async (input, caller) => {
    // The input fits the schema above, which is the shape of a search.
    const found = await catalogue().search(caller, input as unknown as ActionSearch);
    // Output schemas are left to gateway.actions.describe; ten of them would fill the context.
    return { object: 'list', data: found.map(({ output_schema: _, ...action }) => action) };
  });
}

function describeAction(catalogue: () => Catalogue): ActionDefinition {
  return builtin('actions.describe', {
    title: 'Describe an action',
    description: 'One action by its name: what it does, and the schemas of its input and result.',
    input_schema: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 255,
          description: 'The dotted name of the action.' },
      },
      required: ['name'],
      additionalProperties: false,
    },
  }, async (input, caller) => {
    const visible = await catalogue().visible(caller);
    const name = String(input.name);
    const action = visible.get(name);
    if (action !== undefined) return toAction(action);
    throw lacks(unknownAction(name, visible));
  });
}

function connectionsAction(catalogue: () => Catalogue): ActionDefinition {
  return builtin('connections.list', {
    title: 'List connections',
    description: 'The accounts that the workspace has linked, and whether they can be used.',
    input_schema: { type: 'object', properties: {}, additionalProperties: false },
  }, async (_input, caller) => {
    const connections = await catalogue().connections(caller);
    return {
      object: 'list',
      data: connections.map(({ id, integration, name, account_label, status, status_reason }) =>
        ({ connection_id: id, integration, name, account_label, status, status_reason })),
    };
  });
}
