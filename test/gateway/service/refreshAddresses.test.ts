/** A document that writes one address in several ways: what is restricted there stays so. */
import t from 'tap';
import { changingDocuments, type Paths } from './changingDocuments.ts';
import { grantTo, invoke } from './support.ts';

const op = (operationId: string, rest: object = {}) =>
  ({ operationId, tags: ['tickets'], responses: {}, ...rest });

const LIST = { get: op('listTickets'), post: op('createTicket') };
const ONE = { get: op('getTicket'), delete: op('deleteTicket') };
const TICKETS: Paths = { '/tickets': LIST, '/tickets/{id}': ONE };
const ALL = ['tickets.create', 'tickets.delete', 'tickets.get', 'tickets.list'];
const REST = ALL.filter((name) => name !== 'tickets.delete');

/** Each path with what its variables are. */
const withParameters = (paths: Paths) => Object.fromEntries(Object.entries(paths)
  .map(([path, item]) => [path, { ...item,
    parameters: [...path.matchAll(/\{\+?([^{}]+)\}/g)].map(([, name]) =>
      ({ name, in: 'path', required: true, schema: { type: 'string' } })) }]));

const { server, upstream, documents, publish, added, refreshed, offered } =
  await changingDocuments(t, TICKETS, withParameters);
const { client } = server;

t.test('another word for the address of a denied action waits, while that stays', async (t) => {
  const erase = { delete: op('eraseTicket') };
  const below = { servers: [{ url: `${upstream.url}/tickets` }] };
  const writings: Record<string, Paths> = {
    parameter: { '/tickets/{key}': erase },
    server: { '/{id}': { delete: op('eraseTicket', below) } },
    many: Object.fromEntries(['/tickets/{id}/', '/Tickets/{id}', '//tickets/{id}',
      '/x/../tickets/{id}', '/%74ickets/{id}', '/tickets/{id}?for=good', '/tickets/{id}#good',
      '/tickets/7', '/{kind}/{id}', '/{+path}', '/%ff/%2e%2e/tickets/{id}', '/tick\tets/{id}',
      '/%ff/../tick%65ts/{id}', '/x/.\n./tickets/{id}', '/tick\u200bets/{id}', '/tickets;v=1/{id}']
      .map((path, at) => [path, { delete: op(`erase${at}`) }])),
  };
  for (const [slug, more] of Object.entries(writings)) {
    await added(slug);
    await grantTo(server, 'deny', `${slug}.tickets.delete`);
    const paths = { ...TICKETS, ...more };
    const { length } = Object.keys(more);
    for (const says of ['', ', asked again', null, ', gone for a while']) {
      const { actions } = await refreshed(slug, says === null ? TICKETS : paths);
      if (says !== null) t.equal(actions.quarantined, length, `${slug}${says}`);
      t.strictSame(await offered(slug), REST, `${slug}${says}`);
    }
    const { actions } = await refreshed(slug, paths, { accept_changes: true });
    t.equal(actions.quarantined, 0, `${slug}, accepted`);
    t.equal((await offered(slug)).length, REST.length + length);
  }
});

t.test('what parameters and servers add to an address counts', async (t) => {
  const path = { name: 'path', in: 'path', required: true, schema: {}, 'x-multi-segment': true };
  const query = (name: string, schema: object) => ({ parameters: [{ name, in: 'query', schema }] });
  const paths: Paths = { '/tickets': LIST, '/do?that=erase': { post: op('eraseAll') },
    '/files/{path}': { delete: op('deleteFile', { parameters: [path] }) } };
  await added('adding', paths);
  const before = await offered('adding');
  const rest = before.filter((name) => !/erase|delete/.test(name));
  t.equal(before.length, rest.length + 2);
  for (const name of before.filter((one) => !rest.includes(one))) {
    await grantTo(server, 'deny', `adding.${name}`);
  }
  const more: Paths = {
    '/files/{folder}/{name}': { delete: op('removeFile') },
    '/do?that=a': { post: op('a', query('that', { type: 'string' })) },
    '/do?that=b': { post: op('b', query('filter', { type: 'object' })) },
    '/do?that=c': { post: op('c', { servers: [{ url: '/?that=erase' }] }) },
  };
  const harmless = { '/do?that=count': { post: op('count', query('that', { enum: ['count'] })) } };
  const { actions, report } = await refreshed('adding', { ...paths, ...more, ...harmless });
  t.equal(actions.quarantined, Object.keys(more).length, report.warnings.join('\n'));
  t.equal((await offered('adding')).length, rest.length + 1);
});

