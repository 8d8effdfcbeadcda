import { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import t from 'tap';
import { readResponseBody } from '../../../src/gateway/egress/responseBody.ts';

t.test('of a bomb only the beginning is unpacked', async (t) => {
  const member = gzipSync(Buffer.alloc(1_048_576)); // 1 kB
  let taken = 0;
  const source = Readable.from((function* () {
    for (; taken < 10_000; taken++) yield member;
  })());
  const { body, cut } = await readResponseBody(source, 'gzip', 1_000_000);
  t.same([body.length, cut], [1_000_000, true]);
  // Streams read ahead; all that the limit lets in would be 1,000 and unpack to 1 GB.
  t.ok(taken < 100, `${taken} MB were taken`);
  t.ok(source.destroyed);
});

t.test('each way to compress is known, also one that was not asked for', async (t) => {
  const text = Buffer.from('{"a": 1}');
  const written = [['', text], ['identity', text], ['gzip', gzipSync(text)],
    ['X-Gzip', gzipSync(text)], ['deflate', deflateSync(text)], [' br ', brotliCompressSync(text)],
  ] as const;
  for (const [encoding, bytes] of written) {
    t.same(await readResponseBody(Readable.from([bytes]), encoding, 100),
      { body: text, cut: false }, encoding);
  }
});

t.test('a word that is no way to compress means that nothing is compressed', async (t) => {
  const text = Buffer.from('{"a": 1}');
  const read = (encoding: string) => readResponseBody(Readable.from([text]), encoding, 100);
  for (const word of ['UTF-8', 'none', 'aws-chunked']) t.same((await read(word)).body, text, word);
  for (const coding of ['zstd', 'compress', 'gzip, gzip', 'UTF-8, gzip']) {
    await t.rejects(read(coding), /compressed in a way that was not asked for/, coding);
  }
});
