/** Which action a connection is checked by. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import t from 'tap';
import type { ActionDefinition } from '../../../src/gateway/action/action.ts';
import { actionsToCheckBy } from '../../../src/gateway/integrations/connectionCheck.ts';
import { loadDocument } from '../../../src/gateway/openapi/document.ts';
import { importOpenapi } from '../../../src/gateway/openapi/openapi.ts';
import { upgradeDocument } from '../../../src/gateway/openapi/upgrade.ts';
import { PACKAGES, withPackedFile } from '../../support/packedFile.ts';
import { definition } from '../support.ts';

const require = createRequire(import.meta.url);

/** By name and address; `paged`, `required` and `write` say more. */
async function chosen(...given: string[]): Promise<string | undefined> {
  const actions = given.map((text) => {
    const [name = '', source_key = '', ...more] = text.split(' | ');
    return definition({ name, source_key, paged: more.includes('paged'),
      effect: more.includes('write') ? 'write' : 'read',
      input_schema: more.includes('required') ? { type: 'object', required: ['path'] }
        : { type: 'object' } });
  });
  const both = await Promise.all([actions, actions.toReversed()].map(async (list) =>
    (await actionsToCheckBy(list).next()).value?.name));
  t.equal(both[0], both[1], 'the order says nothing');
  return both[0];
}

async function ofDocument(source: string): Promise<string | undefined> {
  const { document } = upgradeDocument(loadDocument(source));
  const { actions } = importOpenapi(document, { slug: 'x' });
  const { value } = await actionsToCheckBy(actions as unknown as ActionDefinition[]).next();
  return value?.source_key;
}

t.test('one that tells whose account it is', async (t) => {
  for (const identity of ['x.users.get_authenticated | GET /user', 'x.me.get | GET /v1/me',
    'x.users.get_my_user | GET /users/@me', 'x.auth.test | GET /auth.test',
    'x.account.retrieve | GET /v1/account', 'x.jira.get | GET /rest/api/3/myself',
    'x.tools.whoami | whoami', 'x.tools.get_me | get_me', 'x.tools.getme | getCurrentUser',
    'x.profile.get | GET /company/current', 'x.identity.get_current_user | GET /2/identity']) {
    const [name] = identity.split(' | ');
    t.equal(await chosen('x.a.list | GET /a | paged', identity, 'x.b.get | GET /b',
      `${identity}/{id} | required`), name, identity);
  }
});

t.test('else a list, in pages if there is one, with a short address', async (t) => {
  t.equal(await chosen('x.b.list | GET /a/b | paged', 'x.a.list | GET /a', 'x.c.get | GET /c'),
    'x.b.list');
  t.equal(await chosen('x.ab.list | GET /a/b', 'x.a.list | GET /a', 'x.c.get | GET /c'),
    'x.a.list');
  t.equal(await chosen('x.c.status | GET /c/status', 'x.c.health | GET /c'), 'x.c.health');
  t.equal(await chosen('x.users.disable | GET /me | write', 'x.a.get | GET /a | required'),
    undefined);
});

t.test('of real documents', async (t) => {
  const figma = join(dirname(require.resolve('@figma/rest-api-spec/package.json')),
    'openapi/openapi.yaml');
  t.equal(await ofDocument(readFileSync(figma, 'utf8')), 'GET /v1/me');
});

t.test('of GitHub', (t) => withPackedFile(t, PACKAGES.github,
  'package/generated/api.github.com.json',
  async (file) => t.equal(await ofDocument(readFileSync(file, 'utf8')), 'GET /user')));

t.test('of Notion', (t) => withPackedFile(t, PACKAGES.notion,
  'package/scripts/notion-openapi.json',
  async (file) => t.equal(await ofDocument(readFileSync(file, 'utf8')), 'GET /v1/users/me')));
