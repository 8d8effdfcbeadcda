import t from 'tap';
import { LineReader } from '../../../src/gateway/mcp/lines.ts';

function read(chunks: string[], limit_bytes: number, long_lines?: 'cut') {
  const lines: string[] = [];
  const reader = new LineReader(limit_bytes, (line) => lines.push(line.toString()), long_lines);
  const taken = chunks.map((chunk) => reader.read(Buffer.from(chunk)));
  reader.end();
  return { lines, taken };
}

t.test('lines are found however they are cut into chunks', async (t) => {
  const text = 'one\n\ntwo\nthree';
  const expected = ['one', 'two', 'three'];
  t.same(read([text], 5).lines, expected);
  t.same(read([...text], 5).lines, expected);
  t.same(read(['one\n\nt', 'wo\nthr', 'ee'], 5).lines, expected);
});

t.test('a line that is too long is refused, with all that follows', async (t) => {
  t.same(read(['12345\n123456', '\nx\n', 'y\n'], 5), {
    lines: ['12345'], taken: [false, false, false] });
  t.same(read(['1234', '56'], 5), { lines: [], taken: [true, false] });
});

t.test('or cut, if that is what is wanted', async (t) => {
  t.same(read(['123456', '789\nx\n'], 5, 'cut'), { lines: ['12345', 'x'], taken: [true, true] });
});
