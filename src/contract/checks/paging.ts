import type { PublicId } from '../calls.ts';
import type { Check } from '../check.ts';
import { holds, same } from '../expect.ts';
import type { ContractRun, Ground } from '../ground.ts';
import { GET_SESSION, LIST_CONNECTIONS, need } from '../need.ts';
import type { CallOptions, Wire } from '../wire.ts';

interface Item { id?: string; invocation_id?: string; name?: string; created_at?: string }
interface ListBody { data: Item[]; has_more: boolean; next_cursor: string | null }
type ListQuery = NonNullable<CallOptions['query']>;

const LISTS: PublicId[] = ['listSessions', 'listRuns', 'listActions', 'listActionInvocations'];
/** Among others who work there at the same time, what the kit has made is on the first pages. */
const MOST_PAGES = 100;
/** As many actions as two pages need. */
const LISTED = ['create', 'get', 'list', 'update'].map((verb) => `gatehouse.sessions.${verb}`);

/** A model that no run has. */
const NO_MODEL = 'kit/no-such-model';

/** Of an id all but its last character: ids end at random, so that hardly another begins so. */
function beginningOf(id: string): string {
  return id.slice(0, -1);
}

function idOf({ id, invocation_id, name }: Item): string {
  return id ?? invocation_id ?? name ?? 'none';
}

/** One page, as it was asked for. */
async function page(wire: Wire, id: PublicId, options: CallOptions): Promise<ListBody> {
  const { data, has_more, next_cursor } =
    await wire.expect(200 as never, id, options) as unknown as ListBody;
  same(has_more, next_cursor !== null, `${id}: has_more beside next_cursor ${next_cursor}`);
  const limit = Number(options.query?.limit ?? 20);
  holds(data.length <= limit, `${id} with limit ${limit} has ${data.length} items`);
  holds(data.length === limit || !has_more, `${id}: a page of ${data.length} items, of ${limit}`
    + ' asked for, says that there are more');
  return { data, has_more, next_cursor };
}

/** The pages of a list until `enough`, or its end. Throws Fault for an item that comes twice. */
async function walk(
  wire: Wire, id: PublicId, { query, ...rest }: CallOptions & { query: ListQuery },
  enough: (seen: Item[]) => boolean = () => false): Promise<Item[][]> {
  const pages: Item[][] = [];
  const seen = new Set<string>();
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { data, next_cursor } =
      await page(wire, id, { ...rest, query: { ...query, ...(cursor && { cursor }) } });
    for (const item of data) {
      holds(!seen.has(idOf(item)), `${id}: ${idOf(item)} is on two pages`);
      seen.add(idOf(item));
    }
    pages.push(data);
    if (enough(pages.flat())) break;
    holds(pages.length < MOST_PAGES, `${id} does not end after ${MOST_PAGES} pages`);
    cursor = next_cursor;
  }
  return pages;
}

/** Both directions of a list that is the kit's own, in pages of these sizes. */
async function checkBothWays(
  wire: Wire, id: PublicId, options: CallOptions & { query: ListQuery }, sizes: number[],
): Promise<Item[]> {
  const of = async (order: string) => {
    const pages = await walk(wire, id, { ...options, query: { ...options.query, order } });
    same(pages.map(({ length }) => length), sizes, `the sizes of the pages of ${id}`);
    const times = pages.flat().map(({ created_at }) => created_at);
    const sorted = order === 'asc' ? times.toSorted() : times.toSorted().reverse();
    same(times, sorted, `the times of ${id} with order=${order}`);
    return pages.flat();
  };
  const [newest, oldest] = [await of('desc'), await of('asc')];
  same(oldest.toReversed().map(idOf), newest.map(idOf), `${id}, newest first and oldest first`);
  return newest;
}

/** What only the run itself shows. */
const WHOLE_ONLY = ['output', 'tool_calls', 'instructions', 'max_steps', 'timeout_s',
  'max_total_tokens'];

