/** Credentials that are guessed at: by address, without keeping out who has a good one. */
import t from 'tap';
import { readConfig, type Config } from '../../src/config.ts';
import { GatehouseError } from '../../src/errors.ts';
import { AuthorizationFailed } from '../../src/gateway/credentials/flows.ts';
import { clientAddress, parseNetworks } from '../../src/http/clientAddress.ts';
import { Limits } from '../../src/http/limits.ts';
import { TokenBuckets } from '../../src/http/tokenBuckets.ts';
import type { Log } from '../../src/log.ts';
import { NO_METERS } from '../../src/telemetry/metrics.ts';
import { faultsOf, limitItems } from '../support/rateLimit.ts';
import { CALLER, errorOf, room } from './support.ts';

const RUNS = '/v1/runs';
const LIMITED = { rate_per_key: 0, rate_per_workspace: 0 };
const ask = (token: string, headers: Record<string, string> = {}) =>
  ({ headers: { authorization: `Bearer ${token}`, ...headers } });

/** Credentials that count look-ups: `good…` is one, and known once it was let in. */
function credentials() {
  const known = new Set<string>();
  const looked: string[] = [];
  const authenticate = async (token: string, beforeLookup: () => void) => {
    if (token === 'malformed') throw new GatehouseError('invalid_api_key', 'No.');
    if (!known.has(token)) beforeLookup();
    looked.push(token);
    await undefined;
    if (!token.startsWith('good')) throw new GatehouseError('invalid_api_key', 'No.');
    known.add(token);
    return CALLER;
  };
  return { looked, services: { authenticate,
    authenticateAdmin: async (token: string, before: () => void) => {
      await authenticate(token, before);
      return null;
    } } };
}

/** Limits of this many failures a minute, on a clock that the test moves. */
function limitsOf(failures: number, settings: Partial<Config> = {}) {
  const clock = { now_ms: 0 };
  const limits = new Limits(readConfig({},
    { auth_failures_per_minute: failures, ...settings }), NO_METERS, { clock: () => clock.now_ms });
  const from = (peer_address: string, token: string, forwarded?: string) => {
    const { services } = store;
    return limits.guarded({ peer_address, headers: { 'x-forwarded-for': forwarded } },
      (beforeLookup) => services.authenticate(token, beforeLookup))
      .then(() => 'in', ({ code }: GatehouseError) => code);
  };
  const store = credentials();
  return { clock, from, looked: store.looked };
}

t.test('who fails too often is not looked up, and good keys beside them are', async (t) => {
  const { services, looked } = credentials();
  const config = { ...LIMITED, auth_failures_per_minute: 5 };
  const { fetch } = await room(t, { services, config });
  t.equal((await fetch(RUNS, ask('good-early'))).status, 200);
  for (const path of [RUNS, '/v1/admin/workspaces', RUNS, '/v1/openapi.json']) {
    t.equal((await fetch(path, ask('bad'))).status, 401, path);
  }
  t.equal((await fetch(RUNS, ask('malformed'))).status, 401);
  const before = looked.length;
  for (const token of ['bad', 'other', 'malformed', 'good-late']) {
    const refused = await fetch(RUNS, ask(token));
    t.equal(refused.status, 429, token);
    t.strictSame(faultsOf(refused.headers), []);
    t.match(limitItems(refused.headers, 'RateLimit'), [{ policy: 'address', r: 0, t: 12 }]);
    t.equal(refused.headers.get('retry-after'), '12');
    const { code, error } = await errorOf(t, refused);
    t.equal(code, 'rate_limited');
    t.match(error, /From this address too many requests/);
  }
  t.equal(looked.length, before, 'nothing was looked up');
  for (let i = 0; i < 20; i++) t.equal((await fetch(RUNS, ask('good-early'))).status, 200);
  t.equal((await fetch(RUNS)).status, 401, 'no key at all costs nothing, and is no guess');
  t.equal((await fetch('/healthz')).status, 200);
});

