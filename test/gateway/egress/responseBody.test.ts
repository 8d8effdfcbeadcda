import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
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
