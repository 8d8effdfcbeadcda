/**
 * Where the mock stands around the service: what each request asks of it, what it lets through, and
 * what it changes of the answer. Everything that is not here is the service.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { createFirstCredentials } from '../accounts/accounts.ts';
import type { Config } from '../config.ts';
import { GatehouseError, invalidKey, methodNotAllowed } from '../errors.ts';
import { bearerToken } from '../http/authenticate.ts';
import type { Exchange } from '../http/exchange.ts';
import { requestId } from '../http/exchange.ts';
import { sendPage } from '../http/pages.ts';
import { splitTarget } from '../http/query.ts';
import { bodyTextOf, type AnyReply, type EventsReply } from '../http/reply.ts';
import { newId } from '../ids.ts';
import type { Model } from '../models/model.ts';
import { instant } from '../operations/instants.ts';
import type { Services } from '../operations/services.ts';
import { unhurried } from '../patience.ts';
import { withoutPauses } from '../runs/runEvents.ts';
import type { Disguise } from '../service.ts';
import type { Sql } from '../store/database.ts';
import { SESSION_BEGINNING } from '../store/sessions.ts';
import { furnish } from './integrations.ts';
import { playing, type PlayPlan, type PlayRequest } from './players.ts';
import { readPreferences, type Preferences } from './prefer.ts';
import type { Examples } from './prism.ts';
import { publicRouteAt } from './publicRoutes.ts';
import { REFUSED_TOKEN, ExampleRefusals } from './refusals.ts';
import type { Repeatable } from './repeatable.ts';
import { CUT_AFTER_EVENTS, RUN_SCENARIOS, scenarioIn, SLOW_MS } from './scenarios.ts';

export interface StageOptions {
  config: Config;
  pace_ms: number;
  /** Null: ids and times are those of the service. */
  repeatable: Repeatable | null;
  examples: Examples;
}

const RUNS_KEPT = 10_000;
/** The methods of `/mock`. */
const READING = ['GET', 'HEAD'];

export class Stage implements Disguise {
  readonly #options: StageOptions;
  readonly #refusals: ExampleRefusals;
  #services: Services | undefined;
  /** The api key of the workspace that a token has been given. */
  readonly #keys = new Map<string, Promise<string>>();
  /** Settles with the newest of the workspaces that are being made. */
  #made: Promise<unknown> = Promise.resolve();
  /** By the input of a run that is about to be created, and then by its id. */
  readonly #asked = new WeakMap<object, PlayRequest>();
  readonly #plans = new Map<string, PlayPlan>();

  constructor(options: StageOptions) {
    this.#options = options;
    this.#refusals = new ExampleRefusals(options.config);
  }

  readonly rehearse = (rehearsal: Model): Model => {
    const { pace_ms, repeatable } = this.#options;
    return playing(rehearsal, {
      pace_ms, whole_words: repeatable !== null,
      planOf: (run_id) => this.#plans.get(run_id),
      services: () => this.#services!,
    });
  };

  readonly services = (own: Services): Services => {
    this.#letIn(own.dashboard);
    const { runs } = own;
    const create = runs.create.bind(runs);
    runs.create = async (sql, request, run_id = newId('run'), by) => {
      const asked = this.#asked.get(request.input);
      const { scenario = scenarioIn(textOf(request.input)), pace_ms, announcements = null } =
        asked ?? {};
      const limited = { ...request, ...asked?.limits };
      // Before it is there: a worker may have it at once.
      this.#plan(run_id, { scenario, pace_ms, workspace_id: request.workspace_id, is_cut: false });
      if (announcements === null) return await create(sql, limited, run_id, by);
      // In a transaction, which no worker claims it with.
      const { announce } = 'begin' in sql
        ? await sql.begin((tx) => create(tx, limited, run_id, by))
        : await create(sql, limited, run_id, by);
      return { run_id, announce: () => void announcements.push(announce) };
    };
    this.#services = {
      ...own,
      authenticate: async (token) => {
        refuseToken(token);
        return await own.authenticate(await this.#keyFor(own.sql, token), () => {});
      },
      authenticateAdmin: async (token) => {
        refuseToken(token);
        return null;
      },
    };
    return this.#services;
  };

