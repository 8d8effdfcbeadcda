/**
 * The client of the API, as the whole app uses it: the generated functions of `#client`, asked
 * with the cookie, in one workspace at a time. What fails is an `ApiError`. A 401 leads to the
 * sign-in; a node that does not answer, or has no database, shows the bar of the frame until it is
 * well again.
 */
import { QueryClient } from '@tanstack/react-query';
import { useRef, useSyncExternalStore } from 'react';
import { client } from '#client/client.gen.ts';
import { DONE_MS, fetchUnlessSilent, SILENT_MS } from './silence.ts';

const { url: script } = import.meta;
/** `<prefix>/dashboard/`, wherever a proxy has put it: scripts lie in a folder below it. */
export const BASE = new URL('..', script);
/** `<prefix>/`, where `/v1`, `/docs` and the health pages are. */
export const SERVICE = new URL('..', BASE);

/** A refusal or failure: what the API said, or that nobody answered (`unreachable`, status 0). */
export class ApiError extends Error {
  readonly status: number;
  /** As in docs/errors.md; besides, `unreachable` and `unreadable`. */
  readonly code: string;
  /** The member of the request that is wrong, if it is one: show the message at its field. */
  readonly param: string | null;
  readonly request_id: string | null;
  /** Particulars of the code, as docs/errors.md tells them. */
  readonly details: unknown;

  constructor(status: number, code: string, message: string, { param = null, request_id = null,
    details }: { param?: string | null; request_id?: string | null; details?: unknown }) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.param = param;
    this.request_id = request_id;
    this.details = details;
  }
}

/** Anything that was thrown, as an error to show. */
export function asApiError(error: unknown, response?: Response): ApiError {
  if (error instanceof ApiError) return error;
  const request_id = response?.headers.get('X-Request-Id') ?? null;
  if (response === undefined) {
    return error instanceof TypeError
      ? new ApiError(0, 'unreachable', 'The service does not answer.', {})
      : new ApiError(0, 'unreadable', (error as Error).message, {});
  }
  const { error: text, code, param, details } = typeof error === 'object' && error !== null
    ? error as { error?: string; code?: string; param?: string | null; details?: unknown } : {};
  // To clients the service says which header to send; here somebody was signed out meanwhile.
  const said = code === 'missing_api_key'
    ? 'You were signed out before, so this was not done. Sign in, and do it again.' : text;
  return new ApiError(response.status, code ?? `http_${response.status}`,
    said ?? `The answer was ${response.status} ${response.statusText}.`,
    { param, request_id, details });
}

/** Whether trying again may well help: nobody answered, or the service is busy. */
export function isPassing({ status }: ApiError): boolean {
  return status === 0 || status === 429 || status >= 502;
}

/** Waits for what ends something. That somebody else has ended it before is as good. */
export async function ended(ending: Promise<unknown>): Promise<void> {
  await ending.catch((error: unknown) => {
    if (asApiError(error).status !== 404) throw error;
  });
}

/** What to send, with a key that says that it is the same as before. */
export interface Asked<Body> {
  body: Body;
  headers: { 'Idempotency-Key': string };
  throwOnError: true;
}

/**
 * For whatever makes something: `await once(body, (asked) => createThing(asked))`. The same body
 * has the same idempotency key until it was made, so that a second press after a failure makes no
 * second one, whether or not the first was heard. Of the body a fingerprint alone is kept: it may
 * hold secrets. `kept_as`: in the tab, under this name, for what is there again after a reload.
 */
export function useOnce(kept_as?: string) {
  const last = useRef<{ fingerprint: string; key: string }>(undefined);
  const keep = (asked: typeof last.current) => {
    last.current = asked;
    if (kept_as && asked) sessionStorage.setItem(kept_as, JSON.stringify(asked));
    else if (kept_as) sessionStorage.removeItem(kept_as);
  };
  return async <Body, Made>(
    body: Body, send: (asked: Asked<Body>) => Promise<Made>): Promise<Made> => {
    const fingerprint = fingerprintOf(JSON.stringify(body));
    last.current ??= kept_as && JSON.parse(sessionStorage.getItem(kept_as) ?? 'null');
    if (last.current?.fingerprint !== fingerprint) keep({ fingerprint, key: requestKey() });
    try {
      const headers = { 'Idempotency-Key': last.current!.key };
      const made = await send({ body, headers, throwOnError: true });
      keep(undefined);
      return made;
    } catch (error) {
      if (isUsedUp(asApiError(error))) keep(undefined);
      throw error;
    }
  };
}

/** Whether the key stands for what cannot be answered again: a secret was, or something else. */
function isUsedUp({ code, param }: ApiError): boolean {
  return param === 'idempotency-key' && ['already_exists', 'idempotency_key_reused'].includes(code);
}

/** Where two texts have the same by chance, the service refuses the second under the first key. */
function fingerprintOf(text: string): string {
  let [one, other] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    one = Math.imul(one ^ text.charCodeAt(at), 0x9e3779b1) + at | 0;
    other = Math.imul(other ^ text.charCodeAt(at), 0x5f356495) - at | 0;
  }
  return `${one}/${other}`;
}

/** `crypto.randomUUID` is there on safe origins alone. */
function requestKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const RETRIES = 2;