export const pagingChecks: Check[] = [{
  name: 'paging.runs',
  shows: 'runs are listed once each, both ways, by session, status, time and what else there is',
  needs: 'offline',
  async run(ground) {
    const { wire } = ground;
    const session_id = await ground.session();
    const made = [];
    for (let i = 0; i < 4; i++) made.push(await ground.queue(session_id, '@rehearsal words=1'));
    made.push(await ground.queue(session_id, '@rehearsal fail=model_error',
      { metadata: { place: 'last=5' } }));
    await Promise.all(made.map(({ id }) => ground.ended(id)));
    const listed = await checkBothWays(wire, 'listRuns',
      { query: { session_id, limit: 2 } }, [2, 2, 1]);
    same(listed.map(idOf).sort(), made.map(({ id }) => id).sort(), 'the runs that are listed');
    same(WHOLE_ONLY.filter((name) => name in listed[0]!), [], 'what no list shows of a run');
    const run = Object.fromEntries(Object.entries(await ground.getRun(made[0]!.id))
      .filter(([name]) => !WHOLE_ONLY.includes(name)));
    same(listed.find(({ id }) => id === run.id), run, 'a run as the list shows it');
    const { created_at, model } = made[2]!;
    const id_prefix = beginningOf(made[2]!.id);
    const failed = made[4]!;
    for (const [query, kept] of [
      [{ status: 'completed' }, (one) => one !== failed],
      [{ status: 'failed' }, (one) => one === failed],
      [{ created_after: created_at }, (one) => one.created_at > created_at],
      [{ created_before: created_at }, (one) => one.created_at < created_at],
      [{ error_code: 'model_error', model, source: 'api' }, (one) => one === failed],
      [{ model: NO_MODEL }, () => false], [{ source: 'console' }, () => false],
      [{ id_prefix }, (one) => one.id.startsWith(id_prefix)],
      [{ metadata: 'place=last=5' }, (one) => one === failed],
      [{ metadata: 'place=last' }, () => false],
    ] as [ListQuery, (one: ContractRun) => boolean][]) {
      const found = await page(wire, 'listRuns', { query: { session_id, ...query } });
      same(found.data.map(idOf).sort(), made.filter(kept).map(({ id }) => id).sort(),
        `runs by ${Object.keys(query).join(', ')}`);
    }
  },
}, {
  name: 'paging.sessions',
  shows: 'among those of others, sessions are listed once each, both ways, and found by words',
  async run(ground) {
    const { wire } = ground;
    const made: string[] = [];
    for (let i = 0; i < 5; i++) made.push(await ground.session());
    const [first, ...active] = made;
    // Others create sessions at the same time: only the kit's own have an order that is known.
    const find = async (query: ListQuery, ids: string[]) => {
      const pages = await walk(wire, 'listSessions', { query },
        (seen) => ids.every((id) => seen.some((item) => item.id === id)));
      const items = pages.flat();
      same(items.map(idOf).filter((id) => made.includes(id)), ids.toReversed(),
        `the kit's own sessions by ${JSON.stringify(query)}`);
      return items as { id: string; status: string; created_at: string }[];
    };
    const newest = await find({ limit: 2 }, made);
    const oldest = await walk(wire, 'listSessions', { query: { limit: 3, order: 'asc' } },
      (seen) => seen.length > 3);
    const third = newest.find(({ id }) => id === made[2])!;
    const { messages: _, messages_next_cursor: __, ...session } =
      await wire.expect(200, 'getSession', { path: { session_id: third.id } });
    same(third, session, 'a session as the list shows it');
    same(oldest[0]!.filter(({ created_at }) => created_at! > third.created_at), [],
      'sessions among the oldest three that are younger than three of the kit');
    const word = ground.unique();
    await wire.expect(200, 'updateSession', { path: { session_id: first! },
      body: { status: 'archived', title: `Listed as ${word}` } });
    for (const query of [`${word.slice(1)} LISTED`, first!]) {
      same((await page(wire, 'listSessions', { query: { query } })).data.map(idOf), [first],
        `sessions by the query ${JSON.stringify(query)}`);
    }
    await wire.expect(200, 'updateSession', { path: { session_id: made[1]! },
      body: { metadata: ground.marked({ place: word }) } });
    await find({ limit: 2, metadata: ground.found_by }, made);
    for (const [metadata, ids] of [[`place=${word}`, [made[1]]], [`place=${word}s`, []]] as const) {
      same((await page(wire, 'listSessions', { query: { metadata } })).data.map(idOf), ids,
        `sessions by the metadata ${metadata}`);
    }
    for (const [status, ids] of [['active', active], ['archived', [first!]]] as const) {
      const items = await find({ limit: 20, status }, [...ids]);
      same(items.filter((item) => item.status !== status), [], `others than ${status} ones`);
    }
  },
}, {
  name: 'paging.messages',
  shows: 'the messages of a session are listed once each, both ways',
  needs: 'offline',
  async run(ground) {
    const { wire } = ground;
    const path = { session_id: await ground.session() };
    for (let i = 0; i < 3; i++) await ground.complete(path.session_id, '@rehearsal words=1');
    const of = async (order: string) => {
      const pages = await walk(wire, 'listSessionMessages', { path, query: { limit: 4, order } });
      same(pages.map(({ length }) => length), [4, 2], 'the sizes of the pages of messages');
      return pages.flat();
    };
    const { messages } = await wire.expect(200, 'getSession', { path });
    same(await of('asc'), messages, 'the messages, oldest first');
    same(await of('desc'), messages.toReversed(), 'the messages, newest first');
  },
}, {
  name: 'paging.invocations',
  shows: 'invocations are listed once each, both ways, by run, action, status, source and id',
  needs: 'offline',
  async run(ground) {
    const { wire } = ground;
    await need(wire, LIST_CONNECTIONS);
    const run = await ground.complete(await ground.session(), [
      'call gateway.connections.list', 'call gatehouse.nothing.here',
      'call gateway.connections.list'].join('\n'));
    const listed = await checkBothWays(wire, 'listActionInvocations',
      { query: { run_id: run.id, limit: 2 } }, [2, 1]);
    same(listed.map(idOf).sort(), run.tool_calls.map(({ invocation_id }) => invocation_id).sort(),
      'the invocations of the run');
    holds(!('result' in listed[0]!), 'a list shows results');
    const { result: _, ...one } = await wire.expect(200, 'getActionInvocation',
      { path: { invocation_id: idOf(listed[0]!) } });
    same(listed[0], one, 'an invocation as the list shows it');
    const id_prefix = beginningOf(idOf(listed[0]!));
    for (const [query, number] of [
      [{ status: 'failed' }, 1], [{ status: 'completed' }, 2], [{ source: 'run' }, 3],
      [{ source: 'api' }, 0], [{ action: LIST_CONNECTIONS }, 2],
      [{ id_prefix }, listed.filter((item) => idOf(item).startsWith(id_prefix)).length],
    ] as const) {
      const { data } = await page(wire, 'listActionInvocations',
        { query: { run_id: run.id, ...query } });
      same(data.length, number, `the number of invocations by ${JSON.stringify(query)}`);
    }
  },
}, {
  name: 'paging.actions',
  shows: 'actions are listed once each, by name, and by integration and effect',
  async run({ wire }) {
    const of = async (query: ListQuery) =>
      (await walk(wire, 'listActions', { query: { integration: 'gatehouse', ...query } })).flat();
    await need(wire, ...LISTED, 'gatehouse.runs.get');
    const all = await of({ limit: 100 });
    holds(all.length > 4, `there are ${all.length} actions of gatehouse`);
    same(all.map(idOf), all.map(idOf).sort(), 'the names of the actions');
    same(all.map(idOf).filter((name) => !name.startsWith('gatehouse.')), [],
      'actions of other integrations');
    same(await of({ limit: 4 }), all, 'the actions in pages of 4');
    const read = await of({ limit: 100, read_only: true });
    const write = await of({ limit: 100, read_only: false });
    same([...read, ...write].map(idOf).sort(), all.map(idOf).sort(),
      'those that read and those that do not, together');
  },
}, {
  name: 'paging.bad_cursor',
  shows: 'a cursor that is not of this list is refused',
  async run(ground) {
    const { wire } = ground;
    await need(wire, LIST_CONNECTIONS, GET_SESSION);
    const session_id = await ground.session();
    const cursors: Record<string, string> = {};
    for (let i = 0; i < 2; i++) {
      await ground.session();
      await wire.expect(201, 'createActionInvocation',
        { body: { action: LIST_CONNECTIONS } });
      await ground.finish(session_id, ground.shortRun());
    }
    for (const id of LISTS) {
      const { next_cursor } = await page(wire, id, { query: { limit: 1 } });
      holds(next_cursor !== null, `${id} has no second page`);
      cursors[id] = next_cursor;
    }
    for (const id of LISTS) {
      const others = LISTS.filter((other) => other !== id).map((other) => cursors[other]!);
      for (const cursor of ['garbage', 'AAAA', `${cursors[id]}x!`, ...others]) {
        const { param } = await wire.refused(400, 'invalid_cursor', id, { query: { cursor } },
          cursor === 'garbage' ? 'garbage as its cursor' : 'the cursor of another list');
        same(param, 'cursor', `param of ${id}`);
      }
    }
    await wire.refused(400, 'invalid_cursor', 'listSessionMessages',
      { path: { session_id }, query: { cursor: 'garbage' } }, 'garbage as its cursor');
  },
}, {
  name: 'paging.while_it_grows',
  shows: 'what is added while one reads on neither moves nor repeats what comes',
  needs: 'offline',
  async run(ground: Ground) {
    const { wire } = ground;
    const session_id = await ground.session();
    const queue = async () => (await ground.queue(session_id, '@rehearsal words=1')).id;
    const made = [await queue(), await queue(), await queue(), await queue()];
    const first = await page(wire, 'listRuns', { query: { session_id, limit: 2 } });
    const added = await queue();
    const second = await page(wire, 'listRuns',
      { query: { session_id, limit: 2, cursor: first.next_cursor! } });
    same([...first.data, ...second.data].map(idOf).sort(), made.toSorted(),
      `what two pages hold, with ${added} added between them`);
    await ground.ended(added);
  },
}];
