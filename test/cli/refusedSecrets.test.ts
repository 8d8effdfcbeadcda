/** What is said of keys and tokens that are not there, not good, or about to be gone. */
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import t from 'tap';
import { makeCertificate } from '../support/certificate.ts';
import { listen } from '../support/listen.ts';
import { gatehouse } from './oneProcess.ts';
import { against, page } from './operator.ts';
import { gatehouse as gatehouseAlone, json } from './support.ts';

t.test('the last admin token does not revoke itself by mistake', async (t) => {
  const token = (id: string, hint: string, status = 'active') => ({ id, name: id, hint, status,
    created_at: '2026-01-01T00:00:00Z', last_used_at: null, expires_at: null });
  let tokens = [token('adm_1', '…test'), token('adm_2', '…5678', 'revoked')];
  const { call, requests } = await against(t, ({ method }, response) =>
    method === 'GET' ? json(response, 200, page(...tokens)) : response.writeHead(204).end());
  const revoked = () => requests.some(({ method }) => method === 'DELETE');
  t.match(await call('admin-tokens', 'revoke', 'adm_1'), { code: 2, out: '',
    err: /^adm_1 is .* and the last one.* admin-tokens create.*GATEHOUSE_ADMIN_TOKEN\.\n$/ });
  t.notOk(revoked());
  t.match(await call('admin-tokens', 'revoke', 'adm_1', '--last'), { code: 0 });
  t.ok(revoked());
  tokens = [token('adm_1', '…test'), token('adm_3', '…9abc')];
  t.match(await call('admin-tokens', 'revoke', 'adm_1'), { code: 0 }, 'there is another');
  tokens = [token('adm_3', '…9abc')];
  t.match(await call('admin-tokens', 'revoke', 'adm_3'), { code: 0 },
    'it was another that asked: that of the configuration');
});

t.test('a key that is empty, and a file that is not there', async (t) => {
  const cwd = t.testdir({ data: { 'credentials.json': '{"base_url":"http://127.0.0.1:1/v1"}' } });
  t.match(await gatehouse(['sessions', 'list', '--api-key', ''], { cwd }), { code: 2,
    err: 'The api key is empty. If --api-key has it from a variable, that is not set.\n' });
  t.match(await gatehouse(['sessions', 'list'], { cwd }), { code: 2,
    err: /\(\S+credentials\.json would be used too, and is not there\.\)\n$/ });
  t.match(await gatehouse(['sessions', 'list'],
    { cwd, env: { GATEHOUSE_DATA_DIR: join(cwd, 'data') } }),
  { code: 2, err: /\(\S+credentials\.json would be used too, and holds none\.\)\n$/ });
});

t.test('https of an address that speaks plain HTTP', async (t) => {
  const place = `127.0.0.1:${await listen(t, createServer())}`;
  const { code, err } = await gatehouse(['sessions', 'list', '--base-url', `https://${place}`],
    { cwd: t.testdir({}), env: { GATEHOUSE_API_KEY: 'gth_test' } });
  t.equal(code, 1);
  t.match(err, `What answers at https://${place}/v1 speaks no TLS. If it is the service, try`
    + ` http://${place}/v1:`);
  t.notMatch(err, /SSL routines/);
});

const own = makeCertificate(t);

t.test('a certificate of an authority of one\'s own', { skip: !own && 'there is no openssl here' },
  async (t) => {
    const secure = createSecureServer({ key: own!.key, cert: own!.cert },
      (_request, response) => json(response, 200, page()));
    const base_url = `https://localhost:${await listen(t, secure)}/v1`;
    const env = { GATEHOUSE_BASE_URL: base_url, GATEHOUSE_API_KEY: 'gth_test' };
    const cwd = t.testdir({});
    const said = / certificate of \S+ is of an authority that is not known .*NODE_EXTRA_CA_CERTS/;
    t.match(await gatehouse(['sessions', 'list'], { cwd, env }), { code: 1, err: said });
    t.match(await gatehouse(['contract', '--format', 'tap'], { cwd, env }),
      { code: 2, out: /^Bail out! Nothing was sent: /m, err: said });
    const { out } = await gatehouse(['mcp', '--stdio'],
      { cwd, env, input: '{"jsonrpc":"2.0","id":1,"method":"ping"}\n' });
    t.match(JSON.parse(out).error.message, /^Nothing was sent: .*NODE_EXTRA_CA_CERTS/);
    t.match(await gatehouse(['doctor'], { cwd, env }), { code: 1,
      out: /^✗ service +the certificate of https:.*\n {4}→ .*NODE_EXTRA_CA_CERTS/m });
    const bridged = await gatehouseAlone(['mcp', '--stdio'], { cwd,
      input: '{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
      env: { ...env, GATEHOUSE_BASE_URL: base_url.replace('localhost', '127.0.0.1'),
        NODE_EXTRA_CA_CERTS: own!.cert_path } });
    t.match(JSON.parse(bridged.out).error.message,
      /^Nothing was sent: .* is for another name \(\w+\)\. Take an address that it is for/);
  });

t.test('an address that leads elsewhere, where nothing is sent, or speaks TLS', async (t) => {
  const moved = 'https://gatehouse.example/v1/sessions?limit=30';
  const cases: [status: number, location: string, said: string, err: RegExp][] = [
    [301, moved, '', /^What .* http:\S+\/v1 leads to https:\/\/gatehouse.example\/v1\. If/],
    [302, '/login?next=%2Fv1', '', / leads to http:\/\/127\.0\.0\.1:\d+\/login\. If/],
    [400, '', 'The plain HTTP request was sent to HTTPS port', /speaks TLS: give its address/],
    [400, '', 'Client sent an HTTP request to an HTTPS server.', /speaks TLS: give its address/],
    [304, '', '', /answered 304 and no more than that\. Is it the address of a Gatehouse/],
    [403, '', '<h1>403 Forbidden</h1>',
      /than that\. If .* Gatehouse, a proxy .* another network alone\.$/m],
    [404, '', '{"error": "Not Found"}',
      /answered 404 and no more than that\. Is it the address of a Gatehouse/],
    [409, '', '{"error": "x", "code": "y", "request_id": "z", "details": {"missing": 5}}', /^x$/m],
    [400, '', '{"error": "x", "code": "y", "request_id": "z", "details": [null]}', /^x$/m],
    [413, '', '<h1>413</h1>', /than that\. If .*, a proxy before it takes no body of this size/],
  ];
  for (const [status, location, said, err] of cases) {
    const { call, requests } = await against(t, (_request, response) =>
      response.writeHead(status, location === '' ? {} : { location }).end(said));
    t.match(await call('sessions', 'list'), { code: 1, out: '', err });
    t.equal(requests.length, 1, 'it is not asked again');
  }
});
