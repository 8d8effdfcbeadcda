/**
 * The model providers: how their models are named, reached and asked. Their packages are loaded
 * with the first step that needs one: together they take a third of a second.
 */
import type {
  EmbeddingModelV4, LanguageModelV4, SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import { SETTINGS, type Config } from '../config.ts';
import { passAll } from '../faults.ts';
import type { JsonObject } from '../json.ts';
import { ChatDialects } from './chatDialect.ts';
import { fetchKnownEvents } from './knownEvents.ts';
import { untimedFetch } from './untimedFetch.ts';

/** Where the models of a provider are, and by which variables. */
export interface ProviderSettings {
  /** What comes before the slash of a model's key. */
  name: string;
  /** The variable that holds its key. */
  key_variable: string;
  /** The variable that says where its models are. */
  address_variable: string;
  /** Null for the vendor's own address. */
  base_url: string | null;
  api_key: string | null;
  /** The variable that has to be set before it can be used; null if nothing is missing. */
  missing: string | null;
}

export interface Provider extends ProviderSettings {
  options: SharedV4ProviderOptions;
  load(id: string): Promise<LanguageModelV4>;
  /** There is none if the provider has no embedding models. */
  loadEmbedding?(id: string): Promise<EmbeddingModelV4>;
}

/** Ids become parts of addresses at some providers. */
const MODEL_ID = /^(?!.*(?:\.\.|\/\/))[\w@/][\w.:@/+-]*$/;

type Name = 'openai' | 'anthropic' | 'google' | 'compatible';
export type ProviderConfig =
  Pick<Config, `${Name}_api_key` | `${Name}_base_url` | 'model_reasoning'>;

/** The providers by their names, each as far as it is configured, whatever its address is. */
export function createProviders(config: ProviderConfig): Map<string, Provider> {
  const made = [openai(config), anthropic(config), google(config), compatible(config)];
  return new Map(made.map((provider) => [provider.name, provider]));
}

/**
 * Whether a provider may have a model of this id. Servers of chat completions alone have some that
 * begin with an @, as Cloudflare's, or with a slash: vLLM calls a model of its machine by its path.
 */
export function isModelId(id: string, { name }: ProviderSettings): boolean {
  return MODEL_ID.test(id) && (name === 'compatible' || /^\w/.test(id));
}

/** Throws an Error that names each variable that holds no address. */
export function requireAddresses(providers: ReadonlyMap<string, Provider>): void {
  passAll([...providers.values()].map(({ address_variable, base_url }) =>
    () => requireAddress(address_variable, base_url)));
}

/** A vendor's models. They need the vendor's key; your own server may need none. */
function settingsOf(name: Name, config: ProviderConfig): ProviderSettings {
  const [api_key, base_url] = [config[`${name}_api_key`], config[`${name}_base_url`]];
  const key_variable = SETTINGS[`${name}_api_key`].variable;
  return {
    name, key_variable, address_variable: SETTINGS[`${name}_base_url`].variable, base_url, api_key,
    missing: api_key === null && base_url === null ? key_variable : null,
  };
}

/** The responses API, with nothing kept there: the next step sends back the encrypted reasoning. */
function openai(config: ProviderConfig): Provider {
  const settings = settingsOf('openai', config);
  return {
    ...settings,
    options: { openai: {
      // The package then asks for the encrypted reasoning, of the models that have any: the others
      // answer a 400 to it.
      store: false,
      // Only if thinking was asked for: organisations that are not verified get a 400 for it.
      ...(asksForThinking(config) && { reasoningSummary: 'auto' }),
    } },
    load: async (id) => (await openaiAt(settings)).responses(id),
    loadEmbedding: async (id) => (await openaiAt(settings)).embeddingModel(id),
  };
}

async function openaiAt({ api_key, base_url }: ProviderSettings) {
  const { createOpenAI } = await import('@ai-sdk/openai');
  return createOpenAI({
    apiKey: api_key ?? 'none', baseURL: base_url ?? 'https://api.openai.com/v1',
    fetch: untimedFetch,
  });
}

/** Caches the prompt at the provider: each step of a run sends all earlier ones again. */
function anthropic(config: ProviderConfig): Provider {
  const settings = settingsOf('anthropic', config);
  return {
    ...settings,
    options: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    load: async (id) => {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      const baseURL = versioned(settings.base_url ?? 'https://api.anthropic.com', '/v1');
      const apiKey = settings.api_key ?? 'none';
      return createAnthropic({ apiKey, baseURL, fetch: fetchKnownEvents })(id);
    },
  };
}

function google(config: ProviderConfig): Provider {
  const settings = settingsOf('google', config);
  return {
    ...settings,
    // Models that cannot think refuse to be asked for it.
    options: asksForThinking(config)
      ? { google: { thinkingConfig: { includeThoughts: true } } } : {},
    load: async (id) => (await googleAt(settings))(id),
    loadEmbedding: async (id) => (await googleAt(settings)).embeddingModel(id),
  };
}

async function googleAt({ api_key, base_url }: ProviderSettings) {
  const { createGoogle } = await import('@ai-sdk/google');
  const vendor = 'https://generativelanguage.googleapis.com';
  const baseURL = versioned(base_url ?? vendor, '/v1beta');
  return createGoogle({ apiKey: api_key ?? 'none', baseURL, fetch: untimedFetch });
}

/** Whatever speaks OpenAI's chat completions. It has no address but the one that is given. */
function compatible(config: ProviderConfig): Provider {
  const settings = settingsOf('compatible', config);
  const dialects = new ChatDialects();
  return {
    ...settings,
    missing: settings.base_url === null ? settings.address_variable : null,
    options: {},
    load: async (id) => (await compatibleAt(settings, {
      transformRequestBody: (body: JsonObject) => dialects.bodyFor(id, body),
      fetch: dialects.fetchFor(id),
    })).chatModel(id),
    loadEmbedding: async (id) => (await compatibleAt(settings)).embeddingModel(id),
  };
}

async function compatibleAt({ api_key, base_url }: ProviderSettings, dialect: object = {}) {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({
    name: 'compatible', baseURL: base_url!, apiKey: api_key ?? undefined, includeUsage: true,
    fetch: untimedFetch, ...dialect,
  });
}

/** An address without `http://` would be read as another kind and fail with the first run. */
export function requireAddress(variable: string, given: string | null): void {
  if (given === null) return;
  const url = URL.parse(given);
  if (url?.username || url?.password) {
    throw new Error(`${variable} holds a user name or a password. Give the key by its variable.`);
  }
  if (url !== null && /^https?:\/\//i.test(given)) return;
  throw new Error(`${variable} is ${JSON.stringify(given)}; it must be an address such as`
    + ' http://127.0.0.1:11434/v1.');
}

function asksForThinking({ model_reasoning }: ProviderConfig): boolean {
  return model_reasoning !== 'provider-default' && model_reasoning !== 'none';
}

/**
 * The vendors' own variables leave the version out, below a path too (`…/anthropic`), and their
 * packages want it.
 */
function versioned(base_url: string, version: string): string {
  const { origin, pathname } = new URL(base_url);
  const path = pathname.replace(/\/+$/, '');
  return `${origin}${path}${/\/v\d[\w.]*(\/|$)/.test(path) ? '' : version}`;
}
