import type { LookupFunction } from 'node:net';
import t from 'tap';
import {
  checkAddress, checkPlain, checkUpstreamUrl, EgressRefused, parseEgressAllow, reachOf,
} from '../../../src/gateway/egress/egress.ts';
import { guardedConnector } from '../../../src/gateway/egress/guardedConnector.ts';
import { failure, json, lookupTo, never, serve, testUpstream } from './support.ts';

// Ways to write addresses that are nobody's business. PORT is that of a server on the loopback.
const SPELLINGS = [
  'http://127.0.0.1:PORT/', 'http://127.1:PORT/', 'http://127.0.1:PORT/', 'http://0:PORT/',
  'http://0.0.0.0:PORT/', 'http://2130706433:PORT/', 'http://0x7f000001:PORT/',
  'http://0x7f.1:PORT/', 'http://0177.0.0.1:PORT/', 'http://017700000001:PORT/',
  'http://0x7f.0x0.0x0.0x1:PORT/', 'http://127.0.0.1.:PORT/', 'http://127.255.255.254:PORT/',
  'http://①②⑦.⓪.⓪.①:PORT/', 'http://127。0。0。1:PORT/', 'http://%31%32%37.0.0.1:PORT/',
  'http://[::1]:PORT/', 'http://[::]:PORT/', 'http://[0:0:0:0:0:0:0:1]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/', 'http://[::ffff:7f00:1]:PORT/',
  'http://[0:0:0:0:0:ffff:7f00:0001]:PORT/', 'http://[::127.0.0.1]:PORT/',
  'http://[64:ff9b::7f00:1]:PORT/', 'http://[64:ff9b:1::7f00:1]:PORT/',
  'http://[2002:7f00:1::]:PORT/', 'http://[2001:0:7f00:1::]:PORT/', 'http://[fe80::1]:PORT/',
  'http://[fec0::1]:PORT/', 'http://[fc00::1]:PORT/', 'http://[fd12:3456::1]:PORT/',
  'http://[ff02::1]:PORT/', 'http://[2001:db8::1]:PORT/', 'http://[100::1]:PORT/',
  'http://[3fff::1]:PORT/', 'http://[5f00::1]:PORT/', 'http://[4000::1]:PORT/',
  'http://10.0.0.1:PORT/', 'http://172.16.0.1:PORT/', 'http://172.31.255.255:PORT/',
  'http://192.168.0.1:PORT/', 'http://100.64.0.1:PORT/', 'http://169.254.1.1:PORT/',
  'http://192.0.0.1:PORT/', 'http://192.0.2.1:PORT/', 'http://198.18.0.1:PORT/',
  'http://203.0.113.1:PORT/', 'http://224.0.0.1:PORT/', 'http://240.0.0.1:PORT/',
  'http://255.255.255.255:PORT/', 'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/', 'http://0xa9fea9fe/', 'http://0251.0376.0251.0376/',
  'http://[::ffff:a9fe:a9fe]/', 'http://[fd00:ec2::254]/', 'http://100.100.100.200/',
  'http://168.63.129.16/', 'http://[fd20:ce::254]/',
  'http://metadata.google.internal/computeMetadata/v1/', 'http://METADATA.google.internal./',
  'http://metadata/', 'http://user@127.0.0.1:PORT/', 'http://user:pass@example.com/',
  'http://example.com@127.0.0.1:PORT/', 'file:///etc/passwd', 'ftp://127.0.0.1/',
  'gopher://127.0.0.1:PORT/', 'data:text/plain,x', 'javascript:alert(1)', 'blob:http://a/b',
  'ws://127.0.0.1:PORT/', '//127.0.0.1:PORT/', '127.0.0.1:PORT', '',
];

// Names, and where they lead.
const NAMES: [string, string[]][] = [
  ['localhost', ['127.0.0.1']], ['localhost.', ['127.0.0.1', '::1']], ['LOCALHOST', ['::1']],
  ['x.localhost', ['127.0.0.1']], ['127.0.0.1.nip.io', ['127.0.0.1']],
  ['public.then.private', ['93.184.216.34', '127.0.0.1']],
  ['private.then.public', ['127.0.0.1', '93.184.216.34']],
  ['mapped.example', ['::ffff:127.0.0.1']], ['compatible.example', ['::127.0.0.1']],
  ['metadata.example', ['169.254.169.254']], ['wireserver.example', ['168.63.129.16']],
  ['zone.example', ['fe80::1%1']], ['nothing.example', ['']], ['words.example', ['not an address']],
];

