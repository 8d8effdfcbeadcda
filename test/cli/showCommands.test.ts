/** What an operator is shown of one thing, as the document's own examples have it. */
import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { parse } from 'yaml';
import { against } from './operator.ts';
import { json } from './support.ts';

const { components } = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));
/** Values of other times and of accounts that the examples do not have are added to them. */
const example = (name: string, more: object = {}): object =>
  ({ ...components.examples[name].value, ...more });

/** Calls a command while the service answers this. */
async function shown(test: Test, found: object, ...args: string[]) {
  const { call, requests } = await against(test, (_request, response) =>
    json(response, 200, found));
  const { code, out, err } = await call(...args);
  test.equal(code, 0, err);
  const whole = await call(...args, '--json');
  test.strictSame(JSON.parse(whole.out), found, '--json has all of it');
  // How long ago something was changes with the day.
  return { out: out.replaceAll(/ \(\w+ ago\)/g, ''), err, path: requests[0]!.path };
}

t.test('integrations show', async (t) => {
  const { out, path } = await shown(t, example('IntegrationOverridden',
    { other_origins: ['https://files.pets.example'], workspace_ids: ['wsp_1'] }),
  'integrations', 'show', 'pets');
  t.equal(path, '/v1/admin/integrations/pets');
  t.equal(out, `Pet store
  api            https://api.pets.example/v1
  document       https://api.pets.example/openapi.json
  accounts       bearer, oauth2
  other origins  https://files.pets.example
  new actions    wait until they are accepted
  added          2026-11-21 09:10:00Z
  changed        2026-11-21 09:14:00Z
pets (Pet store): 21 of 22 operations are actions: 13 read, 6 write, 2 destructive.
  left out: TRACE /pets: the method is not supported
  you say: POST /pets/search: read
  offered to: wsp_1
`);
  const server = await shown(t, example('IntegrationOfMcp', { new_actions: 'offer', mcp: {
    command: 'npx', args: ['-y', 'files'], env_names: ['TOKEN'], trust_hints: true } }),
  'integrations', 'show', 'tools');
  t.match(server.out, `tools
  server           npx -y files
  gets variables   TOKEN
  read-only hints  are believed
  new actions      are offered at once
`);
});

t.test('integrations show: what has changed and waits', async (t) => {
  const before = example('Integration') as { actions: object; report: object };
  const { out } = await shown(t, { ...before, actions: { ...before.actions, quarantined: 1 },
    report: { ...before.report, changes_total: 1, changes: [{ action: 'pets.pet.delete',
      offered: false, fields_total: 1, fields: [{ field: 'effect', before: 'write',
        after: 'destructive' }] }] } }, 'integrations', 'show', 'pets');
  t.match(out, /changed: pets\.pet\.delete \(quarantined\)\n +effect\n +- write\n +\+ destructive/);
  t.match(out, / integrations refresh pets --accept\n/);
});

t.test('connections show', async (t) => {
  const { out, path } = await shown(t, example('Connection', { status: 'needs_reconnect',
    status_reason: 'the token was revoked', granted_scopes: ['pets.read', 'pets.write'] }),
  'connections', 'show', 'con_1');
  t.equal(path, '/v1/admin/connections/con_1');
  t.match(out, /^ {2}integration {2}pets$/m);
  t.match(out, /^ {2}status {7}needs_reconnect\n {2}why {10}the token was revoked$/m);
  t.match(out, /^ {2}scopes {7}pets\.read pets\.write$/m);
});

t.test('workspaces show', async (t) => {
  const { out, path } = await shown(t, example('Workspace', { instructions: null,
    allowed_models: null, limits: { max_steps: 9 }, storage: { bytes: 7, limit_bytes: 4_096 } }),
  'workspaces', 'show', 'wsp_1');
  t.equal(path, '/v1/admin/workspaces/wsp_1');
  t.match(out, /^ {2}instructions {3}none\n {2}runs may name {2}all that the service allows$/m);
  t.match(out, /^ {2}max_steps {6}9\n {2}stored {9}7 bytes of 4096$/m);
});

t.test('approvals show: who asked, what for, and the request that would leave', async (t) => {
  const { out, err, path } = await shown(t, example('Approval'), 'approvals', 'show', 'apr_1');
  t.equal(path, '/v1/admin/approvals/apr_1');
  t.equal(out, `pets.pet.create
  id              apr_01kagz52a1b3c5d7e9f1g3h5j7
  does            Add a pet
  effect          write
  status          pending
  account         pets
  connection      con_01kagz50a1b3c5d7e9f1g3h5j7
  asked by        run_01kagz40e4f6g8h0j2k4m6n8p0
  may be used by  the key key_01kagz3y0c2d4e6f8g0h2j4k6m
  workspace       wsp_01kagz3xz1a3b5c7d9e1f3g5h7
  asked           2026-11-21 09:13:00Z
  expires at      2026-11-22 09:13Z

Input
{
  "body": {
    "name": "Rex"
  }
}

What is sent, without the credentials of the account
POST https://pets.example/v1/pets
accept: application/json, */*;q=0.8
content-type: application/json

{"name":"Rex"}
`);
  t.match(err, / approvals approve apr_01kagz52a1b3c5d7e9f1g3h5j7\nor: .* approvals deny apr_01/);
  const decided = await shown(t, example('ApprovalApproved', { reason: 'fine', request: null }),
    'approvals', 'show', 'apr_1');
  t.match(decided.out, /^ {2}status {10}approved\n {2}reason {10}fine$/m);
  t.match(decided.out, /^ {2}decided {9}2026-11-21 09:20:00Z$/m);
  t.notMatch(decided.out, 'What is sent');
  t.equal(decided.err, '');
});

t.test('approvals show: what others wrote neither moves the cursor nor hides', async (t) => {
  const http = { type: 'http', method: 'PUT', url: 'https://x.example/\u202egnp', headers: {},
    body: 'a\u001b[2Jb', body_bytes: 6 };
  const { out } = await shown(t, example('Approval', { request: http }), 'approvals', 'show', 'a');
  t.match(out, 'PUT https://x.example/<U+202E>gnp\n\na\ufffd[2Jb\n');
  const bytes = await shown(t, example('Approval', { request: { ...http, body: null } }),
    'approvals', 'show', 'a');
  t.match(bytes.out, '\n(6 bytes that are no text)\n');
  const tool = await shown(t, example('Approval', { request: { type: 'mcp_tool',
    server: 'https://mcp.example', tool: 'add', arguments: { name: 'Rex' } } }),
  'approvals', 'show', 'a');
  t.match(tool.out, 'add of https://mcp.example\n{\n  "name": "Rex"\n}\n');
});
