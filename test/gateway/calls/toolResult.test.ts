import fc from 'fast-check';
import t from 'tap';
import type { ActionOutcome, CompletedOutcome } from '../../../src/gateway/action/outcome.ts';
import { toToolResult } from '../../../src/gateway/calls/toolResult.ts';
import { prefixWithin, suffixWithin, truncateResult } from '../../../src/truncate.ts';

const completed = (result: unknown, rest: Partial<CompletedOutcome> = {}): ActionOutcome => ({
  status: 'completed', invocation_id: 'inv_1', action: 'a.b.c', connection_id: 'con_1', result,
  truncated: false, next_cursor: null, duration_ms: 3, ...rest });

t.test('a result that fits is shown as it is', async (t) => {
  t.same(toToolResult(completed({ a: 1 }, { next_cursor: 'c' }), 1_000), {
    value: { ok: true, invocation_id: 'inv_1', action: 'a.b.c', connection_id: 'con_1',
      result: { a: 1 }, page: { next_cursor: 'c' } },
    truncated: false,
  });
  t.same(toToolResult(completed(1, { truncated: true }), 1_000).value, {
    ok: true, invocation_id: 'inv_1', action: 'a.b.c', connection_id: 'con_1', result: 1,
    truncated: true });
});

t.test('a longer one is shown by its ends', async (t) => {
  const result = { text: 'x'.repeat(5_000), last: 'end' };
  const { value, truncated } = toToolResult(completed(result), 1_000);
  t.ok(truncated);
  const shown = (value as { result: unknown }).result as Record<string, string | number>;
  t.match(shown, { truncated: true, total_chars: JSON.stringify(result).length, note: String,
    head: /^\{"text":"xxx/, tail: /xxx","last":"end"\}$/ });
  const length = JSON.stringify(value).length;
  t.ok(length <= 1_000 && length > 990, `the room is used (${length})`);
});

t.test('failures are shown, and long ones lose their particulars', async (t) => {
  const gap = { code: 'not_permitted', message: 'No grant.', action: 'a.b.c' };
  const failed = (rest: object) => ({ status: 'missing' in rest ? 'missing' : 'failed',
    invocation_id: 'inv_1', duration_ms: 1, ...rest }) as ActionOutcome;
  t.same(toToolResult(failed({ missing: [gap] }), 1_000).value, { ok: false, missing: [gap] });
  const error = { code: 'upstream_error', message: 'It said no.', details: { status: 404 } };
  t.same(toToolResult(failed({ error }), 1_000).value, { ok: false, error });
  t.same(toToolResult(failed({ error: { ...error, details: 'x'.repeat(2_000) } }), 1_000),
    { value: { ok: false, error: { code: 'upstream_error', message: 'It said no.' } },
      truncated: true });
  const many = failed({ missing: [{ ...gap, schema: 'x'.repeat(2_000) }] });
  t.same(toToolResult(many, 1_000).value,
    { ok: false, missing: [{ code: 'not_permitted', message: 'No grant.' }] });
});

const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '\x01', 'é', '日', '😀'),
  maxLength: 3_000 });

t.test('any result becomes JSON within the limit, no character is split', async () => {
  fc.assert(fc.property(text, fc.integer({ min: 1_000, max: 4_000 }), (given, limit) => {
    const { value } = toToolResult(completed({ given }), limit);
    const json = JSON.stringify(value);
    return json.length <= limit && json.isWellFormed() && !/\\ud[89a-f]/i.test(json);
  }));
});

t.test('a prefix and a suffix are as long as they can be', async () => {
  const size = (part: string, unit: string) => {
    const json = JSON.stringify(part);
    return (unit === 'bytes' ? Buffer.byteLength(json) : json.length) - 2;
  };
  fc.assert(fc.property(text, fc.nat(500), fc.constantFrom('bytes', 'characters'),
    (given, budget, unit) => {
      const end = prefixWithin(given, budget, unit);
      const start = suffixWithin(given, budget, unit);
      const [head, tail] = [given.slice(0, end), given.slice(start)];
      const longer = given.slice(0, end + ([...given.slice(end)][0]?.length ?? 0));
      return head.isWellFormed() && tail.isWellFormed() && size(head, unit) <= budget
        && size(tail, unit) <= budget && (longer === head || size(longer, unit) > budget);
    }));
});

t.test('a kept result is cut by bytes and says so', async (t) => {
  t.same(truncateResult({ a: 'é' }, 1_024), { result: { a: 'é' }, truncated: false });
  const given = { a: '日"'.repeat(5_000) };
  const { result, truncated } = truncateResult(given, 4_096);
  t.ok(truncated);
  t.match(result, { truncated: { bytes: Buffer.byteLength(JSON.stringify(given)),
    returned: Number, hint: String }, head: /^\{"a":"日/ });
  const bytes = Buffer.byteLength(JSON.stringify(result));
  t.ok(bytes <= 4_096 && bytes > 3_600, `the room is used (${bytes})`);
});
