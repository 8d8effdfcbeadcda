import { PUBLIC_IDS, type PublicId } from '../calls.ts';
import type { Check } from '../check.ts';
import { holds } from '../expect.ts';
import type { Ground } from '../ground.ts';
import { operations } from '../../../generated/operations.ts';
import type { CallOptions } from '../wire.ts';

const KEYED = PUBLIC_IDS.filter((id) => operations[id].security === 'apiKey');

/** A request that is valid but for its key; whatever it names need not exist. */
function anyRequest(ground: Ground, id: PublicId): CallOptions {
  const bodies: Partial<Record<PublicId, unknown>> = {
    createSession: { metadata: ground.marked() }, updateSession: { title: 'x' },
    searchActions: { query: 'x' },
    createRun: { input: [{ role: 'user', content: [{ type: 'input_text', text: 'x' }] }] },
    createActionInvocation: { action: 'gateway.connections.list' },
  };
  return { body: bodies[id] };
}

/** All have to be answered before one may fail: what was made by mistake is known then. */
async function eachOf(refuse: (id: PublicId) => Promise<unknown>): Promise<void> {
  const answers = await Promise.allSettled(KEYED.map(refuse));
  for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
}

export const authChecks: Check[] = [{
  name: 'auth.missing_key',
  shows: 'every operation refuses whoever sends no key',
  async run(ground) {
    await eachOf((id) => ground.wire.refused(401, 'missing_api_key', id,
      { ...anyRequest(ground, id), authorization: null }, 'no key'));
  },
}, {
  name: 'auth.invalid_key',
  shows: 'every operation refuses a key that is not valid',
  async run(ground) {
    const { wire } = ground;
    const last = wire.api_key.at(-1) === 'x' ? 'y' : 'x';
    const mistyped = `Bearer ${wire.api_key.slice(0, -1)}${last}`;
    // The same key each time: an address may be wrong only so often in a minute.
    await eachOf((id) => wire.refused(401, 'invalid_api_key', id,
      { ...anyRequest(ground, id), authorization: mistyped }, 'a mistyped key'));
  },
}, {
  name: 'auth.other_places',
  shows: 'a key counts in the header Authorization alone, as a bearer',
  async run({ wire }) {
    for (const authorization of [wire.api_key, `Basic ${wire.api_key}`, 'Bearer', 'Bearer  ']) {
      const { status } = await wire.call('listSessions', { authorization });
      holds(status === 401,
        `Authorization "${authorization.replace(wire.api_key, '<key>')}" is answered ${status}`);
    }
    for (const name of ['api_key', 'access_token']) {
      const { status } = await wire.call('listSessions',
        { authorization: null, query: { [name]: wire.api_key } });
      holds(status === 401, `a key in the address is answered ${status}`);
    }
  },
}, {
  name: 'auth.scheme_case',
  shows: 'the name of the scheme may be in any case',
  async run({ wire }) {
    for (const scheme of ['bearer', 'BEARER']) {
      await wire.expect(200, 'listSessions',
        { query: { limit: 1 }, authorization: `${scheme} ${wire.api_key}` });
    }
  },
}];
