import fc from 'fast-check';
import t from 'tap';
import { readTokenResponse } from '../../../src/gateway/credentials/tokenResponse.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const FORM = 'application/x-www-form-urlencoded; charset=utf-8';
const read = (body: unknown, status = 200) =>
  readTokenResponse(status, JSON_TYPE, JSON.stringify(body));

t.test('a proper answer keeps what we use of it', async (t) => {
  t.strictSame(read({ access_token: 'a', token_type: 'Bearer', expires_in: 3600,
    refresh_token: 'r', scope: 'x y', id_token: 'apart', extra: 1 }),
  { status: 200, id_token: 'apart', body: { access_token: 'a', token_type: 'bearer',
    refresh_token: 'r', expires_in: 3600, scope: 'x y' } });
});

t.test('GitHub: forms, commas, errors with 200 under other names', async (t) => {
  const form = 'access_token=gho_16&scope=repo%2Cgist&token_type=bearer';
  const tokens = { access_token: 'gho_16', token_type: 'bearer', scope: 'repo gist' };
  t.strictSame(readTokenResponse(200, FORM, form), { status: 200, body: tokens });
  t.strictSame(readTokenResponse(200, 'text/html', form), { status: 200, body: tokens });
  t.strictSame(read({ error: 'bad_refresh_token', error_description: 'The refresh token…' }),
    { status: 400, body: { error: 'invalid_grant' } });
  t.strictSame(readTokenResponse(200, FORM, 'error=bad_verification_code&error_uri=x'),
    { status: 400, body: { error: 'invalid_grant' } });
  t.strictSame(read({ error: 'incorrect_client_credentials' }).body, { error: 'invalid_client' });
  t.strictSame(read({ error: 'redirect_uri_mismatch' }),
    { status: 400, body: { error: 'redirect_uri_mismatch' } });
});

t.test('Slack: types of its own, commas, ok: false, a person\'s token inside', async (t) => {
  t.strictSame(read({ ok: true, access_token: 'xoxb-1', token_type: 'bot', expires_in: 43200,
    refresh_token: 'xoxe-1', scope: 'commands,chat:write', team: { id: 'T1' } }).body,
  { access_token: 'xoxb-1', token_type: 'bearer', refresh_token: 'xoxe-1', expires_in: 43200,
    scope: 'commands chat:write' });
  t.strictSame(read({ ok: true, team: {}, authed_user: { id: 'U1', access_token: 'xoxp-1',
    token_type: 'user', scope: 'search:read' } }).body,
  { access_token: 'xoxp-1', token_type: 'bearer', scope: 'search:read' });
  t.strictSame(read({ ok: false, error: 'invalid_refresh_token' }),
    { status: 400, body: { error: 'invalid_grant' } });
  t.strictSame(read({ ok: false }), { status: 400, body: { error: 'server_error' } });
});

t.test('a refresh token that is refused in other words, and only then', async (t) => {
  const refusals: object[] = [
    { status: 'BAD_REFRESH_TOKEN', message: 'missing or unknown refresh token' }, // HubSpot
    { message: 'Bad Request', errors: [ // Strava
      { resource: 'Application', field: 'x', code: 'ok' },
      { resource: 'RefreshToken', field: 'refresh_token', code: 'invalid' }] },
    { error: { message: 'Expired', type: 'OAuthException', code: 190, error_subcode: 463 } },
    { reason: 'Invalid Token!', error: 'invalid_request' }, // Zoom
  ];
  for (const body of refusals) {
    const text = JSON.stringify(body);
    t.strictSame(readTokenResponse(400, JSON_TYPE, text, 'refresh_token'),
      { status: 400, body: { error: 'invalid_grant' } }, text);
    t.not(readTokenResponse(400, JSON_TYPE, text).body?.error, 'invalid_grant', text);
    t.equal(readTokenResponse(503, JSON_TYPE, text, 'refresh_token').status, 503, 'a fault');
  }
  for (const body of [{ status: 'BAD_CLIENT_ID' }, { status: 'error' }, { errors: 'RefreshToken' },
    { errors: [null, { resource: 'Application', code: 'invalid' }] },
    { errors: [{ resource: 'RefreshToken', code: 'missing' }] },
    { error: { type: 'OAuthException', code: 4 } }, { error: { type: 'x', code: 190 } },
    { error: 'invalid_request' }, { reason: 'Invalid Token!' },
    { reason: 'Invalid client', error: 'invalid_request' }]) {
    const text = JSON.stringify(body);
    t.not(readTokenResponse(400, JSON_TYPE, text, 'refresh_token').body?.error, 'invalid_grant',
      text);
  }
  t.match(readTokenResponse(200, JSON_TYPE, JSON.stringify(
    { access_token: 'a', status: 'BAD_REFRESH_TOKEN' }), 'refresh_token'),
  { status: 200, body: { access_token: 'a' } }, 'a token counts');
});

