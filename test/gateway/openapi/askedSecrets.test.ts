/** Secrets that a document asks of callers. */
import t from 'tap';
import { importOpenapi } from '../../../src/gateway/openapi/openapi.ts';
import type { Override } from '../../../src/gateway/openapi/override.ts';

const key = { name: 'Api-Key', in: 'header', required: true, schema: { type: 'string' } };
const reading = (...parameters: object[]) => ({ get: { parameters, responses: {} } });
const warningsOf = (paths: object, rest: object = {}, overrides: Record<string, Override> = {}) =>
  importOpenapi({ openapi: '3.1.0', info: { title: 'x', version: '1' }, paths, ...rest },
    { slug: 'forum', overrides }).report.warnings.filter((warning) => /secret/.test(warning));

t.test('the operator is told how an account gives them', async (t) => {
  const paths = { '/a': reading(key), '/b': reading(key), '/c': reading() };
  t.same(warningsOf(paths), ['2 of 3 actions want header.Api-Key of whoever calls, which looks like'
    + ' a secret. To have an account give it, connect one with an api key there, and keep it from'
    + " callers: --hide-parameter '*=header.Api-Key'"]);
  t.same(warningsOf(paths, {}, { '*': { hidden_parameters: ['header.Api-Key'] } }), []);
  t.same(warningsOf(paths, {}, { '*': { parameters: { 'header.Api-Key': 'k' } } }), []);
  const securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'Api-Key' } };
  t.same(warningsOf(paths, { components: { securitySchemes } }), [], 'the gateway gives it');
});

t.test('a name that holds an apostrophe stays one word of the command', async (t) => {
  const odd = { name: "token';reboot;'", in: 'query', required: true, schema: {} };
  t.match(warningsOf({ '/a': reading(odd) })[0],
    "--hide-parameter '*=query.token'\\'';reboot;'\\'''");
});

t.test('a header may be optional where the document has no scheme at all', async (t) => {
  const paths = { '/a': reading({ ...key, required: false }) };
  t.match(warningsOf(paths), [/^1 of 1 actions want header.Api-Key/]);
  const securitySchemes = { user: { type: 'http', scheme: 'bearer' } };
  t.same(warningsOf(paths, { components: { securitySchemes } }), []);
});

t.test('what few want, or none has to give, is of another kind', async (t) => {
  const invitation = { name: 'token', in: 'query', required: true, schema: { type: 'string' } };
  const many = Object.fromEntries(Array.from({ length: 4 }, (_, i) => [`/${i}`, reading()]));
  t.same(warningsOf({ ...many, '/accept': reading(invitation) }), []);
  t.same(warningsOf({ '/a': reading({ ...invitation, required: false }) }), []);
  t.same(warningsOf({ '/a/{token}': reading({ ...invitation, in: 'path' }) }), []);
});
