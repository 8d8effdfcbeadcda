/** `login`, `logout`, `profiles`, and which service commands speak to then. */
import {
  chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { resolveProfile } from '../../src/cli/profile.ts';
import { replaceFile } from '../../src/cli/profileStore.ts';
import { readClientEnvironment } from '../../src/config.ts';
import { gatehouse } from './oneProcess.ts';
import { against, error, page } from './operator.ts';
import { json } from './support.ts';

t.test('login keeps a key that the service takes, for its owner alone', async (t) => {
  const { base_url, cwd, requests } = await against(t, ({ path, headers }, response) =>
    headers.authorization?.endsWith('good') ? json(response, 200,
      path.startsWith('/v1/admin/') ? page({ id: 'wsp_1' }) : page())
      : json(response, 401, error('invalid_api_key', 'The api key is not valid.')));
  const env = { GATEHOUSE_CONFIG_DIR: join(cwd, 'home', 'config') };
  const file = join(env.GATEHOUSE_CONFIG_DIR, 'profiles.json');
  const call = (input: string, ...args: string[]) => gatehouse(args, { cwd, env, input });
  const place = ['--profile', 'staging', '--base-url', base_url];
  t.match(await call('gth_bad', 'login', ...place), { code: 1, err: /^The api key is not valid/ });
  t.throws(() => statSync(file), 'nothing is kept then');
  t.match(await call('', 'login', ...place), { code: 2, err: 'There is no key. Nothing was' });
  t.match(await call('gth_good\ngta_good\n', 'login', ...place),
    { code: 0, out: '', err: `Signed in to ${base_url} as the profile staging, workspace wsp_1.` });
  t.equal(statSync(file).mode & 0o777, 0o600);
  t.equal(statSync(env.GATEHOUSE_CONFIG_DIR).mode & 0o777, 0o700);
  t.equal((await call('', 'sessions', 'list')).code, 0, 'commands use it');
  t.match(requests.at(-1), { headers: { authorization: 'Bearer gth_good' } });
  chmodSync(file, 0o644);
  t.equal((await call('gth_2_good', 'login', '--base-url', base_url)).code, 0, 'another one');
  t.equal(statSync(file).mode & 0o777, 0o600, 'as before');
  const listed = await call('', 'profiles', 'list');
  t.match(listed.out, /\n {3}staging  http:\S+  wsp_1      …good    …good\n\*  default  http:/);
  t.notMatch(listed.out + (await call('', 'profiles', 'list', '--json')).out, /gth_|gta_/);
  await call('gth_3_good', 'login', '--profile', 'staging', '--base-url', 'http://127.0.0.1:1');
  t.match(JSON.parse(readFileSync(file, 'utf8')).profiles.staging, { base_url,
    api_key: 'gth_good' }, 'where nothing answers, nothing changes');
  t.match(await call('', 'profiles', 'use', 'nowhere'), { code: 2, err: /no profile "nowhere"/ });
  t.match(await call('', 'runs', 'list', '--profile', '__proto__'), { code: 2, err: /no profile/ });
  t.match(await call('', 'logout', '--profile', 'staging', '--all'),
    { code: 2, err: 'Give --profile or --all, not both.\n' }, 'which of them was meant');
  t.match(await call('', 'logout'), { code: 0, out: 'Forgotten: default.\n' });
  t.match(await call('', 'logout', '--all'), { code: 0, out: 'Forgotten: staging.\n' });
  t.notMatch(readFileSync(file, 'utf8'), 'good');
});

t.test('no key is kept for what answers, and is no Gatehouse', async (t) => {
  const { base_url, cwd } = await against(t, (_request, response) => response.end('{}'));
  for (const input of ['gth_1', 'gta_1']) {
    t.match(await gatehouse(['login', '--base-url', base_url], { cwd, input,
      env: { GATEHOUSE_CONFIG_DIR: cwd } }), { code: 1, err: /answered something that is no / });
  }
  t.throws(() => statSync(join(cwd, 'profiles.json')));
});

t.test('a link to the file of profiles stays one', async (t) => {
  const { base_url, cwd } = await against(t, (_request, response) => json(response, 200, page()));
  const [home, elsewhere] = [join(cwd, 'config'), join(cwd, 'dotfiles')];
  for (const folder of [home, elsewhere]) mkdirSync(folder);
  writeFileSync(join(elsewhere, 'gatehouse.json'), '{"profiles": {}}');
  symlinkSync('../dotfiles/gatehouse.json', join(home, 'profiles.json'));
  t.match(await gatehouse(['login', '--base-url', base_url],
    { cwd, env: { GATEHOUSE_CONFIG_DIR: home }, input: 'gth_good' }), { code: 0 });
  t.equal(readlinkSync(join(home, 'profiles.json')), '../dotfiles/gatehouse.json');
  t.match(readFileSync(join(elsewhere, 'gatehouse.json'), 'utf8'), 'gth_good');
  t.strictSame(readdirSync(elsewhere), ['gatehouse.json']);
});

t.test('a link to a file that is not there yet stays one, too', async (t) => {
  const folder = t.testdir({ real: {} });
  symlinkSync('real', join(folder, 'config'));
  const file = join(folder, 'config', 'profiles.json');
  symlinkSync('../dotfiles/gatehouse.json', file);
  for (const text of ['one', 'two']) {
    await replaceFile(file, text);
    t.equal(readlinkSync(file), '../dotfiles/gatehouse.json');
    t.equal(readFileSync(join(folder, 'dotfiles', 'gatehouse.json'), 'utf8'), text);
  }
  t.strictSame(readdirSync(join(folder, 'dotfiles')), ['gatehouse.json']);
  symlinkSync('circle', join(folder, 'circle'));
  await t.rejects(replaceFile(join(folder, 'circle'), 'x'), { message: /be written: ELOOP/ });
  t.equal(readlinkSync(join(folder, 'circle')), 'circle');
  symlinkSync('missing/../back', join(folder, 'back'));
  await t.rejects(replaceFile(join(folder, 'back'), 'x'), { message: /too many symbolic links/ });
});

t.test('a link to a folder that is not there yet leads to one that is made', async (t) => {
  const { base_url, cwd } = await against(t, (_request, response) => json(response, 200, page()));
  const link = join(cwd, 'config');
  symlinkSync('dotfiles', link);
  t.match(await gatehouse(['login', '--base-url', base_url],
    { cwd, env: { GATEHOUSE_CONFIG_DIR: join(link, 'gatehouse') }, input: 'gth_good' }),
  { code: 0 });
  t.equal(readlinkSync(link), 'dotfiles');
  t.strictSame(readdirSync(join(cwd, 'dotfiles', 'gatehouse')), ['profiles.json']);
});

t.test('login takes one key and one token, and tells them apart by the service', async (t) => {
  const { base_url, cwd, requests } = await against(t, ({ path, headers }, response) => {
    const secret = headers.authorization!.slice('Bearer '.length);
    const opens = path.startsWith('/v1/admin/') ? ['any', 'configured', 'gta_1'] : ['any', 'gth_1'];
    return opens.includes(secret) ? json(response, 200, page())
      : json(response, 401, error('invalid_api_key', 'It is not valid.'));
  });
  const env = { GATEHOUSE_CONFIG_DIR: join(cwd, 'config') };
  const login = async (input: string) => {
    const ended = await gatehouse(['login', '--base-url', base_url], { cwd, env, input });
    const file = join(env.GATEHOUSE_CONFIG_DIR, 'profiles.json');
    return { ...ended, kept: () => JSON.parse(readFileSync(file, 'utf8')).profiles.default };
  };
  t.match(await login('nosuchkey\n'),
    { code: 1, err: /neither as an api key .* admin token .*kept/ });
  const asked = requests.length;
  t.match(await login('gth_1\ngth_2'), { code: 2, err: /one api key .* two api keys were given/ });
  t.match(await login('gth_1\ngta_1\nany'), { code: 2, err: / 3 were given\. Nothing was kept/ });
  t.equal(requests.length, asked, 'nothing was sent');
  t.match(await login('configured\ngta_1'), { code: 2, err: /both of these are admin tokens/ });
  t.match((await login('any\n')).kept(), { api_key: 'any', admin_token: 'any' }, 'as of a mock');
  t.match((await login('configured\ngth_1')).kept(),
    { api_key: 'gth_1', admin_token: 'configured' }, 'in any order');
});

t.test('whoever chooses a profile is told of variables that win over it', async (t) => {
  const { base_url, cwd } = await against(t, (_request, response) => json(response, 200, page()));
  const env = { GATEHOUSE_CONFIG_DIR: join(cwd, 'config') };
  const call = (variables: Record<string, string>, ...args: string[]) =>
    gatehouse(args, { cwd, env: { ...env, ...variables }, input: 'gth_good' });
  const place = ['--profile', 'one', '--base-url', base_url];
  t.notMatch((await call({}, 'login', ...place)).err, 'unset');
  t.match(await call({ GATEHOUSE_PROFILE: 'other' }, 'login', ...place), { code: 0,
    err: /\nBut the environment wins over that, here: unset GATEHOUSE_PROFILE\.\n$/ });
  const use = (variables: Record<string, string>, ...name: string[]) =>
    call(variables, 'profiles', 'use', ...name);
  const elsewhere = { GATEHOUSE_BASE_URL: 'https://x.example', GATEHOUSE_API_KEY: 'gth_x' };
  t.match(await use(elsewhere, 'one'), { code: 0, out: /^Commands use one/,
    err: /: unset GATEHOUSE_BASE_URL, GATEHOUSE_API_KEY\.\n$/ });
  t.match(await use({ GATEHOUSE_PROFILE: 'one' }), { err: /unset GATEHOUSE_PROFILE/ }, 'none');
  t.match(await use({ GATEHOUSE_PROFILE: 'one' }, 'one'), { code: 0, err: '' }, 'the same one');
  t.equal((await use({}, 'one')).err, '');
});

t.test('the bridge of an MCP client keeps to the profile that was in use', async (t) => {
  const env = { GATEHOUSE_CONFIG_DIR: t.testdir({ 'profiles.json': JSON.stringify({
    current: 'staging', profiles: { staging: { base_url: 'http://127.0.0.1:1/v1' },
      other: { base_url: 'http://127.0.0.1:2/v1' } } }) }) };
  const started = async (flags: string[], more: Record<string, string> = {}) => {
    const { out } = await gatehouse(['mcp', ...flags], { cwd: t.testdirName,
      env: { ...env, ...more } });
    const [, text] = /Claude Desktop.*\n(\{$[^]*?^\}$)/m.exec(out)!;
    const { args, env: given } = JSON.parse(text!).mcpServers.gatehouse;
    return [args.slice(2), given];
  };
  const other = [['--profile', 'other'], env];
  const by_key = { GATEHOUSE_API_KEY: '<API_KEY>', GATEHOUSE_BASE_URL: 'http://127.0.0.1:1/v1' };
  t.strictSame(await started([]), [['--profile', 'staging'], env]);
  t.strictSame(await started(['--profile', 'other'], { GATEHOUSE_API_KEY: 'gth_x' }), other);
  t.strictSame(await started([], { GATEHOUSE_PROFILE: 'other' }), other);
  t.strictSame(await started([], { GATEHOUSE_BASE_URL: 'http://127.0.0.1:1/v1' }),
    [['--profile', 'staging', '--base-url', 'http://127.0.0.1:1/v1'], env]);
  t.strictSame(await started([], { GATEHOUSE_API_KEY: 'gth_x' }), [[], by_key]);
  t.strictSame(await started(['--api-key', 'gth_x']), [[], by_key]);
});

t.test('flags win over the environment, that over a profile, and that over the file', async (t) => {
  const dir = t.testdir({ data: {}, config: {} });
  const kept = (name: string) => ({ base_url: `https://${name}.example/v1`,
    workspace_id: `wsp_${name}`, api_key: `gth_${name}`, admin_token: null });
  const resolved = (flags: object, variables = {}, current: string | null = 'one') => {
    writeFileSync(join(dir, 'data', 'credentials.json'), JSON.stringify(kept('file')));
    writeFileSync(join(dir, 'config', 'profiles.json'),
      JSON.stringify({ current, profiles: { one: kept('one'), two: kept('two') } }));
    return resolveProfile(flags, readClientEnvironment({ GATEHOUSE_DATA_DIR: join(dir, 'data'),
      GATEHOUSE_CONFIG_DIR: join(dir, 'config'), ...variables }));
  };
  t.match(resolved({}, {}, null), kept('file'), 'no profile is in use');
  t.match(resolved({}), { ...kept('one'), address_from: 'profile one' });
  t.match(resolved({}, { GATEHOUSE_PROFILE: 'two' }), kept('two'));
  const environment = { GATEHOUSE_BASE_URL: 'https://one.example', GATEHOUSE_API_KEY: 'gth_mine',
    GATEHOUSE_WORKSPACE: 'wsp_mine' };
  t.match(resolved({}, environment),
    { base_url: 'https://one.example/v1', api_key: 'gth_mine', workspace_id: 'wsp_mine',
      address_from: null });
  t.match(resolved({ profile: 'two' }, environment), kept('two'), 'a profile that a flag names');
  t.match(resolved({ profile: 'two', api_key: 'gth_flag' }),
    { ...kept('two'), api_key: 'gth_flag' });
  t.match(resolved({ base_url: 'https://elsewhere.example' }),
    { api_key: null, workspace_id: null, withheld_for: 'https://one.example/v1' },
    'its secrets go to no other service');
  t.throws(() => resolved({ profile: 'three' }), { exit_code: 2, message: /no profile "three"/ });
  writeFileSync(join(dir, 'config', 'profiles.json'), '{"profiles": {"one": 1}}');
  t.throws(() => resolveProfile({}, readClientEnvironment({
    GATEHOUSE_CONFIG_DIR: join(dir, 'config') })), { message: /does not hold profiles/ });
});
