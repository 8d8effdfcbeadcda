/**
 * One path decides. Whatever keys, grants, connections, approvals, actions and inputs there are, a
 * run, a direct invocation and an MCP client see the same, are told the same, and leave the same on
 * record; but that direct invocations only read, and that runs outlive the time of their key.
 * `SAME_CASES` and `SAME_SEED` take others.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import t from 'tap';
import type { ActionSource } from '../../src/gateway/action/action.ts';
import { testDatabase } from '../support/database.ts';
import { doorsOf, REQUEST_ID, type Door, type Key, type Told } from './doors.ts';
import {
  FOREIGN, settle, settleForeign, sourcesOf, world, WRITES, type Settled, type World,
  type WorldCall,
} from './worlds.ts';
import { soundness } from '../support/soundness.ts';

soundness(t, 'a permission exceeded');

/** All that CODES names comes up twice and more among them; ten thousand took 54 s of CPU. */
const CASES = Number(process.env.SAME_CASES ?? 4_000);
const SEED = Number(process.env.SAME_SEED ?? 20_261_122);
const CALLS_OF_A_WORLD = 40;
const NARROW_PENDING = 3;

const { sql } = await testDatabase(t);
await settleForeign(sql);
/** How often a call was carried out, by its workspace and number. */
const performed = new Map<string, number>();
const sources: ActionSource[] = sourcesOf((workspace_id, nth) => {
  const name = `${workspace_id} ${nth}`;
  performed.set(name, (performed.get(name) ?? 0) + 1);
});
const wide = doorsOf(sql, sources, 0);
const narrow = doorsOf(sql, sources, NARROW_PENDING);

/** What came up, and how often. */
const seen = new Map<string, number>();
const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);

const INPUTS = {
  fits: (n: number) => ({ input: { n } }), none: () => ({}), list: (n: number) => ({ input: [n] }),
  'wrong type': () => ({ input: { n: 'none' } }),
  'too much': (n: number) => ({ input: { n, m: 1 } }),
} satisfies Record<WorldCall['input'], (n: number) => object>;

function bodyOf(
  { action, connection, input, fields, cursor }: WorldCall, nth: number, ids: string[]) {
  const named = typeof connection === 'number' ? ids[connection] : undefined;
  const connection_id = named ?? (connection === 'foreign' ? FOREIGN
    : connection === '' ? '' : 'con_00000000000000000000000000');
  return { action, ...(action.startsWith('gateway.') ? {} : INPUTS[input](nth)),
    ...(connection !== null && { connection_id }), ...(fields && { fields }),
    ...(cursor !== undefined && { cursor }) };
}

const approvalOf = ({ report }: Told) =>
  (report.missing as { approval_id?: string }[] | undefined)?.[0]?.approval_id;

/** One call of a world through a door; where it has to be approved, what follows that, too. */
async function attempts(
  door: Door, { workspace_id, keys, connections }: Settled, call: WorldCall, nth: number,
): Promise<Told[]> {
  const ask = (key: Key, attempt: number) => door.call({ workspace_id, key,
    body: bodyOf(call, nth, connections), tool_call_id: `call_${nth}_${attempt}` });
  const own = keys[call.key]!;
  const told = [await ask(own, 1)];
  const approval_id = approvalOf(told[0]!);
  // Calls with the same input share an approval: only one of them could use it.
  if (approval_id === undefined || call.action.startsWith('gateway.')) return told;
  const { decision } = call;
  const status = decision === 'denied' ? 'denied'
    : decision.startsWith('approved') ? 'approved' : 'pending';
  await sql`update approvals set status = ${status},
      decided_at = case when ${status} <> 'pending' then now() end,
      expires_at = case when ${decision.endsWith('expired')} then now() - interval '1 second'
        else expires_at end
    where workspace_id = ${workspace_id} and id = ${approval_id}`;
  told.push(await ask(call.by_other ? keys[1 - call.key]! : own, 2));
  told.push(await ask(own, 3));
  return told;
}

interface Recorded {
  id: string; api_key_id: string; source: string; run_id: string | null;
  tool_call_id: string | null;
}

