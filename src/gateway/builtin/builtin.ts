/** The gateway's own actions: how an agent finds its way around the others. */
import type { Caller } from '../../caller.ts';
import { textOf, type JsonObject } from '../../json.ts';
import type { Connection } from '../../store/connections.ts';
import type {
  ActionDefinition, ActionSource, Performed, PerformRequest,
} from '../action/action.ts';
import { lacks } from '../action/failure.ts';
import { invalidInput } from '../action/missing.ts';
import type { ActionSearch, Catalogue } from '../catalogue/catalogue.ts';
import { openAction } from '../catalogue/unknownAction.ts';
import { describeForModel, type DescribeOptions } from './describe.ts';
import { searchAnswer } from './found.ts';

export const BUILTIN_SLUG = 'gateway';

/** `catalogue` is asked when an action is performed: the catalogue itself holds these actions. */
export function createBuiltinSource(
  catalogue: () => Catalogue): ActionSource<ActionDefinition> {
  return {
    integration: { slug: BUILTIN_SLUG, title: 'Gateway' },
    actions: [searchAction(catalogue), describeAction(catalogue), connectionsAction(catalogue)],
  };
}

type BuiltinTexts = Pick<ActionDefinition, 'title' | 'description' | 'input_schema'>;
type Performing = (
  request: Pick<PerformRequest, 'input' | 'source_cursor'>, caller: Caller) => Promise<Performed>;

/**
 * All of these read. `rest`: what an action has that answers in pages. Some clients show a model
 * that what may be left out may be null, so null is taken for that, as by `call_action`.
 */
function builtin(verb: string, described: BuiltinTexts, perform: Performing,
  rest: Partial<ActionDefinition> = {}): ActionDefinition {
  return {
    ...described,
    name: `${BUILTIN_SLUG}.${verb}`,
    integration: BUILTIN_SLUG,
    source_key: verb,
    effect: 'read',
    output_schema: null,
    paged: false,
    arrange: (input) => ({ hints: {}, input: Object.fromEntries(Object.entries(input)
      .filter(([, value]) => value !== null)) }),
    ...rest,
    async perform(request, caller) {
      request.departure.mark();
      return await perform(request, caller);
    },
  };
}

function wholly(result: unknown): Performed {
  return { result, source_cursor: null };
}

function searchAction(catalogue: () => Catalogue): ActionDefinition {
  return builtin('actions.search', {
    title: 'Search actions',
    description: 'Actions of the connected integrations that fit the words of the query best, the'
      + ' best first; none if nothing fits. gateway.actions.describe says what one of them takes.',
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
  }, async ({ input }, caller) => {
    // The input fits the schema above, which is the shape of a search.
    const { ranked, ...told } =
      await catalogue().ranked(caller, input as unknown as ActionSearch);
    return wholly(searchAnswer({ ...told,
      data: ranked.map(({ action, score }) => ({ ...action.definition, score })) }));
  });
}

function describeAction(catalogue: () => Catalogue): ActionDefinition {
  return builtin('actions.describe', {
    title: 'Describe an action',
    description: 'One action by its name: what it does, and the schema of its input. What is'
      + ' required is shown first. A part that is left out says by which branch it is shown.',
    input_schema: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 255,
          description: 'The dotted name of the action.' },
        branch: { type: 'string', minLength: 1, maxLength: 1_000,
          description: 'Only this part of the input: body.items' },
        output: { type: 'boolean',
          description: 'The schema of the result, too; with a branch, that part of the result.' },
        whole_description: { type: 'boolean',
          description: 'The description as a whole, if it ends with an ellipsis.' },
      },
      required: ['name'],
      additionalProperties: false,
    },
  }, async ({ input }, caller) => {
    const visible = await catalogue().visible(caller);
    const { name, ...wanted } = input as unknown as { name: string } & DescribeOptions;
    const { definition, connected } = await openAction(name, visible);
    const told = describeForModel(definition, connected, wanted);
    if (told !== undefined) return wholly(told);
    throw lacks(invalidInput(`${BUILTIN_SLUG}.actions.describe`, { violations: [{
      path: '/input/branch',
      message: `is no part of what ${name} ${wanted.output ? 'returns' : 'takes'}; describe it`
        + ' without a branch to see what there is',
    }] }));
  });
}

/** As many as a model reads of one result. */
const CONNECTIONS_OF_A_PAGE = 50;

/** A workspace may have thousands. The next page begins behind the last id of the one before. */
function connectionsAction(catalogue: () => Catalogue): ActionDefinition {
  return builtin('connections.list', {
    title: 'List connections',
    description: 'The accounts that the workspace has linked, and whether they can be used: 50 at a'
      + ' time, the first linked first.',
    input_schema: {
      type: 'object',
      properties: {
        integration: { type: 'string', description: 'Only accounts of this integration.' },
        account: { type: 'string', minLength: 1, maxLength: 200, description:
          'Only accounts whose label or name contains this, in capitals or not: an address.' },
      },
      additionalProperties: false,
    },
  }, async ({ input, source_cursor }, caller) => {
    const fits = fitsAccount(input);
    const connections = (await catalogue().visible(caller)).connections()
      .filter((connection) => connection.id > (source_cursor ?? '') && fits(connection));
    const page = connections.slice(0, CONNECTIONS_OF_A_PAGE);
    return {
      result: { object: 'list', data: page.map(
        ({ id, integration, name, account_label, status, status_reason }) =>
          ({ connection_id: id, integration, name, account_label, status, status_reason })) },
      source_cursor: connections.length > page.length ? page.at(-1)!.id : null,
    };
  }, { paged: true, turnTo: (input) => ({ input, described: input }) });
}

function fitsAccount({ integration: slug, account }: JsonObject) {
  const part = textOf(account)?.toLowerCase();
  const has = (text: string | null) => text?.toLowerCase().includes(part!);
  return ({ integration, name, account_label }: Connection) =>
    (slug === undefined || integration === slug)
    && (part === undefined || has(name) || has(account_label));
}
