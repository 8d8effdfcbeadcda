/**
 * Every setting of the service. The environment is read here and nowhere else. A setting has a
 * name, a unit in that name, a default, what empty means and why an operator would change it;
 * `gatehouse serve --help` and docs/configuration.md print this table. What nobody has a reason to
 * change is in fixed.ts.
 */
import { isAbsolute, join, resolve } from 'node:path';
import { readFileSync } from 'node:fs';
import { derivedFrom, FIXED, type Fixed } from './fixed.ts';

interface Setting {
  variable: string;
  /** Other common names; the first that is set counts. */
  aliases?: readonly string[];
  fallback: string | number | null;
  says: string;
  min?: number;
  max?: number;
  choices?: readonly string[];
}

export type Environment = Record<string, string | undefined>;

const integer = (variable: string, fallback: number, min: number, max: number, says: string) =>
  ({ variable, fallback, min, max, says });
const optionalInteger = (variable: string, min: number, max: number, says: string) =>
  ({ variable, fallback: null, min, max, says });
const text = <F extends string | null>(variable: string, fallback: F, says: string) =>
  ({ variable, fallback, says });
/** Each signal has a name of its own in the specification, and one for both. */
const protocolOf = (signal: string, says: string) => ({
  ...text(`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`, 'http/protobuf', `How ${says} are sent; another`
    + ' protocol is refused. OTEL_EXPORTER_OTLP_PROTOCOL says it for both.'),
  aliases: ['OTEL_EXPORTER_OTLP_PROTOCOL'],
});

/** No more is read of a header, for the admin token and for all headers together. */
const CONFIGURED_CHARS = { admin_token: 512, metrics_token: 8_192 };

/** What a process does: serve the API, execute runs, or both. */
export const ROLES = ['all', 'api', 'worker'] as const;

/** How much a model is asked to think. */
export const REASONING = [
  'provider-default', 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max',
] as const;

