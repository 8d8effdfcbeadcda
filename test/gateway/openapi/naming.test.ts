import fc from 'fast-check';
import t from 'tap';
import { snake } from '../../../src/gateway/action/words.ts';
import { nameOperations, renameOperations } from '../../../src/gateway/openapi/naming.ts';
import type { NameableOperation } from '../../../src/gateway/openapi/namingParts.ts';

const name = (slug: string, operation: Partial<NameableOperation>) =>
  nameOperations(slug, [{ method: 'get', path: '/', ...operation }])[0];

t.test('the examples of the rule', async (t) => {
  t.equal(name('github', { operation_id: 'issues/list-for-repo', tags: ['issues'] }),
    'github.issues.list_for_repo');
  t.equal(name('slack', { operation_id: 'chat_postMessage', tags: ['chat'] }),
    'slack.chat.post_message');
  t.equal(name('kubernetes', { operation_id: 'listCoreV1NamespacedPod', tags: ['core_v1'] }),
    'kubernetes.core_v1.list_namespaced_pod');
  t.equal(name('gatehouse', { operation_id: 'listRuns', tags: ['Runs'] }), 'gatehouse.runs.list');
  t.equal(name('x', { operation_id: 'createActionInvocation', tags: ['Action invocations'] }),
    'x.action_invocations.create');
});

t.test('names that a person would guess', async (t) => {
  const rows: [method: string, path: string, operation_id: string, tag: string, name: string][] = [
    ['post', '/v1/invoices/{invoice}/finalize', 'PostInvoicesInvoiceFinalize', '',
      'invoices.finalize'],
    ['post', '/v1/customers/{customer}', 'PostCustomersCustomer', '', 'customers.update'],
    ['get', '/v3/projects/{id}/issues', 'getV3ProjectsIdIssues', 'projects',
      'projects.list_issues'],
    ['get', '/boards/{idBoard}/lists', 'getBoardsListsByIdBoard', 'board', 'boards.list_lists'],
    ['post', '/mail/send', 'POST_mail-send', 'Mail Send', 'mail.send'],
    ['get', '/albums/{id}', 'get-an-album', 'Albums', 'albums.get'],
    ['post', '/sites/{site_id}/deploys', 'createSiteDeploy', 'deploy', 'deploys.create'],
    ['delete', '/playlists/{id}/tracks', 'remove-tracks-playlist', 'Playlists',
      'playlists.remove_tracks'],
    ['post', '/issues/{id}/comments', 'createIssueComment', 'Issues', 'issues.create_comment'],
    ['post', '/projects/{id}/addMembers', 'addMembersForProject', 'Projects',
      'projects.add_members'],
    ['post', '/accounts/balance/get', 'accountsBalanceGet', 'x', 'accounts.get_balance'],
    ['post', '/rest/api/3/issue/bulk', 'createIssues', 'Issues', 'issues.bulk_create'],
    ['get', '/conversations.info', 'conversations_info', 'conversations', 'conversations.info'],
    ['post', '/api/v1/channels.kick', 'post-api-v1-channels.kick', 'Channels', 'channels.kick'],
    ['get', '/crm/2026-03/tickets', 'get-/crm/2026-03/tickets_getPage', 'Basic', 'basic.get_page'],
    ['post', '/crm/2026-09/{id}/merge', 'post-/crm/2026-09/{id}/merge_/crm/2026-03/{id}/merge',
      'CRM', 'crm.merge'],
    ['delete', '/persons/{id}', 'delete_8', 'Persons', 'persons.delete'],
    ['delete', '/menus/alias/{id}', 'deleteMenuAlias', 'api', 'api.delete_menu_alias'],
    ['get', '/aliases', 'list', 'alias', 'aliases.list'],
    ['delete', '/Messages/{id}/Media/{Sid}.json', 'DeleteMedia', 'MediaInstance',
      'media_instance.delete'],
    ['delete', '/users/{id}/messages/{id2}', 'deleteChatMessage', 'Chat Messages',
      'chat_messages.delete'],
    ['get', '/api/v1/items/', 'read_items_api_v1_items__get', 'items', 'items.list'],
    ['get', '/api/v1/items/{id}', 'read_item_api_v1_items__id__get', 'items', 'items.get'],
    ['post', '/login/access-token', 'login_access_token_login_access_token_post', 'login',
      'login.access_token'],
    ['get', '/', 'root__get', 'x', 'root.get'],
    ['get', '/users', 'UsersController_findAll', 'users', 'users.list'],
    ['get', '/users/{id}', 'UsersController_findOne', 'users', 'users.get'],
    ['delete', '/users/{id}', 'UsersController_remove', '', 'users.delete'],
    ['post', '/auth/login', 'AuthController.login', '', 'auth.login'],
    ['put', '/pets/{id}', 'update_2', 'pet-controller', 'pets.update'],
    ['post', '/companies/{companyId}/webhooks/{webhookId}/generateHmac',
      'post-companies-companyId-webhooks-webhookId-generateHmac', 'Webhooks',
      'webhooks.generate_hmac'],
    ['post', '/v1/organization/invites', 'inviteUser', 'Invites', 'invites.invite_user'],
    ['get', '/accounts/{id}/folders', 'Folders_GetFolders', 'Folders', 'folders.list'],
    ['put', '/accounts/{id}/lock', 'Lock_PutEnvelopeLock', 'Locks', 'locks.put_envelope_lock'],
    ['get', '/groups/{id}/users', 'Groups_listUsers', 'Accounts', 'accounts.groups_list_users'],
    ['put', '/roles/{slug}/permissions', 'RolePermissionsController_setPermissions', 'Roles',
      'roles.set_permissions'],
    ['get', '/watch/sets/{name}', 'watchDaemonSet', 'apps_v1', 'apps_v1.watch_daemon_set'],
  ];
  for (const [method, path, operation_id, tag, expected] of rows) {
    t.equal(name('x', { method, path, operation_id, tags: [tag] }), `x.${expected}`, operation_id);
  }
  const apis = ['Payments', 'Refunds', 'Customers', 'Orders', 'Balances'];
  t.same(nameOperations('x', apis.map((one) => ({ method: 'get', path: `/v2/${one.toLowerCase()}`,
    operation_id: `list-${one.toLowerCase()}`, tags: [`${one} API`] }))),
  apis.map((one) => `x.${one.toLowerCase()}.list`));
  const actions = ['RunInstances', 'StopInstances', 'CreateRouteTable', 'DescribeRouteTables'];
  t.same(nameOperations('ec2', actions.flatMap((one) => ['GET', 'POST'].map((method) => ({
    method: method.toLowerCase(), path: `/#Action=${one}`, operation_id: `${method}_${one}` })))),
  ['instances.run', 'instances.stop', 'route_tables.create', 'route_tables.describe']
    .flatMap((one) => [`ec2.${one}_by_get`, `ec2.${one}`]),
  'the noun of the id, where nothing else says what it is about');
});

