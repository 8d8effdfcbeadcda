/** A source that calls its operations otherwise: what is denied or hidden stays out of reach. */
import t from 'tap';
import { changingDocuments } from './changingDocuments.ts';
import { agentCall, grantTo, invoke } from './support.ts';

type Methods = Record<string, { operationId?: string } & object>;
type Paths = Record<string, Methods>;

const op = (operationId?: string, rest: object = {}) =>
  ({ ...(operationId && { operationId }), tags: ['tickets'], responses: {}, ...rest });
const withId = (name: string, methods: Methods) => ({ ...methods,
  parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }] }) as Methods;

/** Listing, creating, reading and deleting tickets. */
const TICKETS: Paths = {
  '/tickets': { get: op('listTickets'), post: op('createTicket') },
  '/tickets/{id}': withId('id', { get: op('getTicket'), delete: op('deleteTicket') }),
};
const { '/tickets': LIST } = TICKETS as { '/tickets': Methods };

const { server, upstream, publish, added, refreshed, offered } =
  await changingDocuments(t, TICKETS);
const { client, workspace_id } = server;

t.test('a denied action does not come back under another name', async (t) => {
  const rest = ['tickets.create', 'tickets.get', 'tickets.list'];
  const changes: Record<string, [paths: Paths, offered: string[], report?: object]> = {
    parameter: [{ '/tickets': LIST, '/tickets/{ticket_id}': withId('ticket_id',
      { get: op('getTicket'), delete: op('deleteTicket') }) }, rest,
    { moved: [{ action: 'parameter.tickets.get' }], vanished: undefined }],
    method: [{ '/tickets': LIST, '/tickets/{id}': withId('id', { get: op('getTicket') }),
      '/tickets/{id}/bin': withId('id', { get: op('deleteTicket') }) }, rest],
    // Nothing tells that it is the same: what is new waits, and the operator sees why.
    unknown: [{ '/tickets': LIST, '/tickets/{id}': withId('id', { get: op('getTicket') }),
      '/tickets/{id}/bin': withId('id', { post: op('binTicket') }),
      '/tickets/{id}/gone': withId('id', { get: op('seeTicketOff') }) }, rest, {
      vanished: [{ action: 'unknown.tickets.delete', restricted: true }], vanished_total: 1,
      dangling_grants: [{ actions: 'unknown.tickets.delete', decision: 'deny', workspace_id }],
      changes_total: 2 }],
    versions: [{ '/tickets': LIST, '/tickets/{id}': withId('id', { get: op('getTicket'),
      delete: op('deleteTicketV1') }), '/v2/{id}': withId('id', { get: op('deleteTicket') }) },
    rest],
    unclear: [{ '/tickets': LIST, '/tickets/{id}': withId('id', { get: op('getTicket') }),
      '/bin/{a}': withId('a', { delete: op('deleteTicket') }),
      '/bin/{b}': withId('b', { delete: op('deleteTicket') }) }, rest],
  };
  for (const [slug, [paths, names, report]] of Object.entries(changes)) {
    await added(slug);
    await grantTo(server, 'deny', `${slug}.tickets.delete`);
    t.strictSame(await offered(slug), rest);
    const made = await refreshed(slug, paths);
    t.strictSame(await offered(slug), names, slug);
    if (report) t.match(made.report, report, slug);
    await refreshed(slug, TICKETS);
    t.ok((await offered(slug)).every((name) => rest.includes(name)), `${slug}, and back`);
  }
});

t.test('in two steps it does not come back either, until somebody has looked', async (t) => {
  await added('steps');
  const deny = await grantTo(server, 'deny', 'steps.tickets.delete');
  const less = { '/tickets': LIST };
  const later = { ...less, '/tickets/{id}/bin': withId('id', { post: op('binTicket') }) };
  t.match(await refreshed('steps', less), { report: { vanished_total: 2, vanished: [
    { action: 'steps.tickets.delete', source_key: 'DELETE /tickets/{id}', restricted: true },
    { action: 'steps.tickets.get', restricted: false }],
  dangling_grants: [{ grant_id: deny.id }] } });
  t.match(await refreshed('steps', later), { actions: { quarantined: 1 },
    report: { vanished_total: 2 } });
  t.strictSame(await offered('steps'), ['tickets.create', 'tickets.list']);
  t.match(await refreshed('steps', later, { accept_changes: true }),
    { actions: { quarantined: 0 }, report: { vanished: undefined, dangling_grants_total: 1 } });
  t.strictSame(await offered('steps'), ['tickets.bin', 'tickets.create', 'tickets.list']);
  const known = { ...later, '/v3/{id}': withId('id', { delete: op('deleteTicket') }) };
  await refreshed('steps', known);
  t.strictSame(await offered('steps'), ['tickets.bin', 'tickets.create', 'tickets.list'],
    'what was gone for long is denied as it was');
});

