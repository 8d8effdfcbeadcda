/**
 * The client of the API, as the whole app uses it: what fails, what was read, and what is done, in
 * one workspace at a time. data/reach.ts has how the service is asked.
 */
import { QueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { client } from '#client/client.gen.ts';

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

/** What it means where a proxy answers, whose pages nobody reads here. */
const OF_PROXIES: Partial<Record<number, string>> = {
  403: 'a proxy before the service may let this in from another network alone',
  413: 'a proxy before the service takes nothing of this size',
  502: 'a proxy before the service has got no answer of it',
  503: 'a proxy before the service has no node that is ready',
  504: 'a proxy before the service has waited no longer',
};

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
    said ?? `The answer was ${response.status}: ${
      OF_PROXIES[response.status] ?? 'a proxy before the service answers in its place'}.`,
    { param, request_id, details });
}

/** Whether trying again may well help: nobody answered, or the service is busy. */
export function isPassing({ status }: ApiError): boolean {
  return status === 0 || status === 429 || status >= 502;
}

/** Whether the service says that there is no such thing (any more); a proxy's 404 tells nothing. */
export function isGone(error: unknown): boolean {
  return error !== null && asApiError(error).code === 'not_found';
}

/** Waits for what ends something. That somebody else has ended it before is as good. */
export async function ended(ending: Promise<unknown>): Promise<void> {
  await ending.catch((error: unknown) => {
    if (!isGone(error)) throw error;
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

/**
 * What a button or a form does: whether it is under way, and why it has failed.
 * `await act(() => updateThing(…), onClose)`; `onDone` is for what then goes: until it has gone, it
 * cannot be done once more. It is not called for whoever has left by then: it would close what they
 * have opened since. `errorAt('/name')`: what to show at the field of that member;
 * `errorBut('/name')`: the error, unless that field shows it.
 */
export function useAct() {
  const [error, setError] = useState<ApiError | null>(null);
  const [is_busy, setBusy] = useState(false);
  const is_here = useRef(false);
  useEffect(() => {
    is_here.current = true;
    return () => void (is_here.current = false);
  }, []);
  const act = async <Done>(
    does: () => Promise<Done>, onDone?: (done: Done) => void): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const done = await does();
      if (onDone) {
        await untilSeen();
        return is_here.current ? onDone(done) : undefined;
      }
    } catch (fault) {
      setError(asApiError(fault));
    }
    setBusy(false);
  };
  const errorAt = (param: string) => (error?.param === param ? error.message : undefined);
  const errorBut = (...params: string[]) => (params.includes(error?.param ?? '') ? null : error);
  return { error, is_busy, act, errorAt, errorBut };
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

/** Whether the sign-in lies above the screens, which nobody sees or leaves before it has gone. */
export const are_unseen = new Signal(false);

async function untilSeen(): Promise<void> {
  if (!are_unseen.get()) return;
  await new Promise<void>((resolve) => {
    const stop = are_unseen.subscribe(() => {
      stop();
      resolve();
    });
  });
}

export function useSignal<T>({ subscribe, get }: Signal<T>): T {
  return useSyncExternalStore(subscribe, get);
}

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
