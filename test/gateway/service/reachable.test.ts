/** Credentials for an integration that is called by plain http. */
import t from 'tap';
import { requireConfidential, type Resolve } from '../../../src/gateway/integrations/reachable.ts';

const leadingTo = (...addresses: string[]): Resolve => async () =>
  addresses.map((address) => ({ address }));
const plain = (given: object) => ({
  base_url: null, mcp: null, egress_allow: [], insecure_http: false, ...given });
const at = (base_url: string, resolve: Resolve, given = {}) =>
  requireConfidential(plain({ base_url, ...given }), resolve);

t.test('a public address is refused, wherever it is written', async (t) => {
  const refused = { code: 'egress_refused', param: '/credentials', message: /by plain http/ };
  const publicly = leadingTo('10.0.0.1', '93.184.216.34');
  await t.rejects(at('http://pets.example/v1', publicly), refused);
  await t.rejects(at('http://93.184.216.34:8080', leadingTo()), refused);
  await t.rejects(at('http://[2606:2800:220:1::1]/', leadingTo()), refused);
  const server = plain({ mcp: { url: 'http://mcp.example/mcp', trust_hints: false } });
  await t.rejects(requireConfidential(server, publicly), refused);
  await t.resolves(at('http://pets.example', publicly, { insecure_http: true }));
});

t.test('https, own machines and names that lead nowhere pass', async (t) => {
  const publicly = leadingTo('93.184.216.34');
  await t.resolves(at('https://pets.example', publicly));
  await t.resolves(at('http://intern.example:3000', leadingTo('10.0.0.1')));
  await t.resolves(at('http://127.0.0.1:3000', publicly));
  await t.resolves(at('http://nowhere.invalid', () => Promise.reject(new Error('ENOTFOUND'))));
  await t.resolves(requireConfidential(plain({}), publicly), 'no address at all');
});
