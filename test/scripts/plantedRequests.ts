/** Planted changes of what clients send: addresses, credentials, parameters, bodies. */
import type { Planted } from './planted.ts';

const string = () => ({ type: 'string' });

export const OPERATIONS: Planted[] = [
  { name: 'an operation is removed', expected: 'wire', says: /cancelRun/,
    change: (d) => delete d.paths['/runs/{run_id}/cancel'] },
  { name: 'one method of a path is removed', expected: 'wire', says: /deleteGrant/,
    change: (d) => delete d.paths['/admin/grants/{grant_id}'].delete },
  { name: 'an operation is added', expected: 'additive', says: /deleteRun/,
    change: (d) => d.paths['/runs/{run_id}'].delete =
      { ...structuredClone(d.operation('getRun')), operationId: 'deleteRun' } },
  { name: 'a path is another one', expected: 'wire', says: /listRuns/,
    change: (d) => { d.paths['/all_runs'] = d.paths['/runs']; delete d.paths['/runs']; } },
  { name: 'the variable of a path has another name', expected: 'client-code', says: /the_run/,
    change: (d) => {
      d.document = JSON.parse(JSON.stringify(d.document)
        .replaceAll('/runs/{run_id}', '/runs/{the_run}'));
      d.components.parameters.RunId.name = 'the_run';
    } },
  { name: 'a method is another one', expected: 'wire', says: /updateSession/,
    change: (d) => {
      const item = d.paths['/sessions/{session_id}'];
      item.put = item.patch;
      delete item.patch;
    } },
  { name: 'a public operation becomes the operator\'s', expected: 'wire', says: /listActions/,
    change: (d) => d.operation('listActions')['x-internal'] = true },
  { name: 'an operation of the operator becomes public', expected: 'additive',
    says: /listApprovals/, change: (d) => delete d.operation('listApprovals')['x-internal'] },
  { name: 'another base path', expected: 'wire', says: /\/v2/,
    change: (d) => d.document.servers = [{ url: 'http://127.0.0.1:3000/v2' }] },
  { name: 'another host with the same base path', expected: 'words',
    change: (d) => d.document.servers = [{ url: 'https://agents.example.com/v1' }] },
  { name: 'a path has a server of its own', expected: 'wire', says: /listRuns servers/,
    change: (d) => d.paths['/runs'].servers = [{ url: 'https://runs.example.com/v1' }] },
  { name: 'an operation needs another credential', expected: 'wire', says: /listRuns/,
    change: (d) => d.operation('listRuns').security = [{ adminToken: [] }] },
  { name: 'an operation needs a second credential', expected: 'wire', says: /listRuns/,
    change: (d) => d.operation('listRuns').security = [{ apiKey: [], adminToken: [] }] },
  { name: 'an operation takes another credential, too', expected: 'additive', says: /listRuns/,
    change: (d) => d.operation('listRuns').security =
      [...d.document.security, { adminToken: [] }] },
  { name: 'an operation needs no credential', expected: 'additive', says: /getOpenapiDocument/,
    change: (d) => d.operation('getOpenapiDocument').security = [] },
  { name: 'all operations need another credential', expected: 'wire', says: /createRun/,
    change: (d) => d.document.security = [{ adminToken: [] }] },
  { name: 'a credential is sent elsewhere', expected: 'wire', says: /apiKey/,
    change: (d) => d.components.securitySchemes.apiKey =
      { type: 'apiKey', in: 'header', name: 'X-Api-Key' } },
  { name: 'an operation has another operationId', expected: 'client-code', says: /fetchRun/,
    change: (d) => d.operation('getRun').operationId = 'fetchRun' },
  { name: 'an operation has another tag', expected: 'client-code', says: /cancelRun/,
    change: (d) => d.operation('cancelRun').tags = ['Sessions'] },
  { name: 'an operation is deprecated', expected: 'additive', says: /listRuns/,
    change: (d) => d.operation('listRuns').deprecated = true },
];