t.test('what is at no restricted address does not wait for that', async (t) => {
  await added('others');
  await grantTo(server, 'deny', 'others.tickets.delete');
  t.match(await refreshed('others', { ...TICKETS, '/notes/{id}': { delete: op('deleteNote') },
    '/tickets/{id}/bin': { delete: op('binTicket') }, '/tickets': { ...LIST,
      delete: op('deleteTickets') } }), { actions: { quarantined: 0 } });
});

t.test('a document that is handed over is no way around either', async (t) => {
  await added('given');
  await grantTo(server, 'deny', 'given.tickets.delete');
  publish('given', { ...TICKETS, '/tickets/{any}/': { delete: op('eraseTicket') } });
  const made = await client.expect(200, 'updateIntegration', { path: { slug: 'given' },
    body: { document: JSON.stringify(documents.get('/given.json')) } });
  t.match(made, { actions: { quarantined: 1 } });
  t.match(made.report.warnings.join(), /given\.tickets\.delete/);
  t.strictSame(await offered('given'), REST);
});

t.test('nor is one that says less of what is restricted', async (t) => {
  const file = (rest: object) => ({ delete: op('deleteFile', { parameters: [
    { name: 'path', in: 'path', required: true, schema: { type: 'string' }, ...rest }] }) });
  const paths: Paths = { ...TICKETS, '/files/{path}': file({ 'x-multi-segment': true }) };
  for (const [slug, rest] of [['less', {}], ['same', { 'x-multi-segment': true }]] as const) {
    await added(slug, paths);
    const denied = (await offered(slug)).find((name) => name.includes('file'))!;
    await grantTo(server, 'deny', `${slug}.${denied}`);
    publish(slug, { ...paths, '/files/{path}': file(rest),
      '/files/{folder}/{name}': { delete: op('removeFile') } });
    t.match(await client.expect(200, 'updateIntegration', { path: { slug },
      body: { document: JSON.stringify(documents.get(`/${slug}.json`)) } }),
    { actions: { quarantined: 1 } });
    t.strictSame(await offered(slug), ALL);
  }
});

t.test('nor is one that has another operation move there', async (t) => {
  const paths = (path: string, method = 'post'): Paths =>
    ({ ...TICKETS, [path]: { [method]: op('archiveTicket') } });
  await added('moving', paths('/tickets/{id}/archive'));
  await grantTo(server, 'deny', 'moving.tickets.delete');
  const handOver = async (paths: Paths) => {
    publish('moving', paths);
    return await client.expect(200, 'updateIntegration', { path: { slug: 'moving' },
      body: { document: JSON.stringify(documents.get('/moving.json')) } });
  };
  const before = await offered('moving');
  t.match(await handOver(paths('/archived/{key}')), { actions: { quarantined: 0 } });
  t.strictSame(await offered('moving'), before);
  t.match(await handOver(paths('/{kind}/{id}', 'delete')), { actions: { quarantined: 1 } });
  t.strictSame(await offered('moving'), REST);
});

t.test('where something was before it moved it is not offered as something else', async (t) => {
  const SECRETS: Paths = { '/tickets': LIST, '/secrets': { get: op('getSecrets') } };
  const decoy: Paths = { '/tickets': LIST, '/harmless': { get: op('getSecrets') } };
  const back = { ...decoy, '/secrets': { get: op('listWords') } };
  const restrictions: Record<string, object> = {
    read_denied: {}, read_hidden: { overrides: { 'GET /secrets': { hidden: true } } },
  };
  const rest = ['tickets.create', 'tickets.list'];
  for (const [slug, more] of Object.entries(restrictions)) {
    await added(slug, SECRETS, more);
    await grantTo(server, 'deny', `${slug}.tickets.list_secrets`);
    for (const paths of [SECRETS, decoy, back, decoy, back,
      { ...back, '/secrets': { get: op('b') }, '/Secrets/': { get: op('c') } }]) {
      await refreshed(slug, paths);
      t.strictSame(await offered(slug), rest, `${slug}: ${Object.keys(paths).join()}`);
    }
    await refreshed(slug, SECRETS);
    t.strictSame(await offered(slug), rest, `${slug}, and back`);
  }
  await added('moved');
  await grantTo(server, 'deny', 'moved.tickets.delete');
  const v2 = { '/tickets': LIST, '/v2/tickets/{id}': ONE };
  await refreshed('moved', v2);
  await refreshed('moved', v2, { accept_changes: true });
  t.strictSame(await offered('moved'), REST);
  await refreshed('moved', { ...v2, '/tickets/{key}': { delete: op('deleteTicketV1') } });
  t.strictSame(await offered('moved'), REST, 'an accepted move leaves no way back');
});

