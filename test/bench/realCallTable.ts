/**
 * 55 calls of real documents: what an agent would send, and the request that the document and the
 * service's own documentation ask for. Written before anybody looked at what the product makes of
 * them.
 */
import type { Credentials } from '../../src/gateway/action/credentials.ts';
import type { Override } from '../../src/gateway/openapi/override.ts';
import type { JsonObject } from '../../src/json.ts';

export interface RealCall {
  slug: string;
  operation: string;
  input: JsonObject;
  /** `METHOD host/path?query`, as it is on the wire. */
  to: string;
  type?: string;
  /** A text is compared as it is, anything else as JSON. */
  body?: unknown;
  /** Of a multipart body: name, filename, media type and content, in their order. */
  parts?: [string, string | null, string | null, string][];
  headers?: Record<string, string>;
  /** What the first page answers, and how the second is asked for. */
  page?: { answer: unknown, to?: string, body?: unknown };
  /** Who has to say something that the document does not, and what. */
  needs?: 'own server' | 'several credentials' | 'constants';
}

/** What an operator would say of a document: where it is in its package, and how one signs in. */
export interface RealApi {
  file: string;
  credentials: Credentials;
  overrides?: Record<string, Override>;
  /** Names of hosts that are called besides. */
  other_hosts?: readonly string[];
}

const key = (place: 'header' | 'query', name: string, value: string) =>
  ({ type: 'api_key' as const, in: place, name, value });
const bearer: Credentials = { type: 'bearer', token: 'token-1' };
const signed = { authorization: 'Bearer token-1' };

export const APIS: Record<string, RealApi> = {
  github: { file: 'github', credentials: bearer, other_hosts: ['uploads.github.com'] },
  notion: { file: 'notion', credentials: bearer, overrides: {
    '*': { parameters: { 'header.Notion-Version': '2025-09-03' } },
    'POST /v1/search': { effect: 'read',
      parameters: { 'header.Notion-Version': '2025-09-03' } } } },
  stripe: { file: 'stripe.com', credentials: bearer, other_hosts: ['files.stripe.com'] },
  slack: { file: 'slack.com', credentials: bearer,
    overrides: { '*': { hidden_parameters: ['header.token', 'query.token'] } } },
  plaid: { file: 'plaid.com', credentials: {
    ...key('header', 'PLAID-CLIENT-ID', 'client-1'),
    also: [key('header', 'PLAID-SECRET', 'secret-1'),
      key('header', 'Plaid-Version', '2020-09-14')] } },
  trello: { file: 'trello.com', credentials: {
    ...key('query', 'key', 'key-1'), also: [key('query', 'token', 'token-1')] } },
  twilio: { file: 'twilio.com/api',
    credentials: { type: 'basic', username: 'AC1', password: 'secret' } },
  kubernetes: { file: 'kubernetes.io', credentials: bearer, overrides: {
    'GET /api/v1/namespaces/{namespace}/pods/{name}/proxy/{path}': {
      path_slashes: { path: 'reserved' } } } },
  gitlab: { file: 'gitlab.com', credentials: { type: 'api_key', in: 'header',
    name: 'PRIVATE-TOKEN', value: 'token-1' },
  overrides: { 'gitlab.*': { path_slashes: { '*': 'encoded' } } } },
  pubsub: { file: 'googleapis.com/pubsub', credentials: bearer },
  asana: { file: 'asana.com', credentials: bearer },
  openai: { file: 'openai.com', credentials: bearer },
  box: { file: 'box.com', credentials: bearer, other_hosts: ['upload.box.com'] },
  jira: { file: 'atlassian.com/jira',
    credentials: { type: 'basic', username: 'me@example.com', password: 'secret' },
    overrides: { '*': { parameters: { 'header.X-Atlassian-Token': 'no-check' } } } },
};

const ACCOUNT = `AC${'0'.repeat(32)}`;
const DEPLOYMENT = '/apis/apps/v1/namespaces/{namespace}/deployments/{name}';
const DEPLOYED = 'kubernetes.local/apis/apps/v1/namespaces/shop/deployments/web';
const IN_SHOP = { namespace: 'shop', name: 'web' };
const TWILIO = 'api.twilio.com/2010-04-01/Accounts';
const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const text = (content: string, filename: string, media_type?: string) =>
  ({ text: content, filename, ...(media_type !== undefined && { media_type }) });

