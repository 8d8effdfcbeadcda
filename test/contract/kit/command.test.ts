/** `gatehouse contract` as people and CI servers use it: output, formats, exit codes, Ctrl-C. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { Parser } from 'tap-parser';
import { TOPICS } from '../../../src/contract/check.ts';
import { junit, Tap } from '../../../src/contract/reports.ts';
import { selectChecks } from '../../../src/contract/kit.ts';
import { gatehouse } from '../../cli/oneProcess.ts';
import { GATEHOUSE, helpOf, start } from '../../cli/support.ts';
import { listen } from '../../support/listen.ts';
import { testServer, type TestServer } from '../../support/server.ts';
import { untilSeen } from '../../support/until.ts';
import { unendingServer } from '../unending.ts';
import { DEFECTS } from '../defects/index.ts';
import { startDefectProxy } from '../defects/proxy.ts';

const server: TestServer = await testServer(t);
const { base_url, api_key } = server.client;

/** Calls the command; the timeout is one that no sound answer needs, however slow the machine. */
function contract(test: Test, args: string[], address = base_url) {
  return gatehouse(['contract', '--base-url', address, '--timeout', '120', ...args],
    { cwd: test.testdir({}), env: { GATEHOUSE_API_KEY: api_key! } });
}

/** The service with a cursor that is ignored. */
async function broken(test: Test): Promise<string> {
  const defect = DEFECTS.find(({ name }) => name === 'lists.cursor_ignored_by_listActions')!;
  const proxy = await startDefectProxy(
    { base_url, api_key: api_key!, other_api_key: api_key! }, defect);
  test.teardown(() => proxy.close());
  return proxy.base_url;
}

const SOME = ['--only', 'paging.actions,isolation.cursors,auth.missing_key'];

t.test('a table, for people', async (t) => {
  const { code, out, err } = await contract(t, SOME);
  t.equal(code, 0, err);
  t.match(out, /^✓ paging\.actions +\d+\.\d s {2}actions are listed once each/m);
  t.match(out, /^- isolation\.cursors .*skipped: it needs the key of another workspace/m);
  t.match(out, /\n3 checks with \d+ requests in [\d.]+ s: 2 passed, 0 failed, 1 skipped\.\n$/);
});

t.test('which address is checked is said first, and what names it', async (t) => {
  const cwd = t.testdir({ config: { 'profiles.json': JSON.stringify({ current: 'prod',
    profiles: { prod: { base_url: 'http://127.0.0.1:1/v1', api_key: 'gth_prod' } } }) } });
  const env = { GATEHOUSE_CONFIG_DIR: join(cwd, 'config') };
  const said = async (...args: string[]) =>
    (await gatehouse(['contract', ...SOME, ...args], { cwd, env })).err;
  t.match(await said(),
    /^Checking http:\/\/127\.0\.0\.1:1\/v1 \(profile prod\)\n.*cannot be reached/);
  t.match(await said('--base-url', 'http://127.0.0.1:1'),
    /^Checking http:\/\/127\.0\.0\.1:1\/v1\n/, 'a flag wins');
  const [help] = await helpOf(['contract'], { cwd });
  t.match(help!.replaceAll(/\s+/g, ' '),
    'then the profile of GATEHOUSE_PROFILE or `gatehouse profiles use`');
});

t.test('a second key that is not sent is named as it was given', async (t) => {
  const kept = { base_url, workspace_id: server.workspace_id, api_key, admin_token: null };
  const cwd = t.testdir({ '.gatehouse': { 'credentials.json': JSON.stringify(kept) } });
  const only = ['contract', '--only', 'isolation.cursors'];
  for (const [place, args, env] of [
    ['GATEHOUSE_OTHER_API_KEY', [], { GATEHOUSE_OTHER_API_KEY: 'gth_other' }],
    ['--other-api-key', ['--other-api-key', 'gth_other'], {}],
    ['--other-api-key', ['--other-api-key', 'gth_other'], { GATEHOUSE_OTHER_API_KEY: 'gth_x' }],
  ] as const) {
    const { code, err } = await gatehouse([...only, ...args], { cwd, env });
    t.equal(code, 2, err);
    t.match(err, `The api key of ${place} is not sent to ${base_url}: only `, place);
    t.match(err, `--base-url ${base_url}. Without ${place}, the checks of isolation are skipped.`);
    const named = await gatehouse([...only, ...args, '--base-url', base_url], { cwd, env });
    t.match(named, { code: 2, err: /does not take the api key of the second workspace: 401/ },
      'as it says, --base-url helps');
  }
});

