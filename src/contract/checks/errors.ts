import { operations } from '../../../generated/operations.ts';
import { PUBLIC_IDS, prompt, type PublicId } from '../calls.ts';
import type { Check } from '../check.ts';
import { holds, same } from '../expect.ts';
import type { Ground } from '../ground.ts';
import { LIST_CONNECTIONS, need } from '../need.ts';
import type { CallOptions } from '../wire.ts';

const made = new WeakMap<Ground, Promise<Record<PublicId, CallOptions>>>();

/** Of each operation a request that succeeds, on things that exist by then. */
function requests(ground: Ground): Promise<Record<PublicId, CallOptions>> {
  const known = made.get(ground) ?? makeRequests(ground);
  made.set(ground, known);
  return known;
}

async function makeRequests(ground: Ground): Promise<Record<PublicId, CallOptions>> {
  const { wire } = ground;
  await need(wire, LIST_CONNECTIONS);
  const session_id = await ground.session();
  const [{ id: run_id }, { invocation_id }] = await Promise.all([
    ground.finish(session_id, ground.shortRun()),
    wire.expect(201, 'createActionInvocation', { body: { action: LIST_CONNECTIONS } }),
  ]);
  const [session, run] = [{ path: { session_id } }, { path: { run_id } }];
  return {
    createSession: { body: { metadata: ground.marked() } },
    listSessions: {}, getSession: session, listSessionMessages: session,
    updateSession: { ...session, body: { title: 'x' } },
    deleteSession: session,
    createRun: { ...session, body: ground.shortRun() },
    listRuns: {}, getRun: run, cancelRun: run, streamRunEvents: run,
    listActions: {}, searchActions: { body: { query: 'sessions' } },
    getAction: { path: { action: LIST_CONNECTIONS } },
    createActionInvocation: { body: { action: LIST_CONNECTIONS } },
    listActionInvocations: {}, getActionInvocation: { path: { invocation_id } },
    getOpenapiDocument: {},
  };
}

/** Makes one refused request of each of these operations. */
async function eachOf(
  ground: Ground, ids: readonly PublicId[],
  refuse: (id: PublicId, options: CallOptions) => Promise<unknown>): Promise<void> {
  const good = await requests(ground);
  await Promise.all(ids.map((id) => refuse(id, good[id])));
}

const WITH_BODY = PUBLIC_IDS.filter((id) => operations[id].body !== null);
const WITH_ID = PUBLIC_IDS.filter((id) => operations[id].path.includes('{'));
/** Twice what a service takes unless it is set otherwise. */
const TOO_LARGE = ' '.repeat(2 * 1_048_576);