t.test('what is new waits until an operator accepts it', async (t) => {
  await added('grows', TICKETS, { new_actions: undefined });
  const more: Paths = { ...TICKETS,
    '/notes': { get: op('listNotes'), post: op('createNote') } };
  const before = await offered('grows');
  for (const time of ['first', 'second']) {
    t.match(await refreshed('grows', more), { new_actions: 'wait', actions: { quarantined: 2 },
      report: { changes_total: 2, changes: [{ offered: false }, { offered: false }] } }, time);
    t.strictSame(await offered('grows'), before, 'neither what reads nor what writes is found');
  }
  t.equal((await invoke(client, 'grows.notes.list')).status, 404);
  t.match((await agentCall(client, 'grows.notes.create', {})).error,
    { missing: [{ code: 'unknown_action' }] }, 'a grant for grows.* does not hold for it');
  t.match(await refreshed('grows', more, { accept_changes: true }),
    { actions: { quarantined: 0 }, report: { changes: undefined } });
  t.match((await agentCall(client, 'grows.notes.create', {})).result, { ok: true });

  const path = { slug: 'grows' };
  t.match(await client.expect(200, 'updateIntegration', { path, body: { new_actions: 'offer' } }),
    { new_actions: 'offer' });
  t.match(await refreshed('grows', { ...more, '/tags': { get: op('listTags') } }),
    { new_actions: 'offer', actions: { quarantined: 0 } });
});

t.test('if the operator wants it so, what is new is offered at once', async (t) => {
  await added('free');
  t.match(await refreshed('free', { '/tickets': LIST, '/notes': { get: op('listNotes') } }),
    { actions: { quarantined: 0 }, report: { vanished_total: 2, dangling_grants: undefined } });
  t.strictSame(await offered('free'), ['tickets.create', 'tickets.list', 'tickets.list_notes']);
});

t.test('what writes stays where it was until an operator accepts the move', async (t) => {
  await added('moves');
  const v2 = { '/v2/tickets': LIST, '/v2/tickets/{key}': withId('key',
    { get: op('getTicket'), delete: op('deleteTicket') }) };
  const made = await refreshed('moves', v2);
  t.match(made.report, { moved_total: 2, changes_total: 2, changes: [
    { action: 'moves.tickets.create', offered: true, fields: [{ field: 'operation',
      before: 'POST /tickets', after: 'POST /v2/tickets' }] }, {}] });
  const targets = async () => {
    t.match((await agentCall(client, 'moves.tickets.create', {})).result, { ok: true });
    t.match(await invoke(client, 'moves.tickets.list'), { status: 201 });
    return upstream.received.slice(-2).map(({ target }) => target);
  };
  t.strictSame(await targets(), ['/tickets', '/v2/tickets'], 'what reads follows at once');
  t.match(await refreshed('moves', v2, { accept_changes: true }),
    { report: { changes: undefined, vanished: undefined } });
  t.strictSame(await targets(), ['/v2/tickets', '/v2/tickets']);
});