t.test('what fails is shown, with how to repeat it', async (t) => {
  const { code, out } = await contract(t, SOME, await broken(t));
  t.equal(code, 1);
  t.match(out, /^✗ paging\.actions .*\n {4}→ listActions: \S+ is on two pages$/m);
  t.match(out, /1 failed, 1 skipped\. To repeat what has failed: --only paging\.actions\n$/);
});

t.test('TAP 14, as its parser reads it', async (t) => {
  const { code, out } = await contract(t, [...SOME, '--format', 'tap'], await broken(t));
  t.equal(code, 1);
  t.match(out, /^TAP version 14\n/);
  const parser = new Parser({ strict: true });
  const failures: { name: string; diag: { message?: string } }[] = [];
  parser.on('assert', (point) => { if (!point.ok) failures.push(point); });
  const final = new Promise<any>((resolve) => parser.on('complete', resolve));
  parser.end(out);
  t.match(await final, { count: 3, fail: 1, pass: 2, skip: 1, plan: { start: 1, end: 3 } });
  t.match(failures, [{ name: 'paging.actions', diag: { message: /is on two pages/ } }]);
});

t.test("JUnit's XML", async (t) => {
  const { code, out } = await contract(t, [...SOME, '--format', 'junit'], await broken(t));
  t.equal(code, 1);
  const elements = elementsOf(out);
  const [root] = elements;
  t.match(root, { name: 'testsuites', parent: undefined,
    attributes: { tests: '3', failures: '1', errors: '0', skipped: '1', time: /^\d+\.\d{3}$/ } });
  const suites = elements.filter(({ name }) => name === 'testsuite');
  t.strictSame(suites.map(({ attributes }) => attributes.name!.split(':')[0]),
    ['auth', 'paging', 'isolation']);
  const cases = elements.filter(({ name }) => name === 'testcase');
  t.strictSame(cases.map(({ parent, attributes: { classname, name } }) =>
    [parent, classname, name]),
    [['testsuite', 'gatehouse.contract.auth', 'auth.missing_key'],
      ['testsuite', 'gatehouse.contract.paging', 'paging.actions'],
      ['testsuite', 'gatehouse.contract.isolation', 'isolation.cursors']]);
  t.match(elements.filter(({ name }) => name === 'failure'),
    [{ parent: 'testcase', attributes: { type: 'contract', message: /is on two pages/ } }]);
  t.match(elements.filter(({ name }) => name === 'skipped'),
    [{ parent: 'testcase', attributes: { message: /--other-api-key/ } }]);
});

t.test('whatever a target says stays text in XML', async (t) => {
  const [check] = selectChecks();
  const reason = 'says <b> & "x" \u0007 \ud800 ]]> \u2028';
  const text = junit({ results: [{ check: check!, status: 'failed', reason, duration_ms: 1 }],
    requests: 1, unavailable: 0, duration_ms: 1, left: [], interrupted: false, gone: null });
  const [failure] = elementsOf(text).filter(({ name }) => name === 'failure');
  t.equal(failure!.attributes.message, 'says <b> & "x" \ufffd \ufffd ]]> \u2028');
});

t.test('what was interrupted is no run that passed, in any form', async (t) => {
  const [check] = selectChecks();
  const report = { results: [{ check: check!, status: 'passed' as const, reason: '',
    duration_ms: 1 }], requests: 1, unavailable: 0, duration_ms: 1, left: [], interrupted: true,
  gone: null };
  const tap = new Tap();
  const parser = new Parser({ strict: true });
  const final = new Promise<any>((resolve) => parser.on('complete', resolve));
  parser.end(tap.begin() + tap.result(report.results[0]!) + tap.end(report));
  t.match(await final, { ok: false, bailout: 'interrupted', pass: 1, failures: [] });
  const elements = elementsOf(junit(report));
  t.match(elements[0],
    { name: 'testsuites', attributes: { tests: '2', failures: '0', errors: '1' } });
  t.match(elements.filter(({ name }) => name === 'error'),
    [{ parent: 'testcase', attributes: { message: /not all checks were made/ } }]);
});

