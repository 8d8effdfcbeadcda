/** Idempotency keys that are forgotten, confused, or answered otherwise the second time. */
import type { Answered, Asked, Defect, World } from './defect.ts';

const TOPICS: Defect['topics'] = ['idempotency'];
const KEY = 'idempotency-key';

function asks(
  name: string, does: string,
  request: (asked: Asked, key: string, world: World) => void | Promise<void | Answered>): Defect {
  return { name: `keys.${name}`, does, topics: TOPICS, request(asked, world) {
    const key = asked.headers[KEY];
    return key === undefined ? undefined : request(asked, key, world);
  } };
}

/** Changes the answer of a repeated request. */
function replays(
  name: string, does: string, change: (answered: Answered, first: Answered) => void): Defect {
  return { name: `keys.${name}`, does, topics: TOPICS, answer(answered, { headers, text }, world) {
    const key = headers[KEY];
    if (key === undefined || answered.status >= 300 || answered.stream) return;
    const first = world.memory.get(key + text);
    if (first) change(answered, first);
    else world.memory.set(key + text, structuredClone(answered));
  } };
}

export const KEY_DEFECTS: Defect[] = [
  asks('ignored', 'takes no notice of keys', ({ headers }) => { delete headers[KEY]; }),
  ...(['createSession', 'createRun', 'createActionInvocation'] as const).map((id) =>
    asks(`ignored_by_${id}`, `takes no notice of keys in ${id}`, (asked) => {
      if (asked.id === id) delete asked.headers[KEY];
    })),
  asks('ignored_with_wait', 'takes no notice of keys with wait', ({ headers, json }) => {
    if (json?.wait) delete headers[KEY];
  }),
  asks('ignored_with_stream', 'takes no notice of keys with stream', ({ headers, json }) => {
    if (json?.stream) delete headers[KEY];
  }),
  asks('ignored_across_bodies', 'makes another thing for another body under the same key',
    (asked, key, { memory }) => {
      const first = memory.get(key) ?? asked.text;
      memory.set(key, first);
      if (first !== asked.text) delete asked.headers[KEY];
    }),
  asks('body_ignored', 'answers another body under the same key as the first one',
    (asked, key, { memory }) => {
      const first = memory.get(key) ?? asked.json;
      memory.set(key, first);
      asked.json = asked.id === 'createRun' && asked.json
        ? { ...first, wait: asked.json.wait, stream: asked.json.stream } : first;
    }),
  asks('only_after_the_first', 'makes one thing for each of those who come at the same moment',
    async (asked, key, { memory, ask }) => {
      if (memory.has(key)) {
        if (memory.get(key) === 'asked') delete asked.headers[KEY];
        return;
      }
      memory.set(key, 'asked');
      const answered = await ask(asked);
      memory.set(key, 'answered');
      return answered;
    }),
  asks('forgotten_after_two', 'forgets a key after two uses', (asked, key, { memory }) => {
    memory.set(key, (memory.get(key) ?? 0) + 1);
    if (memory.get(key) > 2) delete asked.headers[KEY];
  }),
  asks('limits_not_compared', 'does not compare max_steps', async (asked, key, { memory }) => {
    if (!asked.json?.max_steps) return;
    asked.json.max_steps = memory.get(key) ?? asked.json.max_steps;
    memory.set(key, asked.json.max_steps);
  }),
  asks('compared_as_text', 'takes the same JSON in another order for another request',
    async (asked, key, { memory }) => {
      const first = memory.get(key) ?? asked.text;
      memory.set(key, first);
      const isSame = (one: string) => JSON.stringify(Object.entries(JSON.parse(one)).sort());
      if (first !== asked.text && isSame(first) === isSame(asked.text)) {
        asked.json = { ...asked.json, metadata: { other: 'yes' } };
      }
    }),
  asks('any_length', 'takes keys of any length', ({ headers }, key) => {
    headers[KEY] = key.slice(0, 255);
  }),
  replays('replayed_as_200', 'answers a replay with 200', (answered) => {
    if (answered.status !== 200) answered.status = answered.body.object === 'session' ? 202 : 200;
  }),
  replays('replayed_under_new_id', 'answers a replay with another id', ({ body }) => {
    if (body.id) body.id = `${body.id.slice(0, -4)}${Math.random().toString(36).slice(2, 6)}`;
  }),
  replays('replayed_with_new_time', 'answers a replay with another time of creation',
    ({ body }) => { body.created_at = new Date().toISOString().replace(/\d{3}Z$/, '999Z'); }),
  replays('replayed_without_metadata', 'answers a replay without metadata', ({ body }) => {
    if (body.metadata) body.metadata = {};
  }),
  replays('replayed_without_location', 'answers a replay without Location',
    ({ headers }) => { delete headers.location; }),
  replays('replayed_unannounced', 'does not say of a replay that it is one',
    ({ headers }) => { delete headers['idempotent-replayed']; }),
  ...['idempotent-replayed', 'location'].map((header): Defect => ({
    name: `keys.stream_without_${header}`, does: `leaves ${header} out of streams`, topics: TOPICS,
    answer({ headers, stream }) { if (stream) delete headers[header]; } })),
  { name: 'keys.always_replayed', does: 'says of every answer that it is a replay', topics: TOPICS,
    answer({ status, headers }, asked) {
      if (asked.headers[KEY] !== undefined && status < 300) headers['idempotent-replayed'] = 'true';
    } },
  replays('replayed_as_error', 'answers a replay with 409', (answered) => {
    Object.assign(answered, { status: 409, body: { error: 'It was done.', param: KEY,
      code: 'idempotency_key_reused', request_id: answered.headers['x-request-id'] } });
  }),
  { name: 'keys.conflict_unnamed', does: 'does not name the key that is in use', topics: TOPICS,
    answer({ body }) { if (body?.code === 'idempotency_key_reused') body.param = null; } },
  { name: 'keys.conflict_as_busy', does: 'calls the use of a key in use session_busy',
    topics: TOPICS,
    answer({ body }) { if (body?.code === 'idempotency_key_reused') body.code = 'session_busy'; } },
  { name: 'keys.same_for_all', does: 'confuses all keys of an operation', topics: TOPICS,
    request({ id, headers, json }, { memory }) {
      if (headers[KEY] === undefined || headers[KEY].length > 200) return;
      const name = `${id}${JSON.stringify(json)}`;
      headers[KEY] = memory.get(name) ?? headers[KEY];
      memory.set(name, headers[KEY]);
    } },
];
