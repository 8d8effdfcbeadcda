/**
 * A node with 31 real documents of about 10,000 actions: what its start takes to the first call,
 * and its memory after searches, descriptions and calls over all of them. A node on an empty
 * database does the same with the actions that are built in. The third is what a start was before
 * definitions were stored, and is once after an upgrade: it imports all documents.
 *
 * Usage: node test/bench/definitions.ts
 */
import { readFileSync } from 'node:fs';
import { createFirstCredentials } from '../../src/accounts/accounts.ts';
import { BUILTIN_SLUGS } from '../../src/gateway/gateway.ts';
import { connect, type Sql } from '../../src/store/database.ts';
import { json, serve, type TestUpstream } from '../gateway/egress/support.ts';
import { Client } from '../support/client.ts';
import { column, runBench, type Bench } from './bench.ts';
import { GUESSED_DOCUMENTS } from './nameGuesses.ts';
import { ask, endProcess, nextMessage, startProcess } from './processes.ts';
import { realDocuments } from './realDocuments.ts';

const DIRECTORY: Record<string, string> = {
  ...GUESSED_DOCUMENTS, bitbucket: 'bitbucket.org', circleci: 'circleci.com',
  docusign: 'docusign.net', linode: 'linode.com', mailchimp: 'mailchimp.com',
  vercel: 'vercel.com', okta: 'okta.local', compute: 'googleapis.com/compute',
};
const DESCRIBED = 20;
const CALLED = 10;

interface Usage { cpu_ms: number; rss_mb: number; heap_mb: number }
type Credentials = Awaited<ReturnType<typeof createFirstCredentials>>;
interface Node { client: Client; ready_ms: number; usage(): Promise<Usage>; stop(): Promise<void> }
interface Measured { ready_ms: number; first_ms: number; cpu_ms: number; rss_mb: number }

await runBench(async (bench) => {
  const documents = await realDocuments(DIRECTORY);
  const slugs = [...documents.keys()];
  const upstream = await serve(bench, (request, response) => {
    const file = documents.get(request.target.slice(1));
    if (file === undefined) json(response, { ok: true });
    else response.end(readFileSync(file));
  });
  const [empty, full] = [await place(bench, 'without'), await place(bench, 'with_documents')];
  await fill(bench, full, slugs, upstream);
  const [{ count, bytes }] = await full.sql<[{ count: number, bytes: number }]>`
    select count(*)::int, sum(length(definition))::int as bytes from operation_definitions`;
  bench.say(`${documents.size} documents, ${count} actions, their definitions`
    + ` ${Math.round(bytes / 1_048_576)} MB`);
  bench.say('                       ready ms  first call ms  CPU ms   RSS MB');
  const without = await measure(bench, 'no integrations', empty, BUILTIN_SLUGS);
  const stored = await measure(bench, 'stored', full, slugs);
  await full.sql`delete from operation_definitions`;
  const made = await measure(bench, 'imported', full, slugs);
  bench.figure({ name: 'CPU to the first call, stored to imported', unit: '×',
    value: stored.cpu_ms / made.cpu_ms, at_most: 0.2 });
  bench.figure({ name: 'the same, above a node without integrations', unit: 'ms',
    value: stored.cpu_ms - without.cpu_ms });
  bench.figure({ name: 'memory above a node without integrations', unit: 'kB',
    value: (stored.rss_mb - without.rss_mb) * 1_024, at_most: 300 * 1_024 });
  bench.figure({ name: 'memory, to a node without integrations', unit: '×',
    value: stored.rss_mb / without.rss_mb });
});

interface Place { url: string; sql: Sql; credentials: Credentials }

async function place(bench: Bench, name: string): Promise<Place> {
  const url = await bench.database(name);
  const sql = connect(url, { max: 1 });
  bench.teardown(() => sql.end());
  return { url, sql, credentials: await createFirstCredentials(sql) };
}

async function start(bench: Bench, { url, credentials }: Place): Promise<Node> {
  const start_ms = performance.now();
  const child = startProcess(bench, new URL('definitionsTarget.ts', import.meta.url), [url]);
  const base_url = await nextMessage<string>(child);
  const ready_ms = performance.now() - start_ms;
  return {
    client: new Client({ base_url, ...credentials }), ready_ms,
    usage: () => ask<Usage>(child, 'usage'), stop: () => endProcess(child),
  };
}

/** All documents as integrations, each connected to an upstream that answers anything. */
async function fill(
  bench: Bench, at: Place, slugs: readonly string[], upstream: TestUpstream): Promise<void> {
  const { client, stop } = await start(bench, at);
  const { url: base_url, egress_allow } = upstream;
  for (const slug of slugs) {
    await client.expect(201, 'createIntegration', { body: {
      slug, kind: 'openapi', document_url: `${base_url}/${slug}`, base_url, egress_allow,
      // Else the document of which all is signed as AWS does would be refused.
      overrides: { '*': { signed_elsewhere: true } } } });
  }
  await at.sql`
    insert into connections (workspace_id, id, integration, name, status)
    select ${at.credentials.workspace_id}, 'con_' || slug, slug, slug, 'connected'
    from unnest(${[...slugs]}::text[]) slug`;
  await stop();
}

async function measure(
  bench: Bench, name: string, at: Place, slugs: readonly string[]): Promise<Measured> {
  const { client, ready_ms, usage, stop } = await start(bench, at);
  const invoke = (action: string, input: object) =>
    client.call('createActionInvocation', { body: { action, input } });
  const start_ms = performance.now();
  await invoke('gateway.actions.search', { query: 'list the open issues of a repository' });
  const first_ms = performance.now() - start_ms;
  const { cpu_ms } = await usage();
  for (const slug of slugs) {
    const { data } = await client.expect(200, 'listActions',
      { query: { integration: slug, limit: 100 } });
    await client.expect(200, 'searchActions', { body: { query: `list ${slug}`, limit: 10 } });
    for (const action of spread(data, DESCRIBED)) {
      await invoke('gateway.actions.describe', { name: action.name, output: true });
    }
    // Many lack something; their inputs are checked all the same.
    for (const action of spread(data.filter(({ read_only }) => read_only), CALLED)) {
      await invoke(action.name, {});
    }
  }
  const { rss_mb, heap_mb } = await usage();
  await stop();
  bench.say(`  ${name.padEnd(18)}${column(ready_ms, 0, 11)}${column(first_ms, 0, 15)}`
    + `${column(cpu_ms, 0, 8)}${column(rss_mb, 0)}   (heap ${Math.round(heap_mb)})`);
  return { ready_ms, first_ms, cpu_ms, rss_mb };
}

function spread<T>(all: readonly T[], count: number): T[] {
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, nth) => nth % step === 0).slice(0, count);
}
