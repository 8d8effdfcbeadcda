import t from 'tap';
import { toResult } from '../../../src/gateway/mcp/result.ts';

const read = (raw: unknown, limit_chars = 8) => toResult(raw, 'S', limit_chars, (text) => text)!;
const parts = (...content: unknown[]) => {
  const { result, truncated } = read({ content });
  return { parts: (result as { content: unknown[] }).content, truncated };
};

t.test('structured content is the result', async (t) => {
  const content = [{ type: 'text', text: '{}' }];
  t.same(read({ structuredContent: { a: 1 }, content }), { result: { a: 1 }, truncated: false });
  t.same(read({ structuredContent: null, content }).result, null);
  t.same(read({ structuredContent: { a: 1 } }).result, { a: 1 });
});

t.test('a text is kept beside structured content if it does not repeat it', async (t) => {
  const besides = (structuredContent: unknown, ...texts: unknown[]) => {
    const content = texts.map((text) => ({ type: 'text', text }));
    const { content_parts } = read({ structuredContent, content }).result as
      { content_parts?: { text: string }[] };
    return content_parts?.map(({ text }) => text);
  };
  const note = 'Only 2 of 900, for the index is still being built. Ask again in an hour.';
  t.strictSame(besides({ ids: [1, 2] }, '{"ids":[1,2]}', note), [note]);
  t.strictSame(besides({ result: ['a', { b: 'c' }] }, 'a', '{\n "b": "c" }', 'c', 'd'), ['d']);
  t.equal(besides({ result: 4 }, '4', 'null', '', undefined, 7), undefined);
  t.strictSame(besides({ result: 3, of: 0.5 }, '3.0', '5e-1', '4.0'), ['4.0'],
    'a number, as other languages write it');
  t.strictSame(besides({ v: '1.1', id: '12345678901234567000', near: 2 ** 53, all: 'Infinity' },
    '1.10', '12345678901234567890', '9007199254740993', '1e999'),
  ['1.10', '12345678901234567890', '9007199254740993', '1e999'], 'but nothing else');
  t.strictSame(besides({ result: 'grew' }, '"grew"', '"grows"'), ['"grows"'], 'a text as JSON');
  t.equal(read({ structuredContent: 'grew', content: [{ type: 'text', text: '"grew"' }] }).result,
    'grew');
  t.strictSame(read({ structuredContent: [1], content: [{ type: 'text', text: note }] }).result,
    { structured_content: [1], content_parts: [{ type: 'text', text: note }] });
  let deep: unknown = note;
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  t.equal(besides({ deep }, note), undefined, 'however deep it is there');
});

t.test('parts other than text are kept beside structured content', async (t) => {
  const link = { type: 'resource_link', uri: 'file:///report.pdf', name: 'report' };
  const content = [{ type: 'text', text: '{"count":1}' }, link,
    { type: 'image', data: 'aGk=', mimeType: 'image/png' }];
  const content_parts = [link,
    { type: 'image', mime_type: 'image/png', bytes: 2, base64: 'aGk=' }];
  t.strictSame(read({ structuredContent: { count: 1 }, content }),
    { result: { count: 1, content_parts }, truncated: false });
  for (const structured of [null, [1], 'x', { content_parts: 1 }, { omitted_parts: 1 }]) {
    t.strictSame(read({ structuredContent: structured, content }).result,
      { structured_content: structured, content_parts }, 'where it has no room for them');
  }
  t.match(read({ structuredContent: {}, content: [{ type: 'audio', data: 'aGkhaGkhaGkh' }] }),
    { truncated: true, result: { content_parts: [{ base64: null, omitted_chars: 12 }] } });
  const many = Array.from({ length: 1_003 }, () => link);
  t.match(read({ structuredContent: { a: 1 }, content: many }),
    { truncated: true, result: { a: 1, omitted_parts: 3 } });
  t.same(read({ structuredContent: { a: 1 }, content: 'x' }).result, { a: 1 });
});

