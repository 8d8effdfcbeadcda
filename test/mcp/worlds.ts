/** Workspaces as anybody may have arranged them, and calls that anybody may make in them. */
import fc from 'fast-check';
import { hashToken, newToken } from '../../src/accounts/token.ts';
import type { ActionSource, Effect, Performed } from '../../src/gateway/action/action.ts';
import { failure, lacks } from '../../src/gateway/action/failure.ts';
import { OverrideRules } from '../../src/gateway/action/overrideRules.ts';
import { newId } from '../../src/ids.ts';
import type { Sql } from '../../src/store/database.ts';
import { definition, source } from '../gateway/support.ts';

const NAMES = {
  acme: ['notes.list', 'notes.create', 'notes.delete', 'files.list', 'files.purge', 'files.ask'],
  crm: ['notes.list', 'notes.refuse', 'leads.create', 'leads.refuse', 'leads.ask', 'leads.lose'],
  /** Offered to another workspace alone. */
  hidden: ['notes.list'],
};
const SLUGS = Object.keys(NAMES) as (keyof typeof NAMES)[];
const VERBS: Record<string, Effect> = { list: 'read', delete: 'destructive', purge: 'destructive' };
/** What the operator says of an effect, whatever the verb says. */
const OVERRIDES = { 'acme.files.list': { effect: 'destructive' }, 'acme.files.ask':
  { effect: 'read' }, 'acme.files.purge': { effect: 'read' }, 'crm.notes.refuse':
  { effect: 'read' } } as const;
/** Those that change something, as the overrides have it: said here once more, by hand. */
export const WRITES = ['acme.notes.create', 'acme.notes.delete', 'acme.files.list',
  'crm.leads.create', 'crm.leads.refuse', 'crm.leads.ask', 'crm.leads.lose'];

const ACTIONS = SLUGS.flatMap((slug) => NAMES[slug].map((name) => `${slug}.${name}`));
const PATTERNS = ['*', '*', '*', '*', 'acme.*', 'acme.*', 'acme.*', 'acme.notes.*', 'crm.*',
  'crm.*', 'crm.*', '*.notes.list', '*.*.create', ...ACTIONS];

/** One of these, each as often as its number says among all of them. */
const weighted = <const T>(...weights: [number, T][]) =>
  fc.constantFrom(...weights.flatMap(([times, value]) => Array<T>(times).fill(value)));

const key = weighted([17, 'good'], [1, 'revoked'], [1, 'revoked late'], [1, 'expired']);
const call = fc.record({
  key: fc.nat(1),
  action: fc.constantFrom(...ACTIONS, ...ACTIONS, ...WRITES, ...WRITES, 'acme.notes.nothing',
    'gateway.connections.list'),
  /** An index of one of the workspace's connections, or another id; null: none is named. */
  connection: weighted<number | string | null>([14, null], [5, 0], [5, 1], [2, 2], [1, 'foreign'],
    [1, 'unknown'], [1, '']),
  input: weighted([16, 'fits'], [1, 'wrong type'], [1, 'too much'], [1, 'list'], [1, 'none']),
  fields: fc.constantFrom(undefined, undefined, ['n'], ['nothing'], ['more.of', 'n'], []),
  cursor: weighted([29, undefined], [1, 'inv_nothing']),
  /** What becomes of the approval, if there has to be one. */
  decision: weighted([4, 'approved'], [1, 'denied'], [1, 'none'], [1, 'expired'],
    [1, 'approved and expired']),
  /** Whether it is the other key that makes the call again. */
  by_other: fc.constantFrom(false, false, true),
});
const connectionTo = (...slugs: (keyof typeof NAMES)[]) => fc.record({
  slug: fc.constantFrom(...slugs),
  status: weighted([8, 'connected'], [1, 'needs_reconnect'], [1, 'disabled']),
});
const connections = fc.tuple(connectionTo('acme', 'acme', 'acme', 'hidden'),
  connectionTo('crm', 'crm', 'crm', 'hidden'),
  fc.array(connectionTo('acme', 'crm', 'hidden'), { maxLength: 2 }))
  .map(([one, two, others]) => [one, two, ...others]);
const grants = fc.array(fc.record({
  pattern: fc.constantFrom(...PATTERNS), key: weighted([6, null], [1, 0], [1, 1]),
  decision: weighted([2, 'allow'], [5, 'require_approval'], [1, 'deny']),
  scope: fc.constantFrom('api_key', 'workspace'),
  connection: weighted([6, null], [1, 0], [1, 1]), is_over: weighted([5, false], [1, true]),
}), { minLength: 2, maxLength: 7 });

export const world = (calls: number) => fc.record({
  /** Few approvals may be pending at once, and the calls are made one after the other. */
  is_narrow: weighted([9, false], [1, true]),
  keys: fc.tuple(key, key),
  connections, grants, calls: fc.array(call, { minLength: calls, maxLength: calls }),
}).map(({ keys, ...drawn }) => ({
  // What an expired key does not do in all of the doors must not fill the places of others.
  ...drawn, keys: drawn.is_narrow ? ['good', 'good'] as const : keys,
}));

type Of<A> = A extends fc.Arbitrary<infer T> ? T : never;
export type World = Of<ReturnType<typeof world>>;
export type WorldCall = World['calls'][number];

