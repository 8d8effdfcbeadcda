/** Errors become statuses in one place. */
import { once } from 'node:events';
import t from 'tap';
import { operations } from '../../generated/operations.ts';
import { GatehouseError, STATUS_OF_CODE, type ErrorCode } from '../../src/errors.ts';
import { responseValidator } from '../support/client.ts';
import { AUTHORIZED, deferred, errorOf, JSON_BODY, room } from './support.ts';

/** Where it is not a second. */
const AFTER_S: Partial<Record<ErrorCode, string>> = { queue_full: '5', approvals_full: '60' };

t.test('every code of the catalogue gets its status and the same shape', async (t) => {
  let code: ErrorCode = 'not_found';
  const { fetch, logged } = await room(t, {
    handlers: {
      getRun: async () => { throw new GatehouseError(code, `This is ${code}.`, { param: 'p' }); },
    },
  });
  const describes = responseValidator(operations.getRun.responses[401].json);
  for (const [name, status] of Object.entries(STATUS_OF_CODE)) {
    code = name as ErrorCode;
    const answer = await fetch('/v1/runs/x', { headers: AUTHORIZED });
    t.equal(answer.status, status, code);
    const body = await errorOf(t, answer);
    t.match(body, { error: `This is ${code}.`, code, param: 'p' });
    t.notOk('details' in body, 'no details where there are none');
    t.equal(answer.headers.get('www-authenticate'), status !== 401 ? null
      : code === 'invalid_api_key' ? 'Bearer error="invalid_token"' : 'Bearer', code);
    t.equal(answer.headers.get('retry-after'), AFTER_S[code]
      ?? ([429, 503].includes(status) ? '1' : null), code);
    t.ok(describes(body), 'as the document describes an error');
  }
  t.equal(logged.filter(({ level }) => level === 50).length, 1, 'only internal_error is an alarm');
});

t.test('an error says when to come back, and may bring headers and details', async (t) => {
  const { fetch } = await room(t, {
    handlers: {
      getRun: async () => {
        throw new GatehouseError('rate_limited', 'Slower.',
          { retry_after_s: 7.2, headers: { 'X-Limit': '5' }, details: { limit: 5 } });
      },
    },
  });
  const answer = await fetch('/v1/runs/x', { headers: AUTHORIZED });
  t.equal(answer.headers.get('retry-after'), '8');
  t.equal(answer.headers.get('x-limit'), '5');
  t.match(await errorOf(t, answer), { details: { limit: 5 } });
});

t.test('what is unexpected is logged, and said to nobody', async (t) => {
  const { fetch, logged } = await room(t, {
    handlers: {
      getRun: () => { throw new TypeError('secret detail'); },
      getSession: async () => ({ status: 200, body: { toJSON() { throw new Error('secret'); } } }),
      listRuns: async () => ({ status: 200, body: {}, headers: { 'X-Bad': 'a\r\nb' } }),
      listSessions: async () => { throw null; },
    },
  });
  for (const path of ['/v1/runs/x', '/v1/sessions/x', '/v1/runs', '/v1/sessions']) {
    const answer = await fetch(path, { headers: AUTHORIZED });
    t.equal(answer.status, 500, path);
    const body = await errorOf(t, answer);
    t.equal(body.code, 'internal_error');
    t.notMatch(JSON.stringify(body), 'secret');
    t.match(logged.filter(({ level }) => level === 50).at(-1), { request_id: body.request_id });
  }
  t.ok(logged.some(({ err }) => (err as { message?: string })?.message === 'secret detail'));
});

t.test('a database that is away is 503 and worth another try', async (t) => {
  const { fetch } = await room(t, {
    services: { isUnavailable: (error) => (error as { code?: string }).code === '57P01' },
    handlers: { getRun: async () => { throw Object.assign(new Error('x'), { code: '57P01' }); } },
  });
  const answer = await fetch('/v1/runs/x', { headers: AUTHORIZED });
  t.equal(answer.status, 503);
  t.equal(answer.headers.get('retry-after'), '1');
  t.equal((await errorOf(t, answer)).code, 'unavailable');
});

