/** Keys, errors and the document: what is let in, and what is said of what is not. */
import type { PublicId } from '../../../src/contract/calls.ts';
import type { Answered, Asked, Defect } from './defect.ts';

function lets(
  name: string, does: string, topics: Defect['topics'], request: (asked: Asked) => void): Defect {
  return { name, does, topics, request };
}

function says(
  name: string, does: string, topics: Defect['topics'],
  change: (answered: Answered, asked: Asked) => void): Defect {
  return { name, does, topics, answer: change };
}

/** Changes errors of one code. */
function error(
  name: string, code: string, does: string, topics: Defect['topics'],
  change: (body: any, answered: Answered) => void): Defect {
  return says(`errors.${name}`, does, topics, (answered) => {
    if (answered.body?.code === code) change(answered.body, answered);
  });
}

/** The defect needs a key that counts: the proxy is told one when it starts. */
const opens = (name: string, does: string, isMeant: (asked: Asked) => boolean): Defect => {
  return { name: `auth.${name}`, does, topics: ['auth'], request(asked, { memory }) {
    const { authorization } = asked.headers;
    if (authorization?.startsWith('Bearer ') && !memory.has('key')) {
      memory.set('key', authorization);
    }
    if (isMeant(asked)) asked.headers.authorization = memory.get('key') ?? '';
  } };
};

const AUTH: Defect[] = [
  opens('no_key_needed', 'answers without a key', ({ headers }) => !headers.authorization),
  ...(['listRuns', 'createRun', 'getOpenapiDocument', 'getActionInvocation'] as PublicId[])
    .map((one) => opens(`no_key_needed_by_${one}`, `answers ${one} without a key`,
      ({ id, headers }) => id === one && !headers.authorization)),
  opens('wrong_key_taken', 'takes keys whose last letter is another',
    ({ headers }) => headers.authorization?.startsWith('Bearer gth_') ?? false),
  opens('key_in_address', 'takes a key in the address', ({ query }) => {
    const given = query.has('api_key') || query.has('access_token');
    query.delete('api_key');
    query.delete('access_token');
    return given;
  }),
  opens('basic_taken', 'takes a key as Basic',
    ({ headers }) => /^Basic /.test(headers.authorization ?? '')),
  opens('bare_key_taken', 'takes a key without a scheme',
    ({ headers }) => /^gth_/.test(headers.authorization ?? '')),
  lets('auth.case_of_scheme', 'takes Bearer in no other letters', ['auth'], ({ headers }) => {
    if (!/^Bearer /.test(headers.authorization ?? '')) delete headers.authorization;
  }),
  error('missing_key_as_invalid', 'missing_api_key', 'calls a missing key invalid', ['auth'],
    (body) => { body.code = 'invalid_api_key'; }),
  error('invalid_key_as_missing', 'invalid_api_key', 'calls an invalid key missing', ['auth'],
    (body) => { body.code = 'missing_api_key'; }),
];

