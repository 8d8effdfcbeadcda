/** The catalogue of errors is one: in the code, in the document and on the page for people. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { operations } from '../generated/operations.ts';
import { ROOT, readDocument, resolveReference } from '../scripts/document.ts';
import { GatehouseError, notFound, STATUS_OF_CODE } from '../src/errors.ts';
import { tableOf } from './support/markdown.ts';

const document = readDocument();
const STATUSES: Record<string, number> = STATUS_OF_CODE;
/** Statuses that no operation can declare: there is no operation yet. */
const BEFORE_ANY_OPERATION = [405];

t.test('openapi.yaml names the same codes', async (t) => {
  t.strictSame(document.components.schemas.ErrorCode!['x-extensible-enum'], Object.keys(STATUSES));
});

t.test('docs/errors.md names the same codes with the same statuses', async (t) => {
  const page = readFileSync(new URL('docs/errors.md', ROOT), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\d{3}) \| (.+) \| (.+) \|$/gm)];
  t.strictSame(
    Object.fromEntries(rows.map(([, code, status]) => [code!, Number(status)])), STATUSES);
  t.equal(rows.length, Object.keys(STATUSES).length, 'each once');
  const ofRequests = page.slice(0, page.indexOf('\n| code of a run |'));
  t.equal([...ofRequests.matchAll(/^\| `/gm)].length, rows.length,
    'every row has all four columns');
});

t.test('docs/errors.md names the codes that a run may end with', async (t) => {
  const told = tableOf('docs/errors.md', ['code of a run', 'what it means', 'what to do']);
  const { properties } = document.components.schemas.RunError as unknown as
    { properties: { code: { 'x-extensible-enum': string[] } } };
  t.strictSame(told.map((row) => row['code of a run']!.replaceAll('`', '')),
    properties.code['x-extensible-enum']);
});

t.test('every status is one that some operation declares', async (t) => {
  const declared = new Set(Object.values(operations)
    .flatMap(({ responses }) => Object.keys(responses).map(Number)));
  const errors = [...declared].filter((status) => status >= 400);
  t.strictSame(new Set([...errors, ...BEFORE_ANY_OPERATION]), new Set(Object.values(STATUSES)));
});

t.test('examples of errors show a code with its status', async (t) => {
  let examples = 0;
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, node] of Object.entries(item)) {
      const { responses } = node as { responses?: Record<string, { $ref?: string }> };
      for (const [status, response] of Object.entries(responses ?? {})) {
        for (const code of exampleCodes(response)) {
          t.equal(String(STATUSES[code]), status, `${method} ${path} ${status} ${code}`);
          examples++;
        }
      }
    }
  }
  t.ok(examples > 100);
});

function exampleCodes(node: { $ref?: string }): string[] {
  const { content } = resolveReference(document, node) as
    { content?: Record<string, { examples?: Record<string, { $ref?: string }> }> };
  const examples = Object.values(content?.['application/json']?.examples ?? {})
    .map((example) => resolveReference(document, example) as { value?: { code?: string } });
  return examples.flatMap(({ value }) => value?.code ?? []);
}

t.test('an error carries what the response needs', async (t) => {
  const cause = new Error('for the log');
  const error = new GatehouseError('rate_limited', 'Too many.',
    { param: 'limit', details: { open: 3 }, retry_after_s: 2, headers: { Allow: 'GET' }, cause });
  t.match(error, { code: 'rate_limited', message: 'Too many.', param: 'limit',
    details: { open: 3 }, retry_after_s: 2, headers: { Allow: 'GET' }, cause });
  t.match(notFound('run', 'a"b'),
    { code: 'not_found', param: null, message: /^No run has the id "a\\"b"/ });
});
