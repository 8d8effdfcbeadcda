/** The catalogue of errors is one: in the code, in the document and on the page for people. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { operations } from '../generated/operations.ts';
import { ROOT, readDocument, resolveReference } from '../scripts/document.ts';
import { GatehouseError, notFound, STATUS_OF_CODE } from '../src/errors.ts';
import { fencesOf, tableOf } from './support/markdown.ts';
import { filesBelow, read } from './support/sourceTree.ts';

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

/** A drawing of docs/architecture.md that has this step: the codes that it says are answered. */
function codesDrawnWith(step: string): { code: string; status: number }[] {
  const drawing = fencesOf('docs/architecture.md')
    .find(({ language, text }) => language === 'mermaid' && text.includes(step));
  return [...drawing?.text.matchAll(/\b(\d{3}) ([a-z]\w+)/g) ?? []]
    .map(([, status, code]) => ({ status: Number(status), code: code! }));
}

const drawn = {
  request: codesDrawnWith('([a request])'), call: codesDrawnWith('([a call])'),
};

t.test('the drawings of the architecture say what is answered', async (t) => {
  t.ok(drawn.request.length > 15 && drawn.call.length > 15, 'both are found');
  t.strictSame([...drawn.request, ...drawn.call]
    .filter(({ code, status }) => STATUSES[code] !== status), []);
});

t.test('each code that HTTP refuses a request with is in the drawing of a request', async (t) => {
  const codes = filesBelow('src/http').flatMap((path) =>
    [...read(path).matchAll(/GatehouseError\(\s*'(\w+)'/g)].map(([, code]) => code!));
  const called = filesBelow('src/http').some((path) => /\bmethodNotAllowed\(/.test(read(path)));
  const refused = new Set([...codes, ...(called ? ['method_not_allowed'] : [])]);
  t.strictSame([...new Set(drawn.request.map(({ code }) => code))].sort(), [...refused].sort());
});

t.test('each code that a call may end with is in the drawing of a call', async (t) => {
  const { Missing, ActionError } = codesOf('src/gateway/action/outcome.ts');
  t.ok(Missing!.length > 9 && ActionError!.length > 7, 'they are found');
  const ofCalls = [...Missing!, ...ActionError!].filter((code) => code in STATUSES);
  const told = new Set(drawn.call.map(({ code }) => code));
  t.strictSame(ofCalls.filter((code) => !told.has(code)), []);
  const drawing = read('docs/architecture.md');
  t.strictSame(ActionError!.filter((code) => !(code in STATUSES) && !drawing.includes(`${code}:`)),
    [], 'those that agents alone are told have no status');
  const around = ['storage_full', 'invalid_api_key', 'unavailable'];
  t.strictSame([...told].filter((code) => !ofCalls.includes(code)).sort(), around.sort());
});

/** By the name of a type or interface of a file the texts that its `code` may be. */
function codesOf(path: string): Record<string, string[]> {
  return Object.fromEntries(read(path).split(/^export (?:type|interface) /m).map((part) =>
    [/^\w+/.exec(part)?.[0] ?? '', [...part.matchAll(/\bcode: ((?:\s*\|?\s*'\w+')+)/g)]
      .flatMap(([, texts]) => [...texts!.matchAll(/\w+/g)].map(([code]) => code))]));
}

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