/** What was read. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < RETRIES && isPassing(asApiError(error)),
      // The service may be on this machine. Held back without a network, a list would seem empty.
      networkMode: 'always',
    },
    // Without a network they fail at once, and do not happen later, when nobody expects it.
    mutations: { networkMode: 'always' },
  },
});

/**
 * Reads again what these operations have answered, as far as it is shown:
 * `await readAgain('listGrants', 'getGrant')`. Of a live list that is its newest page.
 */
export async function readAgain(...operations: readonly string[]): Promise<void> {
  await Promise.all(operations.map((_id) => queries.invalidateQueries({ queryKey: [{ _id }] })));
}

/** A value that components follow with useSignal. */
export class Signal<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  readonly get = (): T => this.#value;

  readonly set = (value: T): void => {
    if (value === this.#value) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  };

  readonly subscribe = (onChange: () => void): (() => void) => {
    this.#listeners.add(onChange);
    return () => this.#listeners.delete(onChange);
  };
}

export function useSignal<T>({ subscribe, get }: Signal<T>): T {
  return useSyncExternalStore(subscribe, get);
}

/** `gone`: the node, or what stands before it, does not answer. `unwell`: it has no database. */
export type Reach = 'here' | 'gone' | 'unwell';
export const reach = new Signal<Reach>('here');
/** Counts the answers that said that nobody is signed in any more. */
export const signed_out = new Signal(0);
/** Counts the times that somebody was found to be signed in. */
export const signed_in = new Signal(0);

/** How many ms the clock of the service is ahead of the one here, as its answers tell. */
export const clock_ahead_ms = new Signal(0);
/** Answers tell whole seconds, and are on their way for a while: less is no difference. */
const CLOCK_DIFFERS_MS = 5_000;

function compareClocks({ headers }: Response, asked_ms: number): void {
  const now_ms = Date.now();
  // What was on its way for long, such as over a sleep, tells of then.
  if (now_ms - asked_ms >= CLOCK_DIFFERS_MS - 1_000) return;
  const ahead_ms = Date.parse(headers.get('Date') ?? '') - now_ms;
  if (Math.abs(ahead_ms - clock_ahead_ms.get()) > CLOCK_DIFFERS_MS) clock_ahead_ms.set(ahead_ms);
}

const GONE: ReadonlySet<number> = new Set([502, 504]);

/** What takes long: what is done, and the walk through the audit log. */
const isLong = ({ method, url }: Request) =>
  method !== 'GET' || /\/audit_log\/verification(\?|$)/.test(url);

/** Every request of the app, streams too, goes through here. */
export async function watchedFetch(request: Request): Promise<Response> {
  const asked_ms = Date.now();
  try {
    const response = await fetchUnlessSilent(request, isLong(request) ? DONE_MS : SILENT_MS);
    compareClocks(response, asked_ms);
    if (GONE.has(response.status)) reach.set('gone');
    // One thing may be held up alone: the node says whether it is well.
    else if (response.status === 503) void lookAround();
    else if (reach.get() === 'gone') reach.set('here');
    // Signing in answers 401 as well, to a wrong token, and so does asking who is signed in.
    if (response.status === 401 && !/\/dashboard_sessions(\/current)?$/.test(request.url)) {
      signed_out.set(signed_out.get() + 1);
    }
    return response;
  } catch (error) {
    if (error instanceof TypeError) reach.set('gone');
    throw error;
  }
}

/** A node that takes longer to say whether it is well is not. */
const LOOK_MS = 10_000;
let looking: Promise<Reach> | undefined;

/** Asks the node whether it is well; those who ask at the same time share the answer. */
export function lookAround(): Promise<Reach> {
  const request = new Request(new URL('readyz', SERVICE), { cache: 'no-store' });
  return looking ??= fetchUnlessSilent(request, LOOK_MS)
    .then(({ ok, status }): Reach => (ok ? 'here' : GONE.has(status) ? 'gone' : 'unwell'),
      (): Reach => 'gone')
    .then((found) => {
      looking = undefined;
      reach.set(found);
      return found;
    });
}

client.setConfig({
  baseUrl: new URL('v1', SERVICE).href, credentials: 'same-origin', fetch: watchedFetch as never,
});
client.interceptors.error.use((error, response) =>
  (error instanceof DOMException && error.name === 'AbortError' ? error
    : asApiError(error, response)));

/** What is the same in every workspace. */
const EVERYWHERE: ReadonlySet<unknown> = new Set(['getCurrentDashboardSession', 'listWorkspaces']);

/** Drops what was read, but who is signed in and which workspaces there are. */
export function forget(): void {
  queries.removeQueries({
    predicate: ({ queryKey: [key] }) => !EVERYWHERE.has((key as { _id?: string } | undefined)?._id),
  });
}

let current: string | undefined;

/**
 * All requests from now on are for this workspace, and nothing that was read in another one is
 * shown in it. The route of a workspace calls it before anything of it is drawn.
 */
export function enterWorkspace(workspace_id: string): void {
  if (workspace_id === current) return;
  forget();
  current = workspace_id;
  client.setConfig({ headers: { 'Gatehouse-Workspace': workspace_id } });
}