/** The integrations; `onPerformed` hears of each call that is carried out, by its number. */
export function sourcesOf(onPerformed: (workspace_id: string, nth: number) => void) {
  const rules = new OverrideRules<{ effect?: Effect }>(OVERRIDES);
  return SLUGS.map((slug): ActionSource => {
    const { integration, actions } = source(NAMES[slug].map((key) => {
      const name = `${slug}.${key}`;
      const verb = key.split('.')[1]!;
      const { effect = VERBS[verb] ?? 'write' } = rules.of({ name, source_keys: [key] }).override;
      return definition({
        name, integration: slug, source_key: key, effect,
        input_schema: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } },
          additionalProperties: false },
        async perform({ input, departure }, { workspace_id }) {
          departure.mark();
          onPerformed(workspace_id, input.n as number);
          return comesTo(verb, name, input);
        },
      });
    }), slug);
    return { actions, integration: { ...integration,
      ...(slug === 'hidden' && { workspace_ids: ['wsp_foreign'] }) } };
  });
}

function comesTo(verb: string, action: string, input: object): Performed {
  switch (verb) {
    case 'refuse': throw failure('It was refused.', { details: { status: 422 } });
    case 'lose': throw new TypeError('a fault of ours');
    case 'ask': throw lacks({ code: 'answer_required', message: 'It asks for a colour.', action,
      integration: action.split('.')[0]!, answer: 'Nobody said.', who_can_answer: 'person',
      questions: [{ mode: 'form', message: 'Which colour?', schema: null }] });
    default: return { result: { ...input, more: { of: 'it' } }, source_cursor: null };
  }
}

/** A connection of another workspace. */
export const FOREIGN = 'con_foreign';

export async function settleForeign(sql: Sql): Promise<void> {
  await sql`insert into workspaces (id, name) values ('wsp_foreign', 'another world')`;
  await sql`insert into connections (workspace_id, id, integration, name, status)
    values ('wsp_foreign', ${FOREIGN}, 'acme', 'theirs', 'connected')`;
}

/** A workspace of this world, with two keys and a run of each that goes on for ever. */
export async function settle(sql: Sql, { keys: statuses, connections, grants }: World) {
  const workspace_id = newId('wsp');
  const keys = statuses.map((status) => ({ status, token: newToken('gth'), api_key_id: newId('key'),
    session_id: newId('ses'), run_id: newId('run') }));
  const made = [...connections, { slug: 'gateway', status: 'connected' }]
    .map((each, at) => ({ ...each, id: newId('con'), name: `account ${at}` }));
  const given = grants.map(({ key, connection, scope, is_over, ...grant }) => ({
    ...grant, id: newId('grt'), api_key_id: key === null ? null : keys[key]!.api_key_id,
    scope: grant.decision === 'require_approval' ? scope : 'api_key',
    connection_id: connection === null ? null : made[connection]?.id ?? null,
    expires_at: is_over ? new Date(0).toISOString() : null,
  }));
  const of = <Row, Name extends keyof Row>(rows: Row[], name: Name) =>
    rows.map((row) => row[name] as string);
  await sql.begin(async (tx) => {
    await tx`insert into workspaces (id, name) values (${workspace_id}, 'a world')`;
    await tx`insert into api_keys (workspace_id, id, name, hint, sha256, revoked_at, expires_at)
      select ${workspace_id}, id, id, '', decode(sha256, 'hex'),
        case when status like 'revoked%' then now() end, case status when 'expired' then now() end
      from unnest(${of(keys, 'api_key_id')}::text[], ${of(keys, 'status')}::text[],
        ${keys.map(({ token }) => hashToken(token).toString('hex'))}::text[])
        k (id, status, sha256)`;
    await tx`insert into sessions (workspace_id, id)
      select ${workspace_id}, unnest(${of(keys, 'session_id')}::text[])`;
    await tx`insert into runs (workspace_id, id, session_id, status, head, attempt, worker_id,
        last_seq, source, model, max_steps, timeout_s, input, started_at, api_key_id)
      select ${workspace_id}, id, session_id, 'running', false, 1, 'wrk_1', 0, 'api', 'rehearsal',
        1, 60, '[]', now(), api_key_id
      from unnest(${of(keys, 'run_id')}::text[], ${of(keys, 'session_id')}::text[],
        ${of(keys, 'api_key_id')}::text[]) r (id, session_id, api_key_id)`;
    await tx`insert into connections (workspace_id, id, integration, name, status)
      select ${workspace_id}, * from unnest(${of(made, 'id')}::text[], ${of(made, 'slug')}::text[],
        ${of(made, 'name')}::text[], ${of(made, 'status')}::text[])`;
    await tx`insert into grants (workspace_id, id, api_key_id, actions, decision, approval_scope,
        connection_id, expires_at)
      select ${workspace_id}, * from unnest(${of(given, 'id')}::text[],
        ${of(given, 'api_key_id')}::text[], ${of(given, 'pattern')}::text[],
        ${of(given, 'decision')}::text[], ${of(given, 'scope')}::text[],
        ${of(given, 'connection_id')}::text[], ${of(given, 'expires_at')}::timestamptz[])`;
  });
  return { workspace_id, keys, connections: made.map(({ id }) => id) };
}
export type Settled = Awaited<ReturnType<typeof settle>>;
