/** What may be printed: controls and turned directions are shown, not obeyed. */
import t from 'tap';
import { PLAIN, processTerminal, safeJson, safeText, table } from '../../src/cli/terminal.ts';
import { gatehouse } from './oneProcess.ts';
import { fakeService, json } from './support.ts';

const DIRECTIONS = ['061c', '200e', '200f', '202a', '202b', '202c', '202d', '202e', '2066', '2067',
  '2068', '2069'];
const all = DIRECTIONS.map((code) => String.fromCharCode(parseInt(code, 16))).join('');
const STEERING =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

t.test('a text of somebody else', async (t) => {
  t.equal(safeText(all), DIRECTIONS.map((code) => `<U+${code.toUpperCase()}>`).join(''));
  t.equal(safeText('pay \u202e001\u202c'), 'pay <U+202E>001<U+202C>');
  t.equal(safeText('a\tb\nשלום ü 👩‍💻'), 'a\tb\nשלום ü 👩‍💻', 'other scripts stay');
  t.equal(safeText('\u001b[2J\r\u0000\u009b\u007f'), '\ufffd[2J\ufffd\ufffd\ufffd\ufffd');
});

t.test('JSON says the same, and steers nothing', async (t) => {
  const value = { [`name${all}`]: `\u001b\u007f\u0085\u009b${all}` };
  const text = safeJson(JSON.stringify(value));
  t.notMatch(text, STEERING);
  t.strictSame(JSON.parse(text), value);
});

t.test('a table of very many rows, in a pipe and on a screen', async (t) => {
  const rows = Array.from({ length: 150_000 }, (_, at) => [`grt_${at}`, 'allow', 'x'.repeat(30)]);
  for (const screen of [null, { columns: 80, rows: 24, back() {} },
    { columns: 30, rows: 24, back() {} }]) {
    const lines = table(['ID', 'DECISION', 'ACTIONS'], rows, PLAIN, screen).split('\n');
    t.match(lines.find((line) => line.includes('149999')), /grt_149999 {2}allow/);
  }
});

t.test('a table is aligned by what is shown', async (t) => {
  t.equal(table(['A', 'B'], [['\u202e', 'x'], ['y', 'z']], PLAIN),
    'A         B\n<U+202E>  x\ny         z\n');
});

t.test('a screen gets nothing that steers it but our colours; a pipe gets all', async (t) => {
  const { write, isTTY } = process.stderr;
  let written = '';
  const printed = (isTTY: boolean, text: string) => {
    written = '';
    Object.assign(process.stderr, {
      isTTY, write: (piece: string) => Boolean(written += piece) });
    processTerminal({ no_color: false, force_color: false, is_dumb: false }).err(text);
    return written;
  };
  const forgotten = '\u001b[1mbold\u001b[22m \u001b]0;title\u0007\u202e\n';
  const [screen, pipe] = [printed(true, forgotten), printed(false, forgotten)];
  Object.assign(process.stderr, { isTTY, write });
  t.equal(screen, '\u001b[1mbold\u001b[22m \ufffd]0;title\ufffd<U+202E>\n');
  t.equal(pipe, forgotten);
});

t.test('names, errors and results as commands print them', async (t) => {
  const evil = `\u001b[2J${all}`;
  const service = await fakeService(t, ({ path, method }, response) => {
    if (path.startsWith('/v1/admin/audit')) {
      return json(response, 200, { object: 'list', has_more: false, next_cursor: null, data: [{
        sequence_number: 1, created_at: evil, event: evil, target: evil, outcome: evil,
        reason: evil, actor: { type: evil, id: evil } }] });
    }
    if (method === 'POST') return json(response, 201, { result: { [evil]: evil } });
    if (path.startsWith('/v1/actions')) {
      return json(response, 200, { object: 'list', has_more: false, next_cursor: null,
        data: [{ name: evil, effect: evil, title: evil }] });
    }
    return json(response, 400, { error: evil, code: evil, request_id: evil,
      details: [{ path: evil, message: evil }, { path: evil, message: evil }] });
  });
  const options = { cwd: t.testdir({}), env: { GATEHOUSE_BASE_URL: service.base_url,
    GATEHOUSE_API_KEY: 'gth_test', GATEHOUSE_ADMIN_TOKEN: 'gta_test' } };
  for (const args of [['actions', 'list'], ['actions', 'invoke', 'a.b'], ['workspaces', 'list'],
    ['audit', 'tail'], ['audit', 'tail', '--json']]) {
    const { out, err } = await gatehouse(args, options);
    t.ok(`${out}${err}`.includes('202'), args.join(' '));
    t.notMatch(out + err, STEERING, args.join(' '));
  }
});