t.test('a database whose disk is full is not said to be out of reach', async (t) => {
  const { fetch } = await room(t, {
    services: { isUnavailable: () => true },
    handlers: { getRun: async () => {
      throw new Error('x', { cause: Object.assign(new Error('y'), { code: '53100' }) });
    } },
  });
  const answer = await fetch('/v1/runs/x', { headers: AUTHORIZED });
  t.equal(answer.status, 503);
  t.match(await errorOf(t, answer), { code: 'unavailable', error: /database has no room left/ });
});

t.test('nor do the pages by which a browser connects an account say so', async (t) => {
  const { fetch, logged } = await room(t, { services: {
    isUnavailable: () => true,
    connections: { openAuthorization: async () => {
      throw new Error('x', { cause: Object.assign(new Error('y'), { code: '53100' }) });
    } } as never,
  } });
  const answer = await fetch('/oauth/start?ticket=x');
  t.equal(answer.status, 503);
  const page = await answer.text();
  t.match(page, /has no room left in its database/);
  t.notMatch(page, /cannot reach/);
  t.ok(logged.some(({ msg }) => /^the database had no room during/.test(String(msg))));
});

t.test('who changed something is told that it may have taken effect', async (t) => {
  const lost = async () => { throw new Error('lost'); };
  const { fetch } = await room(t, {
    services: { isUnavailable: () => true, isInDoubt: (error) => error instanceof Error },
    handlers: { createSession: lost, listSessions: lost },
  });
  const changed = await fetch('/v1/sessions', { method: 'POST', headers: JSON_BODY, body: '{}' });
  t.equal(changed.status, 503);
  t.equal(changed.headers.get('retry-after'), '1');
  t.match(await errorOf(t, changed), { code: 'unavailable', error: /may have taken effect/ });
  const read = await fetch('/v1/sessions', { headers: AUTHORIZED });
  t.notMatch((await errorOf(t, read)).error, /taken effect/, 'nobody else');
});

t.test('replies without a body', async (t) => {
  const { fetch } = await room(t, {
    handlers: {
      revokeApiKey: async () => ({ status: 204 }),
      getOpenapiDocument: async ({ params }) => 'if-none-match' in params.headers
        ? { status: 304, headers: { ETag: '"1"' } }
        : { status: 200, raw: '{"openapi":"3.1.0"}', headers: { 'Cache-Control': 'no-cache' } },
    },
    services: { authenticateAdmin: async () => null },
  });
  const deleted = await fetch('/v1/admin/api_keys/x', { method: 'DELETE', headers: AUTHORIZED });
  t.equal(deleted.status, 204);
  t.equal(deleted.headers.get('content-type'), null);
  t.equal(await deleted.text(), '');
  const document = await fetch('/v1/openapi.json', { headers: AUTHORIZED });
  t.equal(await document.text(), '{"openapi":"3.1.0"}');
  t.equal(document.headers.get('cache-control'), 'no-cache', 'an operation may say otherwise');
  const current = await fetch('/v1/openapi.json',
    { headers: { ...AUTHORIZED, 'if-none-match': '"1"' } });
  t.equal(current.status, 304);
  t.equal(current.headers.get('etag'), '"1"');
});

t.test('the signal is aborted when the client goes away, not when it is answered', async (t) => {
  const seen: AbortSignal[] = [];
  const arrived = deferred();
  const aborted = deferred();
  const { fetch } = await room(t, {
    handlers: {
      getRun: async ({ signal }) => {
        seen.push(signal);
        return { status: 200, body: {} };
      },
      getSession: async ({ signal }) => {
        arrived.resolve();
        await once(signal, 'abort');
        aborted.resolve();
        return { status: 200, body: {} };
      },
    },
  });
  await (await fetch('/v1/runs/x', { headers: AUTHORIZED })).text();
  const controller = new AbortController();
  const gone = fetch('/v1/sessions/x', { headers: AUTHORIZED, signal: controller.signal });
  await arrived.promise;
  controller.abort();
  await t.rejects(gone);
  await aborted.promise;
  t.equal(seen[0]!.aborted, false);
});