t.test('no spelling of an address reaches what is not public', async (t) => {
  const server = await serve(t, (_request, response) => json(response, 'reached'));
  const lookup = lookupTo('127.0.0.1');
  const upstream = testUpstream(t, { lookup });
  const guarded = upstream.fetchFor({ egress_allow: [] });
  for (const spelling of SPELLINGS) {
    const text = spelling.replace('PORT', String(server.port));
    t.throws(() => checkUpstreamUrl(text, []), EgressRefused, spelling);
    const url = URL.parse(text);
    if (url === null) continue;
    t.type(await failure(upstream.send(
      { method: 'GET', url, headers: {}, egress_allow: [] }, never)), EgressRefused, spelling);
    t.type(await failure(guarded(url)), EgressRefused, `fetch ${spelling}`);
  }
  t.same(server.received, []);
  t.same(lookup.names, [], 'none of them is a name');
  t.ok(SPELLINGS.length >= 40);
});

t.test('no name reaches what is not public', async (t) => {
  const server = await serve(t, (_request, response) => json(response, 'reached'));
  for (const [name, addresses] of NAMES) {
    const upstream = testUpstream(t, { lookup: lookupTo(...addresses) });
    const url = new URL(`http://${name}:${server.port}/`);
    const error = await failure(upstream.send(
      { method: 'GET', url, headers: {}, egress_allow: [] }, never));
    t.type(error, EgressRefused, `${name} → ${addresses}`);
    for (const address of addresses.filter((text) => text !== '')) {
      t.notMatch(error.message.replace(name, ''), address, 'the address is not told');
    }
    t.type(await failure(upstream.fetchFor({ egress_allow: [] })(url)), EgressRefused);
  }
  t.same(server.received, []);
});

t.test('of a name with two addresses it is told of which kind the one is that is not allowed',
  async (t) => {
    const upstream = testUpstream(t, { lookup: lookupTo('127.0.0.1', '::1') });
    const refused = async (allowed: string) => (await failure(upstream.send({ method: 'GET',
      url: new URL('http://localhost:1/'), headers: {}, egress_allow: [allowed] }, never))).message;
    t.match(await refused('127.0.0.1:1'),
      'localhost leads to an IPv6 address that is not public (loopback), at port 1.');
    t.match(await refused('[::1]:1'), 'localhost leads to an address that is not public');
  });

t.test('a name that changes where it leads', async (t) => {
  const server = await serve(t, (_request, response) => json(response, 'reached'));
  const url = new URL(`http://rebinding.example:${server.port}/`);
  const send = (lookup: LookupFunction, egress_allow: string[] = []) =>
    testUpstream(t, { lookup, connect_timeout_ms: 200 })
      .send({ method: 'GET', url, headers: {}, egress_allow }, never);

  let asked = 0;
  const rebinding: LookupFunction = (name, options, callback) =>
    lookupTo(asked++ === 0 ? '192.0.2.1' : '127.0.0.1')(name, options, callback);
  t.type(await failure(send(rebinding)), EgressRefused);
  t.equal(asked, 1, 'it is resolved once: what it says later does not matter');

  // Public when it is checked, private when it is used: only the peer shows it.
  let read = 0;
  const lying: LookupFunction = (_name, _options, callback) => callback(null, [{ family: 4,
    get address() { return read++ === 0 ? '93.184.216.34' : '127.0.0.1'; } }]);
  t.type(await failure(send(lying)), EgressRefused);
  t.ok(read > 1);
  t.same(server.received, []);

  const good = await send(lookupTo('127.0.0.1'), server.egress_allow);
  t.equal(good.status, 200, 'the same name, allowed');
});

t.test('what holds credentials does not go to the public by plain http', async (t) => {
  const server = await serve(t, (_request, response) => json(response, 'reached'));
  const send = (url: string, address: string, reach: object) => testUpstream(t,
    { lookup: lookupTo(address) }).send({ method: 'GET', url: new URL(url), headers: {},
    confidential: true, egress_allow: server.egress_allow, ...reach }, never);
  for (const url of ['http://pets.example/', 'http://93.184.216.34/']) {
    const error = await failure(send(url, '93.184.216.34', {}));
    t.type(error, EgressRefused);
    t.match(error.message, /plain http/);
  }
  t.match(await send(`http://pets.example:${server.port}/`, '127.0.0.1', {}), { status: 200 },
    'but within what is allowed for the integration');
  const allowed = reachOf({ egress_allow: [], insecure_http: true });
  checkPlain('93.184.216.34', allowed, 'pets.example');
  t.throws(() => checkAddress('127.0.0.1', 80, allowed), EgressRefused, 'and nothing else');
  t.throws(() => parseEgressAllow('http'), EgressRefused, 'nor is it for operators to write');
});