/** What is on record in a workspace: invocations with their audit entries, and approvals. */
async function recordsOf(name: string, { workspace_id, keys }: Settled) {
  const [rows, entries, approvals, intents] = await Promise.all([
    sql<Recorded[]>`
      select id, action, connection_id, status, source, api_key_id, run_id, tool_call_id, input,
        result, error, truncated, next_cursor
      from action_invocations where workspace_id = ${workspace_id}`,
    sql<{ entry: string }[]>`
      select entry from audit_entries where workspace_id = ${workspace_id}`,
    sql<{ id: string }[]>`
      select id, api_key_id, action, connection_id, input, effect, scope, status, invocation_id,
        run_id is not null as is_of_run, used_by_tool_call_id is not null as is_used_by_run
      from approvals where workspace_id = ${workspace_id}`,
    sql<{ invocation_id: string }[]>`
      select invocation_id, action, connection_id, api_key_id, input from write_intents
      where workspace_id = ${workspace_id}`]);
  const audit = new Map(entries.map(({ entry }) => {
    const { hash: _, ...told } = JSON.parse(entry);
    return [told.details.invocation_id as string, told];
  }));
  if (audit.size !== entries.length) throw new Error('an entry tells of nothing, or twice');
  const intent = new Map(intents.map((one) => [one.invocation_id, one]));
  const invocations = new Map(rows.map((row) => {
    const key = keys.find(({ api_key_id }) => api_key_id === row.api_key_id)!;
    return [row.id, ofAnyDoor(name, key, row, audit.get(row.id), intent.get(row.id))];
  }));
  if ([...audit.keys()].some((id) => !invocations.has(id))) throw new Error('it is on no record');
  return { invocations, approvals: new Map(approvals.map((one) => {
    // Of a run that asked, or called, the approval tells which.
    const { is_of_run, is_used_by_run, ...rest } = one as typeof one & Record<string, unknown>;
    if (is_of_run !== (name === 'run')) throw new Error('of a run, or not?');
    if (is_used_by_run && name !== 'run') throw new Error('who has used it?');
    return [one.id, rest];
  })) };
}

/** A record without what says by which door the call came, which has to be said rightly. */
function ofAnyDoor(
  name: string, { run_id: own, api_key_id }: Key,
  { source, run_id, tool_call_id, ...row }: Recorded,
  entry: { actor: object; request_id: unknown; details: Record<string, unknown> } | undefined,
  intent: object | undefined) {
  const is_run = name === 'run';
  const expected = { source: name, run_id: is_run ? own : null, is_call: is_run };
  const found = { source, run_id, is_call: tool_call_id !== null };
  if (!isDeepStrictEqual(found, expected)) throw new Error(`record: ${JSON.stringify(found)}`);
  if (entry === undefined) return { row, intent };
  const { actor, request_id, details: { source: by, ...details }, ...told } = entry;
  const said = { actor, request_id, by };
  const right = { actor: is_run ? { type: 'run', id: own } : { type: 'api_key', id: api_key_id },
    request_id: is_run ? null : REQUEST_ID, by: name };
  if (!isDeepStrictEqual(said, right)) throw new Error(`audit log: ${JSON.stringify(said)}`);
  return { row, intent, entry: { ...told, details } };
}

/** Ids and times of one workspace are named by what they are in each. */
function plain<T>(value: T, { workspace_id, connections, keys }: Settled): T {
  const names = new Map([[workspace_id, '<workspace>'],
    ...connections.map((id, at) => [id, `<connection ${at}>`] as const),
    ...keys.map(({ api_key_id }, at) => [api_key_id, `<key ${at}>`] as const)]);
  const text = JSON.stringify(value)
    .replaceAll(/\b(?:apr|inv|con|key|wsp)_\w+/g, (id) => {
      if (!names.has(id)) names.set(id, `<${id.slice(0, 3)} ${names.size}>`);
      return names.get(id)!;
    })
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
  return JSON.parse(text);
}

type Made = Awaited<ReturnType<typeof through>>;

/** What a door makes of a world. */
async function through(name: 'run' | 'mcp' | 'api', drawn: World) {
  const door = (drawn.is_narrow ? narrow : wide)[name]!;
  const settled = await settle(sql, drawn);
  const { workspace_id, keys } = settled;
  const visible = await door.visible({ workspace_id, key: keys[0]! })
    .catch((error: { code?: string }) => [error.code]);
  const told: Told[][] = [];
  if (drawn.is_narrow) {
    for (const [nth, call] of drawn.calls.entries()) {
      told.push(await attempts(door, settled, call, nth));
    }
  } else {
    told.push(...await Promise.all(drawn.calls.map((call, nth) =>
      attempts(door, settled, call, nth))));
  }
  const { invocations, approvals } = await recordsOf(name, settled);
  const ids = new Set(told.flat().map(({ invocation_id }) => invocation_id));
  ids.delete(null);
  if (ids.size !== invocations.size) throw new Error('more is on record than was told');
  return { visible, calls: told.map((each, nth) => plain({
    performed: performed.get(`${workspace_id} ${nth}`) ?? 0,
    attempts: each.map(({ report: { invocation_id: _, ...report }, invocation_id }) =>
      ({ report: report as { code?: string; missing?: { status?: string }[] },
        record: invocation_id === null ? null : invocations.get(invocation_id)! })),
    approvals: [...new Set(each.map(approvalOf))].map((id) => approvals.get(id!)),
  }, settled)) };
}

