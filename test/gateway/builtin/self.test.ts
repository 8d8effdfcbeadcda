import { readFileSync } from 'node:fs';
import t from 'tap';
import {
  createSelfSource, readSelfActions, type SelfResponse,
} from '../../../src/gateway/builtin/self.ts';
import type { OperationRequest } from '../../../src/gateway/openapi/request.ts';
import { caller, performRequest, told } from '../support.ts';

const self_actions = readSelfActions(JSON.parse(
  readFileSync(new URL('../../../generated/openapi.json', import.meta.url), 'utf8')));

/** Performs an action on a service that answers `response`; with the request it got. */
async function perform(
  name: string, input: Record<string, unknown>, response: Partial<SelfResponse>,
  cursor: string | null = null, idempotency_key: string | null = null) {
  const requests: OperationRequest[] = [];
  const { actions } = createSelfSource(self_actions, async (request, by) => {
    if (by !== caller) throw new Error('not on behalf of the caller');
    requests.push(request);
    return { status: 200, headers: {}, body: null, ...response };
  });
  const action = actions.find((one) => one.name === name)!;
  const turned = cursor === null ? input : action.turnTo!(input, cursor)!.input;
  const performed = await told(action.perform(
    performRequest({ input: turned, idempotency_key }), caller, new AbortController().signal));
  return { performed, requests };
}

t.test('the public operations become actions', async (t) => {
  const { actions, integration } = createSelfSource(self_actions, () => Promise.reject());
  t.match(integration, { slug: 'gatehouse', title: 'Gatehouse' });
  t.match(Object.fromEntries(actions.map(({ name, effect }) => [name, effect])), {
    'gatehouse.sessions.list': 'read', 'gatehouse.sessions.create': 'write',
    'gatehouse.runs.list': 'read', 'gatehouse.runs.create': 'write',
    'gatehouse.runs.cancel': 'write', 'gatehouse.runs.stream_events': 'read',
    'gatehouse.actions.search': 'read', 'gatehouse.action_invocations.create': 'write',
  });
  const text = JSON.stringify(actions.map(({ input_schema }) => input_schema)).toLowerCase();
  for (const header of ['idempotency-key', 'last-event-id', 'if-none-match', 'accept']) {
    t.notMatch(text, `"${header}"`, `${header} is not the caller's`);
  }
});

t.test('a list is a page', async (t) => {
  const body = { object: 'list', data: [], has_more: true, next_cursor: 'next' };
  t.same(await perform('gatehouse.runs.list', { query: { limit: 2 } }, { body }, 'this'), {
    performed: { result: body, source_cursor: 'next' },
    requests: [{ method: 'GET', path: '/runs', query: 'limit=2&cursor=this',
      headers: { accept: 'application/json' } }],
  });
  const last = { ...body, next_cursor: null };
  t.match((await perform('gatehouse.runs.list', {}, { body: last })).performed,
    { source_cursor: null });
});

t.test('one thing is no page', async (t) => {
  const { performed, requests } = await perform('gatehouse.runs.get',
    { path: { run_id: 'run 1' } }, { body: { object: 'run', next_cursor: 'x' } });
  t.same(performed.source_cursor, null);
  t.equal(requests[0]?.path, '/runs/run%201');
});

t.test("the service's own message reaches the caller", async (t) => {
  const body = { error: 'No run has the id "x".', code: 'not_found' };
  await t.rejects(perform('gatehouse.runs.get', { path: { run_id: 'x' } }, { status: 404, body }),
    { name: 'ActionFailure', message: 'No run has the id "x".', details: { status: 404, body } });
  await t.rejects(perform('gatehouse.runs.list', {}, { status: 503 }),
    { message: 'Gatehouse answered 503 to this call.', details: { status: 503, body: undefined } });
  await t.rejects(perform('gatehouse.runs.get', { path: { run_id: 'x' } }, { status: 500,
    body: { error: 'It broke.' } }), { message: 'It broke.', details: { body: undefined } });
});

t.test('a path that would lead elsewhere is not requested', async (t) => {
  await t.rejects(perform('gatehouse.runs.get', { path: { run_id: '../sessions' } }, {}),
    { name: 'ActionFailure', missing: [{ code: 'invalid_input',
      message: 'The input of gatehouse.runs.get is not valid: /input/path/run_id must be one path'
        + ' segment, not empty and without slashes, dots only or control characters.' }] });
});

t.test('a write carries its key to the service', async (t) => {
  const made = await perform('gatehouse.sessions.create', { body: {} }, { status: 201 }, null,
    'call_1');
  t.match(made.requests, [{ method: 'POST', headers: { 'idempotency-key': 'call_1' } }]);
  const read = await perform('gatehouse.sessions.list', {}, {});
  t.notOk('idempotency-key' in read.requests[0]!.headers);
});
