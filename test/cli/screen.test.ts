/** What is shown of runs, sessions and imports on a screen, and in a pipe. */
import { stripVTControlCharacters } from 'node:util';
import t from 'tap';
import { beside, hanging } from '../../src/cli/message.ts';
import { printFacts } from '../../src/cli/records.ts';
import { COLOURED, PLAIN, type Style } from '../../src/cli/style.ts';
import { table, type Terminal } from '../../src/cli/terminal.ts';
import { TranscriptWriter } from '../../src/cli/transcript.ts';
import { SILENT } from '../../src/cli/statusLine.ts';
import { textWidth } from '../../src/cli/width.ts';

const COLUMNS = 40;

/** A terminal, and what was written to it; a pipe if it has no columns. */
function terminal(columns: number, style: Style = PLAIN) {
  const written = { text: '' };
  const write = (text: string) => {
    written.text += text;
  };
  const made: Terminal = {
    out: write, err: write, style, err_style: style, interactive: columns > 0, quiet: false,
    screen: columns > 0 ? { columns, rows: 24, back() {} } : null, wait: () => SILENT,
  };
  return { made, written };
}

function shown(columns: number, style?: Style): string {
  const { made, written } = terminal(columns, style);
  const transcript = new TranscriptWriter(made);
  transcript.prompt('What is said in a text of more words than a line has?\n    code = 1\u001b[2J');
  transcript.line('→ github.issues.list {"page":1}');
  transcript.answer('It is **rather** long, and has more words than a line of this screen.\n');
  return written.text;
}

t.test('a transcript: lines end between words, and Markdown is read', async (t) => {
  const lines = stripVTControlCharacters(shown(COLUMNS, COLOURED)).split('\n');
  t.strictSame(lines, ['', '> What is said in a text of more words', '  than a line has?',
    '>     code = 1\ufffd[2J', '→ github.issues.list {"page":1}', '',
    'It is rather long, and has more words', 'than a line of this screen.', '']);
  t.equal(shown(0), '\n> What is said in a text of more words than a line has?\n'
    + '>     code = 1\ufffd[2J\n→ github.issues.list {"page":1}\n\n'
    + 'It is **rather** long, and has more words than a line of this screen.\n', 'a pipe has all');
});

t.test('facts stand beside their names, also where they go on', async (t) => {
  const { made, written } = terminal(COLUMNS, COLOURED);
  printFacts(made, 'run_1', { status: 'failed', by: null,
    error: 'The provider says that it has too much to do now.' });
  t.strictSame(stripVTControlCharacters(written.text).split('\n'), ['run_1', '  status  failed',
    '  error   The provider says that it has', '          too much to do now.', '']);
});

t.test('reports: where a line goes on, it is indented; commands stay whole', async (t) => {
  const screen = { columns: COLUMNS };
  const text = 'github (GitHub): 1205 of 1206 operations are actions.\n'
    + '  left out: TRACE /some/where: the method is not supported\n'
    + 'Accept it with: gatehouse integrations refresh github --accept\n';
  t.equal(hanging(text, screen), 'github (GitHub): 1205 of 1206\n  operations are actions.\n'
    + '  left out: TRACE /some/where: the\n    method is not supported\n'
    + 'Accept it with:\n    gatehouse integrations refresh github --accept\n');
  t.equal(hanging(text, null), text);
  const wide = hanging('  note: 日本語の長い文章はここで折り返されるべきです。とても長い。', screen);
  t.ok(wide.split('\n').every((line) => textWidth(line) <= COLUMNS), wide);
});

t.test('where little room is beside a name, a text of several lines stands below it', async (t) => {
  const screen = { columns: COLUMNS };
  t.equal(beside('a name of twenty two   ', 'short', screen), 'a name of twenty two   short');
  t.equal(beside('a name of twenty two   ', 'and a text of two lines', screen),
    'a name of twenty two\n    and a text of two lines');
});

t.test('a mark without a heading stays with what it marks', async (t) => {
  const rows = [['*', 'local', 'http://[::1]:3000', 'wsp_01m835wer93d56mj'],
    ['', 'other', 'http://[::1]:3001', '-']];
  t.equal(table(['', 'NAME', 'SERVICE', 'PLACE'], rows, PLAIN,
    { columns: 24, rows: 24, back() {} }), `NAME     * local
SERVICE  http://[::1]:3000
PLACE    wsp_01m835wer93d56mj

NAME     other
SERVICE  http://[::1]:3001
PLACE    -
`);
});
