/** An address that is not public is refused: which flag or command allows it. */
import t from 'tap';
import { against, error, INTEGRATION } from './operator.ts';
import { json } from './support.ts';

const message = 'The host leads to an address that is not public (private), at port 80. The'
  + ' operator can allow it for the integration, by `egress_allow`.';
/** What is allowed already is named: the flag takes back what it does not name. */
const COMMAND = /^It is allowed with: .* integrations update crm --allow 10\.1\.0\.0\/16:443 /m;

t.test('while an integration is added or changed', async (t) => {
  let refused = error('egress_refused', message);
  const { call } = await against(t, ({ method }, response) =>
    (method === 'GET' ? json(response, 200, INTEGRATION) : json(response, 400, refused)));
  const add = () => call('integrations', 'add', 'x', '--mcp-url', 'http://10.0.0.1/mcp');
  const flag = /`egress_allow`\.\n.*\nHere: --allow <address>:<port>.* for each address that is/;
  t.match(await add(), { code: 1, err: flag });
  refused = error('upstream_error', message);
  t.match(await call('integrations', 'update', 'x', '--allow', '10.0.0.2:80'),
    { code: 1, err: flag }, 'in place of what was allowed before');
  refused = error('egress_refused', 'The host is the metadata service of a cloud machine.');
  t.notMatch((await add()).err, 'Here', 'what cannot be allowed');
});

t.test('the command for what an account or a call leads to', async (t) => {
  const { call, callWith } = await against(t, ({ method, path }, response) => {
    if (path.endsWith('/check')) {
      return json(response, 200, { ok: false, status: 'connected', action: 'crm.list', message });
    }
    if (method === 'GET') {
      return json(response, 200, path.includes('/connections/')
        ? { id: 'con_1', integration: 'crm', auth_type: 'bearer' }
        : { ...INTEGRATION, slug: 'crm', egress_allow: ['10.1.0.0/16:443'] });
    }
    return path.endsWith('/refresh')
      ? json(response, 200, { ...INTEGRATION, slug: 'crm', egress_allow: ['10.1.0.0/16:443'],
        report: { ...INTEGRATION.report, warnings: [`Its OAuth cannot be used. ${message}`] } })
      : json(response, 502, error('upstream_error', message));
  });
  t.match(await call('integrations', 'refresh', 'crm'), { code: 0, err: COMMAND });
  t.match(await call('connections', 'check', 'con_1'), { code: 1, err: COMMAND });
  t.match(await callWith('x', 'connections', 'reconnect', 'con_1'), { code: 1, err: COMMAND });
  t.match(await callWith('x', 'connections', 'add', 'crm', '--workspace', 'wsp_1', '--auth',
    'bearer'), { code: 1, err: COMMAND });
  t.match(await call('actions', 'invoke', 'crm.list'), { code: 1,
    err: /\nIt is allowed with: .* update crm --allow <address>:<port>, and --allow for each / });
});
