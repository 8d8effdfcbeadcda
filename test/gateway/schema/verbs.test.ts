/** What search knows of actions that do one of several things. */
import t from 'tap';
import { verbsOf } from '../../../src/gateway/schema/verbs.ts';
import type { JsonObject } from '../../../src/json.ts';

const ofBody = (body: JsonObject) => verbsOf({ properties: { path: {}, body } });
const type = (...values: unknown[]) => ({ properties: { type: { enum: values } } });

t.test('the values of a field that says what is to be done', async (t) => {
  t.equal(ofBody(type('reboot', 'power_off')), 'reboot, power_off');
  t.equal(verbsOf({ properties: { method: { enum: ['create', 'update'] } } }),
    'create, update', 'of a tool, whose input has no body');
  for (const name of ['action', 'Command', 'state_event']) {
    t.equal(ofBody({ properties: { [name]: { const: 'close' } } }), 'close', name);
  }
});

t.test('of alternatives and references all that there are, each once', async (t) => {
  const $defs = { Rename: { allOf: [{ $ref: '#/$defs/Named' }, type('rename')] },
    Named: { properties: { name: { enum: ['a'] } } },
    Circle: { anyOf: [{ $ref: '#/$defs/Circle' }] } };
  const body = { oneOf: [type('reboot'), { anyOf: [{ $ref: '#/$defs/Rename' }, type('reboot')] },
    { $ref: '#/$defs/Circle' }] };
  t.equal(verbsOf({ $defs, properties: { body } }), 'reboot, rename');
  const either = { oneOf: [{ const: 'on' }, { const: 'off' }] };
  t.equal(ofBody({ properties: { type: either } }), 'on, off');
});

t.test('nothing else', async (t) => {
  t.equal(ofBody({ properties: { status: { enum: ['open'] }, typed: { enum: ['x'] } } }), '');
  t.equal(ofBody(type(1, null, {}, 'x'.repeat(41))), '', 'what is no word');
  t.equal(ofBody({ properties: { nested: type('deep') } }), '', 'of fields within fields');
  for (const odd of [true, null, 'x', [], { properties: [] }, { properties: { type: true } }]) {
    t.equal(ofBody(odd as unknown as JsonObject), '', JSON.stringify(odd));
  }
  t.equal(ofBody(type(...Array.from({ length: 100 }, (_, i) => `v${i}`))).split(', ').length, 40);
});
