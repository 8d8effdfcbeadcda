/** Accounts of APIs that want several credentials together, and passwords that are empty. */
import t from 'tap';
import type { Schemas } from '../support/client.ts';
import { petDocument, petIntegration, send, startPetStore } from '../support/petStore.ts';
import { testServer } from '../support/server.ts';

const server = await testServer(t);
const { client, workspace_id } = server;
const store = await startPetStore(t);

const key = (place: string, name: string) => ({ type: 'apiKey', in: place, name });
/** As Datadog has it: two keys for most of what there is, one for the rest, or an account. */
const SCHEMES = {
  apiKey: key('header', 'DD-API-KEY'), appKey: key('header', 'DD-APPLICATION-KEY'),
  account: { type: 'oauth2', flows: { clientCredentials: {
    tokenUrl: 'https://auth.example/token', scopes: {} } } },
};
const API_KEY = 'the-api-key-of-metrics';
const APP_KEY = 'the-application-key-of-metrics';
let slugs = 0;

/** Adds an integration with these schemes; `security` holds for all operations but one. */
async function declaring(
  schemes: object, security: object[], ofList?: object[]): Promise<Schemas['Integration']> {
  const document = petDocument();
  if (ofList) Object.assign(document.paths['/pets']!.get!, { security: ofList });
  return await client.expect(201, 'createIntegration', { body: petIntegration(store, {
    slug: `several_${++slugs}`,
    document: { ...document, security, components: { securitySchemes: schemes } } }) });
}

const bodyOf = (integration: { slug: string }, credentials: object) => ({ body: {
  workspace_id, integration: integration.slug, name: integration.slug,
  credentials: credentials as Schemas['Credentials'] } });
const connect = (integration: { slug: string }, credentials: object) =>
  client.expect(201, 'createConnection', bodyOf(integration, credentials));
const refused = (integration: { slug: string }, credentials: object) =>
  client.expect(400, 'createConnection', bodyOf(integration, credentials));

/** What a call of the integration sends. */
async function sentBy({ slug }: { slug: string }, connection_id: string) {
  await client.expect(201, 'createActionInvocation',
    { body: { action: `${slug}.pets.list`, connection_id } });
  return store.visits.at(-1)!;
}

t.test('two keys together: asked for, sent, and taken out of answers', async (t) => {
  const integration = await declaring(SCHEMES,
    [{ apiKey: [], appKey: [] }, { account: [] }], [{ apiKey: [] }]);
  t.strictSame(integration.report.security_alternatives, [
    { schemes: ['apiKey', 'appKey'], actions: 3 }, { schemes: ['account'], actions: 3 },
    { schemes: ['apiKey'], actions: 1 }]);
  const one = { type: 'api_key', scheme: 'apiKey', value: API_KEY };
  t.match(await refused(integration, one), { code: 'invalid_request', param: '/credentials/also',
    error: /^Give also: 3 actions of several_1 need appKey \(header DD-APPLICATION-KEY\) / });
  const made = await connect(integration,
    { ...one, also: [{ scheme: 'appKey', value: APP_KEY }] });
  t.match(made, { auth_type: 'api_key', status: 'connected', settings: { in: 'header',
    name: 'DD-API-KEY', also: [{ in: 'header', name: 'DD-APPLICATION-KEY' }] } });
  t.notMatch(JSON.stringify(made), /of-metrics/);
  t.match((await sentBy(integration, made.id)).headers,
    { 'dd-api-key': API_KEY, 'dd-application-key': APP_KEY });

  store.answer = ({ headers }, response) => send(response, { pets: headers });
  const { result } = await client.expect(201, 'createActionInvocation',
    { body: { action: 'several_1.pets.list', connection_id: made.id } });
  t.match(result, { pets: { 'dd-api-key': '[secret]', 'dd-application-key': '[secret]' } });
  store.answer = null;

  const { id } = await connect(integration, { ...one, also: [] });
  t.notOk('dd-application-key' in (await sentBy(integration, id)).headers,
    'an empty list says that the document is wrong');
  t.equal((await connect(integration, { type: 'oauth2', client_id: 'c' })).status, 'connected',
    'another alternative needs no key');
});

t.test('who is not connected is told all that it takes', async (t) => {
  const integration = await declaring(SCHEMES, [{ apiKey: [], appKey: [] }]);
  const { details } = await client.expect(409, 'createActionInvocation',
    { body: { action: `${integration.slug}.pets.list` } });
  t.match(details, { missing: [{ code: 'not_connected', needed_together: [
    { scheme: 'apiKey', type: 'api_key', in: 'header', name: 'DD-API-KEY' },
    { scheme: 'appKey', type: 'api_key', in: 'header', name: 'DD-APPLICATION-KEY' }],
  message: / together: apiKey \(header DD-API-KEY\), appKey \(header DD-APPLICATION-KEY\)\.$/ }] });
});

t.test('keys beside a token, in a query and a cookie', async (t) => {
  const integration = await declaring({ token: { type: 'http', scheme: 'bearer' },
    developer: key('query', 'dev'), device: key('cookie', 'device') },
  [{ token: [], developer: [], device: [] }]);
  const token = { type: 'bearer', token: 'a-token-of-pets' };
  const also = [{ scheme: 'developer', value: 'a b' }, { in: 'cookie', name: 'device',
    value: 'd' }];
  const { id } = await connect(integration, { ...token, also });
  t.match(await sentBy(integration, id), { target: '/pets?dev=a%20b', headers: {
    authorization: 'Bearer a-token-of-pets', cookie: 'device=d' } });
  t.match(await refused(integration, token), { error: /developer \(query dev\), device / });
  t.match(await refused(integration, { ...token, also: [also[0], also[0]] }),
    { param: '/credentials/also', error: /^Two keys go to the same place \(query dev\)/ });
  t.match(await refused(integration, { ...token, also: [{ scheme: 'token', value: 'x' }] }),
    { param: '/credentials/also/0/scheme', error: /It declares: developer, device\.$/ });
  t.match(await refused(integration, { ...token, also: [{ value: 'x' }] }),
    { param: '/credentials/also/0/scheme',
      error: /several api keys: developer \(query dev\), device \(cookie device\)\.$/ });
});

t.test('of several keys the one that suffices alone', async (t) => {
  const integration = await declaring({ key: key('header', 'X-Key'), otp: key('header', 'X-Otp'),
    basic: { type: 'http', scheme: 'basic' } }, [{ key: [] }, { basic: [], otp: [] }]);
  t.match(await connect(integration, { type: 'api_key', value: 'k' }),
    { settings: { in: 'header', name: 'X-Key' } });
});

t.test('a key as the user name, with an empty password', async (t) => {
  const integration = await declaring({ basic: { type: 'http', scheme: 'basic' } },
    [{ basic: [] }]);
  const { id } = await connect(integration,
    { type: 'basic', username: 'sk_live_of_pets', password: '' });
  store.answer = ({ headers }, response) =>
    send(response, { pets: [headers.authorization, 'sk_live_of_pets'] });
  const { result } = await client.expect(201, 'createActionInvocation',
    { body: { action: `${integration.slug}.pets.list`, connection_id: id } });
  t.equal(store.visits.at(-1)!.headers.authorization,
    `Basic ${Buffer.from('sk_live_of_pets:').toString('base64')}`);
  t.match(result, { pets: ['Basic [secret]', '[secret]'] });
  store.answer = null;
});
