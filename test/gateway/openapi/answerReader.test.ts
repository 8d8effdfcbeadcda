/** Large answers are read in a thread of their own, and nobody can tell by the result. */
import t from 'tap';
import { ActionFailure } from '../../../src/gateway/action/failure.ts';
import { keptOf } from '../../../src/gateway/action/kept.ts';
import { Unauthorized } from '../../../src/gateway/credentials/unauthorized.ts';
import { AnswerReader } from '../../../src/gateway/openapi/answerReader.ts';
import { readAnswer, type AnswerTask } from '../../../src/gateway/openapi/readAnswer.ts';
import { Scrubber } from '../../../src/gateway/vault/scrubber.ts';
import { turnsDuring } from '../../support/turns.ts';
import { documentOf } from '../support.ts';
import { actionOf } from '../egress/support.ts';

const SECRET = 'sk-0123456789abcdef';
const LIMIT_BYTES = 200_000;
const signal = new AbortController().signal;
const answers = new AnswerReader();
t.teardown(() => answers.close());

const { paging, request, input_schema } = actionOf(documentOf('/list', 'get', {
  parameters: [{ in: 'query', name: 'cursor', schema: { type: 'string' } }],
  responses: { 200: { content: { 'application/json': { schema: {} } } } } }));

function taskOf(body: Buffer | string, changes: Partial<AnswerTask['response']> = {},
  soft_error: AnswerTask['soft_error'] = null): AnswerTask {
  return {
    response: { status: 200, headers: { 'content-type': 'application/json' },
      body: Buffer.from(body), cut: false, ...changes },
    decoding: { expects_json: true, head_limit_bytes: LIMIT_BYTES, choice_limit_bytes: 1_000_000 },
    context: { integration: 'acme', invocation_id: 'inv_1', writes: false, strayed: false,
      otherwise: 'Others.', authorized: null }, soft_error,
    action: { paging, request, input_schema }, input: {}, cursor: null,
  };
}

const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, note: `${SECRET} of row ${id}` }));
const LARGE = JSON.stringify({ rows, next_cursor: 'c-2', has_more: true });
const SOFT = { pointer: '/ok', equals: false, message_pointer: '/error' };

t.test('integers arrive with all their digits, and so does a cursor', async (t) => {
  const { result, source_cursor } = readAnswer(taskOf(
    '{"id":1076543210012345678,"n":7,"next_cursor":1076543210012345679}'), (value) => value);
  t.strictSame(result,
    { id: '1076543210012345678', n: 7, next_cursor: '1076543210012345679' });
  t.same(JSON.parse(source_cursor!).query, { cursor: '1076543210012345679' });
});

t.test('the same comes of it in the thread as here', async (t) => {
  const scrubber = new Scrubber([SECRET]);
  for (const [what, task, fields] of [
    ['all of it', taskOf(LARGE), null],
    ['fields', taskOf(LARGE), ['rows.id', 'rows.nothing']],
    ['what was cut', taskOf(LARGE, { cut: true }), ['rows.id']],
    ['text', taskOf('ä,b\n'.repeat(100_000), { headers: { 'content-type': 'text/csv' } }), null],
    ['bytes', taskOf(Buffer.alloc(300_000, 1),
      { headers: { 'content-type': 'image/png' } }), null],
  ] as const) {
    const { result, is_chosen = false, truncated = false, ...rest } =
      readAnswer(task, (value) => scrubber.scrub(value));
    const kept = keptOf(result, {
      fields: is_chosen ? null : fields, limit_bytes: LIMIT_BYTES, is_cut: truncated });
    const read = await answers.read(task, { share: 'w', limit_bytes: LIMIT_BYTES, fields,
      secrets: [SECRET], scrub: () => t.fail('it is read here') as never }, signal);
    t.strictSame(read, { ...rest, ...kept, is_kept: true }, what);
    t.notMatch(JSON.stringify(read), SECRET);
  }
});

t.test('failures are those of small answers', async (t) => {
  const read = (task: AnswerTask) => answers.read(task,
    { share: 'w', limit_bytes: LIMIT_BYTES, secrets: [SECRET], scrub: (value) => value }, signal);
  const error = JSON.stringify({ ok: false, error: `no ${SECRET}`, rows });
  const failed = async (task: AnswerTask) => await read(task).then(
    () => t.fail('it was read') as never, (reason: unknown) => (reason as ActionFailure).outcome);
  t.match(await failed(taskOf(error, { status: 422 })), { status: 'failed', error: {
    code: 'upstream_error', message: /answered 422/, details: { status: 422, body: {} } } });
  t.match(await failed(taskOf(error, {}, SOFT)), { error: { code: 'upstream_error' } });
  t.notMatch(JSON.stringify(await failed(taskOf(error, { status: 422 }))), SECRET);
  await t.rejects(read(taskOf(error, { status: 401 })), Unauthorized);
});

t.test('this thread goes on meanwhile', async (t) => {
  const many = JSON.stringify(Object.fromEntries(
    Array.from({ length: 50_000 }, (_, n) => [`k${n}`, n])));
  const task = taskOf(many);
  const scrubber = new Scrubber([SECRET]);
  const here = await turnsDuring(
    (async () => readAnswer(task, (value) => scrubber.scrub(value)))());
  t.ok(here < 10, `${here} turns of the loop where it is read here`);
  const beside = await turnsDuring(answers.read(task, {
    share: 'w', limit_bytes: LIMIT_BYTES, secrets: [SECRET], scrub: (value) => value }, signal));
  t.ok(beside > 20, `${beside} turns beside the thread`);
});