/** Which runs are traced; no parent comes from outside, so that `parentbased_` changes nothing. */
export const SAMPLERS = [
  'always_on', 'always_off', 'traceidratio', 'parentbased_always_on', 'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const SETTINGS = {
  port: integer('PORT', 3000, 0, 65_535, 'Port of the HTTP API; 0 takes any free one.'),
  host: text('HOST', '127.0.0.1', 'Address to listen on; 0.0.0.0 for every interface.'),
  role: {
    ...text('GATEHOUSE_ROLE', 'all', 'api serves the API and executes nothing, worker executes runs'
      + ' and serves no API, all both. Split them where one has to grow without the other.'),
    choices: ROLES,
  },
  data_dir: text('GATEHOUSE_DATA_DIR', '.gatehouse', 'Folder of the embedded database, of'
    + ' credentials.json and of what MCP servers keep: on a disk that stays.'),
  database_url: text('DATABASE_URL', null,
    'PostgreSQL 15 or newer, postgres://user:password@host/database. Empty: the embedded one.'),
  database_direct_url: text('DATABASE_DIRECT_URL', null,
    'The same database without a pooler, if DATABASE_URL leads through one.'),
  database_connections: integer('GATEHOUSE_DATABASE_CONNECTIONS', 10, 2, 1_000,
    'Connections for queries and transactions; besides, a node holds up to three. Lower it where'
    + ' the server allows fewer to all processes together.'),
  admin_token: text('GATEHOUSE_ADMIN_TOKEN', null,
    'Token for the admin operations, besides those of the database, for deployments that bring one.'
    + ' 32 to 512 characters without blanks.'),
  master_keys: text('GATEHOUSE_MASTER_KEYS', null,
    'Master keys of the stored secrets, id:base64 of 32 bytes, by commas. The first one encrypts.'
    + ' Needed with a database of your own.'),
  master_keys_file: text('GATEHOUSE_MASTER_KEYS_FILE', null, 'File that holds them instead, for'
    + ' secrets that are mounted. Neither: master.key beside the embedded database, made once.'),
  model: text('MODEL', 'rehearsal', 'Model of runs that name none: openai/…, anthropic/…, google/…,'
    + ' compatible/… and its id, or rehearsal, the offline one.'),
  allowed_models: text('GATEHOUSE_MODELS', null, 'What runs may name besides MODEL, to bound what'
    + ' they cost: openai/*, rehearsal. Empty: all that have a key.'),
  openai_api_key: text('OPENAI_API_KEY', null, 'Key of the models openai/….'),
  openai_base_url: text('OPENAI_BASE_URL', null,
    'Where they are, if not at OpenAI itself; a server that speaks its Responses API.'),
  anthropic_api_key: text('ANTHROPIC_API_KEY', null, 'Key of the models anthropic/….'),
  anthropic_base_url: text('ANTHROPIC_BASE_URL', null,
    'Where they are, if not at Anthropic itself.'),
  google_api_key: {
    ...text('GEMINI_API_KEY', null, 'Key of the models google/….'),
    aliases: ['GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  },
  google_base_url: text('GOOGLE_GEMINI_BASE_URL', null, 'Where they are, if not at Google itself.'),
  compatible_base_url: text('MODEL_BASE_URL', null, 'Where the models compatible/… are: a server'
    + ' that speaks OpenAI\'s chat completions, such as Ollama, llama.cpp, vLLM or LiteLLM.'),
  compatible_api_key: text('MODEL_API_KEY', null, 'Key of that server, if it wants one.'),
  embedding_model: text('EMBEDDING_MODEL', null, 'Model that lets searches for actions go by their'
    + ' meaning, too: openai/…, google/… or compatible/… and its id. Empty: by words alone.'),
  embedding_dimensions: optionalInteger('EMBEDDING_DIMENSIONS', 16, 8_192,
    'Numbers of a vector, if the model lets one choose; fewer take less space. Empty: as many as it'
    + ' has.'),
  embedding_base_url: text('EMBEDDING_BASE_URL', null, 'Where compatible/… is, if elsewhere.'),
  embedding_api_key: text('EMBEDDING_API_KEY', null, 'Key of that server, if it wants one.'),
  model_reasoning: {
    ...text('MODEL_REASONING', 'provider-default',
      'How long models think: provider-default, none, minimal, low, medium, high, xhigh or max.'
      + ' From minimal on, summaries of it are asked for and become events.'),
    choices: REASONING,
  },
  model_context_tokens: integer('MODEL_CONTEXT_TOKENS', 128_000, 2_000, 10_000_000,
    'Tokens that the models\' context holds. What does not fit is left out, oldest first; below'
    + ' the default, tool results are cut shorter, too.'),
  model_max_output_tokens: integer('MODEL_MAX_OUTPUT_TOKENS', 16_000, 16, 1_000_000,
    'Tokens of one answer of a model, with most vendors its thinking included; a quarter of'
    + ' MODEL_CONTEXT_TOKENS, if that is less. Set it to what the models can.'),
  model_idle_ms: integer('GATEHOUSE_MODEL_IDLE_MS', 180_000, 10, 3_600_000, 'Silence of a model'
    + ' after which a step is broken off and tried again. Raise it for slow models of your own.'),
  mcp_stdio: text('GATEHOUSE_MCP_STDIO', null,
    'Commands that may be started as MCP servers, by commas: TOKEN= npx -y @example/server. A * at'
    + ' the end lets any arguments follow. They have the rights of the service. Empty: none.'),
  mcp_server: { choices: ['on', 'off'], ...text('GATEHOUSE_MCP_SERVER', 'on',
    'on: MCP clients reach the gateway at /mcp. off, if none is to: there is no such address.') },
  mcp_audience: text('GATEHOUSE_MCP_AUDIENCE', null, 'Audience of the access tokens that open'
    + ' /mcp, if the provider names it in its own way. Empty: the address of /mcp.'),
  log_level: {
    ...text('LOG_LEVEL', 'info', 'fatal, error, warn, info, debug, trace or silent.'),
    choices: LOG_LEVELS,
  },
  concurrency: integer('GATEHOUSE_CONCURRENCY', 32, 0, 10_000,
    'Runs that this process executes at once, and up to as many again, one each, of workspaces that'
    + ' have none of them; 0 executes none. Set it by the machine and the models\' rates.'),
  public_url: text('GATEHOUSE_PUBLIC_URL', null,
    'Where others reach it: https://gatehouse.example. Browsers are sent there for OAuth, the'
    + ' served openapi.json names it, and Location is a path of it. Empty: HOST and PORT, and a'
    + ' relative address in the document.'),
  oidc_issuer: text('GATEHOUSE_OIDC_ISSUER', null,
    'Identity provider that signs people in to the dashboard, https://login.example.com. Empty:'
    + ' admin tokens alone do.'),
  oidc_client_id: text('GATEHOUSE_OIDC_CLIENT_ID', null, 'What this service is called there.'),
  oidc_client_secret: text('GATEHOUSE_OIDC_CLIENT_SECRET', null,
    'Its secret. Empty: it is a public client, with PKCE alone.'),
  oidc_scopes: text('GATEHOUSE_OIDC_SCOPES', 'openid email profile',
    'Scopes to ask for; some providers tell groups only for one more, such as groups.'),
  oidc_viewers: text('GATEHOUSE_OIDC_VIEWERS', null,
    'Who may look: ada@example.com, @example.com, group:name or sub:id, by commas.'),
  oidc_operators: text('GATEHOUSE_OIDC_OPERATORS', null,
    'Who also works with sessions, runs, actions and approvals, in the same way.'),
  oidc_admins: text('GATEHOUSE_OIDC_ADMINS', null, 'Who may do everything, in the same way.'),
  body_limit_bytes: integer('GATEHOUSE_BODY_LIMIT_BYTES', 1_048_576, 1_024, 104_857_600,
    'Largest request body; an OpenAPI document, sent or fetched, may have 32 times as much, at'
    + ' most 64 MiB, and 16 as YAML. Raise it for larger ones. Beside documents, a body has at most'
    + ' 100,000 objects and lists, nested 64 levels.'),
  rate_per_key: integer('GATEHOUSE_RATE_PER_KEY', 5_000, 0, 1_000_000,
    'Requests per second and api key on this process, at most, those of four seconds at once; all'
    + ' keys of a workspace together have twice as many; 0 sets no limit. Lower it for keys in the'
    + ' hands of others.'),
  trusted_proxies: text('GATEHOUSE_TRUSTED_PROXIES', null, 'Proxies before this service, whose'
    + ' X-Forwarded-For is believed: 10.0.0.0/8, 2001:db8::7, by commas. Empty: none.'),
  max_steps: integer('GATEHOUSE_MAX_STEPS', 32, 1, 1_000,
    'Model steps per run, at most. Raise it for longer work, lower it to bound what a run costs.'),
  max_total_tokens: integer('GATEHOUSE_MAX_TOTAL_TOKENS', 0, 0, 1_000_000_000, 'Tokens per run, at'
    + ' most, all its steps together, to bound what it costs; steps that were left count by an'
    + ' estimate. 0 sets no limit.'),
  run_timeout_s: integer('GATEHOUSE_RUN_TIMEOUT_S', 900, 1, 86_400,
    'Time a run may take from its first start, at most. Raise it for longer work.'),
  workspace_running_runs: integer('GATEHOUSE_WORKSPACE_RUNNING_RUNS', 1_000, 1, 1_000_000,
    'Runs of a workspace that all workers together execute at once, at most; of one api key half as'
    + ' many. Lower it so that no workspace can have all places.'),
  workspace_storage_bytes: integer('GATEHOUSE_WORKSPACE_STORAGE_BYTES', 10_737_418_240, 0, 2 ** 50,
    'What a workspace may store, in bytes, by what the disk holds; then runs and calls get'
    + ' storage_full. 0: no limit.'),
  action_timeout_ms: integer('GATEHOUSE_ACTION_TIMEOUT_MS', 60_000, 10, 600_000,
    'Time one action call may take. Raise it for slow services.'),
  approval_lifetime_s: integer('GATEHOUSE_APPROVAL_LIFETIME_S', 86_400, 1, 31_536_000,
    'How long a call may wait for its approval, and be made once it is approved. Raise it where'
    + ' people decide later, after a weekend, say.'),
  pending_approvals: integer('GATEHOUSE_PENDING_APPROVALS', 1_000, 0, 1_000_000,
    'Approvals that may be pending in a workspace, half of them of one api key; calls that need one'
    + ' more are refused. 0 sets no limit. Raise it where more wait for people.'),
  lease_ms: integer('GATEHOUSE_LEASE_MS', 6_000, 200, 600_000,
    'A worker that does not renew its lease for this long loses its runs to another. Raise it where'
    + ' machines or the database pause for longer.'),
  event_retention_days: integer('GATEHOUSE_EVENT_RETENTION_DAYS', 30, 0, 36_500,
    'Days after its end for which a run\'s events are kept at least, and approvals that expired'
    + ' unused; 0 keeps them for good. Set it by what you must keep and the disk holds.'),
  drain_ms: integer('GATEHOUSE_DRAIN_MS', 8_000, 0, 600_000,
    'After SIGTERM, how long open requests may take to end before they are answered unavailable.'
    + ' With GATEHOUSE_TRUSTED_PROXIES new ones are served for half of it. Less than half of what'
    + ' your supervisor grants a stop.'),
  metrics_port: optionalInteger('GATEHOUSE_METRICS_PORT', 0, 65_535,
    'Port of /metrics, which then is not on PORT, where clients reach it; 0 takes any free one.'
    + ' Empty: PORT.'),
  metrics_token: text('GATEHOUSE_METRICS_TOKEN', null,
    'Bearer token that /metrics asks for, if others reach it; at least 32 characters. Empty:'
    + ' none.'),
  otel_sdk_disabled: text('OTEL_SDK_DISABLED', 'false',
    'true: traces and metrics are sent nowhere; /metrics stays.'),
  otel_endpoint: text('OTEL_EXPORTER_OTLP_ENDPOINT', null,
    'Where traces and metrics are sent by OTLP, below /v1/traces and /v1/metrics. Empty: nowhere.'),
  otel_traces_endpoint: text('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', null,
    'The whole address for traces, if it is another.'),
  otel_metrics_endpoint: text('OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', null,
    'The whole address for metrics, if it is another.'),
  otel_traces_protocol: protocolOf('TRACES', 'traces'),
  otel_metrics_protocol: protocolOf('METRICS', 'metrics'),
  otel_traces_exporter: {
    ...text('OTEL_TRACES_EXPORTER', null,
      'otlp or none. Empty: otlp, if there is an address for traces.'),
    choices: ['otlp', 'none'],
  },
  otel_metrics_exporter: {
    ...text('OTEL_METRICS_EXPORTER', null, 'otlp, or none or prometheus, which leave it at'
      + ' /metrics. Empty: otlp, if there is an address for metrics.'),
    choices: ['otlp', 'prometheus', 'none'],
  },
  otel_traces_sampler: {
    ...text('OTEL_TRACES_SAMPLER', 'parentbased_always_on',
      'Runs that are traced: always_on, always_off or traceidratio, with parentbased_ or without.'),
    choices: SAMPLERS,
  },
  otel_traces_sampler_arg: text('OTEL_TRACES_SAMPLER_ARG', '1',
    'For traceidratio: the share of runs that is traced, from 0 to 1.'),
  otel_span_delay_ms: integer('OTEL_BSP_SCHEDULE_DELAY', 5_000, 1, 600_000,
    'How long spans are collected before they are sent, in ms. Lower it to see them sooner.'),
  otel_metric_interval_ms: integer('OTEL_METRIC_EXPORT_INTERVAL', 60_000, 10, 3_600_000,
    'How often metrics are sent, in ms. As often as where they go expects them.'),
} as const satisfies Record<string, Setting>;

type Value<S extends Setting> = S['fallback'] extends number ? number
  : S['fallback'] extends string ? string : S extends { min: number } ? number | null
  : string | null;
export type Config = {
  -readonly [K in keyof typeof SETTINGS]: Value<(typeof SETTINGS)[K]>
} & Fixed & { version: string };

/** The version of the package, which is also the `info.version` of the document. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

/** The value of a setting: by its name, or by the first alias that is set. */
function valueOf({ variable, aliases = [] }: Setting, environment: Environment) {
  return [variable, ...aliases].map((name) => environment[name]).find((given) => given);
}

/**
 * Reads the environment. Throws one Error that names every wrong variable, what it holds and what
 * it may hold. `overrides` (command line, tests) win over the environment and what is fixed;
 * `fallbacks` stand in for the defaults of the table.
 */
export function readConfig(
  environment: Environment = process.env, overrides: Partial<Config> = {},
  fallbacks: Partial<Config> = {}): Config {
  const { config, wrong } = readSettings(environment, overrides, fallbacks);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  return config;
}

/** The same, for one who has more to say of the settings than a line of `wrong` for each. */
export function readSettings(
  environment: Environment = process.env, overrides: Partial<Config>,
  fallbacks: Partial<Config>): { config: Config; wrong: string[] } {
  const wrong: string[] = [];
  const config: Record<string, unknown> = { version: VERSION, ...FIXED };
  for (const [name, setting] of Object.entries<Setting>(SETTINGS)) {
    const given = valueOf(setting, environment);
    if (given === undefined) {
      config[name] = fallbacks[name as keyof Config] ?? setting.fallback;
    } else if (setting.min === undefined) {
      config[name] = given;
      if (setting.choices && !setting.choices.includes(given)) {
        wrong.push(`${setting.variable} is ${JSON.stringify(given)}; it must be one of`
          + ` ${setting.choices.join(', ')}.`);
      }
    } else {
      // What is written otherwise (0x10, 1e3, blanks alone) is taken for a slip.
      const value = /^\s*\d+\s*$/.test(given) ? Number(given) : NaN;
      if (!(value >= setting.min! && value <= setting.max!)) {
        wrong.push(`${setting.variable} is ${JSON.stringify(given)}; it must be a whole number`
          + ` from ${setting.min} to ${setting.max}. ${setting.says}`);
      }
      config[name] = value;
    }
  }
  for (const [name, value] of Object.entries(overrides)) {
    if (value !== undefined) config[name] = value;
  }
  for (const [name, value] of Object.entries(derivedFrom(config as unknown as Config))) {
    config[name] ??= value;
  }
  for (const name of ['admin_token', 'metrics_token'] as const) {
    if (typeof config[name] !== 'string') continue;
    // The header's is read without blanks around it: one from a file often ends in a newline.
    const token = config[name] = config[name].trim();
    const most = CONFIGURED_CHARS[name];
    if (token.length > most || !/^[\x21-\x7e]{32,}$/.test(token)) {
      wrong.push(`${SETTINGS[name].variable} must have 32 to ${most} characters, letters, digits`
        + ' and signs of ASCII without blanks; use a long random string.');
    }
  }
  if (config.role === 'worker' && config.concurrency === 0) {
    wrong.push('GATEHOUSE_ROLE is "worker" and GATEHOUSE_CONCURRENCY is 0: such a process would do'
      + ' nothing. Set either to something else.');
  }
  if (config.metrics_port === config.port && config.port !== 0) {
    wrong.push(`GATEHOUSE_METRICS_PORT is PORT, ${String(config.port)}. Leave it empty, and`
      + ' /metrics is there; or set it to another one.');
  }
  const { public_url } = config;
  if (typeof public_url === 'string'
    && !(URL.canParse(public_url) && /^https?:\/\/[^?#]+$/i.test(public_url))) {
    wrong.push(`GATEHOUSE_PUBLIC_URL is ${JSON.stringify(public_url)}; it must be an address`
      + ' such as https://gatehouse.example.');
  }
  config.data_dir = resolve(String(config.data_dir));
  return { config: config as unknown as Config, wrong };
}

/** The names of the variables that are set, aliases included. */
export function variablesSet(environment: Environment = process.env): string[] {
  const set = Object.values<Setting>(SETTINGS).flatMap(({ variable, aliases = [] }) =>
    [variable, ...aliases].find((name) => environment[name]) ?? []);
  return [...new Set(set)];
}

/** Variables of the command-line client, which are no settings of a service. */
const CLIENT_VARIABLES: readonly string[] = [
  'GATEHOUSE_BASE_URL', 'GATEHOUSE_API_KEY', 'GATEHOUSE_PROFILE', 'GATEHOUSE_WORKSPACE',
  'GATEHOUSE_CONFIG_DIR', 'GATEHOUSE_OTHER_API_KEY'];

/** Variables that look like settings and are none: misprints, and settings that are gone. */
export function unknownVariables(environment: Environment = process.env): string[] {
  const known = new Set([...CLIENT_VARIABLES,
    ...Object.values<Setting>(SETTINGS).map(({ variable }) => variable)]);
  return Object.keys(environment).filter((name) =>
    name.startsWith('GATEHOUSE_') && !known.has(name)).sort();
}

/** Where a mock listens; of the environment it takes nothing else. */
export function readMockAddress(
  given: Pick<Partial<Config>, 'port' | 'host'>, fallback_port: number,
): Pick<Config, 'port' | 'host'> {
  const { PORT, HOST } = process.env;
  return readConfig({ PORT, HOST }, given, { port: fallback_port });
}

/** What the command-line client takes from its surroundings; null where nothing is set. */
export type ClientEnvironment = ReturnType<typeof readClientEnvironment>;

/** Reads the client's variables and ignores those of a service. */
export function readClientEnvironment(environment: Environment = process.env) {
  const home = environment.XDG_CONFIG_HOME || environment.APPDATA
    || (environment.HOME && join(environment.HOME, '.config'));
  const config_dir = environment.GATEHOUSE_CONFIG_DIR || (home && join(home, 'gatehouse'));
  return {
    base_url: environment.GATEHOUSE_BASE_URL || null,
    api_key: environment.GATEHOUSE_API_KEY || null,
    admin_token: environment.GATEHOUSE_ADMIN_TOKEN || null,
    workspace_id: environment.GATEHOUSE_WORKSPACE || null,
    /** Of another workspace: what one sees of the other is what `contract` looks at. */
    other_api_key: environment.GATEHOUSE_OTHER_API_KEY || null,
    profile: environment.GATEHOUSE_PROFILE || null,
    /** Where profiles are; null where nobody has a home. */
    config_dir: config_dir ? resolve(config_dir) : null,
    /** Where `credentials.json` may be; absolute. */
    data_dir: resolve(environment.GATEHOUSE_DATA_DIR || SETTINGS.data_dir.fallback),
    /** Whether the environment names that place itself, whatever the current folder is. */
    names_data_dir: isAbsolute(environment.GATEHOUSE_DATA_DIR ?? ''),
    /** https://no-color.org */
    no_color: Boolean(environment.NO_COLOR),
    /** https://force-color.org: colours in a pipe too, and in spite of the other. */
    force_color: !['', '0', 'false'].includes(environment.FORCE_COLOR ?? ''),
    /** Whether the terminal can do nothing but print lines. */
    is_dumb: environment.TERM === 'dumb',
    /** Whether whoever reads the terminal seems to sit at the desktop of this machine. */
    has_desktop: !environment.SSH_CONNECTION && (process.platform !== 'linux'
      || Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY)),
  };
}

/** The values of variables by name. Throws an Error if one is not set. */
export function readVariables(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => {
    const value = process.env[name];
    if (value === undefined) throw new Error(`${name} is not set in this environment.`);
    return [name, value];
  }));
}

/** The part of our environment that MCP servers see: never its secrets. */
export function readProcessEnvironment() {
  const { PATH, LANG } = process.env;
  return { PATH, LANG };
}

/** The scopes that are asked for at the provider. */
export function oidcScopes({ oidc_scopes }: Pick<Config, 'oidc_scopes'>): string[] {
  return oidc_scopes.split(/[ ,]+/).filter((scope) => scope !== '');
}