export const PARAMETERS: Planted[] = [
  { name: 'a parameter is removed', expected: 'wire', says: /listRuns .*session_id/,
    change: (d) => {
      d.operation('listRuns').parameters = d.parameters('listRuns')
        .filter(({ name }) => name !== 'session_id');
    } },
  { name: 'a header that is taken is removed', expected: 'wire', says: /Idempotency-Key/,
    change: (d) => d.operation('createRun').parameters = [] },
  { name: 'an optional parameter is added', expected: 'additive', says: /colour/,
    change: (d) => d.parameters('listRuns').push(
      { name: 'colour', in: 'query', schema: string() }) },
  { name: 'a required parameter is added', expected: 'wire', says: /colour/,
    change: (d) => d.parameters('listRuns').push(
      { name: 'colour', in: 'query', required: true, schema: string() }) },
  { name: 'a required header is added', expected: 'wire', says: /X-Colour/,
    change: (d) => d.parameters('getRun').push(
      { name: 'X-Colour', in: 'header', required: true, schema: string() }) },
  { name: 'a parameter becomes required', expected: 'wire', says: /session_id/,
    change: (d) => d.parameter('listRuns', 'session_id').required = true },
  { name: 'a parameter has another name', expected: 'wire', says: /session_id/,
    change: (d) => d.parameter('listRuns', 'session_id').name = 'session' },
  { name: 'a parameter moves to a header', expected: 'wire', says: /starting_after/,
    change: (d) => d.parameter('streamRunEvents', 'starting_after').in = 'header' },
  { name: 'the name of a header is written otherwise', expected: null,
    change: (d) => d.parameter('createRun', 'Idempotency-Key').name = 'idempotency-key' },
  { name: 'a default is another one', expected: 'wire', says: /limit/,
    change: (d) => d.parameter('listRuns', 'limit').schema.default = 10 },
  { name: 'a default is gone', expected: 'wire', says: /order/,
    change: (d) => delete d.parameter('listRuns', 'order').schema.default },
  { name: 'there is a default where none was', expected: 'wire', says: /status/,
    change: (d) => d.parameter('listSessions', 'status').schema =
      { ...d.schema('SessionStatus'), default: 'active' } },
  { name: 'a largest number is lowered', expected: 'wire', says: /limit/,
    change: (d) => d.parameter('listRuns', 'limit').schema.maximum = 50 },
  { name: 'a largest number is raised', expected: 'additive', says: /limit/,
    change: (d) => d.parameter('listRuns', 'limit').schema.maximum = 500 },
  { name: 'a smallest number is raised', expected: 'wire', says: /limit/,
    change: (d) => d.parameter('listRuns', 'limit').schema.minimum = 2 },
  { name: 'a number has to be a multiple', expected: 'wire', says: /limit/,
    change: (d) => d.parameter('listRuns', 'limit').schema.multipleOf = 10 },
  { name: 'a value of a parameter is no longer taken', expected: 'wire', says: /asc/,
    change: (d) => d.parameter('listRuns', 'order').schema.enum = ['desc'] },
  { name: 'a parameter takes one more value', expected: 'additive', says: /random/,
    change: (d) => d.parameter('listRuns', 'order').schema.enum.push('random') },
  { name: 'a parameter takes any text', expected: 'additive', says: /order/,
    change: (d) => delete d.parameter('listRuns', 'order').schema.enum },
  { name: 'a parameter of many operations has to have a pattern', expected: 'wire',
    says: /^parameter Cursor: pattern/,
    change: (d) => d.components.parameters.Cursor.schema.pattern = '^x' },
  { name: 'a parameter is a number only', expected: 'wire', says: /cursor/,
    change: (d) => d.parameter('listRuns', 'cursor').schema = { type: 'integer' } },
  { name: 'a parameter is written otherwise', expected: 'wire', says: /matrix/,
    change: (d) => d.components.parameters.SessionId.style = 'matrix' },
];

