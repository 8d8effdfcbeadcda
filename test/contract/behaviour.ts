/** What the service does, seen from outside: state, order, streams, keys, pages, actions. */
import { collect, prompt } from '../support/client.ts';
import { readPages } from '../support/pages.ts';
import {
  completeRun, endlessRun, eventsOf, newSession, OFFLINE, outputText, queueRun, untilEvent,
} from '../support/runs.ts';
import type { Subject } from './target.ts';

const unique = () => `contract-${Date.now()}-${Math.random().toString(36).slice(2)}`;

export function behaviour(subject: Subject): void {
  sessions(subject);
  runs(subject);
  events(subject);
  keys(subject);
  pages(subject);
  actions(subject);
}

function sessions({ client, serviceOnly }: Subject): void {
  serviceOnly('keep state', 'a session is kept, changed and archived', async (t) => {
    const made = await client.expect(201, 'createSession',
      { body: { title: 'contract', metadata: { a: '1' } } });
    const path = { session_id: made.id };
    const { messages, messages_next_cursor, ...found } =
      await client.expect(200, 'getSession', { path });
    t.strictSame([found, messages, messages_next_cursor], [made, [], null]);
    const changed = await client.expect(200, 'updateSession',
      { path, body: { title: 'changed', status: 'archived' } });
    t.match(changed, { title: 'changed', status: 'archived', metadata: { a: '1' } });
    t.match(await client.expect(409, 'createRun', { path, body: prompt('x', OFFLINE) }),
      { code: 'session_archived' });
    const { data } = await client.expect(200, 'listSessions',
      { query: { status: 'archived', limit: 100 } });
    t.ok(data.some(({ id }) => id === made.id));
  });
}

function runs({ client, serviceOnly }: Subject): void {
  serviceOnly('keep state', 'runs of a session come one after the other', async (t) => {
    const session_id = await newSession(client);
    const blocker = await endlessRun(client, session_id);
    const queued = [];
    for (let i = 0; i < 3; i++) {
      queued.push(await queueRun(client, session_id, '@rehearsal words=1', OFFLINE));
    }
    t.strictSame(queued.map(({ status }) => status), ['queued', 'queued', 'queued']);
    const path = { session_id };
    const body = prompt('x', { ...OFFLINE, concurrency: 'reject' });
    t.match(await client.expect(409, 'createRun', { path, body }), { code: 'session_busy' });
    await client.expect(200, 'cancelRun', { path: { run_id: blocker.id } });
    for (const { id } of queued) await untilEvent(client, id, 'run.completed');
    const ended = await Promise.all(queued.map(({ id }) =>
      client.expect(200, 'getRun', { path: { run_id: id } })));
    for (const [index, run] of ended.entries()) {
      if (index > 0) t.ok(ended[index - 1]!.finished_at! <= run.started_at!);
    }
  });

  serviceOnly('keep state', 'a run ends completed, failed or cancelled', async (t) => {
    const session_id = await newSession(client);
    const completed = await completeRun(client, session_id, '@rehearsal words=3', OFFLINE);
    t.equal(outputText(completed).trim().split(/\s+/).length, 3);
    const failed = await completeRun(client, session_id, '@rehearsal fail=model_error', OFFLINE);
    t.match(failed, { status: 'failed', error: { code: 'model_error' }, output: [] });
    const open = await endlessRun(client, session_id);
    const cancelled = await client.expect(200, 'cancelRun', { path: { run_id: open.id } });
    t.equal(cancelled.status, 'cancelled');
    for (const run of [completed, failed, cancelled]) {
      const path = { run_id: run.id };
      t.strictSame(await client.expect(200, 'cancelRun', { path }), run, 'an end is an end');
      t.strictSame(await client.expect(200, 'getRun', { path }), run);
    }
  });

  serviceOnly('keep state', 'a run sees the tool results of those before it', async (t) => {
    const session_id = await newSession(client, 'contract');
    await completeRun(client, session_id,
      `call gatehouse.sessions.get {"path": {"session_id": "${session_id}"}}`, OFFLINE);
    const second = await completeRun(client, session_id,
      'call gatehouse.sessions.get {"path": {"session_id": "$last.id"}}', OFFLINE);
    t.match(second.tool_calls,
      [{ status: 'completed', arguments: { input: { path: { session_id } } } }]);
    const { messages } = await client.expect(200, 'getSession', { path: { session_id } });
    t.strictSame(messages.map(({ role }) => role),
      ['user', 'assistant', 'tool', 'assistant', 'user', 'assistant', 'tool', 'assistant']);
  });
}