async function holdWorld(drawn: World): Promise<void> {
  const [run, mcp, api] = await Promise.all([
    through('run', drawn), through('mcp', drawn), through('api', drawn)]);
  const is_over = drawn.keys[0] === 'expired';
  if (!is_over) same(mcp.visible, run.visible, 'what is seen');
  same(api.visible, mcp.visible, 'what is seen');
  if (is_over) same(mcp.visible, ['invalid_api_key'], 'what an expired key sees');
  for (const [nth, call] of drawn.calls.entries()) holdCall(drawn, call, nth, { run, mcp, api });
}

/** What is told, on record and carried out of one call is the same at each door. */
function holdCall(
  { keys, is_narrow }: World, call: WorldCall, nth: number,
  by: Record<'run' | 'mcp' | 'api', Made>): void {
  const [run, mcp, api] = [by.run.calls[nth]!, by.mcp.calls[nth]!, by.api.calls[nth]!];
  const concerned = [keys[call.key]!, ...(call.by_other ? [keys[1 - call.key]!] : [])];
  const isCode = ({ attempts }: typeof run, code: string) => attempts[0]!.report.code === code;
  const says = `${nth} ${JSON.stringify(call)}`;
  tally(keys[call.key]!, call, mcp);
  if (keys[call.key] === 'expired') {
    if (isCode(run, 'invalid_api_key')) throw new Error(`a run ends with its key: ${says}`);
    same([mcp, api], Array(2).fill({ performed: 0, approvals: [null],
      attempts: [{ report: { ok: false, code: 'invalid_api_key' }, record: null }] }), says);
    return;
  }
  if (!concerned.includes('expired')) same([mcp], [run], says);
  // What all of the doors would do alike, and none of them may.
  if (call.action.startsWith('hidden.') && keys[call.key] === 'good') {
    same([isCode(run, 'unknown_action')], [true], `it is of another workspace: ${says}`);
  }
  if (call.connection === 'foreign') same([run.performed], [0], says);
  // A direct invocation refuses what writes before it looks at anything else of it.
  const refuses = WRITES.includes(call.action) && !isCode(run, 'unknown_action')
    && !isCode(run, 'invalid_api_key');
  same([isCode(api, 'action_not_read_only')], [refuses], `direct invocations read: ${says}`);
  if (refuses) {
    same([api.performed], [0], says);
    count('action_not_read_only');
  } else if (!is_narrow || !String(mcp.attempts[0]!.report.code).startsWith('approval')) {
    // Where writes asked for approvals before, direct invocations had none to ask for.
    same([api], [mcp], says);
  }
}

function tally(status: string, call: WorldCall, { attempts, performed }: Made['calls'][number]) {
  for (const { report: { code = 'ok', missing } } of attempts) {
    count(code);
    if (code === 'approval_required') count(`approval ${missing![0]!.status}`);
  }
  count(`key ${status}`);
  if (call.fields !== undefined && attempts[0]!.report.code === undefined) count('fields');
  if (attempts.length === 1) return;
  count(`decision ${call.decision}${call.by_other ? ', by the other key' : ''}: ${
    attempts.slice(1).map(({ report: { code = 'ok' } }) => code).join(', ')}`);
  if (performed > 1 && !call.by_other) throw new Error('one approval, two calls');
}

/** Throws at the first item that differs. */
function same(mine: readonly unknown[], theirs: readonly unknown[], what: string): void {
  const at = mine.findIndex((one, index) => !isDeepStrictEqual(one, theirs[index]));
  if (at === -1 && mine.length === theirs.length) return;
  throw new Error(`${what}:\n${JSON.stringify(mine[at])}\n${JSON.stringify(theirs[at])}`);
}

const CODES = ['ok', 'unknown_action', 'action_not_read_only', 'not_permitted', 'approval_required',
  'approvals_full', 'not_connected', 'needs_reconnect', 'connection_ambiguous', 'answer_required',
  'invalid_input', 'upstream_error', 'outcome_unknown', 'invalid_api_key', 'approval pending',
  'approval denied', 'key revoked', 'key revoked late', 'key expired', 'fields',
  'decision approved: ok, approval_required',
  'decision approved, by the other key: ok, approval_required',
  'decision approved, by the other key: approval_required, ok',
  'decision denied: approval_required, approval_required',
  'decision expired: approval_required, approval_required',
  'decision approved and expired: approval_required, approval_required'];

t.test(`${CASES} cases through three doors`, { timeout: 0 }, async (t) => {
  await fc.assert(fc.asyncProperty(world(CALLS_OF_A_WORLD), holdWorld), {
    numRuns: Math.ceil(CASES / CALLS_OF_A_WORLD), seed: SEED, endOnFailure: true });
  // For whoever wants to see what has come up.
  const tell = process.env.SAME_CASES === undefined ? t.comment.bind(t) : console.error;
  for (const [what, times] of [...seen].sort()) tell(`${what}: ${times}`);
  const least = CASES / 2_000;
  for (const code of CODES) {
    t.ok((seen.get(code) ?? 0) >= least, `${code} came up: ${seen.get(code)} times`);
  }
});
