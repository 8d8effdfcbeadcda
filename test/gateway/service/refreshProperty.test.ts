/**
 * However a document changes, step by step: nobody reaches what was denied, hidden or is to be
 * approved, nor what writes and was never granted. SEED says what happens; a failure prints it.
 */
import fc from 'fast-check';
import t from 'tap';
import { isObject, objectOf, type JsonObject } from '../../../src/json.ts';
import { changingDocuments } from './changingDocuments.ts';
import { EvolvingDocument, KINDS, VALUE, type Step } from './evolvingDocument.ts';
import { addIntegration, agent, connectAccount, grantTo, line } from './support.ts';

const SEED = 20_261_123;
const RUNS = 8;
/** A slow machine tries fewer. */
const TIME_LIMIT_MS = 90_000;

const { server, upstream, documents } = await changingDocuments(t);
const { client, sql } = server;

interface Case {
  /** Places of operations: denied, to be approved, hidden. */
  restricted: number[];
  /** Granted one by one; else all are. */
  granted: number[] | null;
  steps: Step[][];
}

const step = fc.record({ kind: fc.constantFrom(...KINDS), a: fc.nat(99), b: fc.nat(99) });
const cases: fc.Arbitrary<Case> = fc.record({
  restricted: fc.uniqueArray(fc.nat(11), { minLength: 3, maxLength: 3 }),
  granted: fc.option(fc.array(fc.nat(11), { minLength: 2, maxLength: 4 }), { freq: 2 }),
  steps: fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 7 }),
});

/** Everything that a schema requires, and parameters of paths. */
function inputFor(schema: unknown): JsonObject {
  const { properties, required } = objectOf(schema);
  const names = Array.isArray(required) ? required as string[] : [];
  return Object.fromEntries(names.map((name) => {
    const one = objectOf(properties)[name];
    return [name, isObject(one) && one.type === 'object' ? inputFor(one) : VALUE];
  }));
}

/** What an agent reaches that calls all that it finds. */
async function reachedIn(slug: string, document: EvolvingDocument): Promise<string[]> {
  const { data } = await client.expect(200, 'listActions',
    { query: { integration: slug, include_schemas: true, limit: 100 } });
  upstream.received.length = 0;
  await agent(client, ...data.map(({ name, input_schema }) => line(name, inputFor(input_schema))));
  return upstream.received.map(({ method, target }) =>
    document.reached(method, target) ?? `${method} ${target}`);
}

let count = 0;
let called = 0;

async function holds({ restricted, granted, steps }: Case): Promise<void> {
  const slug = `p${count += 1}`;
  const document = new EvolvingDocument();
  const [denied, approved, hidden] = restricted.map((at) => document.operations[at]!);
  const keyOf = ({ method, path }: { method: string, path: string }) =>
    `${method.toUpperCase()} ${path}`;
  documents.set(`/${slug}.json`, document.json());
  await addIntegration(server, { slug, kind: 'openapi', base_url: upstream.url,
    document_url: `${upstream.url}/${slug}.json`, egress_allow: upstream.egress_allow,
    new_actions: 'offer', overrides: { [keyOf(hidden!)]: { hidden: true } } });
  await connectAccount(server, slug);
  const rows = await sql<{ source_key: string, name: string }[]>`
    select source_key, name from integration_actions where integration = ${slug}`;
  const nameOf = new Map(rows.map(({ source_key, name }) => [source_key, name]));
  await grantTo(server, 'deny', nameOf.get(keyOf(denied!))!);
  await grantTo(server, 'require_approval', nameOf.get(keyOf(approved!))!);
  const free = document.operations.filter((one) => ![denied, approved, hidden].includes(one));
  const allowed = granted?.map((at) => free[at % free.length]!);
  for (const one of allowed ?? []) await grantTo(server, 'allow', nameOf.get(keyOf(one))!);
  if (!allowed) await grantTo(server, 'allow', `${slug}.*`);
  const restrictions = [denied, approved, hidden].map((one) => one!.thing);
  const writes = new Set(document.operations.filter(({ method }) => method !== 'get')
    .map(({ thing }) => thing));
  const ungranted = new Set(allowed && [...writes].filter((thing) =>
    !allowed.some((one) => one.thing === thing)));
  for (const [at, changes] of [[], ...steps].entries()) {
    document.apply(changes);
    documents.set(`/${slug}.json`, document.json());
    const refreshed = await client.call('refreshIntegration', { path: { slug }, body: {} });
    if (refreshed.status !== 200 && refreshed.status !== 400) {
      throw new Error(`refreshed: ${JSON.stringify(refreshed)}`);
    }
    const reached = await reachedIn(slug, document);
    called += reached.length;
    const wrong = reached.filter((thing) => restrictions.includes(thing)
      || ungranted.has(thing) || thing.includes('/'));
    if (wrong.length > 0) {
      const requests = upstream.received.map(({ method, target }) => `${method} ${target}`);
      throw new Error(`Step ${at} reached ${wrong.join()} by one of ${requests.join()}.`
        + ` Restricted: ${restrictions.join()}. ${JSON.stringify(document.operations)}`);
    }
  }
}

t.test('nothing that was restricted is reached under another name', async (t) => {
  await fc.assert(fc.asyncProperty(cases, holds), {
    seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: TIME_LIMIT_MS, endOnFailure: true });
  t.comment(`${count} documents, ${called} calls`);
  t.ok(called > 20 * count, 'most of it was called');
});
