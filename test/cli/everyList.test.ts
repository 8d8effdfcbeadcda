/** What all commands that list or show something have in common. */
import { stripVTControlCharacters } from 'node:util';
import t from 'tap';
import { textWidth } from '../../src/cli/width.ts';
import { allCommands, gatehouse, offered } from './oneProcess.ts';
import { against, page } from './operator.ts';
import { json } from './support.ts';

const HOSTILE = 'Say\u001b[2J it.\n\u202eTwice\u009b';
const STEERING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/;
const CREATED = '2025-11-21T09:00:00.000Z';
const EVENT = { id: 'evt_1', type: 'run.completed', sequence_number: 1, created_at: CREATED,
  data: { output: [], usage: null, text: HOSTILE } };
/** Whatever is asked for has all that a program might look for before it prints the whole. */
const ANY = { id: 'run_01kagz4e6f1s3t5v7w9x1y3z5a', status: 'completed', sequence_number: 1,
  title: HOSTILE, [HOSTILE]: HOSTILE, created_at: CREATED };
const LIST = page(ANY, { ...ANY, id: 'run_01kagz4e6g000000000000000b' });

/** What commands want besides their words; a group or command that is not here wants nothing. */
const WANTS: Readonly<Record<string, string[]>> = {
  'runs show': ['run_1'], 'runs events': ['run_1'], 'sessions show': ['ses_1'],
  'invocations show': ['inv_1'], 'integrations show': ['int_1'], 'connections show': ['con_1'],
  'workspaces show': ['wsp_1'], 'approvals show': ['apr_1'], 'actions search': ['notes'],
  run: ['x', '--wait'],
};
/** Those that end only when they are told to, or look at this machine; others test them. */
const ELSEWHERE = ['runs watch', 'doctor'];
/** A line for each of them, as they come. */
const BY_LINES = ['runs events', 'audit tail'];

t.test('each prints JSON that programs can read, with --json', async (t) => {
  const { base_url, cwd, requests } = await against(t, ({ method, path, headers }, response) => {
    if (headers.accept?.includes('event-stream')) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
      return response.end(`event: ${EVENT.type}\ndata: ${JSON.stringify(EVENT)}\nid: 1\n\n`);
    }
    if (path.includes('/events')) return json(response, 200, page(EVENT));
    const is_one = /\/[a-z]{3}_1$/.test(path) || (method === 'POST' && !/search/.test(path));
    json(response, 200, is_one ? ANY : LIST);
  });
  const env = { GATEHOUSE_BASE_URL: base_url, GATEHOUSE_API_KEY: 'gth_test',
    GATEHOUSE_ADMIN_TOKEN: 'gta_test', GATEHOUSE_CONFIG_DIR: cwd };
  const call = (...args: string[]) => gatehouse(args, { cwd, env });
  const commands = await allCommands();
  const taking: string[] = [];
  for (const command of commands) {
    if ((await offered('=--json', ...command.split(' '))).includes('--json')) taking.push(command);
  }
  t.ok(taking.length > 20, `${taking.length} commands`);
  t.strictSame(commands.filter((one) => / (list|show)$/.test(one) && !taking.includes(one)), [],
    'every command that lists or shows takes it');
  for (const command of taking.filter((one) => !ELSEWHERE.includes(one))) {
    const before = requests.length;
    const { code, out, err } = await call(...command.split(' '), ...WANTS[command] ?? [], '--json');
    // Nothing was wrong with what was asked for; of the audit log it says that it is not sound.
    t.equal(code, command === 'audit verify' ? 1 : 0, `${command}: ${err}`);
    t.notMatch(out, STEERING, `${command}: safe to print`);
    const documents = BY_LINES.includes(command) ? out.trimEnd().split('\n') : [out];
    const read = documents.map((text) => JSON.parse(text) as object);
    if (requests.length === before) continue; // profiles are of this machine
    t.ok(/list|search/.test(command) ? 'data' in read[0]! : read.length > 0, command);
    if (command !== 'runs events') t.ok(JSON.stringify(read).includes('Twice'), `${command}: all`);
  }
});

