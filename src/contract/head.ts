/** What holds for every answer, whatever was asked: headers, times, the form of an error. */
import { Fault, holds, excerptOf } from './expect.ts';

interface Subject {
  /** What was asked, for messages. */
  what: string;
  /** What the request was called in X-Request-Id. */
  request_id: string;
  body: unknown;
  /** Whether other answers of this target said what is left to be asked. */
  limited: boolean;
}

/** Throws Fault for an answer that lacks what all have. */
export function checkHead(
  { status, headers }: Response, { what, request_id, body, limited }: Subject): void {
  const place = `${what} ${status}`;
  const own = headers.get('x-request-id');
  holds(own === request_id,
    `${place}: X-Request-Id is ${excerptOf(own)}; the request was called ${request_id}`);
  const cache = headers.get('cache-control') ?? '';
  holds(/\bno-store\b/.test(cache), `${place}: Cache-Control is "${cache}", without no-store`);
  if (body !== undefined) {
    const type = headers.get('content-type');
    holds(type !== null && /^application\/json; ?charset=utf-8$/i.test(type),
      `${place}: Content-Type is ${excerptOf(type)}`);
    checkTimes(body, place);
  }
  if (status < 300 && limited) checkLimits(headers, place);
  if (status >= 400) checkError(status, headers, body, place, request_id);
}

const ENTRY = /^"[\w-]+"(?:;(\w+)=(?:\d+|"[\w-]+"))+$/;

/** RateLimit-Policy names the limits, RateLimit what is left of each: structured fields. */
function checkLimits(headers: Headers, place: string): void {
  const [policies, left] = ['ratelimit-policy', 'ratelimit'].map((name) => {
    const value = headers.get(name);
    holds(value !== null, `${place}: ${name} is missing, which other answers have`);
    const entries = value.split(/, */);
    holds(entries.every((entry) => ENTRY.test(entry)), `${place}: ${name} is malformed: ${value}`);
    return new Map(entries.map((entry) => {
      const [policy, ...rest] = entry.split(';');
      return [policy!, new Map(rest.map((pair) => pair.split('=') as [string, string]))];
    }));
  });
  for (const [policy, quota] of policies!) {
    const most = Number(quota.get('q'));
    const remaining = Number(left!.get(policy)?.get('r'));
    holds(remaining >= 0 && remaining <= most,
      `${place}: RateLimit leaves ${remaining} of ${policy}, which has ${most}`);
  }
}

function checkError(
  status: number, headers: Headers, body: unknown, place: string, request_id: string): void {
  const { error, request_id: named } = (body ?? {}) as { error?: unknown; request_id?: unknown };
  holds(typeof error === 'string' && error.trim() !== '',
    `${place}: \`error\` says nothing: ${excerptOf(body)}`);
  holds(named === request_id,
    `${place}: request_id is ${excerptOf(named)}, not that of X-Request-Id`);
  if (status === 401) {
    holds(/^Bearer\b/.test(headers.get('www-authenticate') ?? ''),
      `${place}: WWW-Authenticate does not say Bearer`);
  }
  if (status === 429 || status === 503) {
    holds(/^\d+$/.test(headers.get('retry-after') ?? ''),
      `${place}: Retry-After is ${excerptOf(headers.get('retry-after'))}, no whole seconds`);
  }
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** What others have put there has times of their own. */
const FOREIGN = new Set(['result', 'arguments', 'metadata', 'input', 'details', 'input_schema',
  'output_schema', 'paths', 'components']);

/** Throws Fault unless every `…_at` is a time in UTC with milliseconds, or null. */
export function checkTimes(value: unknown, place: string): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (FOREIGN.has(key)) continue;
    if (key.endsWith('_at') && member !== null && !TIME.test(String(member))) {
      throw new Fault(`${place}: ${key} is ${excerptOf(member)}, no time in UTC with milliseconds`);
    }
    checkTimes(member, place);
  }
}
