/** An integration of our own making: a small API, its document, and accounts of it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Test } from 'tap';
import type { Client, Schemas } from './client.ts';
import { listen } from './listen.ts';

/** What the pet store was asked. */
export interface Visit {
  method: string;
  /** Path and query. */
  target: string;
  headers: IncomingMessage['headers'];
}

export interface PetStore {
  url: string;
  /** What lets the service reach it, for it is at no public address. */
  egress_allow: string[];
  visits: Visit[];
  /** Answers in its place, until it is null again. */
  answer: ((visit: Visit, response: ServerResponse) => void) | null;
  /** Told the body of each request, byte for byte (latin1). */
  onBody: (body: string) => void;
  /** What `/openapi.json` answers. */
  document: object | string;
}

type Document = ReturnType<typeof petDocument>;

/** Two actions that read, and two that do not: pets.pets.list, .get, .create and .delete. */
export function petDocument(title = 'Pet store') {
  const ok = { 200: { description: 'ok', content: { 'application/json': { schema: {} } } } };
  const pet_id = { name: 'pet_id', in: 'path', required: true, schema: { type: 'string' } };
  return {
    openapi: '3.1.0',
    info: { title, version: '1' },
    paths: {
      '/pets': {
        get: { operationId: 'listPets', summary: 'List pets', responses: ok },
        post: {
          operationId: 'createPet', summary: 'Add a pet', responses: ok,
          requestBody: { required: true, content: { 'application/json': { schema: {
            type: 'object', required: ['name'], properties: { name: { type: 'string' } } } } } },
        },
      },
      '/pets/{pet_id}': {
        get: { operationId: 'getPet', summary: 'Get a pet', parameters: [pet_id], responses: ok },
        delete: {
          operationId: 'deletePet', summary: 'Remove a pet', parameters: [pet_id], responses: ok },
      },
    } as Record<string, Record<string, object>>,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  };
}

/** The document with other paths. */
export function withPaths(
  change: (paths: Document['paths']) => void, document = petDocument()): Document {
  const changed = structuredClone(document);
  change(changed.paths);
  return changed;
}

/** Starts a pet store on a free port; it is gone at teardown. */
export async function startPetStore(t: Pick<Test, 'teardown'>): Promise<PetStore> {
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const visit = { method, target: url, headers };
    let body = '';
    request.setEncoding('latin1').on('data', (text: string) => body += text)
      .on('end', () => store.onBody(body));
    store.visits.push(visit);
    if (store.answer) return store.answer(visit, response);
    if (url === '/openapi.json') return send(response, store.document);
    send(response, { pets: [{ name: 'Rex' }] });
  });
  const port = await listen(t, server);
  const store: PetStore = {
    url: `http://127.0.0.1:${port}`, egress_allow: [`127.0.0.1/32:${port}`], visits: [],
    answer: null, onBody: () => {}, document: petDocument(),
  };
  return store;
}

/** Answers as an API does: an object as JSON, text as it is. */
export function send(response: ServerResponse, body: object | string, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' })
    .end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The body of createIntegration for a pet store. */
export function petIntegration(
  store: PetStore, changes: Partial<Schemas['CreateIntegrationRequest']> = {},
): Schemas['CreateIntegrationRequest'] {
  return {
    slug: 'pets', kind: 'openapi', base_url: store.url, egress_allow: store.egress_allow,
    ...('document_url' in changes ? {} : { document: JSON.stringify(petDocument()) }), ...changes,
  };
}

/** Connects an account, with a bearer token unless told otherwise. */
export async function connectPets(
  client: Client, workspace_id: string,
  changes: Partial<Schemas['CreateConnectionRequest']> = {}): Promise<Schemas['Connection']> {
  return await client.expect(201, 'createConnection', { body: {
    workspace_id, integration: 'pets', name: 'pets',
    credentials: { type: 'bearer', token: 'a-token-of-the-pet-store' }, ...changes } });
}