function events({ client, serviceOnly }: Subject): void {
  serviceOnly('order events', 'a log is read whole, live, and from any number on', async (t) => {
    const session_id = await newSession(client);
    const live = await collect(client.events('createRun', { path: { session_id },
      body: prompt('call gatehouse.sessions.list', { ...OFFLINE, stream: true }) }));
    const { run_id } = live[0]!;
    t.strictSame(live.map((event) => event.sequence_number), live.map((_, i) => i + 1));
    for (let after = 0; after <= live.length + 1; after++) {
      t.strictSame(await eventsOf(client, run_id, after), live.slice(after), `after ${after}`);
    }
    const resumed = await collect(client.events('streamRunEvents',
      { path: { run_id }, query: { starting_after: 1 }, headers: { 'last-event-id': '4' } }));
    t.strictSame(resumed, live.slice(4), 'the larger counts');
    const page = await client.expect(200, 'streamRunEvents',
      { path: { run_id }, query: { starting_after: 2, limit: 3 } });
    t.strictSame(page,
      { object: 'list', data: live.slice(2, 5), has_more: true, next_cursor: '5' });
  });

  serviceOnly('order events', 'a reader who joins late misses nothing', async (t) => {
    const open = await endlessRun(client, await newSession(client));
    const early = eventsOf(client, open.id);
    await untilEvent(client, open.id, 'run.started');
    const late = eventsOf(client, open.id, 1);
    await client.expect(200, 'cancelRun', { path: { run_id: open.id } });
    const all = await early;
    t.match(all.at(-1), { type: 'run.cancelled', data: { previous_status: 'running' } });
    t.strictSame(await late, all.slice(1));
  });

  serviceOnly('order events', 'wait and stream exclude each other', async (t) => {
    t.match(await client.expect(400, 'createRun', { path: { session_id: await newSession(client) },
      body: prompt('x', { ...OFFLINE, wait: true, stream: true }) }), { code: 'invalid_request' });
  });
}

function keys({ client, serviceOnly }: Subject): void {
  serviceOnly('remember idempotency keys', 'a repeated request takes effect once', async (t) => {
    const session_id = await newSession(client);
    const requests = [
      ['createSession', {}, { title: 'once' }, { title: 'twice' }],
      ['createRun', { path: { session_id } }, prompt('@rehearsal words=1', OFFLINE),
        prompt('@rehearsal words=2', OFFLINE)],
      ['createActionInvocation', {}, { action: 'gateway.connections.list' },
        { action: 'gatehouse.sessions.list' }],
    ] as const;
    for (const [id, rest, body, other] of requests) {
      const headers = { 'idempotency-key': unique() };
      const idOf = (answer: { body: unknown }) => {
        const { id: own, invocation_id } = answer.body as { id?: string; invocation_id?: string };
        return own ?? invocation_id;
      };
      const first = await client.call(id, { ...rest, headers, body });
      const again = await client.call(id, { ...rest, headers, body });
      t.ok(idOf(first));
      t.strictSame([again.status, idOf(again)], [first.status, idOf(first)], id);
      const refused = await client.call(id, { ...rest, headers, body: other });
      t.match([refused.status, refused.body], [409, { code: 'idempotency_key_reused' }], id);
    }
    t.equal((await client.expect(200, 'listRuns', { query: { session_id } })).data.length, 1);
  });
}

function pages({ client, serviceOnly }: Subject): void {
  serviceOnly('walk through pages', 'pages hold everything once, in either order', async (t) => {
    const session_id = await newSession(client);
    const made: string[] = [];
    for (let i = 0; i < 5; i++) {
      const text = 'call gateway.connections.list';
      made.push((await completeRun(client, session_id, text, OFFLINE)).id);
    }
    const newest = made.toReversed();
    t.strictSame(await readPages(client, 'listRuns', { session_id, limit: 2 }),
      [newest.slice(0, 2), newest.slice(2, 4), newest.slice(4)]);
    t.strictSame(await readPages(client, 'listRuns', { session_id, limit: 2, order: 'asc' }),
      [made.slice(0, 2), made.slice(2, 4), made.slice(4)]);
    const names = (await readPages(client, 'listActions', { limit: 4, integration: 'gatehouse' }));
    t.ok(names.length > 2);
    t.strictSame(names.flat(), [...new Set(names.flat())].sort());
    const calls = await readPages(client, 'listActionInvocations', { run_id: made[0]!, limit: 1 });
    t.equal(calls.flat().length, 1);
    const { next_cursor } = await client.expect(200, 'listRuns',
      { query: { session_id, limit: 1 } });
    for (const id of ['listSessions', 'listActions', 'listActionInvocations'] as const) {
      const cursor = next_cursor!;
      t.match(await client.expect(400, id, { query: { cursor } }), { code: 'invalid_cursor' }, id);
    }
  });
}

function actions({ client, serviceOnly }: Subject): void {
  serviceOnly('perform actions', 'actions are found and called', async (t) => {
    const { data: [best] } = await client.expect(200, 'searchActions',
      { body: { query: 'list my sessions' } });
    t.equal(best!.name, 'gatehouse.sessions.list');
    const title = unique();
    const session_id = await newSession(client, title);
    const made = await client.expect(201, 'createActionInvocation', { body: {
      action: 'gatehouse.sessions.get', input: { path: { session_id } }, fields: ['title'] } });
    t.match(made, { status: 'completed', source: 'api', result: { title } });
    t.strictSame(made.result, { title }, 'only the fields asked for');
    t.strictSame(await client.expect(200, 'getActionInvocation',
      { path: { invocation_id: made.invocation_id } }), made);
  });

  serviceOnly('perform actions', 'what cannot be called says why', async (t) => {
    const call = (action: string, input = {}) =>
      client.call('createActionInvocation', { body: { action, input } });
    t.match(await call('gatehouse.sessions.create'),
      { status: 403, body: { code: 'action_not_read_only', details: { invocation_id: String } } });
    t.match(await call('gatehouse.session.list'), { status: 404,
      body: { code: 'unknown_action', details: { suggestions: [String] } } });
    t.match(await call('gatehouse.sessions.list', { query: { limit: 'all' } }),
      { status: 400, body: { code: 'invalid_input' } });
  });
}
