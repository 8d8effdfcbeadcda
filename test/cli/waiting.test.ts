/** What is said while a run is waited for, and what is not said to those who want the answer. */
import t from 'tap';
import { INTEGRATION } from './operator.ts';
import { fakeService, gatehouse, json, RUN_ID, SESSION_ID, shortRun, stream } from './support.ts';
import { StatusLine } from '../../src/cli/statusLine.ts';
import { PLAIN } from '../../src/cli/terminal.ts';

t.test('a run that no worker takes says so, unless it is to be quiet', async (t) => {
  let following = 0;
  const service = await fakeService(t, ({ method, path }, response) => {
    if (method === 'POST' && path === '/v1/sessions') {
      return json(response, 201, { id: SESSION_ID });
    }
    if (method === 'POST') return json(response, 202, { id: RUN_ID, status: 'queued' });
    stream(response, shortRun('Hello.').slice(0, 1));
    following++;
    // Longer than the three seconds that the client waits before it says something.
    setTimeout(() => {
      stream(Object.assign(response, { writeHead() {} }), shortRun('Hello.').slice(1));
      response.end();
    }, 4_500);
  });
  const options = { cwd: t.testdir({}),
    env: { GATEHOUSE_BASE_URL: service.base_url, GATEHOUSE_API_KEY: 'gth_test' } };
  const [told, quiet] = await Promise.all([
    gatehouse(['run', 'x'], options), gatehouse(['run', 'x', '--follow', '--quiet'], options)]);
  t.equal(following, 2);
  t.match(told, { code: 0, out: /^Hello\.\n$/, err: /\nqueued: no worker has taken it\..*doctor/ });
  t.strictSame(quiet, { code: 0, out: 'Hello.\n', err: '' });
});

t.test('an import that takes long says so: in a pipe once, and not if quiet', async (t) => {
  const service = await fakeService(t, (_request, response) =>
    // Longer than the second after which the client says what it waits for.
    setTimeout(() => json(response, 201, INTEGRATION), 2_500));
  const options = { cwd: t.testdir({}),
    env: { GATEHOUSE_BASE_URL: service.base_url, GATEHOUSE_ADMIN_TOKEN: 'gta_test' } };
  const add = ['integrations', 'add', 'github', '--document', 'https://x.example/d'];
  const [told, quiet] = await Promise.all([
    gatehouse(add, options), gatehouse([...add, '--quiet'], options)]);
  t.match(told, { code: 0, out: /^github/, err: /^importing github …\nConnect an account with: / });
  t.match(quiet, { code: 0, out: /^github/, err: '' });
});

t.test('a status line is on a screen alone, and goes with the wait', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let written = '';
  const line = new StatusLine((text) => {
    written += text;
    resolve();
  }, () => 40, PLAIN);
  const wait = line.begin('importing github');
  const alive = setInterval(() => {}, 1_000);
  await promise;
  clearInterval(alive);
  t.match(written, /^importing github … \d+ s$/);
  wait.end();
  t.match(written, / s\r\u001b\[K$/);
  new StatusLine(() => t.fail('written'), null, PLAIN).begin('importing').end();
});
