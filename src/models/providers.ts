/**
 * The model providers: how their models are named, reached and asked. Their packages are loaded
 * with the first step that needs one: together they take a third of a second.
 */
import type { LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { Config } from '../config.ts';

export interface Provider {
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
  options: SharedV4ProviderOptions;
  load(id: string): Promise<LanguageModelV4>;
}

export type ProviderConfig = Pick<Config,
  | 'openai_api_key' | 'openai_base_url' | 'anthropic_api_key' | 'anthropic_base_url'
  | 'google_api_key' | 'google_base_url' | 'compatible_api_key' | 'compatible_base_url'
  | 'model_reasoning'>;

/**
 * The providers by their names, each as far as it is configured. Throws an Error that names the
 * variable if an address is none.
 */
export function createProviders(config: ProviderConfig): Map<string, Provider> {
  const made = [openai(config), anthropic(config), google(config), compatible(config)];
  for (const { address_variable, base_url } of made) requireAddress(address_variable, base_url);
  return new Map(made.map((provider) => [provider.name, provider]));
}

/** The responses API, with nothing kept there: the next step sends back the encrypted reasoning. */
function openai(config: ProviderConfig): Provider {
  const { openai_api_key: api_key, openai_base_url } = config;
  return {
    name: 'openai', key_variable: 'OPENAI_API_KEY', api_key,
    address_variable: 'OPENAI_BASE_URL', base_url: openai_base_url,
    // Your own server may need no key.
    missing: api_key === null && openai_base_url === null ? 'OPENAI_API_KEY' : null,
    options: { openai: {
      // The package then asks for the encrypted reasoning, of the models that have any: the others
      // answer a 400 to it.
      store: false,
      // Only if thinking was asked for: organisations that are not verified get a 400 for it.
      ...(asksForThinking(config) && { reasoningSummary: 'auto' }),
    } },
    load: async (id) => {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({
        apiKey: api_key ?? 'none', baseURL: openai_base_url ?? 'https://api.openai.com/v1',
      }).responses(id);
    },
  };
}

/** Caches the prompt at the provider: each step of a run sends all earlier ones again. */
function anthropic({ anthropic_api_key: api_key, anthropic_base_url }: ProviderConfig): Provider {
  return {
    name: 'anthropic', key_variable: 'ANTHROPIC_API_KEY', api_key,
    address_variable: 'ANTHROPIC_BASE_URL', base_url: anthropic_base_url,
    missing: api_key === null && anthropic_base_url === null ? 'ANTHROPIC_API_KEY' : null,
    options: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    load: async (id) => {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({
        apiKey: api_key ?? 'none',
        baseURL: versioned(anthropic_base_url ?? 'https://api.anthropic.com', '/v1'),
      })(id);
    },
  };
}

function google(config: ProviderConfig): Provider {
  const { google_api_key: api_key, google_base_url } = config;
  return {
    name: 'google', key_variable: 'GEMINI_API_KEY', api_key,
    address_variable: 'GOOGLE_GEMINI_BASE_URL', base_url: google_base_url,
    missing: api_key === null && google_base_url === null ? 'GEMINI_API_KEY' : null,
    // Models that cannot think refuse to be asked for it.
    options: asksForThinking(config)
      ? { google: { thinkingConfig: { includeThoughts: true } } } : {},
    load: async (id) => {
      const { createGoogle } = await import('@ai-sdk/google');
      return createGoogle({
        apiKey: api_key ?? 'none',
        baseURL: versioned(
          google_base_url ?? 'https://generativelanguage.googleapis.com', '/v1beta'),
      })(id);
    },
  };
}

/** Whatever speaks OpenAI's chat completions. */
function compatible({ compatible_api_key, compatible_base_url }: ProviderConfig): Provider {
  return {
    name: 'compatible', key_variable: 'MODEL_API_KEY', api_key: compatible_api_key,
    address_variable: 'MODEL_BASE_URL', base_url: compatible_base_url,
    missing: compatible_base_url === null ? 'MODEL_BASE_URL' : null,
    options: {},
    load: async (id) => {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({
        name: 'compatible', baseURL: compatible_base_url!,
        ...(compatible_api_key !== null && { apiKey: compatible_api_key }), includeUsage: true,
      }).chatModel(id);
    },
  };
}

/** An address without `http://` would be read as another kind and fail with the first run. */
function requireAddress(variable: string, given: string | null): void {
  if (given === null) return;
  const url = URL.parse(given);
  if (url !== null && (url.username !== '' || url.password !== '')) {
    throw new Error(`${variable} holds a user name or a password. Give the key by its variable.`);
  }
  if (url !== null && /^https?:\/\//i.test(given)) return;
  throw new Error(`${variable} is ${JSON.stringify(given)}; it must be an address such as`
    + ' http://127.0.0.1:11434/v1.');
}

function asksForThinking({ model_reasoning }: ProviderConfig): boolean {
  return model_reasoning !== 'provider-default' && model_reasoning !== 'none';
}

/** The vendors' own variables leave the version out, their packages want it. */
function versioned(base_url: string, version: string): string {
  const url = new URL(base_url);
  return url.pathname === '/' ? `${url.origin}${version}` : base_url;
}