  /** Has any admin token sign in to the dashboard: as whoever has made a link of the mock's own. */
  #letIn(dashboard: Services['dashboard']): void {
    const signIn = dashboard.signIn.bind(dashboard);
    dashboard.signIn = async (request, from, beforeLookup) => {
      if ('ticket' in request) return await signIn(request, from, beforeLookup);
      refuseToken(request.admin_token);
      const { ticket } = await dashboard.createTicket(
        { actor: { type: 'admin', id: null }, session: null }, from.request_id);
      return await signIn({ ticket }, from, beforeLookup);
    };
  }

  readonly before = async (req: IncomingMessage, res: ServerResponse): Promise<boolean> => {
    const { examples, repeatable } = this.#options;
    const { pathname: path } = splitTarget(req.url!);
    if (repeatable) {
      const shown = await repeatable.admit(req.method !== 'GET' && req.method !== 'HEAD');
      req.headers['x-request-id'] ??= shown;
      // The dashboard says by it in which workspace: it is read before the rest is translated.
      const workspace_id = req.headers['gatehouse-workspace'];
      if (typeof workspace_id === 'string') {
        req.headers['gatehouse-workspace'] = repeatable.inward(workspace_id);
      }
      res.once('close', () => repeatable.settled());
    }
    if (path === '/mock') {
      if (!READING.includes(req.method!)) throw methodNotAllowed(req.method!, READING);
      sendPage(req, res, { status: 200, type: 'application/json; charset=utf-8',
        content: `${JSON.stringify(this.describe(), null, 2)}\n` }, requestId(req.headers));
      return true;
    }
    const route = publicRouteAt(req.method!, path);
    if (route === undefined || req.headers.prefer === undefined) return false;
    const { scenario, example } = readPreferences(req.headers.prefer);
    if (example !== null) {
      // Prism takes any token, and the service is not asked here.
      if (route.entry.security !== null) refuseToken(bearerToken(req.headers.authorization));
      await examples.answer(req, res);
      return true;
    }
    const code = this.#refusals.codeFor(route.operation_id, scenario ?? '');
    if (code !== undefined) this.#refusals.spoil(code, req);
    return false;
  };

  readonly around = async (
    exchange: Exchange, call: () => Promise<AnyReply>): Promise<AnyReply> => {
    if (exchange.injected) return await call();
    const { repeatable } = this.#options;
    const wanted = readPreferences(exchange.headers.prefer);
    if (repeatable) translate(exchange, repeatable);
    try {
      await this.#prepare(exchange, wanted);
      const reply = this.#cut(exchange, wanted, await call());
      for (const announce of this.#announcementsOf(exchange)) announce();
      // The document is the same anyway, and its tag is of its own bytes.
      const isOwn = exchange.route.operation_id === 'getOpenapiDocument';
      return repeatable && !isOwn ? shown(reply, repeatable) : reply;
    } catch (error) {
      throw repeatable && error instanceof GatehouseError ? shownError(error, repeatable) : error;
    }
  };

  /** What `GET /mock` answers. */
  describe(): object {
    const { pace_ms, examples, config } = this.#options;
    return {
      object: 'mock',
      version: config.version,
      pace_ms,
      runs: [...RUN_SCENARIOS].map(([name, { says }]) => ({ name, says })),
      streams: ['cut'],
      any: ['slow'],
      errors: this.#refusals.listed(),
      examples: examples.is_installed,
    };
  }

  /** Does what the request asks of the mock before its operation. Throws what it asks for. */
  async #prepare(exchange: Exchange, { scenario, pace_ms }: Preferences): Promise<void> {
    const { route: { operation_id }, signal } = exchange;
    if (operation_id === 'createRun') {
      const body = exchange.body as RunBody;
      const name = scenario !== undefined && RUN_SCENARIOS.has(scenario)
        ? scenario : scenarioIn(textOf(body.input));
      // Not in the body, which is what a repetition by its Idempotency-Key is held against.
      const defaults = Object.entries(RUN_SCENARIOS.get(name ?? '')?.defaults ?? {});
      const limits = Object.fromEntries(defaults.filter(([limit]) => !(limit in body)));
      // Whether 202 says queued or running, the worker's haste decides; with a seed, nothing does.
      const held = this.#options.repeatable !== null && !body.wait && !body.stream;
      this.#asked.set(body.input,
        { scenario: name, pace_ms, limits, announcements: held ? [] : null });
    }
    if (scenario === undefined) return;
    if (scenario === 'slow') {
      await wait(SLOW_MS, undefined, { signal }).catch(() => {});
      return;
    }
    if (operation_id === 'createRun' && RUN_SCENARIOS.has(scenario)) return;
    if (operation_id === 'streamRunEvents' && scenario === 'cut') return;
    const code = this.#refusals.codeFor(operation_id, scenario);
    if (code === undefined) throw noScenario(operation_id, scenario);
    this.#refusals.refuse(operation_id, code, exchange);
  }

  /** Breaks a stream off in the middle: of a run that is to be cut, the first. */
  #cut({ params, route }: Exchange, { scenario }: Preferences, reply: AnyReply): AnyReply {
    if (!('events' in reply)) return reply;
    // Not the path's: with a seed that is the id that was shown.
    const { run_id } = params!.path as { run_id?: string };
    const plan = this.#plans.get(run_id ?? reply.headers?.Location?.split('/').at(-1) ?? '');
    const asked = route.operation_id === 'streamRunEvents' && scenario === 'cut';
    const due = plan?.scenario === 'cut' && !plan.is_cut;
    if (!asked && !due) return reply;
    if (plan) plan.is_cut = true;
    return { ...reply, events: cutOff(reply.events) };
  }

  #announcementsOf({ route, body }: Exchange): (() => void)[] {
    return route.operation_id === 'createRun'
      ? this.#asked.get((body as RunBody).input)?.announcements ?? [] : [];
  }

  #plan(run_id: string, plan: PlayPlan): void {
    this.#plans.set(run_id, plan);
    if (this.#plans.size <= RUNS_KEPT) return;
    const [oldest] = this.#plans.keys();
    this.#plans.delete(oldest!);
  }

  /**
   * Each token has a workspace of its own, so that teams do not see each other. They are made one
   * after the other and in no request's time: each holds the lock of the audit log for a dozen
   * statements, and fifty clients that begin together were all refused for waiting too long for it.
   */
  #keyFor(sql: Sql, token: string): Promise<string> {
    const known = this.#keys.get(token);
    if (known !== undefined) return known;
    const making = this.#made.then(() => unhurried(() => makeWorkspace(sql)));
    this.#made = making.catch(() => {});
    this.#keys.set(token, making);
    making.catch(() => this.#keys.delete(token));
    return making;
  }
}