t.test('guesses that come at once are counted before they are looked up', async (t) => {
  const { from, looked } = limitsOf(10);
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, (_, i) => from('1.1.1.1', `bad${i}`)));
  t.equal(answers.filter((answer) => answer === 'invalid_api_key').length, 10);
  t.equal(looked.length, 10);
});

t.test('good keys cost nothing, and faults of ours neither', async (t) => {
  const { from, clock } = limitsOf(2);
  for (let i = 0; i < 50; i++) t.equal(await from('1.1.1.1', `good${i}`), 'in');
  t.strictSame([await from('1.1.1.1', 'x'), await from('1.1.1.1', 'x'), await from('1.1.1.1', 'x')],
    ['invalid_api_key', 'invalid_api_key', 'rate_limited']);
  clock.now_ms += 30_000;
  t.equal(await from('1.1.1.1', 'good-new'), 'in', 'a key that was never seen, as soon as one may');
  t.equal(await from('1.1.1.1', 'x'), 'invalid_api_key', 'and it has used up nothing');
  const limits = new Limits(readConfig({}, { auth_failures_per_minute: 1 }),
    NO_METERS, { clock: () => 0 });
  for (let i = 0; i < 5; i++) {
    await t.rejects(limits.guarded({ peer_address: '1.1.1.1', headers: {} }, async (look) => {
      look();
      throw new Error('the database is away');
    }), { message: 'the database is away' });
  }
});

t.test('addresses are those of customers, and of proxies only if those are trusted', async (t) => {
  const none = parseNetworks('');
  const ours = parseNetworks('10.0.0.0/8, 2001:db8:ffff::7');
  for (const [peer, forwarded, trusted, counted] of [
    ['192.0.2.1', undefined, none, '192.0.2.1'],
    ['::ffff:192.0.2.1', undefined, none, '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', undefined, none, '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', undefined, none, '2001:db8:1:2::/64'],
    ['2001:DB8:1:02::', undefined, none, '2001:db8:1:2::/64'],
    ['::1', undefined, none, '0:0:0:0::/64'], ['fe80::1%eth0', undefined, none, 'fe80:0:0:0::/64'],
    ['192.0.2.1', '198.51.100.1', none, '192.0.2.1'],
    ['192.0.2.1', '198.51.100.1', ours, '192.0.2.1'],
    ['10.0.0.1', '198.51.100.1', ours, '198.51.100.1'],
    ['::ffff:10.0.0.1', 'forged, 198.51.100.1:4711', ours, '198.51.100.1'],
    ['10.0.0.1', '203.0.113.1, 198.51.100.1, 10.9.9.9', ours, '198.51.100.1'],
    ['2001:db8:ffff::7', '[2001:db8:5::1]:443', ours, '2001:db8:5:0::/64'],
    ['10.0.0.1', '198.51.100.1, <script>', ours, '10.0.0.1'],
    ['10.0.0.1', '', ours, '10.0.0.1'], ['10.0.0.1', ',,,', ours, '10.0.0.1'],
    ['10.0.0.1', '10.0.0.2', ours, '10.0.0.2'], [undefined, undefined, ours, ''],
  ] as const) {
    t.equal(clientAddress(peer, forwarded, trusted), counted, `${peer} ${forwarded}`);
  }
  for (const wrong of ['10.0.0.0/33', 'proxy.example', '10.0.0.0/8/8', '::/129', '10.0.0.1/x']) {
    t.throws(() => parseNetworks(wrong), { message: /^GATEHOUSE_TRUSTED_PROXIES: / }, wrong);
  }
  const { from } = limitsOf(1, { trusted_proxies: '10.0.0.1' });
  t.strictSame([await from('10.0.0.1', 'x', '198.51.100.1'), await from('10.0.0.1', 'x', '9.9.9.9'),
    await from('10.0.0.1', 'x', '8.8.8.8, 198.51.100.1'), await from('7.7.7.7', 'x', '6.6.6.6'),
    await from('7.7.7.7', 'x', '5.5.5.5')],
  ['invalid_api_key', 'invalid_api_key', 'rate_limited', 'invalid_api_key', 'rate_limited']);
  const sixes = limitsOf(1);
  t.strictSame([await sixes.from('2001:db8::1', 'x'), await sixes.from('2001:db8::2', 'x'),
    await sixes.from('2001:db8:0:1::1', 'x')],
  ['invalid_api_key', 'rate_limited', 'invalid_api_key']);
});

