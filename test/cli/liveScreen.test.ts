/** What is drawn anew on a terminal, and that the terminal is as before afterwards. */
import { spawn, spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { openScreen } from '../../src/cli/liveScreen.ts';
import { readSecrets } from '../../src/cli/secretInput.ts';
import { page } from './operator.ts';
import { fakeService, GATEHOUSE, json, RUN_ID } from './support.ts';

const ENTER = '\u001b[?1049h';
const LEAVE = '\u001b[?1049l';

t.test('a live screen is drawn in place, anew for another size, and leaves nothing', async (t) => {
  let written = '';
  const stream = Object.assign(new EventEmitter(), { rows: 10, write: (piece: string) => {
    written += piece;
    return true;
  } });
  const taken = () => {
    const said = written;
    written = '';
    return said;
  };
  const listeners = () => ['exit', 'SIGTSTP', 'SIGCONT'].map((name) => process.listenerCount(name));
  const before = listeners();
  const screen = openScreen(stream as unknown as NodeJS.WriteStream);
  t.match(taken(), ENTER);
  screen.draw('one\ntwo');
  const drawn = taken();
  t.equal(drawn, '\u001b[Hone\u001b[K\r\ntwo\u001b[K\u001b[J', 'it is never empty in between');
  stream.emit('resize');
  t.equal(taken(), drawn, 'at once');
  process.emit('SIGCONT');
  t.ok(taken().startsWith(ENTER), 'after Ctrl-Z and fg');
  screen.close();
  t.ok(taken().endsWith(`${LEAVE}one\ntwo\n`), 'what was seen last stays in sight');
  t.strictSame(listeners(), before);
  t.equal(stream.listenerCount('resize'), 0);
});

const script = spawnSync('script', ['--version']).status === 0 ? false
  : 'there is no `script` here';

for (const [TERM, is_live] of [['xterm', true], ['dumb', false]] as const) {
  t.test(`runs watch on a terminal that is ${TERM}`, { skip: script }, async (t) => {
    const text = `${'x'.repeat(150)}.`;
    const run = { id: RUN_ID, status: 'running', created_at: new Date().toISOString(),
      started_at: null, finished_at: null,
      input: [{ role: 'user', content: [{ type: 'input_text', text }] }] };
    const { base_url } = await fakeService(t, (_request, response) =>
      json(response, 200, page(run)));
    // `script` gives it a terminal, and passes Ctrl-C on.
    const command = `stty columns 220; exec '${GATEHOUSE}' runs watch`;
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      cwd: t.testdir({}), env: { PATH: process.env.PATH, SHELL: '/bin/sh', TERM,
        GATEHOUSE_BASE_URL: base_url, GATEHOUSE_API_KEY: 'gth_test' } });
    let seen = '';
    for await (const piece of child.stdout!) {
      if (!seen.includes(RUN_ID) && (seen + piece).includes(RUN_ID)) child.stdin!.write('\u0003');
      seen += piece;
    }
    const [code] = child.exitCode === null ? await once(child, 'close') : [child.exitCode];
    t.equal(code, 130);
    t.match(seen, text, 'as much of the prompt as there is room for');
    t.equal(seen.includes(ENTER), is_live);
    t.equal(seen.lastIndexOf(LEAVE) > seen.lastIndexOf(ENTER), is_live);
    if (!is_live) t.notMatch(seen, '\u001b', 'it can only print lines');
  });
}

t.test('secrets are typed at prompts that show nothing of them', async (t) => {
  const { stdin, stderr } = process;
  t.teardown(() => {
    for (const [name, value] of Object.entries({ stdin, stderr })) {
      Object.defineProperty(process, name, { value, configurable: true });
    }
  });
  const typing = (typed: string) => {
    const err = new PassThrough();
    const keyboard = Object.assign(new PassThrough(), { isTTY: true, setRawMode() {} });
    for (const [name, value] of Object.entries({ stdin: keyboard, stderr: err })) {
      Object.defineProperty(process, name, { value, configurable: true });
    }
    keyboard.write(typed);
    return { secrets: readSecrets(['Secret of key', 'Secret of app']), err };
  };
  const { secrets, err } = typing('canary-1\rcanary-2 \r');
  t.equal(await secrets, 'canary-1\ncanary-2 ', 'also when they are pasted at once');
  err.end();
  t.equal(await text(err), 'Secret of key: \nSecret of app: \n');
  const left = typing('canary\r\u0003');
  await t.rejects(left.secrets, { exit_code: 130, message: /^No secret was given/ });
});
