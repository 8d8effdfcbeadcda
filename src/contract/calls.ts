/** Calls of the document's operations: what is asked, what is answered, and how it is sent. */
import { operations, type OperationId } from '../../generated/operations.ts';
import type { operations as OperationTypes, Schemas } from '../../generated/types.ts';

export type { Schemas };

type AdminId = {
  [O in OperationId]: (typeof operations)[O]['internal'] extends true ? O : never
}[OperationId];
/** An operation of the public document. */
export type PublicId = Exclude<OperationId, AdminId>;
export const PUBLIC_IDS = (Object.keys(operations) as OperationId[])
  .filter((id) => !operations[id].internal) as PublicId[];

/** What a call is made with. */
export interface CallInput {
  path?: Record<string, string>;
  query?: Record<string, string | number | boolean>;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, in place of `body`. */
  raw?: string | Uint8Array;
}

export type JsonOf<R> = R extends { content: { 'application/json': infer B } } ? B : undefined;
export type Responses<O extends OperationId> = OperationTypes[O]['responses'];

/** An answer, by status: `answer.status === 201` narrows `answer.body`. */
export type Answer<O extends OperationId> = {
  [S in keyof Responses<O>]: { status: S; headers: Headers; body: JsonOf<Responses<O>[S]> }
}[keyof Responses<O>];

/** The call as `fetch` takes it; `more` are headers that those of the call may replace. */
export function requestOf(
  base_url: string, id: OperationId, { path, query, headers, body, raw }: CallInput,
  more: Record<string, string>,
) {
  const { method, path: pattern } = operations[id];
  const url = new URL(base_url + pattern.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path?.[name] ?? `no_${name}`)));
  for (const [name, value] of Object.entries(query ?? {})) {
    url.searchParams.set(name, String(value));
  }
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  return {
    url: url.href, method,
    headers: {
      ...more, ...(sent !== undefined && { 'content-type': 'application/json' }), ...headers,
    } as Record<string, string>,
    ...(sent !== undefined && { body: sent as string }),
  };
}

export function isStream({ headers }: Pick<Response, 'headers'>): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

/** The body of a prompt. */
export function prompt(text: string, rest: Partial<Schemas['CreateRunRequest']> = {}) {
  return { input: [{ role: 'user' as const, content: [{ type: 'input_text' as const, text }] }],
    ...rest };
}
