/** Every kind of event that openapi.yaml describes happens, and is as described. */
import t from 'tap';
import { readDocument } from '../../scripts/document.ts';
import type { RunEvent } from '../support/client.ts';
import { connectLab, createLab } from '../support/lab.ts';
import { completeRun, endlessRun, eventsOf, newSession } from '../support/runs.ts';
import { testServer } from '../support/server.ts';

const lab = createLab();
const { client, sql, workspace_id } = await testServer(t, { sources: [lab.source] });
await connectLab(sql, workspace_id);
const KINDS = Object.keys((readDocument().components.schemas.RunEvent as unknown as
  { discriminator: { mapping: Record<string, string> } }).discriminator.mapping);

/** The events of four runs that end in each way; the client has held each to the document. */
async function everyEnd(): Promise<RunEvent[][]> {
  const session_id = await newSession(client);
  const calling = await completeRun(client, session_id,
    'call gateway.connections.list\ncall gatehouse.sessions.create {"body": {}}');
  const failing = await completeRun(client, session_id, '@rehearsal fail=cut_stream');
  const cancelled = await endlessRun(client, session_id);
  await client.expect(200, 'cancelRun', { path: { run_id: cancelled.id } });
  return Promise.all([calling, failing, cancelled].map(({ id }) => eventsOf(client, id)));
}

t.test('all twelve kinds happen', async (t) => {
  const logs = await everyEnd();
  t.equal(KINDS.length, 12);
  t.strictSame([...new Set(logs.flat().map(({ type }) => type))].sort(), KINDS.toSorted());
  const ends = new Set(['run.completed', 'run.failed', 'run.cancelled']);
  for (const log of logs) {
    t.equal(log[0]!.type, 'run.created', 'first');
    t.equal(log.filter(({ type }) => ends.has(type)).length, 1, 'one end');
    t.ok(ends.has(log.at(-1)!.type), 'last');
    t.ok(log.every((event, i) => i === 0 || log[i - 1]!.created_at <= event.created_at));
    t.ok(log.every(({ id, run_id, sequence_number }) =>
      id === `evt_${run_id.slice(4)}_${sequence_number}`), 'an id says which event it is');
  }
});

t.test('every call that begins ends, once', async (t) => {
  const session_id = await newSession(client);
  const runs = [
    'call gateway.connections.list & call nothing.at.all\ncall gateway.connections.list',
    `@rehearsal fail=cut_stream\ncall gateway.actions.search {"query": "${'list '.repeat(20)}"}`,
    '@rehearsal fail=model_error at_step=2\ncall gateway.connections.list',
  ];
  for (const text of runs) {
    const { id } = await completeRun(client, session_id, text);
    const log = await eventsOf(client, id);
    const calls = (types: string[]) => log.filter(({ type }) => types.includes(type))
      .map((event) => (event.data as { tool_call_id: string }).tool_call_id);
    const begun = calls(['tool_call.started']);
    t.ok(begun.length > 0);
    t.equal(new Set(begun).size, begun.length);
    t.strictSame(calls(['tool_call.completed', 'tool_call.failed']).sort(), begun.toSorted(), text);
  }
});

t.test('a call whose step is tried again is closed before the next one begins', async (t) => {
  const { id } = await completeRun(client, await newSession(client),
    `@rehearsal fail=cut_stream\ncall gateway.actions.search {"query": "${'list '.repeat(20)}"}`);
  const log = await eventsOf(client, id);
  const tries = log.filter(({ type }) => ['tool_call.started', 'tool_call.failed'].includes(type));
  t.ok(tries.length > 2);
  for (let i = 0; i < tries.length; i += 2) {
    const [begun, closed] = [tries[i]!, tries[i + 1]!];
    t.match([begun.type, closed], ['tool_call.started', { type: 'tool_call.failed',
      data: { ...begun.data, error: { code: 'superseded' } } }]);
  }
});

t.test('a call under way when its run fails is closed before the end', async (t) => {
  const run = await completeRun(client, await newSession(client), 'call lab.gate.hold',
    { timeout_s: 5 });
  t.match(run, { status: 'failed', error: { code: 'timeout' },
    tool_calls: [{ name: 'lab.gate.hold', status: 'failed', error: { code: 'timeout' } }] });
  t.match((await eventsOf(client, run.id)).slice(-2), [
    { type: 'tool_call.failed', data: { name: 'lab.gate.hold', error: { code: 'timeout' } } },
    { type: 'run.failed', data: { error: { code: 'timeout' } } },
  ]);
  await lab.aborted;
});

t.test('what was cut is void: what is tried again has ids of its own', async (t) => {
  const { id } = await completeRun(client, await newSession(client),
    '@rehearsal words=20 fail=cut_stream');
  const log = await eventsOf(client, id);
  t.match(log.at(-1), { type: 'run.failed', data: { error: { code: 'model_error' } } });
  const ids = new Set(log.flatMap((event) =>
    event.type === 'message.output.delta' ? event.data.message_id : []));
  t.ok(ids.size > 1, 'each try is another message');
  t.notOk(log.some(({ type }) => type === 'message.output.completed'));
});