t.test('what is said of the same thing in several places has the name of each', async (t) => {
  const namesOf = (tag: string, ...paths: string[]) => nameOperations('x', paths.map((path) =>
    ({ method: 'get', path, tags: [tag] }))).map((one) => one.split('.')[2]);
  t.same(namesOf('Role mappings', '/users/{a}/roles/mappings', '/groups/{a}/roles/mappings'),
    ['list_for_user', 'list_for_group']);
  t.same(namesOf('Payee locations', '/budgets/{a}/locations', '/budgets/{a}/payees/{b}/locations'),
    ['list_for_budget', 'list_for_payee']);
});

t.test('what all tags begin with says nothing, though it may be a verb', async (t) => {
  const things = ['Bucket', 'Challenge', 'Factor', 'Form', 'Service'];
  t.same(nameOperations('verify', things.map((one) => ({ method: 'get', path: `/v2/${one}s`,
    operation_id: `List${one}`, tags: [`VerifyV2${one}`] }))),
  things.map((one) => `verify.${one.toLowerCase()}s.list`));
});

t.test('all of something and one of it go by different names', async (t) => {
  t.same(nameOperations('x', ['', '/{rule}'].map((end) =>
    ({ method: 'delete', path: `/groups/{id}/rules${end}`, tags: ['Rules'] }))),
  ['x.rules.delete_rules', 'x.rules.delete_for_group_by_rule']);
});

t.test('what is got and deleted, or has items, is a thing, whatever its word', async (t) => {
  const namesOf = (...keys: string[]) => nameOperations('x', keys.map((key) => {
    const [method, path] = key.split(' ') as [string, string];
    return { method, path, tags: ['Things'] };
  })).map((one) => one.split('.')[2]);
  t.same(namesOf('get /things/{id}/lock', 'post /things/{id}/lock', 'delete /things/{id}/lock'),
    ['get_lock', 'create_lock', 'delete_lock']);
  t.same(namesOf('post /things/test_clocks', 'get /things/test_clocks/{id}'),
    ['create_test_clock', 'get_test_clock']);
  t.same(namesOf('post /things/{id}/star', 'delete /things/{id}/star', 'post /things/search',
    'get /things/search/{query}'), ['star', 'delete_star', 'search', 'get_search']);
});

