/** What servers answer who are asked how they are authorized, where it is not what was meant. */
import { once } from 'node:events';
import { mock } from 'node:test';
import t from 'tap';
import { UpstreamUnreachable } from '../../../src/gateway/egress/unreachable.ts';
import {
  AuthorizationUnsaid, discoverAuthorization,
} from '../../../src/gateway/mcp/authorization.ts';
import { registerAt } from '../../../src/gateway/mcp/registration.ts';

const SERVER = 'https://tools.example/mcp';
const ISSUER = 'https://login.example';
const METADATA = {
  issuer: ISSUER, authorization_endpoint: `${ISSUER}/authorize`, token_endpoint: `${ISSUER}/token`,
  response_types_supported: ['code'], code_challenge_methods_supported: ['S256'],
};
const RESOURCE = { resource: SERVER, authorization_servers: [ISSUER] };

/** Discovers with a fetch that answers so, by `METHOD address`; 404 for all else. */
async function discovered(answers: Record<string, () => Response>) {
  const known: typeof answers = {
    [`GET ${ISSUER}/.well-known/oauth-authorization-server`]: () => Response.json(METADATA),
    [`POST ${SERVER}`]: () => new Response(null, { status: 401 }),
    ...answers,
  };
  return await discoverAuthorization(SERVER, {
    signal: new AbortController().signal,
    fetch: async (input, { method = 'GET' } = {}) =>
      known[`${method} ${String(input)}`]?.() ?? new Response('not here', { status: 404 }),
  });
}

