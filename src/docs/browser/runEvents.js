/** Requests to the API of the service that the page came from, and the events of a run. */
import { createParser } from 'eventsource-parser';

/** The API beside the docs, below whatever prefix a proxy gives both. */
export const API = new URL('../../v1/', import.meta.url);

/** An answer that is no success: the service's own words. */
export class Refused extends Error {
  /** @param {number} status @param {string} code @param {string} message */
  constructor(status, code, message) {
    super(`${status} ${code}: ${message}`);
    this.name = 'Refused';
    this.status = status;
  }
}

/**
 * Sends a request, and throws `Refused` unless it succeeds.
 * @param {string} key
 * @param {string} path Below /v1/.
 * @param {RequestInit & { json?: unknown }} [init] `json` becomes the body of a POST.
 */
export async function ask(key, path, { json, ...init } = {}) {
  const response = await fetch(new URL(path, API), {
    ...init,
    ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
    headers: {
      Authorization: `Bearer ${key}`, ...init.headers,
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
    },
  });
  if (response.ok) return response;
  const { code = 'error', error = response.statusText } = await response.json().catch(() => ({}));
  throw new Refused(response.status, code, error);
}

/**
 * Calls `onEvent` with each event of an event stream as it comes; resolves when the stream ends.
 * @param {Response} response
 * @param {(event: any) => void} onEvent
 */
export async function readEvents(response, onEvent) {
  const parser = createParser({ onEvent: ({ data }) => { if (data) onEvent(JSON.parse(data)); } });
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
  }
}
