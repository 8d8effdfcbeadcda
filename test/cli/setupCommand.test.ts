/** `setup` that is interrupted: neither credentials are lost, nor is a file without them left. */
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { listen } from '../support/listen.ts';
import { gatehouse } from './oneProcess.ts';
import { runScript, start } from './support.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

t.test('a signal while the database is prepared leaves nothing behind', async (t) => {
  const database = createServer();
  const port = await listen(t, database);
  const cwd = t.testdir({});
  for (const signal of SIGNALS) {
    const asked = once(database, 'connection'); // and it never answers
    const { child, ended } = start(['setup', '--base-url', 'http://127.0.0.1:1'],
      { cwd, env: { DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/none` } });
    const [socket] = await asked;
    child.kill(signal);
    t.match(await ended, { code: 130, out: '', err: /^Interrupted\./ }, signal);
    socket.destroy();
    t.strictSame(readdirSync(join(cwd, '.gatehouse')), [], signal);
  }
});

/** Runs `setup` with a service that does what the lines of `setUp` say. */
function setupWith(cwd: string, setUp: string) {
  return runScript(`const setUp = async () => { ${setUp}
      return { workspace_id: 'wsp_1', api_key: 'gth_1', admin_token: 'gta_1' }; };
    const args = ['setup', '--base-url', 'http://127.0.0.1:1'];
    process.exit(await runProgram(['node', 'gatehouse', ...args], async () => ({ setUp })));`,
  { cwd, env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' } });
}

t.test('a signal once the credentials are made lets them be kept', async (t) => {
  for (const signal of SIGNALS) {
    const cwd = t.testdir({});
    const { code, err } = await setupWith(cwd, `
      process.kill(process.pid, '${signal}');
      await new Promise((resolve) => setTimeout(resolve, 300));`);
    t.equal(code, 130, err);
    t.match(err, /are kept in .*credentials\.json/);
    const file = join(cwd, '.gatehouse', 'credentials.json');
    t.match(JSON.parse(readFileSync(file, 'utf8')), { api_key: 'gth_1', admin_token: 'gta_1' });
    t.equal(statSync(file).mode & 0o777, 0o600);
  }
});

t.test('the room for the credentials is taken before there are any', async (t) => {
  const cwd = t.testdir({});
  const { code, err } = await setupWith(cwd, `const fs = await import('node:fs');
    for (const name of fs.readdirSync('.gatehouse')) {
      process.stderr.write(fs.statSync('.gatehouse/' + name).size + ' bytes of ' + name + '\\n');
    }`);
  t.equal(code, 0);
  t.match(err, /^\d{4} bytes of credentials\.json\.\S+\n/);
  const text = readFileSync(join(cwd, '.gatehouse', 'credentials.json'), 'utf8');
  t.equal(text, `${JSON.stringify(JSON.parse(text), null, 2)}\n`, 'nothing else is left of it');
  t.match(await setupWith(t.testdir({ '.gatehouse': '' }), ''),
    { code: 1, err: /^The credentials could not be kept: EEXIST: .* Nothing was changed; give / });
});

t.test('an empty credentials.json counts as none', async (t) => {
  const cwd = t.testdir({ '.gatehouse': { 'credentials.json': '' } });
  const file = join(cwd, '.gatehouse', 'credentials.json');
  t.match(await gatehouse(['sessions', 'list'], { cwd }),
    { code: 2, err: /^There is no api key for http:\/\/127\.0\.0\.1:3000\/v1/ });
  t.notMatch((await gatehouse(['doctor'], { cwd, env: { PORT: '1' } })).out, 'cannot be used');
  t.match(await setupWith(cwd, ''), { code: 0, err: /are kept in/ });
  t.match(JSON.parse(readFileSync(file, 'utf8')), { api_key: 'gth_1' });
  t.match(await setupWith(cwd, ''), { code: 1, err: /exists already, and is not overwritten/ });
});

t.test('a file that comes meanwhile is left as it is, and the credentials are kept', async (t) => {
  const cwd = t.testdir({});
  const file = join(cwd, '.gatehouse', 'credentials.json');
  const made = await setupWith(cwd, `const { writeFileSync } = await import('node:fs');
    writeFileSync(${JSON.stringify(file)}, 'theirs');`);
  t.match(made, { code: 1, err: /is not overwritten: the credentials are kept in / });
  t.equal(readFileSync(file, 'utf8'), 'theirs');
  const [beside] = /(\S+credentials\.json\.\S+)\.$/m.exec(made.err)!.slice(1);
  t.match(JSON.parse(readFileSync(beside!, 'utf8')), { admin_token: 'gta_1' });
  const failed = t.testdir({});
  t.match(await setupWith(failed, `throw new Error('No.');`), { code: 1, err: /prepared: No\./ });
  t.strictSame(readdirSync(join(failed, '.gatehouse')), [], 'nothing is left of one that failed');
});
