/** Answers without a header, or with one that says something else. */
import type { PublicId } from '../../../src/contract/calls.ts';
import type { Answered, Asked, Defect, World } from './defect.ts';

function headers(
  name: string, does: string, topics: Defect['topics'],
  change: (answered: Answered, asked: Asked, world: World) => void): Defect {
  return { name: `headers.${name}`, does, topics, answer: change };
}

/** Takes a header away from the answers of a kind. */
function without(
  header: string, topics: Defect['topics'], when: 'always' | 'errors' | PublicId): Defect {
  return headers(`no_${header.replaceAll('-', '_')}_${when}`,
    `sends no ${header} (${when})`, topics, (answered, { id }) => {
      if (when === 'always' || (when === 'errors' ? answered.status >= 400 : id === when)) {
        delete answered.headers[header];
      }
    });
}

/** Puts another value into a header that is there. */
function other(
  name: string, header: string, topics: Defect['topics'], value: (is: string) => string): Defect {
  return headers(name, `changes ${header}: ${name.replaceAll('_', ' ')}`, topics, (answered) => {
    const is = answered.headers[header];
    if (is !== undefined) answered.headers[header] = value(is);
  });
}

export const HEADER_DEFECTS: Defect[] = [
  without('x-request-id', ['headers'], 'always'),
  without('x-request-id', ['errors'], 'errors'),
  without('x-request-id', ['runs'], 'getRun'),
  other('request_id_constant', 'x-request-id', ['headers'], () => 'req_1'),
  other('request_id_own', 'x-request-id', ['headers'], (is) => `req-${is}`),
  headers('request_id_of_body', 'names another request in the body of an error', ['errors'],
    ({ body }) => { if (body?.request_id) body.request_id = 'req_another'; }),
  headers('request_id_reused', 'names every request the same that has no name of its own',
    ['headers'], (answered, { headers: sent }) => {
      if (sent['x-request-id'] !== undefined) return;
      answered.headers['x-request-id'] = 'req_same';
      if (answered.body?.request_id) answered.body.request_id = 'req_same';
    }),
  without('content-type', ['headers'], 'always'),
  without('content-type', ['errors'], 'errors'),
  other('html', 'content-type', ['headers'], () => 'text/html; charset=utf-8'),
  other('json_without_charset', 'content-type', ['headers'], (is) => is.split(';')[0]!),
  other('problem_json', 'content-type', ['errors'],
    (is) => is.replace('application/json', 'application/problem+json')),
  without('cache-control', ['headers'], 'always'),
  without('cache-control', ['runs'], 'getRun'),
  without('cache-control', ['errors'], 'errors'),
  other('cacheable', 'cache-control', ['headers'], () => 'public, max-age=3600'),
  other('private_only', 'cache-control', ['headers'], () => 'private'),
  without('ratelimit', ['paging'], 'listRuns'),
  without('ratelimit-policy', ['headers'], 'always'),
  without('ratelimit-policy', ['runs'], 'getRun'),
  other('ratelimit_words', 'ratelimit', ['headers'], () => 'plenty'),
  other('ratelimit_draft_3', 'ratelimit', ['headers'], () => 'limit=100, remaining=99, reset=1'),
  other('ratelimit_above_quota', 'ratelimit', ['headers'],
    (is) => is.replace(/r=\d+/, 'r=999999999')),
  headers('ratelimit_never_less', 'says after every request that all are left', ['headers'],
    (answered) => {
      const quota = /q=(\d+)/.exec(answered.headers['ratelimit-policy'] ?? '')?.[1];
      const left = answered.headers.ratelimit;
      if (quota && left) answered.headers.ratelimit = left.replace(/r=\d+/, `r=${quota}`);
    }),
  without('location', ['headers'], 'createSession'),
  without('location', ['headers'], 'createRun'),
  without('location', ['headers'], 'createActionInvocation'),
  other('location_unversioned', 'location', ['headers'], (is) => is.replace('/v1', '')),
  other('location_of_another', 'location', ['headers'], (is) => `${is.slice(0, -4)}zzzz`),
  other('location_elsewhere', 'location', ['headers'], (is) => `http://inner.example:8080${is}`),
  without('etag', ['document'], 'getOpenapiDocument'),
  other('etag_bare', 'etag', ['document'], (is) => is.replaceAll('"', '')),
  headers('etag_changes', 'sends another ETag each time', ['document'], (answered) => {
    if (answered.headers.etag) answered.headers.etag = `"${Math.random()}"`;
  }),
  without('www-authenticate', ['auth'], 'always'),
  other('basic_authentication', 'www-authenticate', ['auth'], () => 'Basic realm="gatehouse"'),
  without('allow', ['errors'], 'always'),
  other('allow_too_little', 'allow', ['errors'], (is) => is.split(',')[0]!),
  other('allow_too_much', 'allow', ['errors'], (is) => `${is}, PUT`),
  headers('allow_of_a_template', 'allows for /actions/search what /actions/{action} has',
    ['errors'], ({ headers: is }, { path }) => {
      if (path === '/actions/search' && is.allow) is.allow = 'GET, HEAD, POST';
    }),
  without('retry-after', ['wait'], 'createRun'),
  other('retry_after_as_date', 'retry-after', ['wait'], () => new Date().toUTCString()),
  { name: 'headers.no_retry_after_of_429', does: 'answers 429 now and then, without Retry-After',
    topics: ['headers'],
    answer(answered, asked, { memory }) {
      const asks = (memory.get('asks') ?? 0) + 1;
      memory.set('asks', asks);
      if (asks % 7 !== 0 || asked.id === null || answered.stream) return;
      answered.status = 429;
      answered.body = { error: 'Too often.', code: 'rate_limited', param: null,
        request_id: answered.headers['x-request-id'] };
    } },
];
