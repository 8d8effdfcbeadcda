import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { UpstreamUnreachable } from './unreachable.ts';

/** What can be decompressed, and so what may be asked for. */
export const ACCEPT_ENCODING = 'gzip, br';

export interface ReadBody {
  body: Buffer;
  /** There was more; it was not read. */
  cut: boolean;
}

/**
 * The body, decompressed, up to `limit_bytes`; of the compressed bytes no more are taken either,
 * for a few kilobytes may unpack to gigabytes, and endless ones to nothing. Once the limit is
 * reached the stream is destroyed.
 */
export async function readBody(
  stream: Readable, encoding: string | undefined, limit_bytes: number): Promise<ReadBody> {
  const received = { bytes: 0, cut: false };
  const decoder = decoderFor(encoding);
  const counted = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      received.bytes += chunk.length;
      if (received.bytes > limit_bytes) received.cut = true;
      yield received.cut ? chunk.subarray(0, chunk.length - (received.bytes - limit_bytes)) : chunk;
      if (received.cut) return;
    }
  };
  // Reading reports errors; without a callback they would be uncaught as well.
  const decoded: AsyncIterable<Buffer> = decoder === null
    ? counted(stream) : pipeline(stream, counted, decoder, () => {});
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of decoded) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > limit_bytes) break;
    }
  } catch (error) {
    // Compressed data that we cut end too early, and many services call an empty body compressed.
    const empty = received.bytes === 0 && (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR';
    if (!received.cut && !empty) throw error;
  } finally {
    if (received.cut || length > limit_bytes) stream.destroy();
  }
  return {
    body: Buffer.concat(chunks).subarray(0, limit_bytes),
    cut: received.cut || length > limit_bytes,
  };
}

function decoderFor(encoding: string | undefined): Transform | null {
  switch ((encoding ?? '').trim().toLowerCase()) {
    case '': case 'identity': return null;
    case 'gzip': case 'x-gzip': return createGunzip();
    case 'deflate': return createInflate();
    case 'br': return createBrotliDecompress();
    // Several codings on top of each other are only ever used to make a bomb.
    default:
      throw new UpstreamUnreachable('its answer is compressed in a way that was not asked for');
  }
}
