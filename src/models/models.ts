import { REASONING, type Config } from '../config.ts';
import { GatehouseError } from '../errors.ts';
import { passAll, thrownBy } from '../faults.ts';
import { fromLanguageModel } from './languageModel.ts';
import type { Model } from './model.ts';
import { openEmbedder, type ProviderEmbedder, type EmbedderConfig } from './embedder.ts';
import {
  createProviders, isModelId, requireAddresses, type ProviderSettings, type Provider,
} from './providers.ts';
import { rehearsalModel } from './rehearsal.ts';

const REHEARSAL = 'rehearsal';

export type ModelsConfig = EmbedderConfig & Pick<Config,
  | 'role' | 'model' | 'allowed_models' | 'model_reasoning' | 'model_context_tokens'
  | 'model_max_output_tokens' | 'model_idle_ms'>;

/** The models that runs can use: which exist, which are allowed, and how they make steps. */
export class Models {
  readonly #config: ModelsConfig;
  readonly #providers: Map<string, Provider>;
  readonly #allowed: string[] | null;
  readonly #rehearsal: Model;
  /** Null: there is no embedding model. */
  readonly embedder: ProviderEmbedder | null;

  /**
   * Throws an Error that names each variable that is wrong: `allowed_models` or an address is
   * malformed, or the embedding model cannot be used.
   * `rehearse` makes another model of the rehearsal model.
   */
  constructor(config: ModelsConfig, rehearse: (rehearsal: Model) => Model = (model) => model) {
    this.#config = config;
    this.#providers = createProviders(config);
    const patterns = patternsIn(config.allowed_models);
    let embedder: ProviderEmbedder | null = null;
    passAll([
      () => requireAddresses(this.#providers),
      () => { embedder = openEmbedder(config); },
      () => requirePatterns(patterns),
    ]);
    this.embedder = embedder;
    this.#rehearsal = rehearse(
      fromLanguageModel(rehearsalModel, { key: REHEARSAL, keeps_deltas: true }));
    this.#allowed = patterns === undefined ? null : [...patterns, config.model];
  }

  /** The keys of the providers, which no log may hold. */
  get secrets(): string[] {
    return [...this.#providers.values(), { api_key: this.#config.embedding_api_key }]
      .flatMap(({ api_key }) => api_key ?? []);
  }

  /**
   * Throws invalid_request (param `model`, details `{models}`) unless runs may use this model: its
   * provider exists and is configured, and the operator and the patterns of the workspace, if
   * given, allow it.
   */
  check(key: string, workspace: readonly string[] | null = null): void {
    const allowed = this.#allowed ?? this.#configured();
    const refuse = (why: string | undefined, models = workspace ?? allowed) => {
      if (why === undefined) return;
      throw new GatehouseError('invalid_request', why, { param: '/model', details: { models } });
    };
    // A workspace may name models that the service has ceased to allow.
    refuse(refusal(key, 'service', this.#allowed), allowed);
    refuse(refusal(key, 'workspace', workspace));
    // Last: an operator who sets the key of a model that is not allowed has gained nothing.
    refuse(objectionTo(key, this.#providers, this.#config));
  }

  /** The model of this name, allowed or not. Throws as `check` does if there is none. */
  resolve(key: string): Model {
    if (key === REHEARSAL) return this.#rehearsal;
    const found = this.#find(key);
    const why = found === undefined ? noModel(key) : missing(key, found.provider);
    if (why !== undefined) throw new GatehouseError('invalid_request', why, { param: '/model' });
    const { provider, id } = found!;
    const { model_reasoning, model_context_tokens, model_max_output_tokens } = this.#config;
    return fromLanguageModel(() => provider.load(id), {
      key, provider, context_tokens: model_context_tokens,
      reasoning: REASONING.find((level) => level === model_reasoning),
      max_output_tokens: model_max_output_tokens, idle_ms: this.#config.model_idle_ms,
    });
  }

  /** Where this model is asked, by which variables and what is missing; null if nobody is. */
  placeOf(key: string): ProviderSettings | null {
    return this.#find(key)?.provider ?? null;
  }

  #find(key: string): FoundModel | undefined {
    return findModel(key, this.#providers);
  }

  #configured(): string[] {
    const usable = [...this.#providers.values()].filter(({ missing }) => missing === null);
    return [REHEARSAL, ...usable.map(({ name }) => `${name}/*`)];
  }
}

/** What is wrong with the settings of models, MODEL itself included, a line each. */
export function modelFaults(config: ModelsConfig): string[] {
  const { model } = config;
  return thrownBy([() => new Models(config), () => {
    // Every run that names no model would be refused.
    const why = objectionTo(model, createProviders(config), config);
    if (why !== undefined) throw new Error(`MODEL: ${why}`);
  }]);
}

interface FoundModel { provider: Provider; id: string }

function findModel(key: string, providers: Map<string, Provider>): FoundModel | undefined {
  const slash = key.indexOf('/');
  const provider = providers.get(key.slice(0, Math.max(0, slash)));
  const id = key.slice(slash + 1);
  return provider !== undefined && isModelId(id, provider) ? { provider, id } : undefined;
}

/** Why a model, allowed or not, cannot be used by a process of this role. */
function objectionTo(
  key: string, providers: Map<string, Provider>, { role }: Pick<Config, 'role'>,
): string | undefined {
  const found = findModel(key, providers);
  if (key !== REHEARSAL && found === undefined) return noModel(key);
  // A process that executes no runs needs no keys.
  return role === 'api' ? undefined : missing(key, found?.provider);
}

function patternsIn(allowed_models: string | null): string[] | undefined {
  return allowed_models?.split(',').map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '');
}

function requirePatterns(patterns: readonly string[] = []): void {
  const wrong = patterns.find((pattern) => !isModelPattern(pattern));
  if (wrong === undefined) return;
  throw new Error(`GATEHOUSE_MODELS holds ${shown(wrong)}, which is no model: give ${FORMS},`
    + ' where * may end it.');
}

const FORMS = '`openai/<id>`, `anthropic/<id>`, `google/<id>`, `compatible/<id>` or `rehearsal`';

function noModel(key: string): string {
  return `There is no model ${shown(key)}. A model is named ${FORMS}.`;
}

function missing(key: string, provider: Provider | undefined): string | undefined {
  if (!provider?.missing) return undefined;
  return `The model ${shown(key)} cannot be used: ${provider.missing} is not set on the service.`
    + ' Its operator has to set it; or name another model.';
}

/** Whether a text is a model's key, or the beginning of one and a star. */
function isModelPattern(pattern: string): boolean {
  return pattern === REHEARSAL
    || /^(openai|anthropic|google|compatible)\/(\*|\w[\w.:@/+-]*\*?)$/.test(pattern)
    || /^compatible\/[@/][\w.:@/+-]*\*?$/.test(pattern);
}

/** Undefined if the model is one of these; `patterns` is null where all are allowed. */
function refusal(
  key: string, by: string, patterns: readonly string[] | null): string | undefined {
  const isAllowed = patterns === null || patterns.some((pattern) => pattern.endsWith('*')
    ? key.startsWith(pattern.slice(0, -1)) : key === pattern);
  return isAllowed ? undefined : `The model ${shown(key)} is not one that this ${by} allows.`
    + ` Give one of: ${patterns.join(', ')}.`;
}

function shown(key: string): string {
  return JSON.stringify(key.length > 100 ? `${key.slice(0, 100)}…` : key);
}