t.test('a proxy that nobody has named is told of, once', async (t) => {
  for (const [trusted_proxies, told] of [['', 1], ['10.0.0.0/8', 1], ['127.0.0.0/8', 0]] as const) {
    const { services } = credentials();
    const { fetch, logged } = await room(t, { config: { ...LIMITED, trusted_proxies }, services });
    for (const token of ['good-1', 'good-2']) {
      await fetch(RUNS, ask(token, { 'X-Forwarded-For': '198.51.100.1' }));
    }
    const warnings = logged.filter(({ level }) => level === 40);
    t.equal(warnings.length, told, `trusted: ${trusted_proxies || 'none'}`);
    for (const { msg } of warnings) t.match(msg, /127\.0\.0\.1.*GATEHOUSE_TRUSTED_PROXIES/);
  }
});

t.test('nor is anything said of a connection whose other end is not known any more', async (t) => {
  const logged: unknown[] = [];
  const log = { warn: (...said: unknown[]) => logged.push(said) } as unknown as Log;
  const limits = new Limits(readConfig({}, { trusted_proxies: '10.0.0.1' }), NO_METERS, { log });
  const headers = { 'x-forwarded-for': '198.51.100.1' };
  for (const peer_address of [undefined, '10.0.0.1', '10.0.0.2', '10.0.0.3']) {
    limits.addressOf({ peer_address, headers });
  }
  t.match(logged, [[{ peer_address: '10.0.0.2' }, /^X-Forwarded-For came from 10\.0\.0\.2, /]]);
  t.equal(logged.length, 1);
});

t.test('many addresses take bounded memory', async (t) => {
  const buckets = new TokenBuckets(1, 60, () => 0);
  for (let i = 0; i < 10_000; i++) buckets.take(`address ${i}`);
  t.equal(buckets.left('address 5000'), 0);
  for (let i = 0; i < 9_999; i++) buckets.take(`other ${i}`);
  t.equal(buckets.left('address 5000'), 0, 'what was used last is kept');
  t.equal(buckets.left('address 4999'), 1, 'the others are forgotten');
});

t.test('a bucket gives its quota and what it gained, however it is asked', async (t) => {
  let now_ms = 0;
  const buckets = new TokenBuckets(30, 3, () => now_ms);
  let taken = 0;
  for (; now_ms < 10_000; now_ms += 7) {
    while (buckets.take('a')) taken += 1;
    if (now_ms % 3 === 0) t.equal(buckets.left('a'), 0);
  }
  t.ok(taken >= 128 && taken <= 130, `${taken} in 10 s of 30 and 10 a second`);
  t.equal(buckets.another_s, 1);
  t.equal(new TokenBuckets(5, 60).another_s, 12);
});

t.test('tickets of authorizations are guessed at, too', async (t) => {
  let opened = 0;
  const openAuthorization = async () => {
    opened += 1;
    throw new AuthorizationFailed('unknown_ticket', 'No such ticket.');
  };
  const { fetch } = await room(t, {
    config: { ...LIMITED, auth_failures_per_minute: 3 },
    services: { connections: { openAuthorization } as never },
  });
  const answers = [];
  for (let i = 0; i < 5; i++) answers.push((await fetch(`/oauth/start?ticket=${i}`)).status);
  t.strictSame([answers, opened], [[400, 400, 400, 429, 429], 3]);
});
