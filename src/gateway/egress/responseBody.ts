import { pipeline, type Readable, type Transform } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { UpstreamUnreachable } from './unreachable.ts';

/** What can be decompressed, and so what may be asked for. */
export const ACCEPT_ENCODING = 'gzip, br';

export interface ReadBody {
  body: Buffer;
  /** There was more; it was not read. */
  cut: boolean;
}

/** Takes a body that is longer than the limit, as it arrives, from its beginning. */
export interface Overflow {
  /** Of a compressed body, no more than this is received either. */
  read_limit_bytes: number;
  /** False: it wants no more, and no more is read. */
  write(bytes: Uint8Array): boolean;
}

/** Asked once as a body becomes large; no more of it is read until then. */
export interface LargeBody {
  from_bytes: number;
  begin(): Promise<void>;
}

/** How long handing on may hold up the event loop. */
const TURN_MS = 5;

/**
 * The body, decompressed, up to `limit_bytes`; a longer one goes to `overflow` besides, if there is
 * one. Of the compressed bytes no more are taken either, for a few kilobytes may unpack to
 * gigabytes, and endless ones to nothing. Once the limit is reached the stream is destroyed. A body
 * waits at `large` before it becomes a large one.
 */
export async function readResponseBody(
  stream: Readable, encoding: string | undefined, limit_bytes: number,
  overflow: Overflow | null = null, large: LargeBody | null = null): Promise<ReadBody> {
  const read_limit_bytes = overflow?.read_limit_bytes ?? limit_bytes;
  const received = { bytes: 0, cut: false };
  const decoder = decoderFor(encoding);
  const counted = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      received.bytes += chunk.length;
      if (received.bytes > read_limit_bytes) received.cut = true;
      yield chunk;
      if (received.cut) return;
    }
  };
  // Reading reports errors; without a callback they would be uncaught as well.
  const decoded: AsyncIterable<Buffer> = decoder === null
    ? counted(stream) : pipeline(stream, counted, decoder, () => {});
  const handOn = overflow === null ? () => false : inTurns(overflow);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of decoded) {
      const was_over = length > limit_bytes;
      const was_large = large === null || length > large.from_bytes;
      length += chunk.length;
      if (!was_large && length > large!.from_bytes) await large!.begin();
      if (!was_over) chunks.push(chunk);
      if (length <= limit_bytes) continue;
      if (!await handOn(was_over ? [chunk] : chunks)) break;
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

/** Hands chunks on, and lets the event loop do other work in between: they may be megabytes. */
function inTurns(overflow: Overflow): (chunks: readonly Buffer[]) => Promise<boolean> {
  let turn_ms = performance.now();
  return async (chunks) => {
    for (const chunk of chunks) {
      if (!overflow.write(chunk)) return false;
      if (performance.now() - turn_ms < TURN_MS) continue;
      await nextTurn();
      turn_ms = performance.now();
    }
    return true;
  };
}

function decoderFor(encoding: string | undefined): Transform | null {
  const coding = (encoding ?? '').trim().toLowerCase();
  switch (coding) {
    case 'gzip': case 'x-gzip': return createGunzip();
    case 'deflate': return createInflate();
    case 'br': return createBrotliDecompress();
  }
  // Several codings on top of each other are only ever used to make a bomb.
  if (/,|^(zstd|(x-)?compress)$/.test(coding)) {
    throw new UpstreamUnreachable('its answer is compressed in a way that was not asked for');
  }
  // Where it is none, it is `identity`, or a word that does not belong there: `UTF-8`.
  return null;
}