t.test('an approval of what reads does not outlive how that is called', async (t) => {
  const scope = (rest: object, style = 'form') => ({ parameters: [
    { name: 'scope', in: 'query', required: true, schema: { type: 'string', ...rest } },
    { name: 'ids', in: 'query', explode: false, style, schema: { type: 'array' } }] });
  const own = { '/export': { get: op('getExport', scope({ default: 'own' })) } };
  await added('reading', { ...own, '/tickets': LIST });
  const action = `reading.${(await offered('reading')).find((name) => name.includes('export'))}`;
  await grantTo(server, 'require_approval', action);
  const askFor = async () => {
    const { details } = await client.expect(403, 'createActionInvocation', { body: { action } });
    const { missing: [gap] } = details as { missing: [{ approval_id: string }] };
    const path = { approval_id: gap.approval_id };
    await client.expect(200, 'decideApproval', { path, body: { decision: 'approve' } });
    return path;
  };
  for (const changed of [
    { '/export': { get: op('getExport', scope({ default: 'all' })) } },
    { '/export': { get: op('getExport', scope({ default: 'own' }, 'pipeDelimited')) } },
    { '/export/all': { get: op('getExport', scope({ default: 'own' })) } },
  ] as Paths[]) {
    const path = await askFor();
    await refreshed('reading', { ...own, '/tickets': { get: LIST.get!, post: op('addTicket') } });
    t.match(await client.expect(200, 'getApproval', { path }), { status: 'approved' });
    await refreshed('reading', { ...changed, '/tickets': LIST });
    t.match(await client.expect(200, 'getApproval', { path }),
      { status: 'expired', reason: 'integration_changed' });
    t.match(await invoke(client, action), { status: 403 });
    await refreshed('reading', { ...own, '/tickets': LIST });
  }
});

t.test('what the operator said goes with the operation', async (t) => {
  const override = { overrides: { 'DELETE /tickets/{id}': { hidden: true },
    'POST /tickets': { effect: 'read' } } };
  const gone: Paths = { '/tickets': LIST, '/tickets/{id}': withId('id', { get: op('getTicket') }) };
  const rest = ['tickets.create', 'tickets.get', 'tickets.list'];
  const changes: Record<string, [paths: Paths, names: string[]]> = {
    said_parameter: [{ '/tickets': LIST, '/tickets/{x}': withId('x',
      { get: op('getTicket'), delete: op('eraseTicket') }) }, rest],
    said_prefix: [{ '/v2': LIST,
      '/v2/{id}': TICKETS['/tickets/{id}']! }, rest],
    said_new: [{ ...gone, '/bin': { post: op('binTickets') } }, rest],
  };
  for (const [slug, [paths, names]] of Object.entries(changes)) {
    await added(slug, TICKETS, override);
    t.strictSame(await offered(slug), rest);
    await refreshed(slug, paths);
    t.strictSame(await offered(slug), names, slug);
    t.equal((await invoke(client, `${slug}.tickets.create`)).status, 201);
    t.equal(upstream.received.at(-1)!.target, '/tickets', 'a reading by word stays where it was');
    if (slug !== 'said_parameter') continue;
    await refreshed(slug, gone);
    await refreshed(slug, paths);
    t.strictSame(await offered(slug), names, `${slug}, gone for a while`);
  }
  const { overrides } = await client.expect(200, 'getIntegration',
    { path: { slug: 'said_prefix' } });
  t.ok('DELETE /v2/{id}' in overrides, 'the key follows, too');
});

t.test('what reads goes on while its path has not what the operator sets', async (t) => {
  const pathsOf = (name: string): Paths => ({ '/tickets': LIST,
    [`/accounts/{${name}}/notes`]: withId(name, { get: op('listNotes') }) });
  await added('set', pathsOf('account'),
    { overrides: { '*': { parameters: { 'path.account': 'A1' } } } });
  const action = `set.${(await offered('set')).find((name) => name.includes('notes'))}`;
  const made = await refreshed('set', pathsOf('konto'));
  t.match(made.report.changes, [{ action, offered: true }]);
  t.match(await invoke(client, action, { path: { konto: 'A2' } }), { status: 400 });
  t.match(await invoke(client, action),
    { status: 201, body: { result: { target: '/accounts/A1/notes' } } });
  await refreshed('set', pathsOf('konto'), { accept_changes: true });
  t.match(await invoke(client, action, { path: { konto: 'A2' } }), { status: 201 });
});

