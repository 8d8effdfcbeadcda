import t from 'tap';
import { readParameters } from '../../../src/gateway/openapi/declaredParameters.ts';
import { actionChoices, effectOf, overriddenEffect } from '../../../src/gateway/openapi/effect.ts';
import { importOpenapi } from '../../../src/gateway/openapi/openapi.ts';

const cases: [method: string, name: string, id: string | undefined, effect: string][] = [
  ['get', 'runs.list', 'listRuns', 'read'],
  ['head', 'runs.head', undefined, 'read'],
  ['get', 'runs.stream_events', 'streamRunEvents', 'read'],
  ['get', 'imports.get_import', 'imports/get-import', 'read'],
  ['get', 'posts.list_deleted', 'listDeletedPosts', 'read'],
  ['get', 'tokens.revoke', 'tokenRevoke', 'destructive'],
  ['get', 'users.list_delete', undefined, 'destructive'],
  ['get', 'core_v1.connect_get_namespaced_pod_exec', 'connectCoreV1GetNamespacedPodExec', 'write'],
  ['get', 'hooks.trigger', undefined, 'write'],
  ['get', 'jobs.by_id', 'runJob', 'write'],
  ['post', 'actions.search', 'searchActions', 'write'],
  ['put', 'users.replace', undefined, 'write'],
  ['delete', 'users.by_id', undefined, 'destructive'],
  ['post', 'files.purge', undefined, 'destructive'],
  ['post', 'volumes.prune', 'VolumePrune', 'destructive'],
  ['post', 'channels.truncate', 'TruncateChannel', 'destructive'],
  ['get', 'chat.ignore_user', 'get-api-v1-chat.ignoreUser', 'write'],
  ['get', 'gitignores.list', 'getV3Gitignores', 'read'],
  ['get', 'files_remote.share', 'files_remote_share', 'write'],
  ['get', 'views.push', 'views_push', 'write'],
  ['get', 'share_links.list', 'shareLinksIndex', 'read'],
  ['get', 'push_devices.list', 'push-devices', 'read'],
  ['get', 'files.list_shares', 'listShares', 'read'],
  ['get', 'projects.retrieve_ignore', 'Retrieve ignore', 'read'],
  ['get', 'accounts.withdraw', 'withdrawFunds', 'write'],
  ['get', 'users.delete', 'deleteUser', 'destructive'],
  ['get', 'servers.power_off', undefined, 'write'],
  ['get', 'withdrawals.list', 'listWithdrawals', 'read'],
  ['get', 'deletions.list', 'deletions', 'read'],
];

for (const [method, name, id, effect] of cases) {
  t.test(`${method} ${name} (${id ?? 'no id'}) is ${effect}`, async (t) => {
    t.equal(effectOf(method, name, id), effect);
  });
}

t.test('also the end of the path counts', async (t) => {
  t.equal(effectOf('get', 'users.action', 'userAction', '/users/{id}/revoke'), 'destructive');
  t.equal(effectOf('get', 'users.action', 'userAction', '/users/{id}/logout?x=1'), 'write');
  t.equal(effectOf('get', 'users.get', 'getUser', '/users/{revoke}'), 'read', 'but no parameter');
});

t.test('a verb at the end of the path, but no noun', async (t) => {
  const effect = (path: string, id?: string) => effectOf('get', 'things.list', id, path);
  for (const path of ['/accounts/{id}/withdraw', '/servers/{id}/poweroff', '/servers/{id}/powerOff',
    '/servers/{id}/shut-down', '/messages/send', '/meetings/{id}/start', '/cookies/set/{name}',
    '/contacts/{id}/addToGroup/{group}', '/webhooks/execute/{name}', '/tokens/{t}/invalidate',
    '/cancel/{id}', '/deploys/{id}/run']) {
    t.equal(effect(path), 'write', path);
  }
  t.equal(effect('/users/delete/{id}'), 'destructive');
  for (const path of ['/withdrawals', '/withdrawals/{id}', '/deletions', '/orders/cancelled',
    '/orders/{id}/cancellation', '/users/deleted', '/deploy-keys/{id}', '/pulls/{id}/patch',
    '/issues/import', '/sets', '/startups', '/runs/{run_id}', '/uploads', '/power/{id}']) {
    t.equal(effect(path), 'read', path);
  }
  t.equal(effect('/reports/{id}/run', 'GetReportOutput'), 'read', 'the id says that it reads');
  t.equal(effect('/linodes/{id}/transfer', 'getLinodeTransfer'), 'read');
});

/** What a document has of a GET that home automations, cron jobs and callbacks are called by. */
const ORDERS = ['/toggle', '/unlock/door', '/killswitch', '/set_state', '/cron/flush-cache',
  '/reindex', '/sms', '/api/v1/sms', '/call/{n}', '/items/{id}/ack', '/verify/{token}', '/like',
  '/verify-email', '/lights/{id}/toggle/', '/toggle/lamp/kitchen', '/setState/{value}'];
