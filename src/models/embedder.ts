/** The embedding model: makes vectors of texts, such that texts that mean the like are near. */
import { AISDKError, APICallError, type EmbeddingModelV4 } from '@ai-sdk/provider';
import { SETTINGS, type Config } from '../config.ts';
import { toModelError } from './modelError.ts';
import {
  createProviders, isModelId, requireAddress, requireAddresses, type Provider, type ProviderConfig,
} from './providers.ts';
import { RedirectedError } from './untimedFetch.ts';

export type EmbedderConfig = ProviderConfig & Pick<Config,
  'embedding_model' | 'embedding_dimensions' | 'embedding_base_url' | 'embedding_api_key'>;

/** What a text is: some models make other vectors of what is looked for. */
export type EmbeddingPurpose = 'action' | 'query';

export interface Vectors {
  /** One for each text, in their order; all as long, of finite numbers, none of zeros alone. */
  vectors: readonly (readonly number[])[];
  /** As the provider counts them; 0 if it does not say. */
  tokens: number;
}

/** `input_refused`: these texts are refused, or so many; `refused`: every request would be. */
export type EmbeddingReason =
  'rate_limited' | 'input_refused' | 'refused' | 'malformed' | 'unavailable';

/** A request that failed. The message may be shown to an operator; `cause` is for the log. */
export class EmbeddingError extends Error {
  readonly reason: EmbeddingReason;
  /** How long the provider asks to wait. */
  readonly retry_after_ms: number | undefined;

  constructor(reason: EmbeddingReason, message: string,
    { retry_after_ms, cause }: { retry_after_ms?: number | undefined; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EmbeddingError';
    this.reason = reason;
    this.retry_after_ms = retry_after_ms;
  }
}

/** Of the input, of its length, or of the number of texts. */
const INPUT_STATUSES = [400, 413, 422];

/**
 * The embedding model of this configuration; null if it names none. Throws an Error that names the
 * variable if the model cannot be used: every node answers searches, so each needs its key.
 */
export function openEmbedder(config: EmbedderConfig): ProviderEmbedder | null {
  const { embedding_model: key, embedding_base_url: base_url } = config;
  if (key === null) return null;
  // A key is sent nowhere but where it was given for.
  const elsewhere = base_url === null ? {}
    : { compatible_base_url: base_url, compatible_api_key: config.embedding_api_key };
  requireAddress(SETTINGS.embedding_base_url.variable, base_url);
  const slash = key.indexOf('/');
  const providers = createProviders({ ...config, ...elsewhere });
  requireAddresses(providers);
  const found = providers.get(key.slice(0, slash));
  const id = key.slice(slash + 1);
  if (found?.loadEmbedding === undefined || !isModelId(id, found)) {
    throw new Error(`EMBEDDING_MODEL is ${JSON.stringify(key.slice(0, 100))}; it must be`
      + ' openai/<id>, google/<id> or compatible/<id>.');
  }
  const provider = found.name !== 'compatible' || base_url === null ? found : {
    ...found, key_variable: SETTINGS.embedding_api_key.variable,
    address_variable: SETTINGS.embedding_base_url.variable,
  };
  if (provider.missing !== null) {
    throw new Error(`EMBEDDING_MODEL is ${JSON.stringify(key)}, and ${provider.missing} is not set.`
      + ' Set it on every node, or leave EMBEDDING_MODEL empty.');
  }
  return new ProviderEmbedder(key, id, provider, config.embedding_dimensions);
}

export class ProviderEmbedder {
  /** The model and what was asked of it: vectors of another key say nothing about those of this. */
  readonly key: string;
  readonly #id: string;
  readonly #provider: Provider;
  readonly #dimensions: number | null;
  #model: Promise<EmbeddingModelV4> | undefined;

  constructor(key: string, id: string, provider: Provider, dimensions: number | null) {
    this.key = dimensions === null ? key : `${key} ${dimensions}`;
    this.#id = id;
    this.#provider = provider;
    this.#dimensions = dimensions;
  }

  /** Asks once, without hidden retries. Rejects with EmbeddingError. */
  async embed(
    texts: readonly string[], purpose: EmbeddingPurpose, signal: AbortSignal): Promise<Vectors> {
    try {
      this.#model ??= this.#provider.loadEmbedding!(this.#id);
      const { embeddings, usage } = await (await this.#model).doEmbed({
        values: [...texts], abortSignal: signal,
        ...(this.#dimensions !== null && { dimensions: this.#dimensions }),
        ...(this.#provider.name === 'google' && { providerOptions: { google: {
          taskType: purpose === 'query' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT',
        } } }),
      });
      const wrong = faultOf(embeddings, texts.length, this.#dimensions);
      if (wrong !== undefined) throw new EmbeddingError('malformed', wrong);
      return { vectors: embeddings, tokens: usage?.tokens ?? 0 };
    } catch (error) {
      throw this.#described(error);
    }
  }

  #described(error: unknown): EmbeddingError {
    if (error instanceof EmbeddingError) return error;
    const { message, cause, code, retry_after_ms } =
      toModelError(error, true, { ...this.#provider, id: this.#id });
    const status = APICallError.isInstance(error) ? error.statusCode : undefined;
    const isRefusal = status !== undefined && status >= 400 && status < 500;
    const is_malformed = status !== undefined ? status < 300
      : AISDKError.isInstance(error) && !APICallError.isInstance(error);
    const reason = code === 'model_rate_limited' ? 'rate_limited'
      : error instanceof RedirectedError ? 'refused'
      : is_malformed ? 'malformed' : !isRefusal || status === 408 ? 'unavailable'
      : INPUT_STATUSES.includes(status) && !message.includes(this.#provider.key_variable)
        ? 'input_refused' : 'refused';
    return new EmbeddingError(reason, is_malformed
      ? 'The embedding model\'s provider answered something else than vectors.' : message,
    { retry_after_ms, cause });
  }
}

const MOST_DIMENSIONS = 8_192;

/** What is wrong with these vectors, in words; undefined if nothing is. */
function faultOf(
  vectors: readonly (readonly number[])[], texts: number, wanted: number | null,
): string | undefined {
  if (vectors.length !== texts) {
    return `The embedding model gave ${vectors.length} vectors for ${texts} texts.`;
  }
  const dimensions = wanted ?? vectors[0]?.length ?? 0;
  const other = vectors.find(({ length }) => length !== dimensions);
  if (other !== undefined) {
    return `The embedding model gave a vector of ${other.length} numbers, not of ${dimensions}.`;
  }
  if (dimensions < 2 || dimensions > MOST_DIMENSIONS) {
    return `The embedding model gave vectors of ${dimensions} numbers.`;
  }
  const broken = vectors.some((vector) =>
    !vector.every(Number.isFinite) || vector.every((number) => number === 0));
  return broken ? 'The embedding model gave a vector that points nowhere.' : undefined;
}
