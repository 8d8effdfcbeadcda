import { once } from 'node:events';
import { createServer } from 'node:http';
import t from 'tap';
import { Oidc } from '../../src/accounts/oidc.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { createServiceLog } from '../../src/service.ts';
import { listen } from '../support/listen.ts';
import { untilSeen } from '../support/until.ts';

const HOUR_MS = 3_600_000;

t.test('a provider that does not answer is spoken to as before', async (t) => {
  let asked = 0;
  let is_away = true;
  let held: Promise<void> | undefined;
  const provider = createServer(async (_request, response) => {
    asked += 1;
    await held;
    response.writeHead(is_away ? 500 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/authorize` }));
  });
  const issuer = `http://127.0.0.1:${await listen(t, provider)}`;
  let now_ms = 0;
  const oidc = new Oidc({
    config: { ...readConfig({}), oidc_issuer: issuer, oidc_client_id: 'gatehouse' },
    log: createLog('silent'), sessions: undefined as never,
    redirectUri: () => 'http://127.0.0.1/back', clock: () => now_ms,
  });
  const place = async () => new URL((await oidc.begin()).url).pathname;
  const answer = Promise.withResolvers<void>();
  held = answer.promise;
  const first = once(provider, 'request');
  const waiting = [t.rejects(place(), { name: 'SignInFailed' })];
  await first;
  now_ms += 11_000; // It takes its time: the pause begins with the answer.
  waiting.push(t.rejects(place(), { name: 'SignInFailed' }));
  answer.resolve();
  await Promise.all(waiting);
  await t.rejects(place(), { name: 'SignInFailed' });
  t.equal(asked, 1, 'whoever comes');
  is_away = false;
  now_ms += 11_000;
  t.strictSame(await Promise.all([place(), place()]), ['/authorize', '/authorize']);
  t.equal(asked, 2);
  is_away = true;
  now_ms += HOUR_MS + 1;
  const third = once(provider, 'request');
  t.equal(await place(), '/authorize', 'without a wait');
  await third;
  t.strictSame([await place(), asked], ['/authorize', 3]);
  // The pause begins once the third look has failed.
  await untilSeen('a fourth look', async () => {
    now_ms += 11_000;
    t.equal(await place(), '/authorize', 'it is asked again, and nobody waits');
    return asked;
  }, (times) => times >= 4);
});

t.test('the log says why nothing is known of a provider', async (t) => {
  let answer = { status: 404, issuer: '' };
  let type = 'application/json';
  const provider = createServer((_request, response) => {
    response.writeHead(answer.status, { 'content-type': type });
    response.end(type === 'text/html' ? '<p>Hello!</p>'
      : JSON.stringify({ issuer: answer.issuer, authorization_endpoint: 'https://x' }));
  });
  const origin = `http://127.0.0.1:${await listen(t, provider)}`;
  const oidc_issuer = `${origin}/realms/acme/`;
  const logged = async () => {
    const lines: string[] = [];
    const { log } = createServiceLog('warn', {
      destination: { write: (line: string) => void lines.push(line) } });
    await t.rejects(new Oidc({
      config: { ...readConfig({}), oidc_issuer, oidc_client_id: 'gatehouse' }, log,
      sessions: undefined as never, redirectUri: () => 'http://127.0.0.1/back',
    }).begin(), { name: 'SignInFailed' });
    return lines.map((line) => JSON.parse(line) as { why?: string; msg: string });
  };
  const place = `${oidc_issuer}.well-known/openid-configuration`;
  t.match(await logged(), [{ why: `${place} answered 404`, msg: /GATEHOUSE_OIDC_ISSUER/ }]);
  answer = { status: 200, issuer: `${origin}/realms/acme` };
  t.match(await logged(), [{ why: new RegExp(`^it calls itself ${answer.issuer}, and not`
    + ` ${oidc_issuer}: GATEHOUSE_OIDC_ISSUER has to be`) }]);
  answer.issuer = 'x'.repeat(100_000);
  t.ok((await logged())[0]!.why!.length < 1_000);
  type = 'text/html';
  t.match(await logged(), [{ why: `${place} answered 200 with text/html` }]);
});
