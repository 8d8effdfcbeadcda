/** What an operator gives in the place of an id: a workspace's name, a part of an id, a key. */
import t from 'tap';
import { against, error, page } from './operator.ts';
import { json } from './support.ts';

const WORKSPACE = 'wsp_01kagz3xz1a3b5c7d9e1f3g5h7';
const ACTIVE = { id: 'key_01kagz3y0c2d4e6f8g0h2j4k6m', name: 'backend', hint: '…Lm_K',
  status: 'active', workspace_id: WORKSPACE };

t.test('an empty list of a workspace that there is not says so, not that it has none',
  async (t) => {
    const { call } = await against(t, ({ path }, response) => {
      if (path.startsWith(`/v1/admin/workspaces/${WORKSPACE}`)) {
        return json(response, 200, { id: WORKSPACE });
      }
      if (path.startsWith('/v1/admin/workspaces/')) {
        return json(response, 404, error('not_found', 'No workspace has this id.'));
      }
      return json(response, 200, path.startsWith('/v1/admin/workspaces')
        ? page({ id: WORKSPACE }) : page());
    });
    for (const list of [['keys', 'list'], ['connections', 'list'], ['grants', 'list'],
      ['approvals', 'list'], ['audit', 'tail']]) {
      const of = (id: string) => call(...list, '--workspace', id);
      t.match(await of('acme'), { code: 1, out: '', err: /^No workspace has this id/ });
      t.match(await of(WORKSPACE.slice(0, 14)),
        { code: 2, out: '', err: new RegExp(`takes a whole id: ${WORKSPACE}\\.`) });
      t.match(await of(WORKSPACE), { code: 0, err: /^There are no / });
      t.match(await call(...list), { code: 0, err: /^There are no / });
    }
    t.match(await call('audit', 'tail', '--follow', '--workspace', 'acme'),
      { code: 1, out: '', err: /^No workspace has this id/ }, 'nothing would ever come of it');
  });

t.test('keys revoke with the key itself names its id, and sends the key nowhere', async (t) => {
  const { call, requests } = await against(t, ({ method }, response) => (method === 'GET'
    ? json(response, 200, page(ACTIVE, { ...ACTIVE, id: 'key_2', hint: '—' },
      { ...ACTIVE, id: 'key_3', status: 'revoked' }))
    : void response.writeHead(204).end()));
  const found = await call('keys', 'revoke', 'gth_leakedLm_K');
  t.match(found, { code: 2, out: '',
    err: /Nothing was changed\.\nbackend ends in …Lm_K: .*keys revoke key_01k/ });
  t.notMatch(found.err, /key_2|key_3|leaked/);
  t.match(await call('keys', 'revoke', 'gth_other'),
    { code: 2, err: /No key that is good ends so/ });
  t.notOk(requests.some(({ method, path }) => method !== 'GET' || path.includes('gth_')));
  t.match(await call('keys', 'revoke', ACTIVE.id), { code: 0, out: `${ACTIVE.id} is revoked.\n` });
});

t.test('a token in the place of its id, or of that of a key, is not sent either', async (t) => {
  const { call, requests } = await against(t, (_request, response) => json(response, 200,
    page({ id: 'adm_9', name: 'configured', hint: null, status: 'active' },
      { id: 'adm_2', name: 'ci', hint: '…5Bv9', status: 'active' })));
  for (const group of ['admin-tokens', 'keys']) {
    t.match(await call(group, 'revoke', 'gta_leaked5Bv9'), { code: 2,
      err: /^That is a token, .*\nci ends in …5Bv9: .* admin-tokens revoke adm_2$/m });
  }
  t.match(await call('admin-tokens', 'revoke', 'gth_x'),
    { code: 2, err: 'That is a key, not the id of one. Nothing was changed.' });
  t.notMatch(requests.map(({ path }) => path).join(), /gt[ha]_/);
  t.ok(requests.every(({ method }) => method === 'GET'));
});

t.test('what is no id of a key or of a token is neither sent nor printed', async (t) => {
  const { call, requests } = await against(t, (_request, response) => json(response, 200, page()));
  for (const given of ['c0ffee'.repeat(6), 'Own-Token', ' gta_x', '"gth_x"', 'Bearer gta_x',
    'gts_x', 'run_1', '..']) {
    for (const [words, begin] of [[['keys', 'revoke'], 'key_'],
      [['keys', 'update', '--name', 'x'], 'key_'], [['admin-tokens', 'revoke'], 'adm_'],
      [['admin-tokens', 'revoke', '--last'], 'adm_']] as const) {
      t.match(await call(...words, given), { code: 2, out: '', err: 'That is no id of what is meant'
        + ` here: those are ${begin} and 26 lower-case letters and digits, or begin so. Nothing was`
        + ' changed.\n' });
    }
  }
  t.strictSame(requests, []);
});

t.test('an empty id, as of a variable that is not set, is told as that, and is sent nowhere',
  async (t) => {
    const { call, requests } = await against(t, (_request, response) =>
      json(response, 404, error('not_found', 'It has a slash too many.')));
    for (const words of [['runs', 'show'], ['runs', 'cancel'], ['grants', 'remove'],
      ['runs', 'events', '--follow'], ['run', 'Hello', '--session'], ['workspaces', 'update',
        '--name', 'x']]) {
      t.match(await call(...words, ''), { code: 2, out: '',
        err: 'The id is empty. If it is from a variable, that is not set.\n' }, words.join(' '));
      t.match(await call(...words, '..'), { code: 2, out: '', err: '.. is no id.\n' });
    }
    t.strictSame(requests, []);
  });