t.test('and what others do', async (t) => {
  const minimal = { access_token: 'a', token_type: 'bearer' };
  const same: object[] = [
    { access_token: 'a' }, { access_token: 'a', token_type: null },
    { access_token: 'a', refresh_token: null, scope: null, expires_in: null },
    { access_token: 'a', refresh_token: '', scope: '', expires_in: 'never' },
    { access_token: 'a', expires_in: { toString: false } }, { access_token: 'a', expires_in: [9] },
    { access_token: 'a', expires_in: 0 }, { access_token: 'a', expires_in: -1 },
    { access_token: 'a', scope: [], error: null }, { access_token: 'a', id_token: 7 },
  ];
  for (const body of same) t.strictSame(read(body).body, minimal, JSON.stringify(body));
  t.equal(read({ access_token: 'a' }, 201).status, 200);
  t.equal(read({ access_token: 'a', expires_in: '3600' }).body?.expires_in, 3600);
  t.equal(read({ access_token: 'a', expires_in: 1e300 }).body?.expires_in, 315_360_000);
  t.equal(read({ access_token: 'a', scope: ['x', 'y'] }).body?.scope, 'x y');
  t.strictSame(read({ access_token: 'a', token_type: 'DPoP' }),
    { status: 400, body: { error: 'unsupported_token_type' } });
  t.equal(read({ error: 'invalid_grant' }, 401).status, 400, 'a challenge hides nothing');
  t.equal(read({ error: 'invalid_grant' }, 503).status, 503, 'a fault stays a fault');
  t.strictSame(read({ access_token: '' }).body, {});
  for (const text of ['', 'null', '[]', '"access_token"', '<html>', 'access_token']) {
    t.strictSame(readTokenResponse(502, 'text/html', text), { status: 502, body: null }, text);
  }
});

t.test('tokens and scopes have bounds', async (t) => {
  const long = 'a'.repeat(16_385);
  for (const body of [{ access_token: long }, { access_token: 'a', refresh_token: long },
    { ok: true, authed_user: { access_token: long } }]) {
    t.strictSame(read(body), { status: 400, body: { error: 'token_too_long' } });
  }
  const longest = long.slice(1);
  t.equal(read({ access_token: longest }).body?.access_token, longest);
  const scopesOf = (scope: unknown) => read({ access_token: 'a', scope }).body?.scope;
  t.equal(scopesOf(`a\0b x:y/z \u202eb ${'c'.repeat(201)} "d" https://e/f`), 'x:y/z https://e/f');
  t.equal(String(scopesOf(Array.from({ length: 2_000 }, (_, i) => `s${i}`))).split(' ').length,
    1_000);
});

t.test('nothing makes it fail, and no token comes from nothing', async () => {
  fc.assert(fc.property(
    fc.integer({ min: 200, max: 599 }), fc.constantFrom(JSON_TYPE, FORM, null),
    fc.oneof(fc.string(), fc.json(), fc.record({
      access_token: fc.jsonValue(), token_type: fc.jsonValue(), scope: fc.jsonValue(),
      expires_in: fc.jsonValue(), error: fc.jsonValue(), authed_user: fc.jsonValue(),
    }, { requiredKeys: [] }).map((value) => JSON.stringify(value))),
    (status, type, text) => {
      const { body } = readTokenResponse(status, type, text);
      return body === null || Object.keys(body).length === 0
        || (typeof body.access_token === 'string') !== (typeof body.error === 'string');
    }));
});
