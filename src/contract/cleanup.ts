/** What the kit leaves behind: nothing that runs, and no session that is active. */
import { MARK } from './ground.ts';
import type { Made } from './made.ts';
import { withinTime, type CallOptions, type Wire } from './wire.ts';

/** Pages of sessions with the mark in which those are sought whose answer did not come. */
const SEARCHED_PAGES = 3;
/** For sessions that were asked for when the kit was interrupted. */
const ANSWERS_MS = 5_000;

/**
 * Cancels what may still be open in the sessions and archives them; those too that carry the mark
 * and of which no answer has told. Answers what could not be done, in words. `wires`: one for each
 * key, which nothing has ended yet.
 */
export async function tidyUp(
  made: Made, mark: string, wires: readonly Wire[]): Promise<string[]> {
  const left: string[] = [];
  await withinTime(made.answered(), ANSWERS_MS, 'no answer').catch(() => {});
  await Promise.all(wires.map(async (wire) => {
    const end = async (ids: Map<string, string | null>) => await Promise.all([...ids].map(
      ([session_id, authorization]) =>
        endSession(wire, session_id, authorization, made.mayHaveOpenRuns(session_id))
          .catch((error: Error) => left.push(`${session_id}: ${error.message}`))));
    const mine = [...made.sessions].filter(([, { api_key }]) => api_key === wire.api_key);
    const own: typeof mine = [];
    for (const one of mine) if (!await isGone(wire, one[0], made)) own.push(one);
    await end(new Map(own.map(([id, { authorization }]) => [id, authorization])));
    if (made.awaited === 0) return;
    // Afterwards: what was under way when the kit was interrupted has been made by now.
    const others = await marked(wire, mark).catch(() => []);
    for (const id of others) made.runAsked(id);
    await end(new Map(others.map((id) => [id, `Bearer ${wire.api_key}`])));
  }));
  return left;
}

/** Whether the target has deleted it, as it says. */
async function isGone(wire: Wire, session_id: string, { deleted }: Made): Promise<boolean> {
  if (!deleted.has(session_id)) return false;
  const found = wire.call('getSession', { path: { session_id } });
  return await found.then(({ status }) => status === 404, () => false);
}

async function marked(wire: Wire, mark: string): Promise<string[]> {
  const ids: string[] = [];
  const query: NonNullable<CallOptions['query']> = { limit: 100, status: 'active',
    metadata: `${MARK}=${mark}` };
  for (let page = 0; page < SEARCHED_PAGES; page++) {
    const { data, next_cursor } = await wire.expect(200, 'listSessions', { query });
    // A faulty target may list others, too.
    ids.push(...data.filter(({ metadata }) => metadata[MARK] === mark).map(({ id }) => id));
    if (next_cursor === null) break;
    query.cursor = next_cursor;
  }
  return ids;
}

/** `authorization`: as the session was made, because a faulty target may take other credentials. */
async function endSession(
  wire: Wire, session_id: string, authorization: string | null, may_be_open: boolean,
): Promise<void> {
  const path = { session_id };
  // First, so that nothing is queued any more while its runs are cancelled.
  await wire.expect(200, 'updateSession',
    { path, authorization, body: { status: 'archived' } });
  if (!may_be_open) return;
  const { data } = await wire.expect(200, 'listRuns',
    { authorization, query: { session_id, limit: 100 } });
  await Promise.all(data.filter(({ status }) => status === 'queued' || status === 'running')
    .map(({ id }) => wire.call('cancelRun', { authorization, path: { run_id: id } })));
}