const ERRORS: Defect[] = [
  lets('errors.unknown_parameters_taken', 'takes unknown parameters', ['errors'],
    ({ query }) => query.delete('colour')),
  lets('errors.unknown_fields_taken', 'takes unknown fields', ['errors'], ({ json }) => {
    if (json && typeof json === 'object') {
      delete json.colour;
      delete json.size;
    }
  }),
  lets('errors.limits_clamped', 'takes a limit of 0 for 1, and 101 for 100', ['errors'],
    ({ query }) => {
      if (query.get('limit') === '0') query.set('limit', '1');
      if (query.get('limit') === '101') query.set('limit', '100');
    }),
  lets('errors.titles_cut', 'cuts titles that are too long', ['errors'], ({ json }) => {
    if (typeof json?.title === 'string') json.title = json.title.slice(0, 200);
  }),
  lets('errors.order_defaults', 'takes an unknown order for newest first', ['errors'],
    ({ query }) => { if (query.get('order') === 'up') query.delete('order'); }),
  lets('errors.negative_numbers_taken', 'takes starting_after=-1 for 0', ['errors'],
    ({ query }) => {
      if (query.get('starting_after') === '-1') query.set('starting_after', '0');
    }),
  lets('errors.any_model', 'takes the default model for one that it does not have', ['errors'],
    ({ json }) => { if (json?.model === 'no/such-model') delete json.model; }),
  lets('errors.any_type_taken', 'takes bodies of any type for JSON', ['errors'], ({ headers }) => {
    if (headers['content-type']) headers['content-type'] = 'application/json';
  }),
  lets('errors.accept_ignored', 'takes no notice of Accept: image/png', ['errors'],
    ({ headers }) => { if (headers.accept === 'image/png') headers.accept = '*/*'; }),
  lets('errors.trailing_slash', 'takes a slash at the end', ['errors'], (asked) => {
    asked.path = asked.path.replace(/(.)\/$/, '$1');
  }),
  lets('errors.any_case', 'takes addresses in any letters', ['errors'], (asked) => {
    if (asked.path === '/Sessions') asked.path = '/sessions';
  }),
  { name: 'errors.any_size', does: 'takes bodies of any size', topics: ['errors'],
    request(asked) { asked.text = asked.text.trim(); } },
  error('html', 'not_found', 'answers 404 in HTML', ['errors'], (_body, answered) => {
    answered.headers['content-type'] = 'text/html';
    answered.text = '<h1>Not found</h1>';
  }),
  error('silent', 'not_found', 'says nothing of what was not found', ['errors'],
    (body) => { body.error = ''; }),
  error('wrong_code', 'not_found', 'calls what was not found an unknown action', ['errors'],
    (body) => { body.code = 'unknown_action'; }),
  error('no_param', 'invalid_request', 'does not name what is wrong', ['errors'],
    (body) => { body.param = null; }),
  error('no_details', 'invalid_request', 'does not list what is wrong', ['errors'],
    (body) => { delete body.details; }),
  error('first_violation_only', 'invalid_request', 'lists one violation alone', ['errors'],
    (body) => { if (Array.isArray(body.details)) body.details.length = 1; }),
  error('bad_json_as_bad_field', 'invalid_json', 'calls half a body invalid_request', ['errors'],
    (body) => { body.code = 'invalid_request'; }),
  error('busy_as_archived', 'session_busy', 'calls a busy session archived', ['runs'],
    (body) => { body.code = 'session_archived'; }),
  error('error_as_object', 'not_found', 'sends the error as an object', ['errors'],
    (body) => { body.error = { message: body.error }; }),
  error('wrapped', 'not_found', 'wraps the error', ['errors'], (body, answered) => {
    answered.body = { error: body };
  }),
];

function document(name: string, does: string, change: (body: any) => void): Defect {
  return says(`document.${name}`, does, ['document'], ({ status, body }, { id }) => {
    if (id === 'getOpenapiDocument' && status === 200) change(body);
  });
}

const DOCUMENT: Defect[] = [
  document('other_version', 'describes another version', (body) => {
    body.info.version = '9.9.9';
  }),
  document('openapi_3_0', 'is written in OpenAPI 3.0', (body) => { body.openapi = '3.0.3'; }),
  document('operation_missing', 'leaves an operation out', (body) => {
    delete body.paths['/runs'];
  }),
  document('field_missing', 'leaves a field out',
    (body) => { delete body.components.schemas.Run.properties.usage; }),
  document('not_required', 'requires less',
    (body) => { body.components.schemas.Session.required.pop(); }),
  document('status_missing', 'leaves a status out',
    (body) => { delete body.paths['/sessions'].post.responses['409']; }),
  document('narrower', 'allows less', (body) => {
    body.components.schemas.CreateSessionRequest.properties.title.maxLength = 20;
  }),
  document('no_security', 'says that no key is needed', (body) => { body.security = []; }),
];

export const REFUSAL_DEFECTS: Defect[] = [...AUTH, ...ERRORS, ...DOCUMENT];