export const REQUESTS: Planted[] = [
  { name: 'a member is no longer taken', expected: 'wire', says: /wait_timeout_s/,
    change: (d) => delete d.schema('CreateRunRequest').properties.wait_timeout_s },
  { name: 'an optional member is added', expected: 'additive', says: /colour/,
    change: (d) => d.schema('CreateRunRequest').properties.colour = string() },
  { name: 'a required member is added', expected: 'wire', says: /colour/,
    change: (d) => {
      d.schema('CreateRunRequest').properties.colour = string();
      d.schema('CreateRunRequest').required.push('colour');
    } },
  { name: 'a member becomes required', expected: 'wire', says: /CreateSessionRequest.*title/,
    change: (d) => d.schema('CreateSessionRequest').required = ['title'] },
  { name: 'a member becomes optional', expected: 'additive', says: /input/,
    change: (d) => d.schema('CreateRunRequest').required = [] },
  { name: 'a body becomes required', expected: 'wire', says: /createSession/,
    change: (d) => d.operation('createSession').requestBody.required = true },
  { name: 'a body becomes optional', expected: 'additive', says: /createRun/,
    change: (d) => d.operation('createRun').requestBody.required = false },
  { name: 'a body is no longer taken', expected: 'wire', says: /createSession/,
    change: (d) => delete d.operation('createSession').requestBody },
  { name: 'a body has to be smaller', expected: 'wire', says: /createIntegration body/,
    change: (d) => delete d.operation('createIntegration')['x-large-body'] },
  { name: 'a body may be larger', expected: 'additive', says: /createRun body/,
    change: (d) => d.operation('createRun')['x-large-body'] = true },
  { name: 'a body is of another media type', expected: 'wire', says: /updateSession/,
    change: (d) => {
      const body = d.operation('updateSession').requestBody;
      body.content = { 'application/merge-patch+json': body.content['application/json'] };
    } },
  { name: 'a body may be of another media type, too', expected: 'additive', says: /merge-patch/,
    change: (d) => {
      const { content } = d.operation('updateSession').requestBody;
      content['application/merge-patch+json'] = content['application/json'];
    } },
  { name: 'a text has to be shorter', expected: 'wire', says: /instructions/,
    change: (d) => d.property('CreateRunRequest', 'instructions').maxLength = 1000 },
  { name: 'a text may be longer', expected: 'additive', says: /instructions/,
    change: (d) => d.property('CreateRunRequest', 'instructions').maxLength = 100_000 },
  { name: 'a text has to have a length', expected: 'wire', says: /instructions/,
    change: (d) => d.property('CreateRunRequest', 'instructions').minLength = 1 },
  { name: 'a text has to have a pattern', expected: 'wire', says: /instructions/,
    change: (d) => d.property('CreateRunRequest', 'instructions').pattern = '^[a-z]+$' },
  { name: 'a text has to have a format', expected: 'wire', says: /instructions/,
    change: (d) => d.property('CreateRunRequest', 'instructions').format = 'uri' },
  { name: 'a text need not have its format', expected: 'client-code', says: /document_url/,
    change: (d) => delete d.property('CreateIntegrationRequest', 'document_url').format },
  { name: 'a list has to be shorter', expected: 'wire', says: /input/,
    change: (d) => d.property('CreateRunRequest', 'input').maxItems = 8 },
  { name: 'a list may not be empty', expected: 'wire', says: /workspace_ids/,
    change: (d) => d.property('CreateIntegrationRequest', 'workspace_ids').minItems = 1 },
  { name: 'a list may not repeat itself', expected: 'wire', says: /workspace_ids/,
    change: (d) => d.property('CreateIntegrationRequest', 'workspace_ids').uniqueItems = true },
  { name: 'a largest number is lowered in a body', expected: 'wire', says: /max_steps/,
    change: (d) => d.property('CreateRunRequest', 'max_steps').maximum = 100 },
  { name: 'a value is no longer taken', expected: 'wire', says: /interrupt/,
    change: (d) => d.property('CreateRunRequest', 'concurrency').enum = ['enqueue', 'reject'] },
  { name: 'one more value is taken', expected: 'additive', says: /merge/,
    change: (d) => d.property('CreateRunRequest', 'concurrency').enum.push('merge') },
  { name: 'a free text has to be one of a list', expected: 'wire', says: /model/,
    change: (d) => d.property('CreateRunRequest', 'model').enum = ['rehearsal'] },
  { name: 'a constant is another one', expected: 'wire', says: /role/,
    change: (d) => d.schema('InputItem').properties.role = { type: 'string', const: 'person' } },
  { name: 'null is no longer taken', expected: 'wire', says: /CreateGrantRequest.*expires_at/,
    change: (d) => d.schema('CreateGrantRequest').properties.expires_at =
      { type: 'string', format: 'date-time' } },
  { name: 'null is taken, too', expected: 'additive', says: /CreateRunRequest.*model/,
    change: (d) => d.schema('CreateRunRequest').properties.model =
      { oneOf: [d.property('CreateRunRequest', 'model'), { type: 'null' }] } },
  { name: 'a number has to be whole no longer', expected: 'client-code', says: /timeout_s/,
    change: (d) => d.property('CreateRunRequest', 'timeout_s').type = 'number' },
  { name: 'a text has to be a number', expected: 'wire', says: /query/,
    change: (d) => d.property('SearchActionsRequest', 'query').type = 'integer' },
  { name: 'unknown members are no longer taken', expected: 'wire', says: /additionalProperties/,
    change: (d) => d.property('CreateActionInvocationRequest', 'input').additionalProperties
      = false },
  { name: 'members that nothing names are no longer taken', expected: 'wire',
    says: /unevaluatedProperties/,
    change: (d) => d.schema('UpdateSessionRequest').unevaluatedProperties = false },
  { name: 'no item passes', expected: 'wire', says: /input: contains/,
    change: (d) => d.property('CreateRunRequest', 'input').contains = false },
  { name: 'a list may repeat itself, as ever', expected: null,
    change: (d) => d.property('CreateRunRequest', 'input').uniqueItems = false },
  { name: 'unknown members are taken', expected: 'additive', says: /CreateRunRequest/,
    change: (d) => delete d.schema('CreateRunRequest').additionalProperties },
  { name: 'unknown members have to be shorter', expected: 'wire', says: /CreateRun.*metadata/,
    change: (d) => d.property('CreateRunRequest', 'metadata').additionalProperties.maxLength = 9 },
  { name: 'names of members have to be shorter', expected: 'wire', says: /metadata/,
    change: (d) => d.property('CreateRunRequest', 'metadata').propertyNames.maxLength = 9 },
  { name: 'fewer members are taken', expected: 'wire', says: /metadata/,
    change: (d) => d.property('CreateRunRequest', 'metadata').maxProperties = 8 },
  { name: 'fewer members are taken in one use of a component', expected: 'wire',
    says: /CreateRunRequest \/metadata: maxProperties/,
    change: (d) => {
      const { properties } = d.schema('CreateRunRequest');
      properties.metadata = { ...properties.metadata, maxProperties: 1 };
      properties.colour = string();
    } },
  { name: 'fewer members are taken beside null', expected: 'wire', says: /metadata: maxProperties/,
    before: (d) => {
      const { properties } = d.schema('CreateRunRequest');
      properties.metadata = { oneOf: [properties.metadata, { type: 'null' }] };
    },
    change: (d) => d.schema('CreateRunRequest').properties.metadata.maxProperties = 1 },
  { name: 'one of several forms is no longer taken', expected: 'wire', says: /basic/i,
    change: (d) => {
      const { oneOf, discriminator } = d.schema('Credentials');
      d.schema('Credentials').oneOf =
        oneOf.filter(({ $ref }: { $ref: string }) => !$ref.endsWith('/BasicCredentials'));
      delete discriminator.mapping.basic;
    } },
  { name: 'one more form is taken', expected: 'additive', says: /Credentials/,
    change: (d) => {
      d.schema('Credentials').oneOf.push({ type: 'object', required: ['type', 'pem'],
        properties: { type: { const: 'mtls' }, pem: string() } });
    } },
  { name: 'a value names another form', expected: 'wire', says: /basic/,
    change: (d) => delete d.schema('Credentials').discriminator.mapping.basic },
  { name: 'another member names the form', expected: 'wire', says: /Credentials/,
    change: (d) => d.schema('Credentials').discriminator.propertyName = 'kind' },
  { name: 'a further condition', expected: 'wire', says: /CreateRunRequest/,
    change: (d) => d.schema('CreateRunRequest').not = { required: ['wait', 'stream'] } },
  { name: 'one more form is taken, and fewer members', expected: 'wire',
    says: /CreateRunRequest .*maxProperties/,
    change: (d) => {
      const { CreateRunRequest: one, ...schemas } = d.components.schemas;
      d.components.schemas = { ...schemas, RunRequest: one, CreateRunRequest: {
        oneOf: [{ $ref: '#/components/schemas/RunRequest' }, string()], maxProperties: 1,
      } };
    } },
  { name: 'a further condition beside several forms', expected: 'wire', says: /anyOf/,
    change: (d) => d.schema('Credentials').anyOf =
      [{ required: ['type', 'token'] }, { required: ['username'] }] },
  { name: 'a default of a member is another one', expected: 'wire', says: /limit/,
    change: (d) => d.property('SearchActionsRequest', 'limit').default = 7 },
];
