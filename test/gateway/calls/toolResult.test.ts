import fc from 'fast-check';
import t from 'tap';
import type { ActionOutcome } from '../../../src/gateway/action/outcome.ts';
import { toToolError, toToolResult } from '../../../src/gateway/calls/toolResult.ts';
import { prefixWithin, suffixWithin, truncateResult } from '../../../src/truncate.ts';

type CompletedCall = Extract<ActionOutcome, { status: 'completed' }>;

const completed = (result: unknown, rest: Partial<CompletedCall> = {}) => ({
  status: 'completed' as const, result, invocation_id: 'inv_1', action: 'a.b.c',
  connection_id: 'con_1',
  truncated: false, next_cursor: null, duration_ms: 3, ...rest });

t.test('a result that fits is shown as it is', async (t) => {
  t.same(toToolResult(completed({ a: 1 }, { next_cursor: 'c' }), 1_000), {
    value: { ok: true, invocation_id: 'inv_1', action: 'a.b.c', connection_id: 'con_1',
      result: { a: 1 }, page: { next_cursor: 'c' } },
    truncated: false,
  });
  t.match(toToolResult(completed(1, { unknown_fields: ['a', 'b'.repeat(400)] }), 1_000).value,
    { result: 1, unknown_fields: ['a'] });
  t.same(toToolResult(completed(1, { truncated: true }), 1_000).value, {
    ok: true, invocation_id: 'inv_1', action: 'a.b.c', connection_id: 'con_1', result: 1,
    truncated: true });
});