t.test('a path whose last word has an object of its own needs no other', async (t) => {
  const named = (path: string) => name('x', { method: 'post', path, tags: ['Keys of all'] });
  t.equal(named('/accounts/{id}/credentials/{id}/generateApiKey'),
    'x.keys_of_all.generate_api_key');
  t.equal(named('/users/{id}/credentials/{id}/moveToFirst'),
    'x.keys_of_all.move_to_first_credential');
  t.same(nameOperations('x', ['groups', 'teams'].map((one) =>
    ({ method: 'post', path: `/${one}/{id}/reset_sessions`, tags: ['Sessions'] })))
    .map((one) => one.split('.')[2]), ['reset_sessions_for_group', 'reset_sessions_for_team']);
});

t.test('a rename gives no name that another one has or had', async (t) => {
  const operations = [
    { method: 'get', path: '/users', operation_id: 'listUsers', kept: 'x.users.all' },
    { method: 'post', path: '/users', operation_id: 'createUser', kept: 'x.users.add' },
    { method: 'get', path: '/people', operation_id: 'people', kept: 'x.users.list' },
  ];
  t.same(renameOperations('x', operations,
    new Set(['x.users.all', 'x.users.add', 'x.users.list', 'x.people.list'])),
  ['x.users.list_users', 'x.users.create', 'x.people.list_people']);
});

t.test('dotted ids keep their last two segments', async (t) => {
  t.same(nameOperations('google', [
    { method: 'get', path: '/a', operation_id: 'compute.instances.list' },
    { method: 'get', path: '/b', operation_id: 'compute.disks.list' },
  ]), ['google.instances.list', 'google.disks.list']);
  t.same(nameOperations('google', [
    { method: 'get', path: '/a', operation_id: 'drive.a.files.list' },
    { method: 'get', path: '/b', operation_id: 'drive.b.files.list' },
  ]), ['google.a_files.list', 'google.b_files.list'], 'and on collision all middle ones');
});

t.test('without a tag the first fixed segment is the resource', async (t) => {
  t.equal(name('x', { path: '/api/v2/users/{id}', operation_id: 'getUser' }), 'x.users.get');
  t.equal(name('x', { path: '/{id}', operation_id: 'getIt' }), 'x.root.get_it');
});

t.test('without an id the method and the path make the name', async (t) => {
  t.equal(name('x', { path: '/v1/users/{user_id}/keys' }), 'x.users.list_keys');
  t.same(nameOperations('x', [
    { method: 'get', path: '/users/{user_id}' },
    { method: 'get', path: '/users/{name}' },
    { method: 'get', path: '/users' },
    { method: 'delete', path: '/users/{name}' },
  ]), ['x.users.get_by_user_id', 'x.users.get_by_name', 'x.users.list', 'x.users.delete']);
});

t.test('a slash at the end of a path says nothing', async (t) => {
  const namesOf = (slash: string, kept?: string) => nameOperations('x', [
    { method: 'get', path: `/staff${slash}`, kept }, { method: 'get', path: `/staff/{id}${slash}` },
    { method: 'put', path: '/staff/{id}' }, { method: 'patch', path: `/staff/{id}${slash}` },
  ]);
  t.same(namesOf('/'), ['x.staff.list', 'x.staff.get', 'x.staff.replace', 'x.staff.update']);
  t.same(namesOf('/'), namesOf(''));
  t.equal(namesOf('/', 'x.staff.get_staff')[0], 'x.staff.get_staff', 'a name that it has stays');
});

t.test('the whole colliding group moves on', async (t) => {
  t.same(nameOperations('x', [
    { method: 'get', path: '/a', operation_id: 'listUsers', tags: ['Users'] },
    { method: 'get', path: '/b', operation_id: 'list', tags: ['Users'] },
  ]), ['x.users.list_users', 'x.users.list'], 'to its unstripped form');
  t.same(nameOperations('x', [
    { method: 'get', path: '/a', operation_id: 'list', tags: ['Users'] },
    { method: 'get', path: '/b/{c}', operation_id: 'list', tags: ['Users'] },
  ]), ['x.users.get_a', 'x.users.get_b_by_c'], 'to its path');
  const names = nameOperations('x', [
    { method: 'get', path: '/a-b' }, { method: 'get', path: '/a_b' },
  ]);
  t.match(names[0], /^x\.a_b\.get_a_b_[0-9a-f]{6}$/, 'a hash when nothing else tells them apart');
  t.not(names[0], names[1]);
});

