/** Which operation is which after its author has changed what it is called. */
import fc from 'fast-check';
import t from 'tap';
import { identify, type KnownOperation } from '../../../src/gateway/openapi/identity.ts';

const known = (source_key: string, operation_id: string | null = null, removed = false) =>
  ({ source_key, operation_id, removed, name: `n(${source_key})` });
const now = (source_key: string, operation_id?: string) => ({ source_key, operation_id });
/** What each operation is known as; `?`: nobody can say, null: it is new. */
const found = (operations: ReturnType<typeof now>[], all: KnownOperation[]) =>
  identify(operations, all).map((one) => (one.unclear ? '?' : one.known?.source_key ?? null));

t.test('what tells operations apart', async (t) => {
  const rows: [string, ReturnType<typeof now>[], KnownOperation[], (string | null)[]][] = [
    ['a parameter with another name', [now('DELETE /t/{ticket_id}', 'x')],
      [known('DELETE /t/{id}', 'y')], ['DELETE /t/{id}']],
    ['another path with the same id', [now('DELETE /v2/t/{id}', 'x')],
      [known('DELETE /t/{id}', 'x')], ['DELETE /t/{id}']],
    ['another method with the same id', [now('POST /t', 'x')], [known('GET /t', 'x')], ['GET /t']],
    ['another method without id', [now('POST /t')], [known('GET /t')], [null]],
    ['swapped ids change nothing', [now('GET /a', 'y'), now('DELETE /b', 'x')],
      [known('GET /a', 'x'), known('DELETE /b', 'y')], ['GET /a', 'DELETE /b']],
    ['an id taken over while its path stays', [now('POST /a', 'z'), now('POST /b', 'x')],
      [known('POST /a', 'x')], ['POST /a', '?']],
    ['an id that its holder keeps says nothing of another', [now('POST /a', 'x'),
      now('POST /b', 'x')], [known('POST /a', 'x')], ['POST /a', null]],
    ['an id taken over while its path stays, but for a parameter', [now('GET /a/{b}', 'z'),
      now('GET /v2/a', 'x')], [known('GET /a/{c}', 'x')], ['GET /a/{c}', '?']],
    ['two become one', [now('GET /u/{x}')], [known('GET /u/{id}'), known('GET /u/{name}')], ['?']],
    ['the id decides between them', [now('GET /u/{x}', 'b')],
      [known('GET /u/{id}', 'a'), known('GET /u/{name}', 'b')], ['GET /u/{name}']],
    ['what is in use goes before what was', [now('GET /u/{x}')],
      [known('GET /u/{id}', null, true), known('GET /u/{name}')], ['GET /u/{name}']],
    ['one becomes two', [now('DELETE /t/{a}'), now('DELETE /t/{b}')],
      [known('DELETE /t/{id}', 'x')], ['?', '?']],
    ['one becomes two of its id', [now('DELETE /t/1', 'x'), now('DELETE /t/2', 'x')],
      [known('DELETE /t', 'x')], ['?', '?']],
    ['what was removed is known again', [now('DELETE /t/{b}')],
      [known('DELETE /t/{a}', null, true)], ['DELETE /t/{a}']],
    ['one is there twice', [now('GET /t/{a}', 'x'), now('GET /t/{b}', 'y')],
      [known('GET /t/{a}', 'x')], ['GET /t/{a}', '?']],
    ['one is there twice, written otherwise', [now('GET /t', 'x'), now('GET /%54/./', 'y')],
      [known('GET /t', 'x')], ['GET /t', '?']],
    ['a path that is written otherwise', [now('GET //T/', 'y')], [known('GET /t', 'x')],
      ['GET /t']],
    ['what is written otherwise goes before an id', [now('GET /T', 'y')],
      [known('GET /t', 'x'), known('GET /u', 'y')], ['GET /t']],
    ['another query is another operation', [now('GET /?a=1', 'x'), now('GET /?a=2', 'y')],
      [known('GET /?a=1', 'x')], ['GET /?a=1', null]],
    ['what comes back to where it was', [now('GET /t', 'y')],
      [{ ...known('GET /u', 'x'), former_keys: ['GET /t'] }], ['GET /u']],
    ['where one was that goes on elsewhere', [now('GET /t', 'y'), now('GET /u', 'x')],
      [{ ...known('GET /u', 'x'), former_keys: ['GET /t'] }], ['?', 'GET /u']],
    ['where one was that moves on', [now('GET /t', 'y'), now('GET /v', 'x')],
      [{ ...known('GET /u', 'x'), former_keys: ['GET /t'] }], ['?', 'GET /u']],
    ['where two were', [now('GET /t', 'y')], [{ ...known('GET /u'), former_keys: ['GET /t'] },
      { ...known('GET /v'), former_keys: ['GET /T/'] }], ['?']],
    ['an empty id says nothing', [now('GET /b', '')], [known('GET /a', '')], [null]],
  ];
  for (const [says, operations, all, expected] of rows) {
    t.strictSame(found(operations, all), expected, says);
    t.strictSame(found([...operations].reverse(), [...all].reverse()), [...expected].reverse(),
      `${says}, in another order`);
  }
});

t.test('nothing is claimed twice, and what is the same stays the same', async () => {
  const key = fc.tuple(fc.constantFrom('GET', 'DELETE'),
    fc.array(fc.constantFrom('t', 'u', '{a}', '{b}'), { minLength: 1, maxLength: 3 }))
    .map(([method, parts]) => `${method} /${parts.join('/')}`);
  const id = fc.option(fc.constantFrom('x', 'y', 'z'), { nil: undefined });
  const operations = fc.uniqueArray(fc.record({ source_key: key, operation_id: id }),
    { selector: ({ source_key }) => source_key, maxLength: 8 });
  fc.assert(fc.property(operations, operations, (ours, theirs) => {
    const all = theirs.map(({ source_key, operation_id }, at) =>
      known(source_key, operation_id ?? null, at % 3 === 0));
    const identities = identify(ours, all);
    const claimed = identities.flatMap(({ known: one }) => one ?? []);
    return new Set(claimed).size === claimed.length
      && identities.every(({ known: one, unclear }) => one === null || !unclear)
      && ours.every(({ source_key }, at) => !all.some((one) => one.source_key === source_key)
        || identities[at]!.known?.source_key === source_key);
  }));
});