t.test('a page where metadata might be is none', async (t) => {
  const place = 'GET https://tools.example/.well-known/oauth-protected-resource';
  const html = `<!doctype html>${' '.repeat(300_000)}`;
  const page = () => new Response(html, { headers: { 'content-type': 'text/html' } });
  const { issuer } = await discovered({
    [`${place}/mcp`]: page, [place]: () => Response.json(RESOURCE) });
  t.equal(issuer, ISSUER, 'it is asked for at the next place');
  const own = 'https://tools.example';
  t.match(await discovered({ [`${place}/mcp`]: page, [place]: page,
    [`GET ${own}/.well-known/oauth-authorization-server`]: () =>
      Response.json({ ...METADATA, issuer: own }) }),
  { issuer: own }, 'a server that has none is its own authorization server');
  t.match(await discovered({ [place]: () => Response.json(RESOURCE),
    [`GET ${ISSUER}/.well-known/oauth-authorization-server`]: page,
    [`GET ${ISSUER}/.well-known/openid-configuration`]: () => Response.json({ ...METADATA,
      jwks_uri: `${ISSUER}/keys`, subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'] }) }),
  { issuer: ISSUER }, 'nor is it the metadata of an authorization server');
  const asPage = (body: object) => () =>
    new Response(JSON.stringify(body), { headers: { 'content-type': 'text/html' } });
  t.match(await discovered({ [place]: asPage(RESOURCE),
    [`GET ${ISSUER}/.well-known/oauth-authorization-server`]: asPage(METADATA) }),
  { issuer: ISSUER }, 'what calls itself a page and is JSON is none');
});

t.test('a server may call itself with a slash at the end, or without', async (t) => {
  const place = 'GET https://tools.example/.well-known/oauth-protected-resource';
  const own = 'https://tools.example';
  t.match(await discovered({ [`GET ${own}/.well-known/oauth-authorization-server`]: () =>
    Response.json({ ...METADATA, issuer: `${own}/` }) }),
  { issuer: `${own}/` }, 'as those of the official SDKs do that are their own');
  for (const [named, itself] of [[ISSUER, `${ISSUER}/`], [`${ISSUER}/`, ISSUER],
    [`${ISSUER}/tenant`, `${ISSUER}/tenant/`],
    [`${ISSUER}/tenant/`, `${ISSUER}/tenant`]] as const) {
    const { pathname } = new URL(named.replace(/\/$/, ''));
    const path = pathname.replace(/^\/$/, '');
    t.match(await discovered({
      [place]: () => Response.json({ ...RESOURCE, authorization_servers: [named] }),
      [`GET ${ISSUER}/.well-known/oauth-authorization-server${path}`]: () =>
        Response.json({ ...METADATA, issuer: itself }),
    }), { issuer: itself }, `${itself}, where ${named} is named`);
  }
});

t.test('what is null in metadata is not said', async (t) => {
  t.match(await discovered({
    'GET https://tools.example/.well-known/oauth-protected-resource': () =>
      Response.json({ ...RESOURCE, scopes_supported: null, jwks_uri: null }),
    [`GET ${ISSUER}/.well-known/oauth-authorization-server`]: () => Response.json({ ...METADATA,
      registration_endpoint: null, scopes_supported: null, service_documentation: null }),
  }), { issuer: ISSUER, registration_url: null, scopes: [] });
});

t.test('an answer that goes on is given up', async (t) => {
  let given_up = 0;
  const begun = () => new Response(new ReadableStream({ cancel: () => void (given_up += 1) }),
    { headers: { 'content-type': 'text/event-stream' } });
  await discovered({ [`POST ${SERVER}`]: begun,
    'GET https://tools.example/.well-known/oauth-protected-resource': () =>
      Response.json(RESOURCE) });
  t.equal(given_up, 2, 'that to initialize, and that to tools/list');
});

t.test('a client that is not registered is told as that, whatever comes instead', async (t) => {
  const registration_endpoint = `${ISSUER}/register`;
  const found = await discovered({
    'GET https://tools.example/.well-known/oauth-protected-resource': () =>
      Response.json(RESOURCE),
    [`GET ${ISSUER}/.well-known/oauth-authorization-server`]: () =>
      Response.json({ ...METADATA, registration_endpoint }) });
  const register = (fetch: typeof globalThis.fetch) => registerAt(found, {
    redirect_uri: 'https://gatehouse.example/oauth/callback/tools',
    client_uri: 'https://gatehouse.example', scopes: [],
  }, { signal: new AbortController().signal, fetch });
  await t.rejects(register(async () => Response.json({ client: 'no such member' })),
    { message: /answered the registration of a client with something that could not be under/ });
  await t.rejects(register(async () => new Response('x'.repeat(300_000), { status: 400 })),
    { message: /did not register a client \(400\)$/ }, 'however much it says');
  const unreachable = new UpstreamUnreachable('it refuses connections');
  await t.rejects(register(() => Promise.reject(unreachable)),
    { message: /did not register a client: it refuses connections$/ });

  // Servers that keep hashes of secrets take seconds for one on a busy machine.
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  await t.rejects(register(async (_, init) => {
    setImmediate(() => mock.timers.tick(15_000));
    await once(init!.signal!, 'abort');
    throw init!.signal!.reason;
  }), { message: 'has an authorization server that did not register a client in time' });
});

t.test('what is at the address of a server that names none may be for its own pages', async (t) => {
  const own = 'https://tools.example';
  const place = `GET ${own}/.well-known/oauth-authorization-server`;
  const { code_challenge_methods_supported: _, ...without_pkce } = METADATA;
  for (const [answer, said] of [
    [() => Response.json({ ...without_pkce, issuer: own }), /^has the .* it knows PKCE/],
    [() => Response.json({ ...METADATA, issuer: `https://u:p@login.example/${'x'.repeat(1_000)}` }),
      /^has the authorization server https:\S+, which calls itself https:\/\/login\.\S{280,300}$/],
    [() => Response.json({ not: 'metadata' }), /^says nothing .* understood$/],
    [() => new Response('', { status: 500 }), /^says nothing .* understood$/],
  ] as const) {
    const why = await discovered({ [place]: answer }).catch((error: unknown) => error);
    t.ok(why instanceof AuthorizationUnsaid, String(why));
    t.match((why as Error).message, said);
  }
});