t.test('--list names every check with its topic, and makes none', async (t) => {
  const { code, out } = await contract(t, ['--list'], 'http://127.0.0.1:1');
  t.equal(code, 0);
  for (const topic of Object.keys(TOPICS)) t.match(out, new RegExp(`^${topic}\\.`, 'm'));
  t.equal(out.trim().split('\n').length, selectChecks().length + 1);
  const some = await contract(t,
    ['--list', '--only', 'auth,paging', '--except', 'auth.scheme_case,paging'],
    'http://127.0.0.1:1');
  t.match(some.out, /^auth\.invalid_key /m);
  t.notMatch(some.out, /^(auth\.scheme_case|paging\.|streams\.)/m);
});

t.test('2 for what says nothing about the contract', async (t) => {
  t.match(await contract(t, SOME, 'http://127.0.0.1:1'), { code: 2, err: /cannot be reached/ });
  t.match(await contract(t, [...SOME, '--api-key', 'gth_wrong']),
    { code: 2, err: /does not take the api key: 401\.\n/ });
  const other = createServer((_request, response) => {
    response.writeHead(401).end('{"message": "Bad credentials"}');
  });
  const port = await listen(t, other);
  t.match(await contract(t, SOME, `http://127.0.0.1:${port}`),
    { code: 2, err: /does not take the api key: 401\. Is it the address of a Gatehouse/ });
  t.match(await contract(t, SOME, `https://127.0.0.1:${port}`),
    { code: 2, err: /cannot be reached: GET \S+: what answers speaks no TLS; [^]* http:/ });
  const unending = await unendingServer(t, 200);
  t.match(await contract(t, [...SOME, '--timeout', '5'], unending),
    { code: 2, err: /cannot be reached: the answer does not come to its end within 5 s/ });
  t.match(await contract(t, ['--only', 'nothing']), { code: 2, err: /no topic and no check/ });
  t.match(await contract(t, ['--only', 'toString']), { code: 2, err: /no topic and no check/ },
    'what every object has is no topic');
  t.match(await contract(t, ['--except', 'nothing']), { code: 2, err: /no topic and no check/ });
  t.match(await contract(t, ['--format', 'html']), { code: 2 });
});

t.test('a report of which no check was made is none that passed, in any form', async (t) => {
  for (const [what, args, address, why] of [
    ['nobody listens', SOME, 'http://127.0.0.1:1', /^http:\S+ cannot be reached: /],
    ['a wrong key', [...SOME, '--api-key', 'gth_wrong'], base_url, /does not take the api key/],
    ['no address', SOME, 'nowhere', /is not the address of a service/],
    ['no such check', ['--only', 'nothing'], base_url, /no topic and no check/],
  ] as const) {
    const tap = await contract(t, [...args, '--format', 'tap'], address);
    t.equal(tap.code, 2, what);
    const parser = new Parser({ strict: true });
    const final = new Promise<any>((resolve) => parser.on('complete', resolve));
    parser.end(tap.out);
    t.match(await final, { ok: false, bailout: why, count: 0, failures: [] }, what);
    const xml = await contract(t, [...args, '--format', 'junit'], address);
    t.equal(xml.code, 2, what);
    const elements = elementsOf(xml.out);
    t.match(elements[0], { name: 'testsuites',
      attributes: { tests: '1', failures: '0', errors: '1', skipped: '0' } }, what);
    t.match(elements.filter(({ name }) => name === 'error'),
      [{ parent: 'testcase', attributes: { type: 'stopped', message: why } }], what);
  }
});

