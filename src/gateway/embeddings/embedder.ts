/** What makes vectors of texts, as this room needs it: the model is of another room. */
import type { Meters } from '../../telemetry/metrics.ts';

type Purpose = 'action' | 'query';

export interface Embedder {
  /** Names the model; vectors of another key say nothing about those of this one. */
  readonly key: string;
  /** One vector for each text, all as long. Rejects with an Error, at best an EmbedFailure. */
  embed(texts: readonly string[], purpose: Purpose, signal: AbortSignal): Promise<{
    vectors: readonly (readonly number[])[];
    tokens: number;
  }>;
}

export interface EmbedFailure extends Error {
  /** A word for it; `input_refused`: another text, or fewer of them, may do. */
  reason?: string;
  /** How long the provider asks to wait. */
  retry_after_ms?: number | undefined;
}

/** The vectors of the texts as they are kept; each request is counted. */
export async function vectorsOf(
  embedder: Embedder, meters: Meters, texts: readonly string[], purpose: Purpose,
  signal: AbortSignal): Promise<Int8Array[]> {
  const begun_ms = performance.now();
  let outcome = 'ok';
  try {
    const { vectors, tokens } = await embedder.embed(texts, purpose, signal);
    meters.embedding_tokens_total.add(tokens, { purpose });
    return vectors.map(quantise);
  } catch (error) {
    outcome = signal.aborted ? 'aborted' : (error as EmbedFailure).reason ?? 'failed';
    throw error;
  } finally {
    meters.embedding_request_duration_seconds.record(
      (performance.now() - begun_ms) / 1_000, { purpose, outcome });
  }
}

/**
 * A vector in a byte for each of its numbers. Only where it points to matters, so its greatest
 * number becomes 127. A quarter of the memory of 32-bit numbers. Measured on 10,109 actions with
 * vectors of 384 numbers: cosines were off by 0.006 at most, and of the ten nearest to each of 254
 * queries 0.6 % were others.
 */
function quantise(vector: readonly number[]): Int8Array {
  let most = 0;
  for (const number of vector) most = Math.max(most, Math.abs(number));
  const bytes = new Int8Array(vector.length);
  // Ten times as fast as Int8Array.from with a function, and 64 are made in one turn.
  for (let i = 0; i < bytes.length; i++) bytes[i] = Math.round(127 * vector[i]! / most);
  return bytes;
}