export const errorChecks: Check[] = [{
  name: 'errors.unknown_address',
  shows: 'nothing is at other addresses',
  async run({ wire }) {
    for (const path of ['/nowhere', '/sessions/', '/Sessions', '/runs/a/b/c', '']) {
      const response = await wire.fetch(path);
      same(response.status, 404, `the status of "${path}"`);
      const { code, param, error } = await response.json() as Record<string, unknown>;
      same([code, param, typeof error], ['not_found', null, 'string'], `the error of "${path}"`);
    }
  },
}, {
  name: 'errors.unknown_method',
  shows: 'an address says which methods it has',
  async run({ wire }) {
    const methods = new Map<string, Set<string>>();
    for (const id of PUBLIC_IDS) {
      const { path, method } = operations[id];
      methods.set(path, (methods.get(path) ?? new Set()).add(method));
    }
    await Promise.all([...methods].map(async ([path, expected]) => {
      const response = await wire.fetch(path.replace(/\{\w+\}/g, 'x'), { method: 'PUT' });
      same(response.status, 405, `PUT ${path}`);
      const allowed = response.headers.get('allow')?.split(/, */) ?? [];
      same(allowed.filter((method) => method !== 'HEAD').sort(), [...expected].sort(),
        `Allow of ${path}`);
      const { code } = await response.json() as { code?: unknown };
      same(code, 'method_not_allowed', `the code of PUT ${path}`);
    }));
  },
}, {
  name: 'errors.unknown_id',
  shows: 'what does not exist is not found, whatever is asked of it',
  async run(ground) {
    await eachOf(ground, WITH_ID, async (id, { body }) => {
      const name = `unknown_${ground.unique()}`;
      const path = { session_id: name, run_id: name, invocation_id: name, action: name };
      const { param } = await ground.wire.refused(404, 'not_found', id, { path, body },
        'an unknown id');
      same(param, null, `param of ${id}`);
    });
  },
}, {
  name: 'errors.not_acceptable',
  shows: 'nothing is sent that was not asked for',
  async run(ground) {
    await eachOf(ground, PUBLIC_IDS, async (id, options) => {
      const { param } = await ground.wire.refused(406, 'not_acceptable', id,
        { ...options, headers: { accept: 'image/png' } }, 'Accept: image/png');
      same(param, 'accept', `param of ${id}`);
    });
  },
}, {
  name: 'errors.unknown_parameter',
  shows: 'nothing unknown in the address passes silently',
  async run(ground) {
    await eachOf(ground, PUBLIC_IDS, async (id, options) => {
      const { param, details } = await ground.wire.refused(400, 'invalid_request', id,
        { ...options, query: { colour: 'red' } }, 'an unknown parameter');
      same(param, 'colour', `param of ${id}`);
      holds(Array.isArray(details) && details.length === 1, `details of ${id} list no violation`);
    });
  },
}, {
  name: 'errors.unknown_field',
  shows: 'nothing unknown in a body passes silently, and every fault is listed',
  async run(ground) {
    await eachOf(ground, WITH_BODY, async (id, options) => {
      const { param, details } = await ground.wire.refused(400, 'invalid_request', id,
        { ...options, body: { ...options.body as object, colour: 'red', size: 1 } },
        'unknown fields');
      same(param, '/colour', `param of ${id}`);
      const paths = (details as { path: string }[]).map(({ path }) => path).sort();
      same(paths, ['/colour', '/size'], `details of ${id}`);
    });
  },
}, {
  name: 'errors.bounds',
  shows: 'what is beyond its bounds is refused, and named',
  async run(ground) {
    const { wire } = ground;
    const path = { session_id: await ground.session() };
    const input = prompt('x').input;
    const refused: [PublicId, CallOptions, string][] = [
      ['createSession', { body: { title: 'x'.repeat(201) } }, '/title'],
      ['createSession', { body: { metadata: { long: 'x'.repeat(513) } } }, '/metadata/long'],
      ['updateSession', { path, body: { status: 'gone' } }, '/status'],
      ['createRun', { path, body: { input: [] } }, '/input'],
      ['createRun', { path, body: { input, max_steps: 0 } }, '/max_steps'],
      ['createRun', { path, body: { input, wait_timeout_s: 281, wait: true } }, '/wait_timeout_s'],
      ['createRun', { path, body: { input, model: 'no/such-model' } }, '/model'],
      ['searchActions', { body: { query: '' } }, '/query'],
      ['listSessions', { query: { limit: 0 } }, 'limit'],
      ['listRuns', { query: { limit: 101 } }, 'limit'],
      ['listRuns', { query: { created_after: 'yesterday' } }, 'created_after'],
      ['listSessions', { query: { order: 'up' } }, 'order'],
      ['listActionInvocations', { query: { status: 'gone' } }, 'status'],
      ['streamRunEvents', { path: { run_id: 'x' }, query: { starting_after: -1 } },
        'starting_after'],
      ['streamRunEvents', { path: { run_id: 'x' }, query: { limit: 1_001 } }, 'limit'],
    ];
    await Promise.all(refused.map(async ([id, options, place]) => {
      const { param } = await wire.refused(400, 'invalid_request', id, options, place);
      same(param, place, `param of ${id} with ${place}`);
    }));
  },
}, {
  name: 'errors.no_json',
  shows: 'bodies are JSON, and said to be',
  async run(ground) {
    await eachOf(ground, WITH_BODY, async (id, { path }) => {
      const { wire } = ground;
      await wire.refused(400, 'invalid_json', id, { path, raw: '{"title": ' }, 'half a body');
      await wire.refused(400, 'invalid_request', id, { path, raw: '7' }, 'the body 7');
      await wire.refused(415, 'unsupported_media_type', id,
        { path, raw: '{}', headers: { 'content-type': 'text/plain' } }, 'a body of text');
    });
  },
}, {
  name: 'errors.too_large',
  shows: 'a body has a largest size',
  async run(ground) {
    const good = await requests(ground);
    for (const id of WITH_BODY) {
      const { path, body } = good[id];
      await ground.wire.refused(413, 'payload_too_large', id,
        { path, raw: JSON.stringify(body) + TOO_LARGE }, 'a body of 2 MiB');
    }
  },
}];
