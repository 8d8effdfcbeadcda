import t from 'tap';
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
      actionChoices(document, { parameters }, {}));
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
  const effect = (name: string, schema?: object, place = 'header') => overriddenEffect(
    { components: { schemas: { method: { enum: ['GET', 'DELETE'] } } } },
    { parameters: [{ in: place, name, schema }] }, {});
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