t.test('what took the operationId of something gone does not become that', async (t) => {
  const secrets = { get: op('getSecrets') };
  await added('heir', { '/tickets': LIST, '/secrets': secrets, '/words': { get: op('words') } });
  await grantTo(server, 'deny', 'heir.tickets.list_secrets');
  await refreshed('heir', { '/tickets': LIST, '/words': secrets });
  await refreshed('heir', { '/tickets': LIST, '/hidden/secrets': secrets });
  t.strictSame(await offered('heir'), ['tickets.create', 'tickets.list']);
});

t.test('a reading action that begins to name another method waits', async (t) => {
  await added('posing', { '/tickets': LIST });
  const parameters = [{ name: 'X-HTTP-Method-Override', in: 'header', required: true,
    schema: { const: 'DELETE' } }];
  t.match(await refreshed('posing', { '/tickets': { ...LIST,
    get: op('listTickets', { parameters }) } }), { actions: { read: 0, destructive: 1 } });
  t.match(await invoke(client, 'posing.tickets.list'), { status: 403 });
});

t.test('what reads does not move by itself to where another action is denied', async (t) => {
  const paths: Paths = { '/words': { get: op('listWords') }, '/secrets': { get: op('getSecrets') },
    '/tickets': LIST };
  const changes: Record<string, Paths> = {
    taken: { '/secrets': paths['/secrets']!, '/{any}': { get: op('listWords') } },
    written: { '/secrets': paths['/secrets']!, '/Secrets/': { get: op('listWords') } },
    gone: { '/SECRETS': { get: op('listWords') } },
    below: { ...paths, '/words': { get: op('listWords',
      { servers: [{ url: '/secrets/../secrets#' }] }) } },
  };
  for (const [slug, now] of Object.entries(changes)) {
    await added(slug, paths);
    const words = (await offered(slug)).find((name) => name.endsWith('list_words'))!;
    const secrets = (await offered(slug)).find((name) => name.endsWith('secrets'))!;
    await grantTo(server, 'deny', `${slug}.${secrets}`);
    await refreshed(slug, { ...now, '/tickets': LIST });
    for (const name of await offered(slug)) {
      await invoke(client, `${slug}.${name}`, name === words && slug === 'taken'
        ? { any: 'secrets' } : {});
    }
    const reached = upstream.received.splice(0).map(({ method, target }) => `${method} ${target}`)
      .filter((one) => /secrets/i.test(one));
    t.strictSame(reached, [], slug);
  }
});

t.test('nor does it become able to reach that where it is', async (t) => {
  const at = (name: string, rest: object = {}) => ({ parameters: [
    { name, in: 'path', required: true, schema: { type: 'string' }, ...rest }] });
  const open = { 'x-multi-segment': true };
  const words = (rest: object) => ({ get: op('getWord', rest) });
  const secret = { '/words/secret/{id}': { get: op('getSecret', at('id')) } };
  const files = { '/files/{path}': { get: op('getFile', at('path', open)) } };
  for (const [slug, before, now] of [
    ['opened', secret, { '/words/{id}': words(at('id', open)) }],
    ['within', files, { '/files/{folder}/{name}': words({ parameters: [
      ...at('folder').parameters, ...at('name').parameters] }) }],
  ] as const) {
    const paths = { '/tickets': LIST, ...before, '/words/{id}': words(at('id')) };
    await added(slug, paths);
    const denied = (await offered(slug)).find((name) => /secret|file/.test(name))!;
    await grantTo(server, 'deny', `${slug}.${denied}`);
    const rest = await offered(slug);
    const changed = { '/tickets': LIST, ...before, ...now };
    const { report } = await refreshed(slug, changed);
    t.match(report.warnings.join(), `${slug}.${denied}`);
    t.strictSame(await offered(slug), rest.filter((name) => !name.includes('word')), slug);
    await refreshed(slug, changed, { accept_changes: true });
    t.strictSame(await offered(slug), rest, `${slug}, accepted`);
  }
});
