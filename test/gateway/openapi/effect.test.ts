import t from 'tap';
import { effectOf } from '../../../src/gateway/openapi/effect.ts';

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
