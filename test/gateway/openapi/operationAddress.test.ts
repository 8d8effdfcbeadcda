/** Whether two operations of a document can be called at one address. */
import t from 'tap';
import {
  addressAt, AddressIndex, plainKey, type Surroundings,
} from '../../../src/gateway/openapi/operationAddress.ts';

const base = 'https://api.example.com/v1';

type Where = [source_key: string, rest?: Surroundings];

function meet([one, rest = {}]: Where, [other, others = {}]: Where): boolean {
  const index = new AddressIndex();
  index.add(addressAt(one, { base, ...rest }), 'a');
  return index.reachedAt(addressAt(other, { base, ...others }), 'b') === 'a';
}

t.test('which can be the same', async (t) => {
  const same: [Where, Where][] = [
    [['GET /t/{id}'], ['GET /t/{key}']], [['GET /t/{id}'], ['HEAD /T/{id}/']],
    [['GET /t/{id}'], ['GET /t/mine']], [['GET /t/{id}.json'], ['GET /t/{id}']],
    [['GET /t/{id}'], ['GET /{a}/{b}']], [['GET /t/{id}'], ['GET /{+all}']],
    [['GET /t/{id}/x/y'], ['GET /t/{name=parts/*}']], [['GET /{path+}'], ['GET /t']],
    [['GET /t/x/y'], ['GET /t/{name}', { open: ['name'] }]],
    [['GET /t/x/y/z'], ['GET /t/{name}/last', { open: ['name'] }]],
    [['GET /t'], ['GET /t?for=good']], [['GET /t?a=1'], ['GET /t?b=2']],
    [['GET /t?a=1'], ['GET /t?a={x}']], [['GET /t?a=1'], ['GET /t?a=2&a=1']],
    [['GET /t'], ['GET /x/%2e%2e/t']], [['GET /t%zz'], ['GET /T%zz']], [['GET /'], ['GET /']],
    [['GET /t/{id}'], ['GET /{id}', { own: 'https://api.example.com/v1/t' }]],
    [['GET /t/{id}'], ['GET /{id}', { own: '/v1/t' }]],
    [['PUT /f', { own: 'https://up.example.com' }], ['PUT /f', { own: 'https://up.example.com/' }]],
    // As it is sent, and as a server may read it.
    [['GET /t/{id}'], ['GET /%ff/%2e%2e/t/{id}']],
    [['GET /test/{id}'], ['GET /%ff/../t%65st/{id}']],
    [['GET /t/u'], ['GET /t%252Fu']], [['GET /test/{id}'], ['GET /te\tst/{id}']],
    [['GET /test/{id}'], ['GET /te\u200bst/{id}']], [['GET /t'], ['GET /x/.\n./t']],
    [['GET /t/{id}'], ['GET /t;v=1/{id}']], [['GET /t/{id}'], ['GET /t/{id};v={x}']],
    [['GET /t/{id}'], ['GET /x/..;/t/{id}']],
    [['GET /t/{path}', { open: ['path'] }], ['GET /t/{a}/{b}']],
    // What else the query may say.
    [['POST /t?do=x'], ['POST /t?do=y', { own: '/v1?do=x' }]],
    [['POST /t?do=x'], ['POST /t?do=y', { adds: [['do', '{}']] }]],
    [['POST /t?do=x'], ['POST /t?do=y', { adds: [['do', 'y'], ['do', 'x']] }]],
    [['POST /t?do=x'], ['POST /t?do=y', { adds: [['{}', '{}']] }]],
    [['POST /t?do=x'], ['POST /t', { adds: [['do', 'x']] }]], [['POST /t?do=x'], ['POST /t?Do=X']],
  ];
  for (const [one, other] of same) {
    t.ok(meet(one, other), `${one[0]} and ${other[0]}`);
    t.ok(meet(other, one), `${other[0]} and ${one[0]}`);
  }
});

t.test('which cannot', async (t) => {
  const different: [Where, Where][] = [
    [['GET /t'], ['POST /t']], [['GET /t/{id}'], ['GET /t']], [['GET /t/{id}'], ['GET /u/{id}']],
    [['GET /t/{id}'], ['GET /t/{id}/x']], [['GET /t/{id}.json'], ['GET /t/{id}.xml']],
    [['GET /t/a{id}'], ['GET /t/b{id}']], [['GET /t/{name=parts/*}'], ['GET /u/parts/x']],
    [['GET /t?a=1'], ['GET /t?a=2']], [['GET /t'], ['GET /v1/t']],
    [['PUT /f'], ['PUT /f', { own: 'https://up.example.com/v1' }]],
    [['GET /t/u/{+rest}'], ['GET /t']], [['GET /t%ff'], ['GET /t']],
    [['POST /t?do=x'], ['POST /t?do=y', { adds: [['do', 'y']] }]],
    [['POST /t?do=x'], ['POST /t', { adds: [['do', 'y'], ['do', 'z']] }]],
    [['POST /t?do=x'], ['POST /t?do=y', { adds: [['other', '{}']] }]],
  ];
  for (const [one, other] of different) {
    t.notOk(meet(one, other), `${one[0]} and ${other[0]}`);
    t.notOk(meet(other, one), `${other[0]} and ${one[0]}`);
  }
  const index = new AddressIndex();
  index.add(addressAt('GET /t'), 'a');
  t.equal(index.reachedAt(addressAt('GET /t'), 'a'), undefined, 'itself does not count');
  const tired = new AddressIndex(0);
  tired.add(addressAt('GET /t'), 'a');
  t.equal(tired.reachedAt(addressAt('POST /t'), 'b'), 'a', 'in doubt it can');
});

t.test('what a parameter may hold is seen in a time that grows with the path alone', async (t) => {
  // With each slash tried anew as the one that counts, a path of this length would take hours.
  const long = 1_000_000;
  t.match(addressAt(`GET /{=${'/'.repeat(long)}`), { segments: ['{='], open_at: 1 });
  t.match(addressAt(`GET /{=${'/'.repeat(long)}}`), { segments: ['{}'], open_at: 0 });
  t.match(addressAt(`GET /{a${'+'.repeat(long)}`), { segments: [/^\{a/], open_at: 1 });
  t.equal(addressAt(`GET /${'{'.repeat(long)}`).open_at, 1);
  t.match(addressAt(`GET /${';'.repeat(long)}{+a}`), { segments: [/^;+\{\}$/], open_at: 0 });
  for (const [written, is_open] of [['+a', true], ['a+', true], ['a+*', true], ['a=b/*', true],
    ['a=**', true], ['a=b=/', true], ['a', false], ['a*', false], ['a=*', false], ['a/b', false],
    ['a**', false], ['a+b', false]] as const) {
    t.equal(addressAt(`GET /x/{${written}}`).open_at, is_open ? 1 : 2, written);
  }
});

t.test('a key as it is written in other words', async (t) => {
  t.equal(plainKey('GET /T//./{id}/%78/..'), 'GET /t/{}');
  t.equal(plainKey('GET /t?A={x}#B'), 'GET /t?A={}#B');
});