const LOOKALIKES = ['/calls', '/calls/{id}', '/call-logs', '/verify-status', '/locks', '/settings',
  '/acknowledgements', '/sms/messages', '/toggles', '/channels/sms', '/locks/{id}/status',
  '/toggle/status', '/likes', '/users/{id}/calls', '/unlocks/{id}', '/verify/history'];

for (const [paths, expected] of [[ORDERS, 'write'], [LOOKALIKES, 'read']] as const) {
  t.test(`by their paths alone, and with FastAPI's ids, they are ${expected}`, async (t) => {
    const fastapi = (path: string) => {
      const name = path.replace(/\{.*?\}/g, '').split(/\W+/).filter(Boolean).join('_');
      return `${name}${path}_get`.replace(/\W/g, '_');
    };
    for (const id of [() => undefined, fastapi]) {
      const { actions } = importOpenapi({ openapi: '3.1.0', paths: Object.fromEntries(paths
        .map((path) => [path, { get: { operationId: id(path), responses: {} } }])) },
      { slug: 'acme' });
      t.equal(actions.length, paths.length);
      for (const { effect, source_key, operation_id } of actions) {
        t.equal(effect, expected, `${source_key} ${operation_id}`);
      }
    }
  });
}

t.test('of an id counts what a person says, not the method behind it', async (t) => {
  const effect = (id: string, path: string) => effectOf('get', 'things.get', id, path);
  t.equal(effect('lamp_lamp_toggle_get', '/lamp/toggle'), 'write');
  t.equal(effect('lampToggleGet', '/lamp/toggle'), 'write');
  t.equal(effect('get_toggle_lamp_toggle_get', '/lamp/toggle'), 'read');
  t.equal(effect('read_call_call__n__get', '/call/{n}'), 'read');
  t.equal(effect('run.projects.jobs.get', '/v1/{name}'), 'read', 'the verb is the last part');
  t.equal(effect('run.projects.jobs.cancel', '/v1/{name}:cancel'), 'write');
  t.equal(effect('run.job', '/v1/{name}'), 'write');
  t.equal(effect('delete.users.get', '/v1/{name}'), 'destructive');
});

t.test('a parameter that takes any command does', async (t) => {
  const effect = (name: string, path: string, id?: string, schema: object = { type: 'string' }) => {
    const { actions: [action] } = importOpenapi({ openapi: '3.1.0', paths: { [path]: { get: {
      operationId: id, responses: {}, parameters: [{ in: 'query', name, schema }] } } } },
    { slug: 'acme' });
    return action!.effect;
  };
  for (const name of ['cmd', 'command', 'do', 'op']) {
    t.equal(effect(name, '/do'), 'write', name);
    t.equal(effect(name, '/do', 'do_do_get'), 'write', name);
    t.equal(effect(name, '/cm', undefined, {}), 'write', name);
    t.equal(effect(name, '/do', 'listCommands'), 'read', 'a filter');
    t.equal(effect(name, '/search'), 'read', 'how the words are joined');
    t.equal(effect(name, '/do', undefined, { enum: ['list', 'status'] }), 'read');
    t.equal(effectOf('get', 'do.get', undefined, `/do?${name}=`), 'write');
    t.equal(effectOf('get', 'do.get', undefined, `/do?x=1&${name}={${name}}`), 'write');
  }
  t.equal(effect('action', '/log'), 'read', 'as often a filter');
});

t.test('what an address asks for is seen in a time that grows with it alone', async (t) => {
  // With the end of each brace looked for anew, this would take minutes.
  t.equal(effectOf('get', 'x.get', undefined, `/x?${'&op={'.repeat(200_000)}`), 'read');
});

t.test('an address that names an action reads if the action does', async (t) => {
  const effect = (path: string) => effectOf('get', 'root.get', 'act', path);
  for (const path of ['/#Action=ModifyImage', '/?action=withdraw', '/users?x=1&op=suspend',
    '/?cmd=reboot', '/#Action=PutBucket', '/?action=issue_refund', '/?action=frobnicate']) {
    t.equal(effect(path), 'write', path);
  }
  t.equal(effect('/users?action=delete'), 'destructive');
  for (const path of ['/#Action=DescribeImages', '/?action=list_users', '/x#op=LISTSTATUS',
    '/?action={action}', '/?transaction=delete_me']) {
    t.equal(effect(path), 'read', path);
  }
});

