/** What the service may take long for: nobody is told of a failure before it has ended. */
import t, { type Test } from 'tap';
import { waitingFor } from '../../src/cli/longAnswer.ts';
import { error, INTEGRATION } from './operator.ts';
import { fakeService, json, runScript } from './support.ts';

const AUDIT = { object: 'audit_log_verification', ok: true, entries: 1, head: 'abc', anchors: 1,
  latest_anchor: '1:abc:v1', anchor_ok: null, problems: [] };
const CHECKED = { ok: true, status: 'connected', action: 'x.y', message: 'Fine.' };

/**
 * Runs commands, one after the other, where times are a sixtieth of what they are: a minute is a
 * second. Node's own limit of five minutes for the head of an answer is as short, too.
 */
async function hurried(test: Test, base_url: string, commands: string[][], input = '') {
  const { out, err } = await runScript(`const { timeout } = AbortSignal;
    AbortSignal.timeout = (limit_ms) => timeout(limit_ms / 60);
    void Response;
    const place = [2, 1].map((version) => Symbol.for('undici.globalDispatcher.' + version))
      .find((symbol) => symbol in globalThis);
    globalThis[place] = new globalThis[place].constructor({ headersTimeout: 1_000 });
    for (const command of ${JSON.stringify(commands)}) {
      process.stdout.write((await runProgram(['node', 'gatehouse', ...command])) + ' ');
    }
    process.exit();`, { cwd: test.testdir({}), input, env: { GATEHOUSE_BASE_URL: base_url,
    GATEHOUSE_API_KEY: 'gth_test', GATEHOUSE_ADMIN_TOKEN: 'gta_test' } });
  return { out, err };
}

t.test('imports, calls and verifications are waited for longer than others', async (t) => {
  const { base_url } = await fakeService(t, ({ method, path }, response) => {
    const answer = path.includes('audit_log') ? AUDIT
      : path.includes('action_invocations') ? { result: { is: 'there' }, truncated: false }
        : path.includes('connections') ? CHECKED : INTEGRATION;
    if (method === 'GET' && answer === INTEGRATION) return json(response, 200, answer);
    setTimeout(() => json(response, 200, answer), 2_500);
  });
  const { out, err } = await hurried(t, base_url, [
    ['integrations', 'add', 'github', '--document', 'https://x.example/d', '-q'],
    ['integrations', 'update', 'github', '--title', 'GH', '-q'],
    ['integrations', 'refresh', 'github', '-q'],
    ['actions', 'invoke', 'x.y'],
    ['connections', 'check', 'con_1'],
    ['audit', 'verify'], ['audit', 'anchor'], ['runs', 'cancel', 'run_1'],
  ]);
  t.match(out, new RegExp('^(github [^]*\n0 ){3}\\{\n  "is": "there"\n\\}\n0 It works .*\n'
    + '0 The audit log is whole: .*\n0 1:abc:v1\n0 1 $'), 'and another request is given up');
  t.match(err, /^The connection to http:\S+ failed: (no answer within 60 s|Headers Tim.*)\.\n$/);
});

t.test('the bridge of MCP clients waits as long for a call', async (t) => {
  const { base_url } = await fakeService(t, ({ body }, response) => {
    const { id } = body as { id: number };
    setTimeout(() => json(response, 200, { jsonrpc: '2.0', id, result: { done: true } }), 2_500);
  });
  const { out } = await hurried(t, base_url, [['mcp', '--stdio']],
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"call_action"}}\n');
  t.match(out, /"jsonrpc":"2\.0","id":1,"result":\{"done":true\}\}\n0 $/);
});

t.test('an audit log of which nothing was said is not told as broken', async (t) => {
  const { base_url, stop } = await fakeService(t, (_request, response) => json(response, 503,
    error('unavailable', 'The log could not be read in time.')));
  const verify = [['audit', 'verify'], ['audit', 'verify', '--json'], ['audit', 'anchor']];
  t.match(await hurried(t, base_url, verify), { out: '2 2 2 ', err: /could not be read in time/ });
  await stop();
  t.match(await hurried(t, base_url, verify), { out: '2 2 2 ', err: /Nothing answers at/ });
});

t.test('Node.js 26 keeps something else where 24 keeps what sends requests', async (t) => {
  void Response; // which loads what Node.js has
  class Agent {}
  class Wrapper {}
  const kept = globalThis as { [place: symbol]: object | undefined };
  for (const [version, own] of [[1, new Wrapper()], [2, new Agent()]] as const) {
    const place = Symbol.for(`undici.globalDispatcher.${version}`);
    const before = kept[place];
    kept[place] = own;
    t.teardown(() => { kept[place] = before; });
  }
  t.type(waitingFor(1).dispatcher, Agent);
});
