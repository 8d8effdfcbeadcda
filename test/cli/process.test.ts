/** The command as a process: what it is given and where it writes may be anything. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, closeSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { alone } from '../../src/cli/fileLock.ts';
import { changeProfiles, readProfiles } from '../../src/cli/profileStore.ts';
import { readText } from '../../src/cli/readText.ts';
import { against, page } from './operator.ts';
import { fakeService, gatehouse, GATEHOUSE, json, shortRun, stream } from './support.ts';

const full = existsSync('/dev/full') ? false : 'there is no /dev/full here';

t.test('a disk that is full is no success', { skip: full }, async (t) => {
  const { base_url } = await fakeService(t, (_request, response) => json(response, 200, page()));
  const disk = openSync('/dev/full', 'w');
  const child = spawn(GATEHOUSE, ['runs', 'list', '--json'], { cwd: t.testdir({}),
    env: { PATH: process.env.PATH, GATEHOUSE_BASE_URL: base_url, GATEHOUSE_API_KEY: 'gth_test' },
    stdio: ['ignore', disk, 'pipe'] });
  closeSync(disk);
  const [err, [code]] = await Promise.all([text(child.stderr!), once(child, 'close')]);
  t.equal(code, 1);
  t.match(err, /^The output could not be written: ENOSPC/);
});

t.test('who does not read the messages gets the answer', async (t) => {
  const { base_url } = await fakeService(t, ({ method }, response) => {
    if (method === 'POST') return json(response, 201, { id: 'x_1' });
    stream(response, shortRun('Hello.'));
    return response.end();
  });
  const child = spawn(GATEHOUSE, ['run', 'x'], { cwd: t.testdir({}),
    stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH,
      GATEHOUSE_BASE_URL: base_url, GATEHOUSE_API_KEY: 'gth_test' } });
  child.stderr!.destroy();
  const [out, [code]] = await Promise.all([text(child.stdout!), once(child, 'close')]);
  t.strictSame({ code, out }, { code: 0, out: 'Hello.\n' });
});

t.test('a CDPATH of the shell does not lead elsewhere', async (t) => {
  const cwd = dirname(dirname(GATEHOUSE));
  const { code, out, err } = await gatehouse(['--version'],
    { cwd, command: 'bin/gatehouse', env: { CDPATH: '/usr' } });
  t.match({ code, out, err }, { code: 0, out: /^\d+\.\d+\.\d+\n$/, err: '' });
});

t.test('texts: only what can be sent is read', async (t) => {
  const dir = t.testdir({ text: 'äbc', bytes: Buffer.from([0x61, 0xff]) });
  t.equal(await readText(join(dir, 'text'), 4), 'äbc');
  await t.rejects(readText(join(dir, 'text'), 3), { exit_code: 2, message: /is larger than what/ });
  await t.rejects(readText(join(dir, 'bytes')), { exit_code: 2, message: /is no text in UTF-8/ });
  await t.rejects(readText(join(dir, 'none')), { exit_code: 2, message: /cannot be read: ENOENT/ });
  if (existsSync('/dev/zero')) {
    await t.rejects(readText('/dev/zero', 100_000), { message: /is larger/ }, 'one without an end');
  }
  const { callWith } = await against(t, (_request, response) => json(response, 200, {}));
  for (const [args, message] of [
    [['actions', 'invoke', 'x.y', '--input', '@none'], /^none cannot be read: ENOENT/],
    [['actions', 'invoke', 'x.y', '--input', '-'], /must be a JSON object/],
  ] as [string[], RegExp][]) {
    t.match(await callWith('[', ...args), { code: 2, out: '', err: message });
  }
});

t.test('profiles: what two commands change at once is kept, and nothing is left', async (t) => {
  const dir = t.testdir({});
  const file = join(dir, 'config', 'profiles.json');
  const kept = { base_url: 'http://127.0.0.1:1/v1', workspace_id: null, api_key: null,
    admin_token: null };
  const names = Array.from({ length: 20 }, (_, index) => `profile_${index}`);
  await Promise.all(names.map((name) => changeProfiles(file, ({ byName }) => {
    byName.set(name, kept);
  })));
  t.strictSame([...readProfiles(file).byName.keys()].sort(), names.sort());
  await t.rejects(alone(file, () => Promise.reject(new Error('It failed.'))));
  t.strictSame(readdirSync(dirname(file)), ['profiles.json'], 'also after a failure');
});

t.test('two logins at once keep both keys', async (t) => {
  const both = Promise.withResolvers<void>();
  let asked = 0;
  const { base_url } = await fakeService(t, async (_request, response) => {
    if (++asked === 2) both.resolve();
    await both.promise; // Each has read the profiles before the other writes them.
    json(response, 200, page());
  });
  const cwd = t.testdir({});
  const env = { GATEHOUSE_CONFIG_DIR: join(cwd, 'config') };
  const login = (input: string) =>
    gatehouse(['login', '--base-url', base_url], { cwd, env, input });
  const [one, other] = await Promise.all([login('gth_one'), login('gta_other')]);
  t.strictSame([one.code, other.code], [0, 0], one.err + other.err);
  t.match(JSON.parse(readFileSync(join(cwd, 'config', 'profiles.json'), 'utf8')),
    { profiles: { default: { api_key: 'gth_one', admin_token: 'gta_other' } } });
});