t.test('so does one that is a parameter', async (t) => {
  const parameter = (name: string, schema: object) => ({ in: 'query', name, schema });
  const effect = (id: string, ...parameters: object[]) => {
    const document = { components: { parameters: {
      action: parameter('action', { enum: ['list', 'delete'] }) } } };
    return effectOf('get', 'root.get', id, '/api.php',
      actionChoices(document, readParameters(document, parameters)));
  };
  t.equal(effect('api', parameter('action', { const: 'delete' })), 'destructive');
  t.equal(effect('api', { $ref: '#/components/parameters/action' }), 'destructive');
  t.equal(effect('api', parameter('cmd', { enum: ['start'] })), 'write');
  t.equal(effect('listChanges', parameter('action', { enum: ['create', 'delete'] })), 'read',
    'a filter');
  t.equal(effect('api', parameter('action', { type: 'string', default: 'delete' })), 'destructive',
    'what is sent if nobody says otherwise');
  t.equal(effect('api', parameter('action', { type: 'string' })), 'read');
  t.equal(effect('api', parameter('sort', { enum: ['start', 'delete'] })), 'read');
});

t.test('a parameter that names another method counts as that', async (t) => {
  const document = { components: { schemas: { method: { enum: ['GET', 'DELETE'] } } } };
  const effect = (name: string, schema?: object, place = 'header') =>
    overriddenEffect(document, readParameters(document, [{ in: place, name, schema }]));
  t.equal(effect('X-HTTP-Method-Override', { const: 'DELETE' }), 'destructive');
  t.equal(effect('x-http-method', { $ref: '#/components/schemas/method' }), 'destructive');
  t.equal(effect('X-Method-Override', { type: 'string' }), 'destructive', 'a caller says which');
  t.equal(effect('_method', { default: 'GET' }, 'query'), 'destructive');
  t.equal(effect('_method', undefined, 'query'), 'destructive');
  t.equal(effect('X-HTTP-Method-Override', { enum: ['PATCH', 'get'] }), 'write');
  t.equal(effect('X-HTTP-Method-Override', { const: 'HEAD' }), 'read');
  t.equal(effect('X-HTTP-Method-Override', { const: 'DELETE' }, 'cookie'), 'read');
  t.equal(effect('X-Method', { const: 'DELETE' }), 'read');
  const { actions: [action] } = importOpenapi({ openapi: '3.1.0', paths: { '/users/{id}': {
    get: { responses: {}, parameters: [{ in: 'header', name: 'X-HTTP-Method-Override',
      required: true, schema: { const: 'DELETE' } }] } } } }, { slug: 'acme' });
  t.equal(action!.effect, 'destructive');
});

t.test('so does one in the address that a document gives an operation or its path', async (t) => {
  const effect = (place: 'path' | 'operation', url: string, document_url?: string) => {
    const own = { servers: [{ url }, { url: '/never/delete' }] };
    const { actions: [action] } = importOpenapi({ openapi: '3.1.0', paths: { '/': {
      ...(place === 'path' && own), get: { ...(place === 'operation' && own), responses: {} },
    } } }, { slug: 'acme', document_url });
    return action!.effect;
  };
  for (const place of ['path', 'operation'] as const) {
    for (const [url, expected] of [
      ['/tenant/users/7/delete?action=suspend', 'destructive'], ['/users?action=suspend', 'write'],
      ['https://api.example.com/users/7/suspend/', 'write'], ['/?_method=DELETE', 'destructive'],
      ['https://delete.example.com/v2', 'read'], ['/users?_method=get', 'read'], ['/', 'read'],
    ] as const) {
      for (const from of [undefined, 'https://api.example.com/openapi.json']) {
        t.equal(effect(place, url, from), expected, url);
      }
    }
  }
});

t.test('so does what callers fill in the query of a path', async (t) => {
  const effect = (path: string, verb?: object, place = 'path') => importOpenapi({ openapi: '3.1.0',
    paths: { [path]: { get: { operationId: 'api', responses: {}, ...(verb !== undefined && {
      parameters: [{ in: place, name: 'verb', schema: verb }] }) } } } }, { slug: 'acme' })
    .actions[0]!.effect;
  t.equal(effect('/api?_method={verb}'), 'destructive', 'a caller says which');
  t.equal(effect('/api?%5Fmethod={verb}', { enum: ['PATCH', 'get'] }), 'write');
  t.equal(effect('/api?_method={verb}', { enum: ['get'] }), 'read');
  t.equal(effect('/api?action={verb}', { enum: ['list', 'delete'] }), 'destructive');
  t.equal(effect('/api?cmd=x{verb}'), 'write');
  t.equal(effect('/api?{verb}=DELETE'), 'destructive', 'the name of the parameter, too');
  t.equal(effect('/api?q={verb}'), 'read');
  t.equal(effect('/api?verb={verb}', { enum: ['delete'] }, 'query'), 'read');
});
