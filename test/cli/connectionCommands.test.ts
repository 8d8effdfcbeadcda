import t from 'tap';
import { against, CONNECTION, error, page } from './operator.ts';
import { json } from './support.ts';

t.test('connections add: two accounts that nobody can tell apart', async (t) => {
  let made: object = { ...CONNECTION, id: 'con_2', account_label: null };
  let others: object[] = [];
  let status = 200;
  const { callWith, requests } = await against(t, ({ method }, response) => (method === 'POST'
    ? json(response, 201, made)
    : json(response, status, status === 200 ? page(made, ...others) : error('internal', 'x'))));
  const add = () => callWith('s3cret', 'connections', 'add', 'github', '--workspace', 'wsp_1',
    '--auth', 'bearer');
  const alike = { ...CONNECTION, account_label: null };
  others = [alike];
  const { code, out, err } = await add();
  t.strictSame([code, out], [0, 'con_2\n']);
  t.match(requests.at(-1)!.path,
    /^\/v1\/admin\/connections\?workspace_id=wsp_1&integration=github&/);
  t.match(err, /Another account of github is connected, con_1\. .*connection_ambiguous/);
  t.match(err, /connections update con_1 --account <label>\n.*update con_2 --account <label>\n$/);
  for (const one of [[], [CONNECTION], [{ ...alike, status: 'disabled' }]]) {
    others = one;
    t.notMatch((await add()).err, 'Another account', JSON.stringify(one));
  }
  others = [alike];
  status = 500;
  const unsaid = await add();
  t.strictSame([unsaid.code, unsaid.out], [0, 'con_2\n'], 'it is connected all the same');
  status = 200;
  for (const other of [{ account_label: 'octocat' }, { status: 'pending' }]) {
    made = { ...CONNECTION, account_label: null, id: 'con_2', ...other };
    t.notMatch((await add()).err, 'Another account', JSON.stringify(other));
  }
});
