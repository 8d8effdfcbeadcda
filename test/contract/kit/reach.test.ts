/** A target that is none, is not there yet, or goes away: told in words, and once. */
import { createServer, type ServerResponse } from 'node:http';
import t, { type Test } from 'tap';
import { runKit, type Result } from '../../../src/contract/kit.ts';
import { gatehouse } from '../../cli/oneProcess.ts';
import { listen } from '../../support/listen.ts';
import { otherWorkspace, testServer } from '../../support/server.ts';
import { startDefectProxy } from '../defects/proxy.ts';

const PATIENCE_MS = 60_000;
const WHERE = /Is it the address of a Gatehouse service, with \/v1\?$/;

/** A server that gives every request this answer: its address, and how many came. */
async function answering(
  test: Test, status: number, body: unknown, headers: Record<string, string> = {}) {
  const asked = { times: 0 };
  const server = createServer((_, response: ServerResponse) => {
    asked.times += 1;
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  return { asked, base_url: `http://127.0.0.1:${await listen(test, server)}/v1` };
}

function kit(base_url: string) {
  return runKit(
    { base_url, api_key: 'gth_any', patience_ms: PATIENCE_MS, parallel: 8, only: ['auth'] });
}

t.test('another service is no Gatehouse, whatever it answers', async (t) => {
  for (const [status, body, said] of [
    [200, { ok: true }, / answers 200 to GET \/sessions, and not as Gatehouse does\. /],
    [200, ['a'], / answers 200 to GET \/sessions, and not as Gatehouse does\. /],
    [404, { detail: 'Not Found' }, / answers 404 to GET \/sessions, and not as Gatehouse does\. /],
    [502, { error: { code: 'bad_gateway' } }, / answers 502 to GET \/sessions, and not as /],
    [200, '<!doctype html>', / answers 200 and no JSON\. /],
    [503, '<!doctype html>', / answers 503 and no JSON\. /],
  ] as const) {
    const { base_url, asked } = await answering(t, status, body);
    await t.rejects(kit(base_url), { message: said }, `${status} ${JSON.stringify(body)}`);
    await t.rejects(kit(base_url), { message: WHERE }, `${status} ${JSON.stringify(body)}`);
    t.equal(asked.times, 2, 'it is asked once each time');
  }
});

t.test('an address that sends elsewhere names where', async (t) => {
  const location = 'https://login.example/?next=%2Fv1';
  const { base_url, asked } = await answering(t, 302, '', { location });
  await t.rejects(kit(base_url), { message: ` answers 302 and sends to "${location}", where` });
  t.equal(asked.times, 1);
});

t.test('a path where Gatehouse has nothing', async (t) => {
  const { client } = await testServer(t);
  const api_key = client.api_key!;
  const { code, err } = await gatehouse(['contract', '--timeout', '60', '--base-url',
    client.base_url.replace(/v1$/, 'v2')],
  { cwd: t.testdir({}), env: { GATEHOUSE_API_KEY: api_key } });
  t.equal(code, 2);
  t.match(err.trim(), WHERE);
});

t.test('a Gatehouse in trouble is looked at', async (t) => {
  const { base_url, asked } = await answering(t, 500, { error: 'It failed.',
    code: 'internal_error', param: null, request_id: 'req_1' });
  const { results, gone } = await kit(base_url);
  t.ok(results.some(({ status }) => status === 'failed'));
  t.equal(gone, null);
  t.ok(asked.times > 2);
});

t.test('one that asks to come again much later was reached', async (t) => {
  const { base_url, asked } = await answering(t, 429, { error: 'Too much.', code: 'rate_limited',
    param: null, request_id: 'req_1' }, { 'retry-after': '3600' });
  await t.rejects(kit(base_url), { message: new RegExp('^http:\\S+/v1 answers, and asks to be asked'
    + ' later: /sessions\\?limit=1: 429 after 0 repeats, with Retry-After: "3600"; the kit waits'
    + ' 30 s at most, and repeats 20 times$') });
  t.equal(asked.times, 1);
});

t.test('one that goes away in the midst is named once, in every form', async (t) => {
  const server = await testServer(t);
  const { base_url, api_key } = server.client;
  const target = { base_url, api_key: api_key!,
    other_api_key: (await otherWorkspace(server)).api_key! };
  await t.rejects(runKit({ ...target, other_api_key: api_key!, patience_ms: 1, parallel: 1 }),
    { message: 'The api key of the second workspace is the first one once more. Give one of another'
      + ' workspace, or none.' });
  const leaving = async () => {
    let asked = 0;
    let closed: Promise<void> | undefined;
    const proxy = await startDefectProxy(target, { name: 'gone', does: 'goes away', topics: [],
      request: () => {
        asked += 1;
        if (asked > 10) closed ??= proxy.close();
      } });
    t.teardown(() => closed ?? proxy.close());
    return proxy.base_url;
  };
  const WHY = / cannot be reached: GET \/v1\/sessions: /;
  const { results, gone } = await runKit(
    { ...target, base_url: await leaving(), patience_ms: PATIENCE_MS, parallel: 8 });
  const failed = (result: Result) => result.status === 'failed';
  t.ok(results.filter(failed).length > 1, `${results.filter(failed).length} have failed`);
  t.match(gone, WHY);
  for (const [format, shown] of [['table', / failed, /], ['tap', /^Bail out! http.* cannot be /m],
    ['junit', /<error type="gone" message="http[^"]* cannot be reached: /]] as const) {
    const { code, out, err } = await gatehouse(['contract', '--base-url', await leaving(),
      '--format', format, '--timeout', '60', '--only', 'sessions,runs'],
    { cwd: t.testdir({}), env: { GATEHOUSE_API_KEY: target.api_key } });
    t.equal(code, 1, format);
    t.match(out, shown, format);
    t.equal(err.match(/^After the checks, http:\S+ cannot be reached: /gm)?.length, 1, err);
    t.match(err, /^What has failed may say no more than that\.$/m, format);
  }
});