t.test('overrides by pattern: the more specific one wins, the report says which', async (t) => {
  const overrides = { 'ruled.tickets.*': { effect: 'read' }, '*': { effect: 'destructive' },
    'ruled.tickets.create': { hidden: true }, 'GET /tickets': { effect: 'write' } };
  await added('ruled', TICKETS, { overrides });
  const made = await refreshed('ruled', TICKETS);
  t.match(made, { actions: { read: 2, write: 1, destructive: 0 }, report: { warnings: [],
    patterns: [{ pattern: '*', matches: 4, decides: 0 },
      { pattern: 'ruled.tickets.*', matches: 4, decides: 2 }] } });
  t.strictSame(await offered('ruled'), ['tickets.delete', 'tickets.get', 'tickets.list']);
  const more = { ...TICKETS, '/tickets/wipe': { post: op('wipe') } };
  t.match(await refreshed('ruled', more), { actions: { read: 2, quarantined: 1 } },
    'a pattern does not make a new one a reading one');
  t.match(await refreshed('ruled', more, { accept_changes: true }), { actions: { read: 3 } });
});

t.test('the first server of a document is no way around either', async (t) => {
  await added('served');
  await grantTo(server, 'deny', 'served.tickets.delete');
  const servers = { servers: [{ url: `${upstream.url}/v2` }] };
  publish('served', { '/v2/tickets': LIST }, servers);
  await client.expect(200, 'refreshIntegration', { path: { slug: 'served' }, body: {} });
  publish('served', { '/': { delete: op() } }, servers);
  t.match(await client.expect(200, 'refreshIntegration', { path: { slug: 'served' }, body: {} }),
    { base_url: upstream.url, actions: { destructive: 0, quarantined: 1 } });
});

t.test('a rename takes along what holds, and lets nothing else begin to hold', async (t) => {
  await added('old', TICKETS, { overrides: { 'old.ticket.add': { effect: 'destructive' } } });
  for (const [source_key, name] of [['POST /tickets', 'old.ticket.add'],
    ['DELETE /tickets/{id}', 'old.ticket.drop'], ['GET /tickets', 'old.tickets.all']] as const) {
    await server.sql`update integration_actions set name = ${name}
      where integration = 'old' and source_key = ${source_key}`;
  }
  await grantTo(server, 'deny', 'old.ticket.drop');
  await grantTo(server, 'require_approval', 'old.ticket.*');
  const { id } = await grantTo(server, 'allow', 'old.tickets.list');
  const renames = (applied: boolean) => [
    { action: 'old.tickets.all', name: 'old.tickets.list', applied: false, reason: new RegExp(id) },
    { action: 'old.ticket.add', name: 'old.tickets.create', applied, reason: null },
    { action: 'old.ticket.drop', name: 'old.tickets.delete', applied, reason: null }];
  t.match(await refreshed('old', TICKETS, { rename: 'show' }),
    { report: { renames_total: 3, renames: renames(false) } });
  t.strictSame(await offered('old'), ['ticket.add', 'tickets.all', 'tickets.get']);
  t.match(await refreshed('old', TICKETS, { rename: 'apply' }), {
    report: { renames: renames(true) }, actions: { destructive: 2 },
    overrides: { 'old.tickets.create': { effect: 'destructive' } } });
  t.strictSame(await offered('old'), ['tickets.all', 'tickets.create', 'tickets.get']);
  t.match((await agentCall(client, 'old.tickets.create')).error,
    { missing: [{ code: 'approval_required' }] });
  t.equal((await invoke(client, 'old.tickets.delete')).status, 404);
  const { data } = await client.expect(200, 'listGrants', { query: { workspace_id } });
  t.strictSame(data.filter(({ actions }) => actions.startsWith('old.'))
    .map(({ actions, decision }) => `${decision} ${actions}`).sort(), ['allow old.*',
    'allow old.tickets.list', 'deny old.tickets.delete', 'require_approval old.ticket.*',
    'require_approval old.tickets.create', 'require_approval old.tickets.delete']);
  t.match(await refreshed('old', TICKETS, { rename: 'show' }), { report: { renames_total: 1 } });
  t.match(await server.sql`select former_names from integration_actions
    where name = 'old.tickets.delete'`, [{ former_names: ['old.ticket.drop'] }]);
  const { data: entries } = await client.expect(200, 'listAuditEntries', {});
  t.ok(entries.some(({ event, details }) =>
    event === 'grant.changed' && details.actions === 'old.tickets.delete'));
  t.equal(entries.filter(({ event, details }) => event === 'grant.created'
    && details.decision === 'require_approval').length, 3, 'the given one, and two of renames');
});
