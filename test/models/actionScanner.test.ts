import fc from 'fast-check';
import t from 'tap';
import { ActionScanner } from '../../src/models/actionScanner.ts';
import { cut } from './support.ts';

t.test('finds the top-level action wherever it stands and however the text is cut', async (t) => {
  const key = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('action', 'input', 'a"b', '\\'))
    .filter((name) => name !== '__proto__');
  const object = fc.dictionary(key, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
  const places = fc.array(fc.nat(300), { maxLength: 20 });
  const space = fc.constantFrom(0, 2);
  fc.assert(fc.property(object, places, space, (value, cuts, indent) => {
    const scanner = new ActionScanner();
    for (const piece of cut(JSON.stringify(value, null, indent), cuts)) scanner.read(piece);
    const { action } = value;
    t.equal(scanner.action, typeof action === 'string' && action !== '' ? action : undefined);
    t.equal(scanner.action_keys, Object.hasOwn(value, 'action') ? 1 : 0);
  }), { numRuns: 500 });
});

t.test('says the name as soon as its last quote is there', async (t) => {
  const scanner = new ActionScanner();
  scanner.read('{"action": "gateway.connections.lis');
  t.equal(scanner.action, undefined);
  scanner.read('t"');
  t.equal(scanner.action, 'gateway.connections.list');
});

t.test('an action further inside, in an array or too long is none', async (t) => {
  const long = `{"action":"${'a'.repeat(201)}"}`;
  for (const text of ['{"input":{"action":"a.b"}}', '["action","a.b"]', '{"x":"action"}', long]) {
    const scanner = new ActionScanner();
    scanner.read(text);
    t.equal(scanner.action, undefined, text.slice(0, 40));
  }
});

t.test('counts a repeated key, and the depth', async (t) => {
  const scanner = new ActionScanner();
  scanner.read('{"action":"a.b","input":{"x":[[]]},"action":"c.d"}');
  t.equal(scanner.action, 'a.b');
  t.equal(scanner.action_keys, 2);
  t.equal(scanner.deepest, 4);
});
