/** Failures say whether the call may have been sent: an approval that it used depends on it. */
import t from 'tap';
import { ActionFailure } from '../../../src/gateway/action/action.ts';
import type {
  ConnectionCredentials,
} from '../../../src/gateway/credentials/connectionCredentials.ts';
import { NeedsReconnect } from '../../../src/gateway/credentials/credentialStore.ts';
import { TokenRequestFailed } from '../../../src/gateway/credentials/oauthClient.ts';
import { Unauthorized } from '../../../src/gateway/credentials/unauthorized.ts';
import { withCredentials } from '../../../src/gateway/credentials/withCredentials.ts';
import { connection, documentOf } from '../support.ts';
import { actionOf, callerOf, failure, json, never, serve, type TestCall } from './support.ts';

const body = (schema: object, type = 'application/json') =>
  ({ requestBody: { content: { [type]: { schema } } } });
const plain = actionOf(documentOf('/a/{id}', 'post', {
  parameters: [{ in: 'path', name: 'id', required: true, schema: {} }], ...body({}) }));
const elsewhere = actionOf(documentOf('/a', 'post',
  { servers: [{ url: 'https://other.example' }] }));
const form = actionOf(documentOf('/a', 'post', body({}, 'application/x-www-form-urlencoded')));

t.test('nothing has left', async (t) => {
  const server = await serve(t, (_request, response) => json(response, {}));
  const call = callerOf(t, server);
  const cases: [string, typeof plain, TestCall][] = [
    ['no cursor of it', plain, { cursor: 'x', input: { path: { id: 'x' } } }],
    ['an argument that leads elsewhere', plain, { input: { path: { id: '..' } } }],
    ['a body that cannot be written', form, { input: { body: 'text' } }],
    ['a server of its own', elsewhere, {}],
    ['refused', plain, { input: { path: { id: 'x' } }, target: { egress_allow: [] } }],
    ['no URL', plain, { input: { path: { id: 'x' } }, target: { base_url: 'x' } }],
    ['nobody there', plain, { input: { path: { id: 'x' } },
      target: { base_url: 'http://127.0.0.1:1', egress_allow: ['127.0.0.1:1'] } }],
    ['unusable credentials', plain, { input: { path: { id: 'x' } },
      credentials: { type: 'bearer', token: 'a\nb' } }],
  ];
  for (const [why, action, given] of cases) {
    const failed = await call(action, given).then(() => null, (error: Error) => error);
    t.match(failed, { sent: false }, why);
  }
  t.equal(server.received.length, 0);
});

t.test('it has, or may have', async (t) => {
  const input = { path: { id: 'x' } };
  for (const [why, status, headers] of [
    ['refused credentials', 401, {}], ['an error', 500, {}], ['too many', 429, {}],
    ['forbidden', 403, {}], ['a way that is not allowed', 303, { location: 'http://10.0.0.1/' }],
    ['a way that leads nowhere', 303, { location: 'http://127.0.0.1:1/' }]] as const) {
    const server = await serve(t, (_request, response) => json(response, {}, status, headers));
    const egress_allow = [...server.egress_allow, '127.0.0.1:1'];
    t.match(await failure(callerOf(t, server)(plain, { input, target: { egress_allow } })),
      { sent: true }, why);
  }
  const lost = await serve(t, (_request, response) => void response.destroy());
  t.match(await failure(callerOf(t, lost)(plain, { input })),
    { sent: true, code: 'outcome_unknown' });
});

t.test('over the two calls that refused credentials may make of it', async (t) => {
  const issued = { credentials: { type: 'none' }, secrets: [], version: null };
  const give = async () => issued;
  const fail = (error: Error) => async () => { throw error; };
  const token = new TokenRequestFailed('The token endpoint is away.');
  const gone = new NeedsReconnect('It was removed.');
  const [refused, unusable] = [new Unauthorized('x'), new Unauthorized('x', { sent: false })];
  const unsent = new ActionFailure('x', { sent: false });
  const outcome = (
    first: () => Promise<object>, second: () => Promise<object>, ...calls: Error[]) =>
    failure(withCredentials({ for: first, refused: second } as unknown as ConnectionCredentials,
      { workspace_id: 'wsp_1', connection_id: 'con_1', egress_allow: [] }, connection(),
      async () => { throw calls.shift()!; }, never));
  for (const error of [token, gone]) {
    t.match(await outcome(fail(error), give), { sent: false });
    t.match(await outcome(give, fail(error), refused), { sent: true });
    t.match(await outcome(give, fail(error), unusable), { sent: false });
  }
  t.match(await outcome(give, give, unsent), { sent: false });
  t.match(await outcome(give, give, refused, unsent), { sent: true });
  t.match(await outcome(give, give, unusable, unsent), { sent: false });
  t.match(await outcome(give, give, unusable, refused), { sent: true });
  t.equal(unsent.sent, false, 'others may have the same failure');
});