t.test('2 where all that was chosen is left out: no check is no success', async (t) => {
  const topics = Object.keys(TOPICS).join(',');
  for (const [args, said] of [
    [['--only', 'auth', '--except', 'auth'], '--except auth leaves out all of --only auth.'],
    [['--only', 'auth.invalid_key', '--except', 'auth.invalid_key'],
      '--except auth.invalid_key leaves out all of --only auth.invalid_key.'],
    [['--only', 'auth.invalid_key', '--except', 'auth'],
      '--except auth leaves out all of --only auth.invalid_key.'],
    [['--except', topics], `--except ${topics} leaves out all of them.`],
  ] as const) {
    for (const more of [[], ['--list']]) {
      const { code, out, err } = await contract(t, [...args, ...more]);
      t.match({ code, out }, { code: 2, out: '' }, args.join(' '));
      t.match(err.replaceAll('\n', ' '), `No check is left: ${said}`);
    }
  }
});

t.test('Ctrl-C tidies up', async (t) => {
  const { child, ended } = start(
    ['contract', '--base-url', base_url, '--timeout', '120', '--only', 'runs,streams,cancellation'],
    { cwd: t.testdir({}), env: { GATEHOUSE_API_KEY: api_key! } });
  await untilSeen('a run of the kit', async () => await server.sql`
    select r.id from runs r join sessions s on s.id = r.session_id
    where r.status = 'running' and s.metadata::text like '%gatehouse_contract%'`,
  (runs) => runs.length > 0);
  child.kill('SIGINT');
  t.match(await ended, { code: 130, out: /^Interrupted\. /m });
  t.strictSame([...await server.sql`select id from runs
    where status in ('queued', 'running')`], []);
  t.strictSame([...await server.sql`select id from sessions where status = 'active'
    and metadata::text like '%gatehouse_contract%'`], []);
});

t.test('Ctrl-C before the first check leaves no report that passed', async (t) => {
  for (const [format, said] of [['tap', /^Bail out! interrupted$/m],
    ['junit', /<error type="stopped" message="interrupted"/]] as const) {
    const { child, ended } = start(['contract', '--base-url', await unendingServer(t, 200),
      '--timeout', '120', '--format', format],
    { cwd: t.testdir({}), env: { GATEHOUSE_API_KEY: api_key! } });
    await once(child.stderr!, 'data');
    child.kill('SIGINT');
    t.match(await ended, { code: 130, out: said }, format);
  }
});

t.test('a reader that has seen enough is no success, and it tidies up', async (t) => {
  const child = spawn(GATEHOUSE, ['contract', '--base-url', base_url, '--timeout', '120', '--only',
    'auth,runs,streams,cancellation'], { cwd: t.testdir({}),
    env: { PATH: process.env.PATH, GATEHOUSE_API_KEY: api_key! } });
  const closed = once(child, 'close');
  child.stderr.resume();
  await once(child.stdout, 'data');
  child.stdout.destroy();
  t.strictSame(await closed, [1, null]);
  t.strictSame([...await server.sql`select id from runs
    where status in ('queued', 'running')`], []);
  t.strictSame([...await server.sql`select id from sessions where status = 'active'
    and metadata::text like '%gatehouse_contract%'`], []);
});

interface Element {
  name: string;
  attributes: Record<string, string>;
  parent: string | undefined;
}

/** The elements of an XML text, which has to be well formed. */
function elementsOf(xml: string): Element[] {
  const elements: Element[] = [];
  const open: string[] = [];
  const rest = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '')
    .replace(/<(\/?)([a-z]+)((?: [a-z]+="[^"<]*")*)(\/?)>/g,
      (_, closes: string, name: string, list: string, empty: string) => {
        if (closes && open.pop() !== name) throw new Error(`</${name}> closes nothing`);
        if (closes) return '';
        const attributes = Object.fromEntries([...list.matchAll(/ ([a-z]+)="([^"]*)"/g)]
          .map(([, key, value]) => [key!, value!.replace(/&#(\d+);/g, (_code, code: string) =>
            String.fromCharCode(Number(code)))]));
        elements.push({ name, attributes, parent: open.at(-1) });
        if (!empty) open.push(name);
        return '';
      });
  if (open.length > 0 || /[<>]|&(?!#\d+;)/.test(rest)) throw new Error(`not well formed: ${rest}`);
  return elements;
}