t.test('persisted names stay, and only what is new is named', async (t) => {
  const operations = (kept?: string) => [
    { method: 'get', path: '/a', operation_id: 'listUsers', tags: ['Users'] },
    { method: 'get', path: '/b', operation_id: 'list', tags: ['Users'], kept },
  ];
  t.same(nameOperations('x', operations('x.users.list'), new Set(['x.users.list'])),
    ['x.users.list_users', 'x.users.list']);
  t.same(nameOperations('x', operations(), new Set(['x.users.list'])),
    ['x.users.list_users', 'x.users.get_b'], 'a name of what is gone is not given again');
});

t.test('no name is longer than the API allows', async (t) => {
  const long = 'word_'.repeat(60);
  const names = nameOperations('s'.repeat(64), ['a', 'b'].map((path) =>
    ({ method: 'get', path: `/${long}/${path}`, operation_id: long, tags: [`${long} tag`] })));
  t.ok(names.every((name) => name.length <= 255));
  t.not(names[0], names[1]);
});

t.test('a name is made in a time that grows with the path alone', async (t) => {
  // With each brace tried anew as the one that a name begins at, this would take half an hour.
  t.match(name('x', { path: `/${'{'.repeat(1_000_000)}` }), /^x\.root\.get/);
  t.equal(name('x', { path: '/{{id}}' }), 'x.root.get');
});

t.test('words as people write them', async (t) => {
  const rows: [text: string, words: string][] = [['XMLParser v2', 'xml_parser_v2'],
    ['listVPCs', 'list_vpcs'], ['FloatingIPsAction', 'floating_ips_action'], ['getIDs', 'get_ids'],
    ['createOAuth2App', 'create_oauth2_app'], ['listIPv6Ranges', 'list_ipv6_ranges'],
    ['IoTHubs', 'iot_hubs'], ['getGitHubToken', 'get_github_token'], ['iOSDevices', 'ios_devices'],
    ['UserIsActive', 'user_is_active'], ['Größen', 'grossen'], ['Müll & Co', 'mull_co'],
    ['ŁÓDŹ', 'lodz'], ['日本', ''], ['🧩 Branding', 'branding']];
  for (const [text, words] of rows) t.equal(snake(text), words);
});

t.test('what is not in Latin letters is told apart by a hash', async (t) => {
  t.same(nameOperations('x', [
    { method: 'get', path: '/заказы', tags: ['Заказы'] },
    { method: 'delete', path: '/заказы/{номер}', operation_id: 'удалитьЗаказ', tags: ['Заказы'] },
    { method: 'get', path: '/заказы/{номер}', operation_id: 'получить', tags: ['Заказы'] },
    { method: 'post', path: '/顾客', operation_id: '创建User', tags: ['顾客'] },
    { method: 'post', path: '/顾客-v2', tags: ['顾客'] },
    { method: 'get', path: '/users', operation_id: '查询', tags: ['用户 API'] },
    { method: 'get', path: '/{id}', tags: ['用户'] },
    { method: 'get', path: '/straße/größen', operation_id: 'größenAuflisten', tags: ['Größen'] },
  ]), ['x.resource_c359203e.list', 'x.resource_c359203e.delete', 'x.resource_c359203e.get',
    'x.resource_262019ed.create', 'x.v2_c5cf5f9f.create', 'x.users.list', 'x.resource_0d0e1a86.get',
    'x.grossen.auflisten']);
});

t.test('names differ and do not depend on the order of the operations', async () => {
  const word = fc.constantFrom('list', 'users', 'user', '{id}', '{name}', 'a-b', 'a_b', 'v1',
    '顾客', 'größe');
  const operation = fc.record({
    method: fc.constantFrom('get', 'post', 'delete'),
    path: fc.array(word, { maxLength: 4 }).map((words) => `/${words.join('/')}`),
    operation_id: fc.option(fc.constantFrom('listUsers', 'list', 'users/list', 'users.list',
      'a.users.list', 'b.users.list', 'get_users_by_id', '取得', '…'), { nil: undefined }),
    tags: fc.option(fc.constantFrom(['Users'], ['User'], []), { nil: undefined }),
  });
  const operations = fc.uniqueArray(operation, {
    selector: ({ method, path }) => `${method} ${path}`, maxLength: 12 });
  fc.assert(fc.property(operations, fc.infiniteStream(fc.nat()), (given, numbers) => {
    const names = nameOperations('x', given);
    const shuffled = given
      .map((operation, i) => ({ operation, name: names[i], at: numbers.next().value! }))
      .sort((a, b) => a.at - b.at);
    const again = nameOperations('x', shuffled.map(({ operation }) => operation));
    return new Set(names).size === names.length
      && names.every((name) => /^x\.[a-z0-9_]+\.[a-z0-9_]+$/.test(name))
      && shuffled.every(({ name }, i) => name === again[i]);
  }));
});
