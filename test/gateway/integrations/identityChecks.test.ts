/** Whether an account that one call was refused with is accepted elsewhere. */
import t, { type Test } from 'tap';
import type { ActionDefinition } from '../../../src/gateway/action/action.ts';
import { failure } from '../../../src/gateway/action/failure.ts';
import type { Issued } from '../../../src/gateway/credentials/connectionCredentials.ts';
import { Unauthorized } from '../../../src/gateway/credentials/unauthorized.ts';
import { IdentityChecks } from '../../../src/gateway/integrations/identityChecks.ts';
import { testDatabase } from '../../support/database.ts';
import { connection, definition, source, visibleOf } from '../support.ts';
import { addConnection, addWorkspaces } from '../vault/support.ts';

const issued: Issued = { credentials: { type: 'bearer', token: 'token-1234' },
  secrets: ['token-1234'], version: '1', after_refusal: false };

const unasked: ActionDefinition['perform'] = () => { throw new Error('nobody asks for a list'); };

/** `perform`: what the action does that tells whose account it is; `list`: what a list does. */
async function checksOf(t: Test, perform: ActionDefinition['perform'], list = unasked) {
  const { sql } = await testDatabase(t);
  await addWorkspaces(sql, 'wsp_1');
  await addConnection(sql, 'wsp_1', 'con_1', 'connected');
  const { integration, actions } = source([
    definition({ perform: list }),
    definition({ name: 'github.users.get_authenticated', source_key: 'GET /user',
      input_schema: { type: 'object' }, perform }),
  ]);
  const visible = visibleOf([{ integration: { ...integration, egress_allow: [] }, actions }],
    [connection()]);
  const checks = new IdentityChecks({ sql, catalogue: () => ({ visible: async () => visible }) });
  t.teardown(() => checks.close());
  const accepts = (changes: { action?: string, connection_id?: string, version?: string } = {},
    signal?: AbortSignal) => {
    const { version = '1', ...target } = changes;
    return checks.accepts({ workspace_id: 'wsp_1', connection_id: 'con_1', egress_allow: [],
      action: 'github.apps.get', ...target }, { ...issued, version }, signal);
  };
  return { accepts, checks };
}

t.test('one is under way for all who wait for it', async (t) => {
  const tokens: unknown[] = [];
  const answered = Promise.withResolvers<void>();
  const { accepts } = await checksOf(t, async ({ credentials }) => {
    tokens.push(credentials);
    await answered.promise;
    return { result: { login: 'me' }, source_cursor: null };
  });
  const left = new AbortController();
  const waiting = Array.from({ length: 20 }, () => accepts());
  const leaves = t.rejects(accepts({}, left.signal), { message: 'gone' }, 'who leaves is not kept');
  left.abort(new Error('gone'));
  await leaves;
  answered.resolve();
  t.strictSame(new Set(await Promise.all(waiting)), new Set([true]));
  t.strictSame(tokens, [issued.credentials], 'with the credentials that were refused');
  t.equal(await accepts(), true);
  t.equal(tokens.length, 2, 'later it is asked again');
  await Promise.all([accepts(), accepts({ version: '2' })]);
  t.equal(tokens.length, 4, 'each version of them by itself');
});

t.test('whatever comes but an answer does not count', async (t) => {
  let error: Error = new Unauthorized('no');
  let asked = 0;
  const { accepts } = await checksOf(t, async () => {
    asked++;
    throw error;
  });
  t.equal(await accepts(), false);
  t.equal(asked, 1, 'and is not asked once more');
  error = failure('It answered 503.');
  t.equal(await accepts(), false);
  error = new Error('a fault of ours');
  await t.rejects(accepts(), { message: 'a fault of ours' });
  t.equal(asked, 3);
  t.equal(await accepts({ connection_id: 'con_gone' }), false);
  t.equal(asked, 3, 'nobody was asked');
});

t.test('a list has to refuse who comes without any', async (t) => {
  let asked: unknown[] = [];
  let without: Error | null = new Unauthorized('no');
  const { accepts } = await checksOf(t, unasked, async ({ credentials }) => {
    asked.push(credentials.type);
    if (credentials.type === 'none' && without !== null) throw without;
    return { result: [], source_cursor: null };
  });
  const elsewhere = () => accepts({ action: 'github.users.get_authenticated' });
  t.equal(await elsewhere(), true);
  t.strictSame(asked, ['bearer', 'none']);
  for (const [error, accepted] of [[failure('no', { code: 'upstream_forbidden' }), true],
    [failure('It answered 503.'), false], [null, false]] as const) {
    without = error;
    t.equal(await elsewhere(), accepted, error?.message ?? 'it is open to everybody');
  }
  asked = [];
  t.equal(await accepts({ action: 'github.users.get_authenticated', connection_id: 'con_gone' }),
    false);
  t.strictSame(asked, []);
});

t.test('closing ends it, and says nothing of the account', async (t) => {
  const asked = Promise.withResolvers<void>();
  const { accepts, checks } = await checksOf(t, () => {
    asked.resolve();
    return new Promise(() => {});
  });
  const ends = t.rejects(accepts(), { name: 'AbortError' });
  await asked.promise;
  await checks.close();
  await ends;
});
