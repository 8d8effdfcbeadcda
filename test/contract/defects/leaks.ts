/** What one workspace sees and does of another. They need the keys of two workspaces. */
import type { PublicId } from '../../../src/contract/calls.ts';
import type { Answered, Asked, Defect, World } from './defect.ts';

const TOPICS: Defect['topics'] = ['isolation'];

/** Answers as the other workspace would, if this one has no such thing. */
function visible(id: PublicId, does: string): Defect {
  return { name: `leaks.${id}`, does, topics: TOPICS, async answer(answered, asked, world) {
    if (asked.id !== id || answered.status !== 404) return;
    const theirs = await world.ask(world.asOther(asked));
    if (theirs.status < 300) Object.assign(answered, theirs);
  } };
}

/** Whether it is something of the other workspace that was not found. */
async function isTheirs(answered: Answered, asked: Asked, world: World): Promise<boolean> {
  if (answered.status !== 404 || !asked.params[0]) return false;
  const path = asked.path.replace(/\/(cancel|events|messages|runs)$/, '');
  const theirs = await world.ask(world.asOther({ ...asked, path, method: 'GET', text: '',
    json: undefined, query: new URLSearchParams() }));
  return theirs.status === 200;
}

function told(name: string, does: string, change: (answered: Answered) => void): Defect {
  return { name: `leaks.${name}`, does, topics: TOPICS, async answer(answered, asked, world) {
    if (await isTheirs(answered, asked, world)) change(answered);
  } };
}

/** Puts a row of the other workspace at the head of a list. */
function listed(id: PublicId, when: 'unfiltered' | 'filtered'): Defect {
  const filters = ['session_id', 'run_id'];
  return { name: `leaks.${id}_${when}`, topics: TOPICS,
    does: `lists what another workspace has (${id}, ${when})`,
    async answer({ status, body }, asked, world) {
      const filtered = filters.some((name) => asked.query.has(name));
      if (asked.id !== id || status !== 200 || filtered !== (when === 'filtered')) return;
      const theirs = await world.ask(world.asOther(asked));
      const row = theirs.body?.data?.[0];
      if (row && !asked.query.has('cursor')) body.data = [row, ...body.data].slice(0, 100);
    } };
}

export const LEAK_DEFECTS: Defect[] = [
  visible('getSession', "shows another workspace's session"),
  visible('getRun', "shows another workspace's run"),
  visible('listSessionMessages', "shows another workspace's messages"),
  visible('getActionInvocation', "shows another workspace's invocation"),
  visible('updateSession', "changes another workspace's session"),
  visible('deleteSession', "deletes another workspace's session"),
  visible('cancelRun', "cancels another workspace's run"),
  visible('createRun', "makes runs in another workspace's session"),
  { name: 'leaks.streamRunEvents', does: "shows another workspace's events", topics: TOPICS,
    async request(asked, world) {
      if (asked.id !== 'streamRunEvents') return;
      const head = { ...asked, headers: { authorization: asked.headers.authorization ?? '' } };
      if ((await world.ask(head)).status === 404) Object.assign(asked, world.asOther(asked));
    } },
  { name: 'leaks.createActionInvocation', topics: TOPICS,
    does: 'lets an action read what another workspace has',
    async request(asked, world) {
      const session_id = asked.json?.input?.path?.session_id;
      if (asked.id !== 'createActionInvocation' || !session_id) return;
      const own = await world.ask({ ...asked, method: 'GET', path: `/sessions/${session_id}`,
        text: '', json: undefined });
      if (own.status === 404) Object.assign(asked, world.asOther(asked));
    } },
  listed('listSessions', 'unfiltered'), listed('listRuns', 'unfiltered'),
  listed('listActionInvocations', 'unfiltered'), listed('listRuns', 'filtered'),
  listed('listActionInvocations', 'filtered'),
  told('forbidden', 'answers 403 for what another workspace has', (answered) => {
    answered.status = 403;
    answered.body.code = 'not_permitted';
  }),
  told('other_words', 'says that it is of another workspace', ({ body }) => {
    body.error = 'This is of another workspace.';
  }),
  told('other_param', 'names what another workspace has as the param', ({ body }) => {
    body.param = 'id';
  }),
  told('details', 'has details for what another workspace has', ({ body }) => {
    body.details = { exists: true };
  }),
  told('other_header', 'has a header more for what another workspace has', ({ headers }) => {
    headers['x-owner'] = 'another';
  }),
  told('gone', 'answers 410 for what another workspace has', (answered) => {
    answered.status = 410;
    answered.body.code = 'events_expired';
  }),
  { name: 'leaks.cursors', does: "takes a cursor of another workspace's list", topics: TOPICS,
    async answer(answered, asked, world) {
      if (answered.body?.code !== 'invalid_cursor') return;
      const theirs = await world.ask(world.asOther(asked));
      if (theirs.status === 200) {
        asked.query.delete('cursor');
        Object.assign(answered, await world.ask(asked));
      }
    } },
  { name: 'leaks.idempotency_keys', does: 'has one set of keys for all workspaces',
    topics: TOPICS, request({ id, headers, json }, { memory }) {
      const key = headers['idempotency-key'];
      if (id !== 'createSession' || key === undefined) return;
      if (memory.has(key)) {
        headers.authorization = memory.get(key).authorization;
        Object.assign(json, memory.get(key).json);
      } else memory.set(key, { authorization: headers.authorization, json: { ...json } });
    } },
  { name: 'leaks.patch_in_secret', topics: TOPICS,
    does: "refuses to change another workspace's session, and changes it",
    async answer(answered, asked, world) {
      if (asked.id === 'updateSession' && answered.status === 404) {
        await world.ask(world.asOther(asked));
      }
    } },
  { name: 'leaks.delete_in_secret', topics: TOPICS,
    does: "refuses to delete another workspace's session, and deletes it",
    async answer(answered, asked, world) {
      if (asked.id === 'deleteSession' && answered.status === 404) {
        await world.ask(world.asOther(asked));
      }
    } },
  { name: 'leaks.cancel_in_secret', topics: TOPICS,
    does: "refuses to cancel another workspace's run, and cancels it",
    async answer(answered, asked, world) {
      if (asked.id === 'cancelRun' && answered.status === 404) {
        await world.ask(world.asOther(asked));
      }
    } },
];