/** Rows of every kind of list, with ids as long as they are. */
const ROW = {
  ...ANY, title: `${'words of a title '.repeat(8)}and 日本語の長い文章はここで折り返されるべきです`,
  name: 'a name that somebody has given', slug: 'github', kind: 'openapi', effect: 'read',
  actions: { read: 12, write: 7, destructive: 2, quarantined: 0 }, integration: 'github',
  workspace_id: 'wsp_01kagz4c8me3t0v5x7n9q2r4ab', account_label: 'octocat', hint: '…abcd',
  auth_type: 'bearer', api_key_id: 'key_01kagz4c8me3t0v5x7n9q2r4ab', expires_at: null,
  input: [{ role: 'user', content: [{ type: 'input_text', text: 'many words '.repeat(30) }] }],
  started_at: CREATED, finished_at: CREATED, updated_at: CREATED, last_used_at: null,
  invocation_id: 'inv_01kagz4ec9e1f3g5h7j9k1m3n5', action: 'github.issues.list', source: 'run',
  duration_ms: 12, decision: 'allow', metadata: {}, archived_at: null, revoked_at: null,
  active_run_id: null, identities: [], limits: null, approval_scope: 'api_key', event: 'key.used',
  connection_id: 'con_01kagz4c8me3t0v5x7n9q2r4ab', error: null, status_reason: null,
  target: 'key_01kagz4c8me3t0v5x7n9q2r4ab', outcome: 'ok', reason: null,
  actor: { type: 'api_key', id: 'key_01kagz4c8me3t0v5x7n9q2r4ab' }, details: {},
};
/** What is otherwise in rows of one kind. */
const OTHERWISE: Readonly<Record<string, object>> = {
  'actions list': { name: 'github.issues.list' }, 'grants list': { actions: 'github.issues.*' },
  'approvals list': { input: { path: {} }, scope: 'api_key', run_id: null },
};
const LISTS = ['runs list', 'sessions list', 'invocations list', 'actions list', 'keys list',
  'admin-tokens list', 'workspaces list', 'integrations list', 'connections list', 'grants list',
  'approvals list', 'audit tail'];

for (const columns of [60, 100, 200]) {
  t.test(`lists on a terminal of ${columns} columns`, async (t) => {
    let row: object = ROW;
    const { base_url, cwd } = await against(t, (_request, response) =>
      json(response, 200, page(row, row)));
    const env = { GATEHOUSE_BASE_URL: base_url, GATEHOUSE_API_KEY: 'gth_test',
      GATEHOUSE_ADMIN_TOKEN: 'gta_test' };
    for (const command of LISTS) {
      row = { ...ROW, ...OTHERWISE[command] };
      const { code, out, err } = await gatehouse(command.split(' '), { cwd, env }, columns);
      t.match({ code, err }, { code: 0, err: '' }, command);
      const lines = stripVTControlCharacters(out).trimEnd().split('\n');
      t.strictSame(lines.filter((line) => textWidth(line) > columns), [], `${command}: no wider`);
      t.ok(lines.some((line) => /[a-z]{3}_01kagz4\w{19}|github/.test(line)), `${command}: ids`);
      if (columns === 200 && command !== 'audit tail') {
        t.match(lines[0], /^[A-Z ]+$/, `${command}: headings`);
        t.match(lines[1], /^\S+ {2}/, `${command}: beside each other`);
      }
    }
  });
}

t.test('colours: on a terminal but for NO_COLOR, in a pipe by FORCE_COLOR', async (t) => {
  const { base_url, cwd } = await against(t, (_request, response) =>
    json(response, 200, page(ROW)));
  const service = { GATEHOUSE_BASE_URL: base_url, GATEHOUSE_API_KEY: 'gth_test' };
  const isColoured = async (env: Record<string, string>, columns: number) => {
    const { code, out } = await gatehouse(['runs', 'list'],
      { cwd, env: { ...service, ...env } }, columns);
    t.equal(code, 0);
    return out !== stripVTControlCharacters(out);
  };
  const cases: [env: Record<string, string>, on_terminal: boolean, in_pipe: boolean][] = [
    [{}, true, false], [{ NO_COLOR: '1' }, false, false], [{ NO_COLOR: '' }, true, false],
    [{ FORCE_COLOR: '1' }, true, true], [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true, true], [{ TERM: 'dumb' }, false, false],
  ];
  for (const [env, on_terminal, in_pipe] of cases) {
    t.strictSame([await isColoured(env, 80), await isColoured(env, 0)], [on_terminal, in_pipe],
      JSON.stringify(env));
  }
});