interface RunBody {
  input: { content: { text: string }[] }[];
  wait?: boolean;
  stream?: boolean;
}

function refuseToken(token: string): void {
  if (token === REFUSED_TOKEN) throw invalidKey();
}

async function makeWorkspace(sql: Sql): Promise<string> {
  const { workspace_id, api_key } = await createFirstCredentials(sql);
  await furnish(sql, workspace_id);
  return api_key;
}

function textOf(input: readonly { content: readonly { text: string }[] }[]): string {
  return input.flatMap(({ content }) => content.map(({ text }) => text)).join('\n');
}

function noScenario(operation_id: string, name: string): GatehouseError {
  return new GatehouseError('invalid_request', `The mock has no scenario ${JSON.stringify(name)}`
    + ` for ${operation_id}. GET /mock lists what there is.`, { param: 'prefer' });
}

async function* cutOff(events: EventsReply['events']): EventsReply['events'] {
  let left = CUT_AFTER_EVENTS;
  for await (const frames of withoutPauses(events)) {
    if (frames.length < left) {
      left -= frames.length;
      yield frames;
      continue;
    }
    yield frames.slice(0, left);
    throw new Error('cut, as the scenario asks');
  }
}

/** Puts the service's own ids and times in place of those that the client knows. */
function translate(exchange: Exchange, repeatable: Repeatable): void {
  const inward = <T>(value: T): T => value === undefined ? value
    : JSON.parse(repeatable.inward(JSON.stringify(value))) as T;
  const params = inward(exchange.params!);
  const { query } = params;
  for (const side of ['before', 'after'] as const) {
    const name = `created_${side}`;
    if (typeof query[name] !== 'string') continue;
    query[name] = repeatable.inwardTime(instant(query[name], name), side);
  }
  // As they were sent: to what has been translated no shown id fits.
  const { id_prefix, query: wanted } = exchange.params!.query;
  if (typeof id_prefix === 'string') {
    query.id_prefix = repeatable.inwardPrefix(id_prefix, 'id_prefix');
  }
  if (typeof wanted === 'string' && SESSION_BEGINNING.test(wanted.trim())) {
    query.query = repeatable.inwardPrefix(wanted.trim(), 'query');
  }
  if (typeof query.cursor === 'string') query.cursor = repeatable.inwardCursor(query.cursor);
  exchange.params = params;
  exchange.body = inward(exchange.body);
}

function shown(reply: AnyReply, repeatable: Repeatable): AnyReply {
  const { status, headers } = reply;
  const head = { status, ...(headers && { headers: shownHeaders(headers, repeatable) }) };
  if ('events' in reply) return { ...head, events: shownEvents(reply.events, repeatable) };
  const text = bodyTextOf(reply);
  return text === undefined ? head : { ...head, raw: repeatable.outward(text) };
}

function shownHeaders(headers: Record<string, string>, repeatable: Repeatable) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, repeatable.outward(value)]));
}

async function* shownEvents(
  events: EventsReply['events'], repeatable: Repeatable): EventsReply['events'] {
  for await (const frames of withoutPauses(events)) {
    yield frames.map((frame) => ({ ...frame, json: repeatable.outward(frame.json) }));
  }
}

function shownError(error: GatehouseError, repeatable: Repeatable): GatehouseError {
  const { code, param, details, retry_after_s, headers, cause } = error;
  return new GatehouseError(code, repeatable.outward(error.message), {
    ...(param !== null && { param }), retry_after_s, headers, cause,
    ...(details !== undefined && {
      details: JSON.parse(repeatable.outward(JSON.stringify(details))) as unknown,
    }),
  });
}