t.test('an address written out is checked where it is connected to, too', async (t) => {
  const server = await serve(t, (_request, response) => json(response, 'reached'));
  const connect = guardedConnector(
    { egress_allow: [], confidential: false, connect_timeout_ms: 1_000 });
  for (const hostname of ['127.0.0.1', '[::ffff:7f00:1]', '::1']) {
    const error = await new Promise((resolve) =>
      connect({ hostname, protocol: 'http:', port: String(server.port) },
        (...[error]) => resolve(error)));
    t.type(error, EgressRefused, hostname);
  }
});

t.test('what one integration may reach is not shared with another', async (t) => {
  const server = await serve(t, (_request, response) => json(response, 'reached'));
  const upstream = testUpstream(t, { lookup: lookupTo('127.0.0.1') });
  const send = (egress_allow: string[]) => upstream.send(
    { method: 'GET', url: new URL(`http://internal.example:${server.port}/`), headers: {},
      egress_allow }, never);
  t.equal((await send(server.egress_allow)).status, 200);
  t.type(await failure(send([])), EgressRefused, 'although a connection is open');
  t.equal(server.received.length, 1);
});

t.test('egress_allow', async (t) => {
  const allows = (address: string, port: number, ...entries: string[]) => {
    try {
      checkAddress(address, port, entries);
      return true;
    } catch (error) {
      t.type(error, EgressRefused);
      return false;
    }
  };
  t.ok(allows('8.8.8.8', 80));
  t.ok(allows('2606:4700:4700::1111', 443));
  t.ok(allows('::ffff:8.8.8.8', 443), 'the mapped form of a public address');
  t.ok(allows('10.1.2.3', 8080, '10.0.0.0/8:8080'));
  t.notOk(allows('10.1.2.3', 8081, '10.0.0.0/8:8080'), 'another port');
  t.notOk(allows('192.168.1.1', 8080, '10.0.0.0/8:8080'), 'another range');
  t.ok(allows('::ffff:10.1.2.3', 8080, '10.0.0.0/8:8080'), 'in its other form');
  t.ok(allows('10.1.2.3', 8080, '[::ffff:10.0.0.0/104]:8080'));
  t.notOk(allows('fd00::1', 443, '0.0.0.0/0:443'));
  t.ok(allows('fd00::1', 443, '[fd00::/8]:443'));
  t.ok(allows('127.0.0.1', 3000, '10.0.0.0/8:80', '127.0.0.1:3000'));
  for (const address of ['169.254.169.254', '168.63.129.16', '100.100.100.200']) {
    t.notOk(allows(address, 80, '0.0.0.0/0:80'), `${address} has to be named itself`);
    t.ok(allows(address, 80, `${address}:80`));
    t.notOk(allows(`::ffff:${address}`, 80, '[::/0]:80'));
  }
  t.notOk(allows('fd00:ec2::254', 80, '[fd00::/8]:80'));
  t.ok(allows('fd00:ec2::254', 80, '[fd00:ec2::254]:80'));
});

t.test('entries of egress_allow that are none', async (t) => {
  for (const entry of ['', '10.0.0.1', '10.0.0.0/8', '10.0.0.0/33:80', '10.0.0.1:0', '10.0.0.1:x',
    '10.0.0.1:65536', '*:80', 'localhost:80', '10.1:80', '0x7f.0.0.1:80', '::1:80', '[::1/129]:80',
    '[::ffff:0:0/90]:80', '[10.0.0.1]:80', '10.0.0.0/8:80 ', '[zz::]:1']) {
    t.throws(() => parseEgressAllow(entry), EgressRefused, entry);
  }
});

t.test('a URL that may be tried comes back', async (t) => {
  t.equal(checkUpstreamUrl('https://API.example.com/a?b', []).href, 'https://api.example.com/a?b');
  t.equal(checkUpstreamUrl('http://127.0.0.1:8080/', ['127.0.0.1:8080']).port, '8080');
  t.throws(() => checkUpstreamUrl('https://127.0.0.1/', ['127.0.0.1:80']), EgressRefused,
    'the port that the scheme means');
});