t.test('an image that is structured, too, is there once, and within the same limit', async (t) => {
  const image = (data: string) => ({ type: 'image', data, mimeType: 'image/png' });
  const both = (data: string) =>
    read({ structuredContent: { content: [image(data)] }, content: [image(data)] });
  t.strictSame(both('aGk='), { result: { content: [image('aGk=')] }, truncated: false });
  const long = 'aGkh'.repeat(100);
  t.strictSame(both(long), { truncated: true, result: { content: [
    { type: 'image', data: null, mimeType: 'image/png', omitted_chars: 400 }] } });
  for (const text of [{ data: long }, { data: 'Read me. '.repeat(99), mimeType: 'text/html' }]) {
    t.strictSame(read({ structuredContent: text }), { result: text, truncated: false });
  }
  for (const [structuredContent, part] of [[{ ok: true }, image('true')], [{ id: 'x' }, image('x')],
    [{ ...image('x') }, { type: 'text', text: 'There is more', data: 'x' }]] as const) {
    t.match(read({ structuredContent, content: [part] }, 99),
      { result: { ...structuredContent, content_parts: [{ type: part.type }] } }, 'no repetition');
  }
});

t.test('else its parts are, as plain JSON', async (t) => {
  t.same(parts(
    { type: 'text', text: 'a', annotations: { audience: ['user'] }, _meta: {} },
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'a:1', mimeType: 'text/plain', text: 'hi' } },
    { type: 'resource', resource: { uri: 'a:2', blob: 'aGk=' } },
    { type: 'resource_link', uri: 'a:3', name: 'three', mimeType: 'text/x', size: 3 },
  ), { truncated: false, parts: [
    { type: 'text', text: 'a' },
    { type: 'image', mime_type: 'image/png', bytes: 2, base64: 'aGk=' },
    { type: 'audio', mime_type: 'audio/wav', bytes: 2, base64: 'aGk=' },
    { type: 'resource', uri: 'a:1', mime_type: 'text/plain', text: 'hi' },
    { type: 'resource', uri: 'a:2', bytes: 2, base64: 'aGk=' },
    { type: 'resource_link', uri: 'a:3', name: 'three', mime_type: 'text/x' },
  ] });
  t.same(read({ content: [] }).result, { content: [] });
});

t.test('what is no part is none', async (t) => {
  t.same(parts(null, 'x', { type: 'text' }, { type: 'image' }, { type: 'resource' },
    { type: 'hologram', mimeType: 7 }).parts, [
    { type: 'unknown' }, { type: 'unknown' }, { type: 'text', text: '' },
    { type: 'image', base64: null }, { type: 'resource', base64: null }, { type: 'unknown' }]);
});

t.test('what is too large is left out, and counted', async (t) => {
  t.same(parts({ type: 'image', data: 'aGkhaGkh', mimeType: 'a/b' },
    { type: 'image', data: 'aGkhaGkhaGkh', mimeType: 'a/b' }), { truncated: true, parts: [
    { type: 'image', mime_type: 'a/b', bytes: 6, base64: 'aGkhaGkh' },
    { type: 'image', mime_type: 'a/b', bytes: 9, base64: null, omitted_chars: 12 }] });
  const many = Array.from({ length: 1_003 }, () => ({ type: 'text', text: '' }));
  t.match(read({ content: many }), { truncated: true, result: { omitted_parts: 3 } });
});

t.test('no result, and a failed one', async (t) => {
  for (const raw of [null, 7, [], {}, { content: {} }]) {
    t.equal(read(raw), null);
  }
  const failed = { isError: true, content: [{ type: 'text', text: 'x'.repeat(3_000) }],
    structuredContent: null };
  t.throws(() => read(failed), { name: 'ActionFailure', message: /^x{2000}$/,
    outcome: { error: { details: undefined } } });
  const structuredContent = { code: 'quota_exceeded', retry_after_s: 30 };
  t.throws(() => read({ isError: true, structuredContent }), { message: /and not why/,
    outcome: { error: { code: 'upstream_error', details: { body: structuredContent } } } });
});

t.test('how large an image is, where its beginning says so', async (t) => {
  const heads = {
    png: '89504e470d0a1a0a0000000d49484452000002800000019008060000', gif: '47494638396180029001',
    jpeg: 'ffd8ffe000104a46494600010100000100010000ffc0001108019002800301', none: 'ffd8ffe00000',
    cut: '89504e470d0a1a0a00000d', zero: 'ffd8ffe0000000000000ffe00000',
  };
  const size = (hex: string) => {
    const data = Buffer.from(hex, 'hex').toString('base64');
    const { result } = read({ content: [{ type: 'image', data }] }, 1_000);
    const [{ width, height } = {}] = (result as { content: Record<string, unknown>[] }).content;
    return [width, height];
  };
  for (const kind of ['png', 'gif', 'jpeg'] as const) t.strictSame(size(heads[kind]), [640, 400]);
  for (const kind of ['none', 'cut', 'zero'] as const) {
    t.strictSame(size(heads[kind]), [undefined, undefined]);
  }
});
