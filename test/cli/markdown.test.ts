/** Texts of models on a screen: in lines, and in the looks that their Markdown asks for. */
import { stripVTControlCharacters, styleText } from 'node:util';
import t from 'tap';
import { MarkdownStream } from '../../src/cli/markdown.ts';
import { message } from '../../src/cli/message.ts';
import { PLAIN, table, type Style } from '../../src/cli/terminal.ts';
import { textWidth } from '../../src/cli/width.ts';

/** Tells its formats by their names. */
const NAMED: Style = (format, text) => `<${format}>${text}</>`;
const COLOURED: Style = (format, text) => styleText(format, text, { validateStream: false });

/** What the pieces look like on a screen of so many columns. */
function shown(pieces: Iterable<string>, columns: number, style: Style = PLAIN): string {
  let text = '';
  const stream = new MarkdownStream((piece) => {
    text += piece;
  }, { style, columns: () => columns });
  for (const piece of pieces) stream.push(piece);
  stream.flush();
  return text;
}

const TEXT = `# A *fine* heading

Some **bold words** and \`code here\`, a_snake_case_name, 2 * 3 = 6.
See [the page](https://example.com/x) or https://example.com/bare, \\*not\\* this, ~~gone~~.



- one **item** that is longer than the line is
  - [x] done
10. tenth
> quoted words that are longer than the line

\`\`\`sh
echo **as it is**  twice
\`\`\`

| Name | What it is | N |
|---|:--|--:|
| one | **long** words that do not fit | 12 |
| 漢字 | a \\| b | 1 |

---
*unfinished [and so on`;

t.test('all that models write', async (t) => {
  t.equal(shown([TEXT], 40, COLOURED).replaceAll(/\u001b\[(\d+)m/g, (_, code: string) =>
    ({ 1: '{', 2: '(', 3: '/', 9: '~', 36: '`' })[code] ?? '}'), `{A /fine} }{heading}

Some {bold words} and \`code here},
a_snake_case_name, 2 * 3 = 6.
See the page ((https://example.com/x)} or
https://example.com/bare, *not* this,
~gone}.

• one {item} that is longer than the line
  is
  ☑ done
10. tenth
(│ }quoted words that are longer than the
(│ }line

(\`\`\`sh}
\`echo **as it is**  twice}
(\`\`\`}

{Name}  {What} {it} {is}                   {N}
(────────────────────────────────────}
one   {long} words that do not fit  12
漢字  a | b                        1

(────────────────────────────────────────}
*unfinished [and so on
`);
});

t.test('without colours the marks stay, for they tell what they mean', async (t) => {
  const text = shown([TEXT], 60);
  t.match(text, '# A *fine* heading\n\nSome **bold words** and `code here`');
  t.match(text, '[the page](https://example.com/x)');
  t.match(text, '• one **item**');
});

t.test('however it is cut into pieces, it looks the same', async (t) => {
  const visible = (pieces: Iterable<string>) =>
    stripVTControlCharacters(shown(pieces, 60, COLOURED));
  const whole = visible([TEXT]);
  t.equal(visible(TEXT), whole, 'each character by itself');
  for (const size of [2, 3, 7, 50]) {
    t.equal(visible(TEXT.match(new RegExp(`[^]{1,${size}}`, 'g'))!), whole, `${size} at a time`);
  }
});

t.test('words appear as they come, and no sooner than they are sure', async (t) => {
  let text = '';
  const stream = new MarkdownStream((piece) => {
    text += piece;
  }, { style: NAMED, columns: () => 60 });
  const after = (piece: string) => {
    text = '';
    stream.push(piece);
    return text;
  };
  t.equal(after('One two thr'), 'One two');
  t.equal(after('ee **bold '), ' three', 'nothing of an emphasis that has no end yet');
  t.equal(after('as** it'), ' <bold>bold as</>');
  t.equal(after('\n|'), ' it\n');
  t.equal(after('a|b|\n|-|-|\n|1|2|\n'), '', 'a table is waited for');
  t.match(after('\n'), /a<\/> {2}<bold>b<\/>\n<dim>─+<\/>\n1 +2\n$/);
  t.equal(after('```\nlet a'), '\n<dim>```</>\n');
  t.equal(after(' = 1;\n'), '<cyan>let a = 1;</>\n', 'code comes line by line');
});

t.test('no line is wider than the screen, but what has to be copied', async (t) => {
  const wide = `${'Wörter und '.repeat(20)}漢字かな、交じり文。${'漢字'.repeat(60)} 👩‍💻🇩🇪❤️ e\u0301 end`;
  for (const columns of [20, 60, 100]) {
    const lines = shown([`- ${wide}\n> ${wide}\n\n|a|b|\n|-|-|\n|${wide}|${wide}|`], columns,
      COLOURED).split('\n');
    t.strictSame(lines.filter((line) => textWidth(line) > columns), [], `${columns}`);
  }
  const address = `https://example.com/${'x'.repeat(50)}`;
  t.match(shown([`It is at ${address} now.`], 30), `It is at\n${address}`);
  t.equal(textWidth('👩‍💻🇩🇪❤️漢e\u0301\u200b'), 9);
});

t.test('what nobody writes in earnest does not hang', async (t) => {
  for (const text of ['a', '漢', '>', '> ', '[', '`a ', '**b ', '- ', '|a', ' ', '\n', '<!--',
    '```\n', 'a@', '_']) {
    const pieces = Array.from({ length: 30 }, () => text.repeat(10_000 / text.length));
    t.ok(shown(pieces, 60, COLOURED).length < 20_000_000, JSON.stringify(text));
  }
});

t.test('messages in lines, with commands whole', async (t) => {
  t.equal(message('Some words before it. Try `gatehouse keys list --all` and see.\n', 30),
    'Some words before it. Try\n`gatehouse keys list --all`\nand see.\n');
  t.equal(message('Connect it with: printf %s "$T" | ./bin/gatehouse connections add x\n', 40),
    'Connect it with:\n  printf %s "$T" | ./bin/gatehouse connections add x\n');
  t.equal(message('  lines that are indented stay\n', 10), '  lines that are indented stay\n');
});

t.test('tables on a screen', async (t) => {
  const rows = [['github', 'a title of several words', 'int_01kagz4e6f1s3t5v7w9x1y3z5a']];
  const on = (columns: number) => table(['SLUG', 'TITLE', 'ID'], rows, PLAIN,
    { columns, rows: 24, back() {} });
  t.equal(on(70), table(['SLUG', 'TITLE', 'ID'], rows, PLAIN));
  t.equal(on(60), 'SLUG    TITLE                 ID\n'
    + 'github  a title of several    int_01kagz4e6f1s3t5v7w9x1y3z5a\n        words\n');
  t.equal(on(40), 'SLUG    TITLE\n    ID\ngithub  a title of several words\n'
    + '    int_01kagz4e6f1s3t5v7w9x1y3z5a\n', 'the last one below the others');
  t.equal(on(30), 'SLUG   github\nTITLE  a title of several\n       words\n'
    + 'ID     int_01kagz4e6f1s3t5v7w9x1y3z5a\n', 'one below the other');
});
