/** `gatehouse run`: what it is asked, in which session, and how it ends. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { EXIT } from '../../src/cli/failure.ts';
import { tableOf } from '../support/markdown.ts';
import { gatehouse } from './oneProcess.ts';
import { against } from './operator.ts';
import { event, json, RUN_ID, SESSION_ID, shortRun, stream } from './support.ts';

const RUN = { object: 'run', id: RUN_ID, session_id: SESSION_ID, status: 'queued' };

/** Takes sessions and runs, which end at once: with this event. */
async function running(test: Test, ending = shortRun('Hello.').at(-1)!) {
  const service = await against(test, ({ method, path }, response) => {
    const made = path.endsWith('/runs') ? RUN : { id: SESSION_ID };
    if (method === 'POST') return json(response, 201, made);
    if (!path.includes('/events')) return json(response, 200, { ...RUN, status: 'completed' });
    stream(response, [...shortRun('Hello.').slice(0, 4), ending]);
    return response.end();
  });
  const env = { GATEHOUSE_BASE_URL: service.base_url, GATEHOUSE_API_KEY: 'gth_test',
    GATEHOUSE_CONFIG_DIR: join(service.cwd, 'config') };
  return {
    ...service, env,
    call: (args: string[], input = '', more = {}) =>
      gatehouse(args, { cwd: service.cwd, input, env: { ...env, ...more } }),
  };
}

t.test('files and standard input go with the prompt, under their names', async (t) => {
  const { call, cwd, requests } = await running(t);
  writeFileSync(join(cwd, 'march.md'), 'It rained.\n');
  writeFileSync(join(cwd, 'image.png'), Buffer.from([0x89, 0x50, 0xff]));
  writeFileSync(join(cwd, 'empty.md'), ' \n');
  const asked = async (args: string[], input = '') => {
    t.match(await call(['run', '--detach', '--session', SESSION_ID, ...args], input),
      { code: 0, out: `${RUN_ID}\n`, err: '' });
    const { input: [item, ...others] } = requests.at(-1)!.body as
      { input: { content: { text: string }[] }[] };
    t.strictSame(others, []);
    return item!.content.map(({ text }) => text);
  };
  t.strictSame(await asked(['Compare.', '-f', 'march.md', '--file', '-'], 'It snowed.'),
    ['Compare.', 'march.md:\n\nIt rained.\n', 'Standard input:\n\nIt snowed.']);
  t.strictSame(await asked(['--file', 'march.md']), ['It rained.\n'], 'a lone file is the prompt');
  const before = requests.length;
  for (const [args, message] of [
    [['Look.', '--file', 'image.png'], /^image\.png is no text in UTF-8/],
    [['Look.', '--file', 'empty.md'], /^empty\.md is empty/],
    [['Look.', '--file', 'nowhere.md'], /^nowhere\.md cannot be read: ENOENT/],
    [['-', '--file', '-'], /^Standard input can be read once/],
    [['x', ...Array(64).fill('--file=march.md')], /^A run takes 64 texts at most/],
    [['x', '--detach', '--wait'], /^Give --detach or --wait, not both/],
    [['x', '--continue', '--session', 'ses_1'], /^Give --session or --continue, not both/],
    [['x', '--continue'], /^No session is known in which you were last/],
  ] as [string[], RegExp][]) {
    const more = args.includes('--continue') ? { GATEHOUSE_API_KEY: 'gth_another' } : {};
    t.match(await call(['run', ...args], '', more), { code: 2, out: '', err: message });
  }
  t.equal(requests.length, before, 'nothing was asked then');
});

t.test('run --continue goes on where one was last, with this service and key', async (t) => {
  const { call, requests, env } = await running(t);
  t.equal((await call(['run', 'x'])).code, 0);
  t.notMatch(readFileSync(join(env.GATEHOUSE_CONFIG_DIR, 'sessions.json'), 'utf8'), 'gth_test');
  const { code, out, err } = await call(['run', 'y', '-c', '--wait', '--json']);
  t.match({ code, err }, { code: 0, err: '' });
  t.strictSame(JSON.parse(out), { ...RUN, status: 'completed' }, 'one document, once it has ended');
  t.match(requests.filter(({ method }) => method === 'POST').map(({ path }) => path),
    ['/v1/sessions', '/v1/sessions/ses_1/runs', '/v1/sessions/ses_1/runs']);
});

t.test('exit codes are those of docs/command-line.md', async (t) => {
  const told = tableOf('docs/command-line.md', ['exit code', 'what it means']);
  t.strictSame(told.map((row) => Number(row['exit code'])), Object.values(EXIT));
  // What each command ends with by itself, commands.test.ts has.
  const cancelled = await running(t, event(5, 'run.cancelled',
    { previous_status: 'running', reason: 'requested' }));
  t.equal((await cancelled.call(['run', 'x', '--wait', '--json'])).code, 3);
});
