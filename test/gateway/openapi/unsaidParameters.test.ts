/** What a required parameter is if the caller leaves it out. */
import t from 'tap';
import { InputValidators } from '../../../src/gateway/calls/inputValidators.ts';
import type { Override } from '../../../src/gateway/openapi/override.ts';
import { buildRequest } from '../../../src/gateway/openapi/request.ts';
import { actionOf } from '../egress/support.ts';
import { documentOf } from '../support.ts';

const parameter = (place: string, schema: object) =>
  ({ name: 'id', in: place, required: true, schema });
const sent = (method: string, place: string, schema: object, override: Override = {}) => {
  const action = actionOf(documentOf(place === 'path' ? '/v/{id}' : '/v', method,
    { parameters: [parameter(place, schema)] }), { overrides: { '*': override } });
  const { violations } = new InputValidators().check(action, {});
  const built = buildRequest(action, {});
  return violations.length > 0 || 'violations' in built ? null
    : [built.request.path, built.request.query].filter(Boolean).join('?');
};

t.test('a default or the only value is sent', async (t) => {
  for (const schema of [{ default: 'main' }, { const: 'main' }, { enum: ['main'] },
    { enum: ['main', 'other'], default: 'main' }]) {
    t.equal(sent('get', 'path', schema), '/v/main', JSON.stringify(schema));
    t.equal(sent('delete', 'query', schema), '/v?id=main', JSON.stringify(schema));
  }
  t.equal(sent('get', 'path', { enum: ['main', 'other'] }), null);
});

t.test('a default does not say what is changed: the path of what writes is given', async (t) => {
  for (const method of ['delete', 'post', 'put', 'patch']) {
    t.equal(sent(method, 'path', { default: 'main' }), null, method);
    t.equal(sent(method, 'path', { enum: ['main', 'other'], default: 'main' }), null);
    for (const schema of [{ const: 'main' }, { enum: ['main'] }, { enum: ['main'], default: 'x' },
      { const: 'main', default: 'x' }]) {
      t.equal(sent(method, 'path', schema), '/v/main', JSON.stringify(schema));
    }
  }
  t.equal(sent('post', 'path', { default: 'main' }, { effect: 'read' }), '/v/main');
  t.equal(sent('get', 'path', { default: 'main' }, { effect: 'write' }), null);
});
