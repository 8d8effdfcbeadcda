/** Credentials that an API wants together, as an operator gives them to the command. */
import t from 'tap';
import { against, CONNECTION, INTEGRATION } from './operator.ts';
import { json } from './support.ts';

t.test('connections add: several credentials together', async (t) => {
  const scheme = (name: string, type = 'api_key') => ({ name, type, description: null });
  let alternatives = [{ schemes: ['key', 'app'], actions: 9 }];
  const { callWith, requests } = await against(t, ({ method, path }, response) => {
    if (method !== 'GET') return json(response, 201, CONNECTION);
    return json(response, 200, path.includes('connections') ? CONNECTION : { ...INTEGRATION,
      report: { ...INTEGRATION.report, security_alternatives: alternatives, security_schemes: [
        scheme('key'), scheme('app'), scheme('login', 'basic'), scheme('sso', 'oauth2'),
        scheme('odd', 'unsupported'), scheme('$(reboot)')] } });
  });
  const given = () => (requests.at(-1)!.body as { credentials: object }).credentials;
  const add = (input: string, ...flags: string[]) =>
    callWith(input, 'connections', 'add', 'github', '--workspace', 'wsp_1', ...flags);
  const both = { type: 'api_key', scheme: 'key', value: 'one',
    also: [{ scheme: 'app', value: 'two' }] };
  t.match(await add('one\ntwo\n'), { code: 0 }, 'there is no other way');
  t.strictSame(given(), both);
  await callWith('one\ntwo', 'connections', 'reconnect', 'con_1');
  t.strictSame(given(), both);
  t.match(await add('one\n'), { code: 2, err: /2 secrets .*: key, app\. There is 1\.\n$/ });
  await add('one', '--auth', 'api_key', '--scheme', 'key', '--alone');
  t.strictSame(given(), { type: 'api_key', scheme: 'key', value: 'one', also: [] });
  await add('two\nsecret', '--scheme', 'app', '--scheme', 'login', '--username', 'me');
  t.strictSame(given(), { type: 'basic', username: 'me', password: 'secret',
    also: [{ scheme: 'app', value: 'two' }] });
  await add('\ntwo', '--auth', 'client_credentials', '--scheme', 'sso', '--scheme', 'app',
    '--client-id', 'c');
  t.strictSame(given(), { type: 'oauth2', grant: 'client_credentials', scheme: 'sso',
    client_id: 'c', also: [{ scheme: 'app', value: 'two' }] }, 'a public client has no secret');
  await add('sk_live', '--auth', 'basic', '--key-as-username');
  t.strictSame(given(), { type: 'basic', username: 'sk_live', password: '' });

  for (const [names, says] of [[['key', 'none'], / called none\. It declares: key, app, /],
    [['odd', 'key'], /^odd is of a kind/], [['login', 'sso'], /^login and sso cannot /]] as const) {
    t.match(await add('a\nb', ...names.flatMap((name) => ['--scheme', name])),
      { code: 2, err: says });
  }
  alternatives = [...alternatives, { schemes: ['sso'], actions: 9 }];
  t.match((await add('x')).err.split('\n'), [/several ways\. Give --scheme:$/,
    /^printf '%s\\n' "\$SECRET1" "\$SECRET2" \| .*wsp_1 --scheme key --scheme app$/,
    /"\$SECRET" \| .* --scheme sso --client-id …$/]);
  alternatives = [{ schemes: ['$(reboot)'], actions: 9 }, { schemes: ['key', 'app'], actions: 9 }];
  t.match((await add('x')).err, " --scheme '$(reboot)'", 'what is to be pasted is but a word');
});

t.test('integrations add: one of several api keys is connected by its scheme', async (t) => {
  const key = (name: string, place: 'header' | 'query') => ({ name, type: 'api_key',
    description: null, placement: { in: place, name } });
  let alternatives: { schemes: string[], actions: number }[] = [];
  const { callWith } = await against(t, (_, response) => json(response, 201, { ...INTEGRATION,
    auth_methods: ['basic', 'api_key'], report: { ...INTEGRATION.report,
      security_alternatives: alternatives,
      security_schemes: [key('old', 'query'), key('otp', 'header'), key('token', 'header')] } }));
  const told = async () => (await callWith('', 'integrations', 'add', 'gitea', '--document',
    'https://gitea.example/swagger.v1.json')).err;
  t.match(await told(), /"\$SECRET" \| .*connections add \w+ --workspace … --scheme otp\n$/);
  alternatives = ['old', 'token'].map((name) => ({ schemes: [name], actions: 9 }));
  t.match(await told(), / --scheme token\n$/, 'which suffices alone');
});