t.test('of media there is a description, and no base64', async (t) => {
  const base64 = 'aGkh'.repeat(100);
  const shown = (result: unknown) =>
    (toToolResult(completed(result), 10_000).value as { result: unknown }).result;
  t.match(shown({ content: [{ type: 'image', mime_type: 'image/png', bytes: 300, width: 4, base64 },
    { type: 'resource', uri: 'a:1', base64 }, { type: 'text', text: base64 }] }), { content: [
    { type: 'image', mime_type: 'image/png', bytes: 300, width: 4, base64: undefined,
      not_shown: /kept on the invocation/ }, { uri: 'a:1', bytes: 300, base64: undefined },
    { text: base64 }] });
  t.match(shown({ media_type: 'image/png', bytes: 300, base64 }), { base64: undefined });
  t.match(shown([{ base64 }]), [{ bytes: 300, base64: undefined }], 'also where it is asked for');
  t.strictSame(shown({ content: [{ type: 'image', data: base64, mimeType: 'image/png' }] }),
    { content: [{ bytes: 300, type: 'image', mimeType: 'image/png',
      not_shown: 'The content is not shown here; it is kept on the invocation.' }] },
    'also as MCP itself has it');
  const inLines = base64.replaceAll(/.{76}/g, '$&\n');
  for (const file of [{ type: 'blob', mimeType: 'application/pdf', data: base64 },
    { mime_type: '', mimeType: 'Audio/L16', data: inLines }]) {
    t.match(shown(file), { bytes: Number, data: undefined }, 'as others have it');
  }
  const drawn = { mimeType: 'image/svg+xml', data: `<svg>${base64}</svg>` };
  t.strictSame(shown(drawn), drawn, 'what is no base64 can be read');
  const odd = { base64, mime_type: { toString: 'no function', valueOf: 1 } };
  t.strictSame(shown(odd), odd, 'whatever is said to be its type');
  for (const other of [{ media_type: 'application/pdf', bytes: 300, base64 }, { base64: 'aGkh' }]) {
    t.strictSame(shown(other), other, 'a file that another action takes');
  }
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

t.test('of one that was cut when it was performed, the beginning is shown shorter', async (t) => {
  const whole = { text: 'x'.repeat(9_000) };
  const kept = truncateResult(whole, 5_000).result as { truncated: object, head: string };
  const { value, truncated } = toToolResult(completed(kept, { truncated: true }), 1_000);
  t.ok(truncated);
  const { head, ...rest } = (value as { result: { head: string } }).result;
  t.same(rest, { truncated: { ...kept.truncated, returned: head.length } },
    'with its true size, and no word of a whole result');
  t.match(head, /^\{"text":"xxx/);
  const length = JSON.stringify(value).length;
  t.ok(length <= 1_000 && length > 980, `the room is used (${length})`);
  const note = (truncated: boolean) => {
    const { result } = toToolResult(completed(whole, { truncated }), 1_000).value;
    return (result as { note: string }).note;
  };
  t.match(note(true), 'what is kept of the result is on the invocation');
  t.match(note(false), 'the whole result is on the invocation');
});

const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '\x01', 'é', '日', '😀'),
  maxLength: 3_000 });

const failed = (rest: object) => ({ status: 'missing' in rest ? 'missing' : 'failed',
  invocation_id: 'inv_1', action: 'a.b.c', connection_id: null, duration_ms: 1, ...rest,
}) as Exclude<ActionOutcome, { status: 'completed' }>;

t.test('a failure is shown with what the other system said', async (t) => {
  const gap = { code: 'not_permitted', message: 'No grant.', action: 'a.b.c' };
  t.same(toToolError(failed({ missing: [gap, { ...gap, message: 'No account.' }] }), 1_000),
    { code: 'not_permitted', message: 'No grant. No account.',
      missing: [gap, { ...gap, message: 'No account.' }] });
  const details = { status: 422, body: { message: 'Validation Failed',
    errors: [{ field: 'title', code: 'missing_field' }] } };
  const error = { code: 'upstream_error', message: 'It said no.', details };
  t.same(toToolError(failed({ error }), 1_000),
    { code: 'upstream_error', message: 'It said no.', upstream: details });
  t.same(toToolError(failed({ error: { code: 'cancelled', message: 'No.' } }), 1_000),
    { code: 'cancelled', message: 'No.' });
});

t.test('a long failure keeps its shorter particulars', async (t) => {
  const body = { message: 'Validation Failed', errors: 'x'.repeat(5_000) };
  const cut = toToolError(failed({ error: { code: 'upstream_error', message: 'm'.repeat(2_000),
    details: { status: 422, body } } }), 1_500);
  t.match(cut, { code: 'upstream_error', message: 'm'.repeat(300), upstream: { status: 422,
    body: { truncated: { bytes: Number }, head: /^\{"message":"Validation Failed"/ } } });
  t.match(toToolError(failed({ error: { code: 'upstream_error', message: 'No.',
    details: { status: 422, body } } }), 1_000), { upstream: { status: 422 } });
  const gap = { code: 'approval_required', message: 'Ask.', approval_id: 'apr_1',
    call: { input: 'x'.repeat(5_000) }, status: 'pending' };
  t.same(toToolError(failed({ missing: [gap] }), 1_000), { code: 'approval_required',
    message: 'Ask.', missing: [{ code: 'approval_required', message: 'Ask.', approval_id: 'apr_1',
      status: 'pending' }] });
});

t.test('any failure becomes JSON within the limit', async () => {
  const value = fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.integer());
  const members = fc.dictionary(fc.constantFrom('body', 'status', 'call', 'id'), value);
  fc.assert(fc.property(members, fc.array(fc.tuple(text, members), { maxLength: 9 }), text,
    fc.integer({ min: 1_000, max: 6_000 }), (details, gaps, message, limit) => {
      const outcomes = [failed({ error: { code: 'upstream_error', message, details } }),
        ...(gaps.length === 0 ? [] : [failed({ missing: gaps.map(([said, rest]) =>
          ({ ...rest, code: 'not_permitted', message: said })) })])];
      return outcomes.every((outcome) => {
        const json = JSON.stringify(toToolError(outcome, limit));
        return json.length <= limit && json.isWellFormed();
      });
    }));
});

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