export const REAL_CALLS: readonly RealCall[] = [
  // GitHub's own client writes a path into one segment.
  { slug: 'github', operation: 'PUT /repos/{owner}/{repo}/contents/{path}',
    input: { path: { owner: 'octo', repo: 'site', path: 'docs/a guide.md' },
      body: { message: 'Add', content: 'IyBIaQ==' } },
    to: 'PUT api.github.com/repos/octo/site/contents/docs%2Fa%20guide.md',
    type: JSON_TYPE, body: { message: 'Add', content: 'IyBIaQ==' }, headers: signed },
  { slug: 'github', operation: 'GET /repos/{owner}/{repo}/git/ref/{ref}',
    input: { path: { owner: 'octo', repo: 'site', ref: 'heads/feature-a' } },
    to: 'GET api.github.com/repos/octo/site/git/ref/heads%2Ffeature-a' },
  { slug: 'github', operation: 'POST /repos/{owner}/{repo}/releases/{release_id}/assets',
    needs: 'own server',
    input: { path: { owner: 'octo', repo: 'site', release_id: 7 }, query: { name: 'site.zip' },
      body: { base64: 'UEs=' } },
    to: 'POST uploads.github.com/repos/octo/site/releases/7/assets?name=site.zip',
    type: 'application/octet-stream', body: 'PK' },
  { slug: 'github', operation: 'GET /search/issues',
    input: { query: { q: 'repo:octo/site is:open', per_page: 2 } },
    to: 'GET api.github.com/search/issues?q=repo%3Aocto%2Fsite%20is%3Aopen&per_page=2' },
  { slug: 'github', operation: 'POST /markdown/raw', input: { body: '# Hello' },
    to: 'POST api.github.com/markdown/raw', type: 'text/plain', body: '# Hello' },

  { slug: 'stripe', operation: 'POST /v1/customers',
    input: { body: { email: 'a@example.com', address: { city: 'Ulm', line1: 'Gasse 1' },
      metadata: { order: '7' } } },
    to: 'POST api.stripe.com/v1/customers', type: FORM,
    body: 'email=a%40example.com&address%5Bcity%5D=Ulm&address%5Bline1%5D=Gasse%201'
      + '&metadata%5Border%5D=7', headers: signed },
  { slug: 'stripe', operation: 'POST /v1/checkout/sessions',
    input: { body: { mode: 'payment', success_url: 'https://example.com/ok',
      line_items: [{ price: 'price_1', quantity: 2 }] } },
    to: 'POST api.stripe.com/v1/checkout/sessions', type: FORM,
    body: 'mode=payment&success_url=https%3A%2F%2Fexample.com%2Fok'
      + '&line_items%5B0%5D%5Bprice%5D=price_1&line_items%5B0%5D%5Bquantity%5D=2' },
  { slug: 'stripe', operation: 'GET /v1/charges',
    input: { query: { created: { gte: 1700000000 }, expand: ['data.customer'], limit: 2 } },
    to: 'GET api.stripe.com/v1/charges?created%5Bgte%5D=1700000000'
      + '&expand%5B%5D=data.customer&limit=2' },
  { slug: 'stripe', operation: 'GET /v1/customers', input: { query: { limit: 1 } },
    to: 'GET api.stripe.com/v1/customers?limit=1',
    page: { answer: { object: 'list', has_more: true, data: [{ id: 'cus_1' }] },
      to: 'GET api.stripe.com/v1/customers?limit=1&starting_after=cus_1' } },
  { slug: 'stripe', operation: 'POST /v1/files', needs: 'own server',
    input: { body: { purpose: 'dispute_evidence', file: text('%PDF', 'proof.pdf',
      'application/pdf'), file_link_data: { create: true } } },
    to: 'POST files.stripe.com/v1/files', parts: [
      ['file', 'proof.pdf', 'application/pdf', '%PDF'],
      ['file_link_data[create]', null, null, 'true'],
      ['purpose', null, null, 'dispute_evidence']] },

  { slug: 'slack', operation: 'POST /chat.postMessage', needs: 'constants',
    input: { body: { channel: 'C1', text: 'Hi & bye' } },
    to: 'POST slack.com/api/chat.postMessage', type: FORM,
    body: 'channel=C1&text=Hi%20%26%20bye', headers: signed },
  { slug: 'slack', operation: 'GET /users.info', needs: 'constants',
    input: { query: { user: 'U1' } }, to: 'GET slack.com/api/users.info?user=U1', headers: signed },
  { slug: 'slack', operation: 'GET /conversations.list',
    input: { query: { types: 'public_channel,im', limit: 2 } },
    to: 'GET slack.com/api/conversations.list?types=public_channel%2Cim&limit=2',
    page: { answer: { ok: true, channels: [], response_metadata: { next_cursor: 'dGVhbQ==' } },
      to: 'GET slack.com/api/conversations.list?types=public_channel%2Cim&limit=2'
        + '&cursor=dGVhbQ%3D%3D' } },

  ...([['POST /transactions/get',
    { access_token: 'a-1', start_date: '2024-01-01', end_date: '2024-02-01' }],
  ['POST /accounts/balance/get', { access_token: 'a-1' }],
  ['POST /item/remove', { access_token: 'a-1' }]] as const).map(([operation, body]) => ({
    slug: 'plaid', operation, needs: 'several credentials' as const, input: { body },
    to: operation.replace(' /', ' production.plaid.com/'), type: JSON_TYPE, body,
    headers: { 'plaid-client-id': 'client-1', 'plaid-secret': 'secret-1',
      'plaid-version': '2020-09-14' } })),

  { slug: 'trello', operation: 'POST /cards', needs: 'several credentials',
    input: { body: { idList: 'l1', name: 'Buy milk' } },
    to: 'POST trello.com/1/cards?key=key-1&token=token-1', type: JSON_TYPE,
    body: { idList: 'l1', name: 'Buy milk' } },
  { slug: 'trello', operation: 'GET /boards/{idBoard}/lists', needs: 'several credentials',
    input: { path: { idBoard: 'b1' }, query: { filter: 'open' } },
    to: 'GET trello.com/1/boards/b1/lists?filter=open&key=key-1&token=token-1' },
  { slug: 'trello', operation: 'PUT /cards/{idCard}', needs: 'several credentials',
    input: { path: { idCard: 'c1' }, body: { closed: 'true' } },
    to: 'PUT trello.com/1/cards/c1?key=key-1&token=token-1', type: JSON_TYPE,
    body: { closed: 'true' } },

  { slug: 'notion', operation: 'GET /v1/users', needs: 'constants',
    input: { query: { page_size: 2 } }, to: 'GET api.notion.com/v1/users?page_size=2',
    headers: { ...signed, 'notion-version': '2025-09-03' },
    page: { answer: { has_more: true, next_cursor: 'n-2', results: [{ id: 'u' }] },
      to: 'GET api.notion.com/v1/users?page_size=2&start_cursor=n-2' } },
  { slug: 'notion', operation: 'POST /v1/search', needs: 'constants',
    input: { body: { query: 'plan', page_size: 2 } },
    to: 'POST api.notion.com/v1/search', type: JSON_TYPE, body: { query: 'plan', page_size: 2 },
    headers: { 'notion-version': '2025-09-03' },
    page: { answer: { has_more: true, next_cursor: 'n-2', results: [{ id: 'p' }] },
      to: 'POST api.notion.com/v1/search',
      body: { query: 'plan', page_size: 2, start_cursor: 'n-2' } } },
  { slug: 'notion', operation: 'PATCH /v1/pages/{page_id}', needs: 'constants',
    input: { path: { page_id: 'p-1' }, body: { archived: true } },
    to: 'PATCH api.notion.com/v1/pages/p-1', type: JSON_TYPE, body: { archived: true },
    headers: { 'notion-version': '2025-09-03' } },

  { slug: 'twilio', operation: 'POST /2010-04-01/Accounts/{AccountSid}/Messages.json',
    input: { path: { AccountSid: ACCOUNT }, body: { To: '+4915112345', From: '+4915199999',
      Body: 'Hi', MediaUrl: ['https://example.com/a.png', 'https://example.com/b.png'] } },
    to: `POST ${TWILIO}/${ACCOUNT}/Messages.json`, type: FORM,
    body: 'To=%2B4915112345&From=%2B4915199999&Body=Hi&MediaUrl=https%3A%2F%2Fexample.com%2Fa.png'
      + '&MediaUrl=https%3A%2F%2Fexample.com%2Fb.png',
    headers: { authorization: `Basic ${Buffer.from('AC1:secret').toString('base64')}` } },
  { slug: 'twilio', operation: 'GET /2010-04-01/Accounts/{AccountSid}/Calls.json',
    input: { path: { AccountSid: ACCOUNT },
      query: { 'StartTime>': '2024-01-01T00:00:00Z', PageSize: 2 } },
    to: `GET ${TWILIO}/${ACCOUNT}/Calls.json?StartTime%3E=2024-01-01T00%3A00%3A00Z&PageSize=2` },
  { slug: 'twilio', operation: 'GET /2010-04-01/Accounts/{AccountSid}/Messages.json',
    input: { path: { AccountSid: ACCOUNT }, query: { PageSize: 2 } },
    to: `GET ${TWILIO}/${ACCOUNT}/Messages.json?PageSize=2`,
    page: { answer: { messages: [{ sid: 'SM1' }, { sid: 'SM2' }], page: 0, page_size: 2,
      next_page_uri: `/2010-04-01/Accounts/${ACCOUNT}/Messages.json`
        + '?PageSize=2&Page=1&PageToken=PASM2' },
    to: `GET ${TWILIO}/${ACCOUNT}/Messages.json?PageSize=2&Page=1&PageToken=PASM2` } },
  { slug: 'twilio', operation: 'DELETE /2010-04-01/Accounts/{AccountSid}/Recordings/{Sid}.json',
    input: { path: { AccountSid: ACCOUNT, Sid: `RE${'1'.repeat(32)}` } },
    to: `DELETE ${TWILIO}/${ACCOUNT}/Recordings/RE${'1'.repeat(32)}.json` },

  { slug: 'kubernetes', operation: `PATCH ${DEPLOYMENT}`,
    input: { path: IN_SHOP, body: { spec: { replicas: 3 } } }, to: `PATCH ${DEPLOYED}`,
    type: 'application/merge-patch+json', body: { spec: { replicas: 3 } } },
  { slug: 'kubernetes', operation: `PATCH ${DEPLOYMENT}`,
    input: { path: IN_SHOP, content_type: 'application/strategic-merge-patch+json',
      body: { spec: { template: { spec: { containers: [{ name: 'web', image: 'web:2' }] } } } } },
    to: `PATCH ${DEPLOYED}`, type: 'application/strategic-merge-patch+json',
    body: { spec: { template: { spec: { containers: [{ name: 'web', image: 'web:2' }] } } } } },
  { slug: 'kubernetes', operation: `PATCH ${DEPLOYMENT}`,
    input: { path: IN_SHOP, body: [{ op: 'replace', path: '/spec/replicas', value: 3 }] },
    to: `PATCH ${DEPLOYED}`, type: 'application/json-patch+json',
    body: [{ op: 'replace', path: '/spec/replicas', value: 3 }] },
  { slug: 'kubernetes', operation: `PATCH ${DEPLOYMENT}`,
    input: { path: IN_SHOP, query: { fieldManager: 'agent' },
      content_type: 'application/apply-patch+yaml', body: 'kind: Deployment\n' },
    to: `PATCH ${DEPLOYED}?fieldManager=agent`, type: 'application/apply-patch+yaml',
    body: 'kind: Deployment\n' },
  { slug: 'kubernetes', operation: 'POST /api/v1/namespaces/{namespace}/pods',
    input: { path: { namespace: 'shop' },
      body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one' } } },
    to: 'POST kubernetes.local/api/v1/namespaces/shop/pods', type: JSON_TYPE,
    body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one' } } },
  { slug: 'kubernetes', operation: 'GET /api/v1/namespaces/{namespace}/pods',
    input: { path: { namespace: 'shop' }, query: { labelSelector: 'app=web', limit: 2 } },
    to: 'GET kubernetes.local/api/v1/namespaces/shop/pods?labelSelector=app%3Dweb&limit=2',
    page: { answer: { metadata: { continue: 'c-2' }, items: [{}, {}] },
      to: 'GET kubernetes.local/api/v1/namespaces/shop/pods?continue=c-2'
        + '&labelSelector=app%3Dweb&limit=2' } },
  { slug: 'kubernetes', operation: 'GET /api/v1/namespaces/{namespace}/pods/{name}/proxy/{path}',
    input: { path: { namespace: 'shop', name: 'one', path: 'metrics/cpu' } },
    to: 'GET kubernetes.local/api/v1/namespaces/shop/pods/one/proxy/metrics/cpu' },

  { slug: 'gitlab', operation: 'GET /v3/projects/{id}', input: { path: { id: 'group/site' } },
    to: 'GET gitlab.com/api/v3/projects/group%2Fsite', headers: { 'private-token': 'token-1' } },
  { slug: 'gitlab', operation: 'GET /v3/projects/{id}/repository/branches/{branch}',
    input: { path: { id: 'group/site', branch: 'feature/a' } },
    to: 'GET gitlab.com/api/v3/projects/group%2Fsite/repository/branches/feature%2Fa' },
  { slug: 'gitlab', operation: 'GET /v3/projects/{id}/repository/files',
    input: { path: { id: '7' }, query: { file_path: 'lib/class.rb', ref: 'main' } },
    to: 'GET gitlab.com/api/v3/projects/7/repository/files?file_path=lib%2Fclass.rb&ref=main' },
  { slug: 'gitlab', operation: 'POST /v3/projects/{id}/issues',
    input: { path: { id: 'group/site' }, body: { title: 'Broken', labels: 'bug,web' } },
    to: 'POST gitlab.com/api/v3/projects/group%2Fsite/issues', type: FORM,
    body: 'title=Broken&labels=bug%2Cweb' },

  { slug: 'pubsub', operation: 'PUT /v1beta2/{name}',
    input: { path: { name: 'projects/shop/topics/orders' }, body: {} },
    to: 'PUT pubsub.googleapis.com/v1beta2/projects/shop/topics/orders', type: JSON_TYPE,
    body: {}, headers: signed },
  { slug: 'pubsub', operation: 'POST /v1beta2/{topic}:publish',
    input: { path: { topic: 'projects/shop/topics/orders' },
      body: { messages: [{ data: 'YQ==' }] } },
    to: 'POST pubsub.googleapis.com/v1beta2/projects/shop/topics/orders:publish', type: JSON_TYPE,
    body: { messages: [{ data: 'YQ==' }] } },
  { slug: 'pubsub', operation: 'POST /v1beta2/{subscription}:pull',
    input: { path: { subscription: 'projects/shop/subscriptions/mail' }, body: { maxMessages: 1 } },
    to: 'POST pubsub.googleapis.com/v1beta2/projects/shop/subscriptions/mail:pull',
    type: JSON_TYPE, body: { maxMessages: 1 } },
  { slug: 'pubsub', operation: 'GET /v1beta2/{project}/topics',
    input: { path: { project: 'projects/shop' }, query: { pageSize: 1 } },
    to: 'GET pubsub.googleapis.com/v1beta2/projects/shop/topics?pageSize=1',
    page: { answer: { topics: [{ name: 'a' }], nextPageToken: 't-2' },
      to: 'GET pubsub.googleapis.com/v1beta2/projects/shop/topics?pageSize=1&pageToken=t-2' } },

  { slug: 'asana', operation: 'POST /tasks',
    input: { body: { data: { name: 'Call', projects: ['12'] } } },
    to: 'POST app.asana.com/api/1.0/tasks', type: JSON_TYPE,
    body: { data: { name: 'Call', projects: ['12'] } } },
  { slug: 'asana', operation: 'GET /projects', input: { query: { archived: false, team: '9' } },
    to: 'GET app.asana.com/api/1.0/projects?team=9&archived=false' },
  { slug: 'asana', operation: 'GET /tasks',
    input: { query: { project: '12', opt_fields: ['name', 'due_on'], limit: 2 } },
    to: 'GET app.asana.com/api/1.0/tasks?opt_fields=name,due_on&limit=2&project=12',
    page: { answer: { data: [{ gid: '1' }, { gid: '2' }], next_page: { offset: 'eyJ0eXAiOi',
      path: '/tasks?project=12&limit=2&offset=eyJ0eXAiOi',
      uri: 'https://app.asana.com/api/1.0/tasks?project=12&limit=2&offset=eyJ0eXAiOi' } },
    to: 'GET app.asana.com/api/1.0/tasks?opt_fields=name,due_on&limit=2&offset=eyJ0eXAiOi'
      + '&project=12' } },
  { slug: 'asana', operation: 'POST /attachments',
    input: { body: { parent: '1', file: text('a,b', 'list.csv', 'text/csv') } },
    to: 'POST app.asana.com/api/1.0/attachments',
    parts: [['file', 'list.csv', 'text/csv', 'a,b'], ['parent', null, null, '1']] },

  { slug: 'openai', operation: 'GET /models', input: {}, to: 'GET api.openai.com/v1/models' },
  { slug: 'openai', operation: 'POST /files',
    input: { body: { purpose: 'fine-tune', file: text('{}\n', 'train.jsonl') } },
    to: 'POST api.openai.com/v1/files', parts: [
      ['file', 'train.jsonl', 'application/octet-stream', '{}\n'],
      ['purpose', null, null, 'fine-tune']] },
  { slug: 'openai', operation: 'POST /audio/transcriptions',
    input: { body: { model: 'whisper-1', file: text('ID3', 'talk.mp3', 'audio/mpeg'),
      temperature: 0 } },
    to: 'POST api.openai.com/v1/audio/transcriptions', parts: [
      ['file', 'talk.mp3', 'audio/mpeg', 'ID3'], ['model', null, null, 'whisper-1'],
      ['temperature', null, null, '0']] },

  // The attributes must come before the file.
  { slug: 'box', operation: 'POST /files/content', needs: 'own server',
    input: { body: { file: text('hi', 'a.txt', 'text/plain'),
      attributes: { name: 'a.txt', parent: { id: '0' } } } },
    to: 'POST upload.box.com/api/2.0/files/content', parts: [
      ['attributes', null, 'application/json', '{"name":"a.txt","parent":{"id":"0"}}'],
      ['file', 'a.txt', 'text/plain', 'hi']] },
  { slug: 'box', operation: 'PUT /files/{file_id}',
    input: { path: { file_id: '7' }, query: { fields: ['id', 'name'] }, header: { 'if-match': '1' },
      body: { name: 'b.txt' } },
    to: 'PUT api.box.com/2.0/files/7?fields=id,name', type: JSON_TYPE, body: { name: 'b.txt' },
    headers: { 'if-match': '1' } },
  { slug: 'box', operation: 'PUT /files/{file_id}/metadata/global/boxSkillsCards',
    input: { path: { file_id: '7' }, body: [{ op: 'replace', path: '/cards/0', value: {
      type: 'skill_card', skill_card_type: 'keyword', skill: { type: 'service', id: 's' },
      invocation: { type: 'skill_invocation', id: 'i' }, entries: [] } }] },
    to: 'PUT api.box.com/2.0/files/7/metadata/global/boxSkillsCards',
    type: 'application/json-patch+json', body: [{ op: 'replace', path: '/cards/0', value: {
      type: 'skill_card', skill_card_type: 'keyword', skill: { type: 'service', id: 's' },
      invocation: { type: 'skill_invocation', id: 'i' }, entries: [] } }] },
  { slug: 'box', operation: 'GET /folders/{folder_id}/items',
    input: { path: { folder_id: '0' }, query: { usemarker: true, limit: 1 } },
    to: 'GET api.box.com/2.0/folders/0/items?usemarker=true&limit=1',
    page: { answer: { entries: [{ id: '7' }], next_marker: 'm-2', limit: 1 },
      to: 'GET api.box.com/2.0/folders/0/items?usemarker=true&marker=m-2&limit=1' } },

  { slug: 'jira', operation: 'POST /rest/api/3/issue',
    input: { body: { fields: { summary: 'Broken', project: { key: 'WEB' } } } },
    to: 'POST your-domain.atlassian.net/rest/api/3/issue', type: JSON_TYPE,
    body: { fields: { summary: 'Broken', project: { key: 'WEB' } } } },
  { slug: 'jira', operation: 'GET /rest/api/3/search',
    input: { query: { jql: 'project = WEB', fields: ['summary', 'status'], maxResults: 1 } },
    to: 'GET your-domain.atlassian.net/rest/api/3/search?jql=project%20%3D%20WEB&maxResults=1'
      + '&fields=summary&fields=status',
    page: { answer: { startAt: 0, maxResults: 1, total: 3, issues: [{ id: '1' }] },
      to: 'GET your-domain.atlassian.net/rest/api/3/search?jql=project%20%3D%20WEB&startAt=1'
        + '&maxResults=1&fields=summary&fields=status' } },
  { slug: 'jira', operation: 'POST /rest/api/3/issue/{issueIdOrKey}/attachments',
    needs: 'constants', input: { path: { issueIdOrKey: 'WEB-1' },
      body: text('log', 'a.log', 'text/plain') },
    to: 'POST your-domain.atlassian.net/rest/api/3/issue/WEB-1/attachments',
    parts: [['file', 'a.log', 'text/plain', 'log']], headers: { 'x-atlassian-token': 'no-check' } },
];
