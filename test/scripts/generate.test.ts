/** openapi.yaml → generated/: deterministic, complete, and public only where it says so. */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { operations, type OperationEntry } from '../../generated/operations.ts';
import * as responses from '../../generated/responses.js';
import {
  listOperations, publicDocument, readDocument, type OpenapiDocument,
} from '../../scripts/document.ts';
import { generate } from '../../scripts/generate.ts';

const document = readDocument();

t.test('the same document gives the same files, which are the committed ones', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-generate-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const names = await generate(document, folder);
  t.strictSame(readdirSync(folder).sort(), names.toSorted());
  for (const name of names) {
    const committed = readFileSync(new URL(`../../generated/${name}`, import.meta.url), 'utf8');
    t.ok(readFileSync(join(folder, name), 'utf8') === committed, name);
  }
});

t.test('the public document holds nothing of the operator\'s', async (t) => {
  const before = JSON.stringify(document);
  const open = publicDocument(document);
  t.equal(JSON.stringify(document), before, 'the whole one is left alone');
  t.notMatch(JSON.stringify(open), /x-internal|adminToken|\/admin\/|dashboard(Session|Workspace)/i);
  t.strictSame(open.security, [{ apiKey: [] }]);
  t.strictSame(listOperations(open).map(({ operation_id }) => operation_id),
    listOperations(document).filter(({ node }) => !node['x-internal'])
      .map(({ operation_id }) => operation_id));
  const text = JSON.stringify({ ...open, components: { ...open.components, schemas: {} } })
    + JSON.stringify(open.components.schemas);
  for (const [kind, named] of Object.entries(open.components)) {
    if (kind === 'securitySchemes') continue;
    for (const name of Object.keys(named)) t.match(text, `#/components/${kind}/${name}`, name);
  }
  for (const [, kind, name] of text.matchAll(/#\/components\/(\w+)\/([\w-]+)/g)) {
    if (!open.components[kind!]?.[name!]) t.fail(`${kind}/${name} is used and left out`);
  }
});

t.test('the table says what the document says', async (t) => {
  const listed = listOperations(document);
  t.strictSame(Object.keys(operations), listed.map(({ operation_id }) => operation_id));
  for (const { operation_id, method, path, node } of listed) {
    const entry = operations[operation_id as keyof typeof operations];
    t.match(entry, {
      method: method.toUpperCase(), path, internal: node['x-internal'] === true,
      security: Object.keys((node.security ?? document.security!)[0] ?? {})[0] ?? null,
    }, operation_id);
    t.strictSame(Object.keys(entry.responses), Object.keys(node.responses!), operation_id);
    for (const { json } of Object.values<OperationEntry['responses'][number]>(entry.responses)) {
      if (json !== null) t.type(responses[json as keyof typeof responses], 'function', json);
    }
  }
});

t.test('every example satisfies the validator of its place', async (t) => {
  const examples = Object.values(document.components.examples!) as { value: unknown }[];
  t.ok(examples.some(({ value }) => responses.Run(value)));
  t.ok(examples.some(({ value }) => responses.Session(value)));
  t.notOk(responses.Session({ ...examples[0]!.value as object, status: 'unheard of' }));
});

t.test('what the service could not serve is refused, by name', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-generate-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const broken = (change: (copy: any) => void) => {
    const copy = structuredClone(document) as OpenapiDocument;
    change(copy);
    return generate(copy, folder);
  };
  await t.rejects(broken((copy) => delete copy.paths['/runs'].get.operationId),
    /get \/runs needs an operationId/);
  await t.rejects(broken((copy) => copy.paths['/runs'].get.operationId = 'getRun'),
    /needs an operationId of its own/);
  await t.rejects(broken((copy) => copy.paths['/runs'].get.parameters.push(
    { name: 'ids', in: 'query', schema: { type: 'array' } })), /listRuns has the parameter ids/);
  for (const ways of [[{ basic: [] }], [{ apiKey: [] }], [{ adminToken: [] }, { apiKey: [] }],
    [{ apiKey: [] }, { dashboardSession: [] }]]) {
    await t.rejects(broken((copy) => copy.paths['/runs'].get.security = ways),
      /listRuns must be secured by one of/);
  }
  await t.rejects(broken((copy) =>
    copy.paths['/sessions'].post.requestBody.content = { 'text/plain': {} }),
    /body of createSession must be application\/json/);
  await t.rejects(broken((copy) => delete copy.components.responses.NotFound),
    /nothing is at #\/components\/responses\/NotFound/);
});
