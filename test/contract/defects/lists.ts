/** Lists: pages that repeat, skip, never end, or take no notice of what is asked. */
import type { PublicId } from '../../../src/contract/calls.ts';
import type { Answered, Asked, Defect, World } from './defect.ts';

const BAD_CURSOR: Defect['topics'] = ['paging.bad_cursor'];
const BOTH_WAYS: Defect['topics'] = ['paging.messages'];
const LISTS = new Set<PublicId | null>(['listSessions', 'listRuns', 'listActions',
  'listActionInvocations', 'listSessionMessages']);

const BY_LIST: Partial<Record<PublicId, Defect['topics']>> = {
  listSessions: ['paging.sessions'], listRuns: ['paging.runs'], listActions: ['paging.actions'],
  listSessionMessages: ['paging.messages'], listActionInvocations: ['paging.invocations'],
};

function ignores(parameter: string, id: PublicId): Defect {
  return { name: `lists.${parameter}_ignored_by_${id}`, topics: BY_LIST[id]!,
    does: `takes no notice of ${parameter} in ${id}`,
    request(asked) {
      if (asked.id === id) asked.query.delete(parameter);
    } };
}

function pages(
  name: string, does: string,
  change: (body: any, asked: Asked, world: World, answered: Answered) => void | Promise<void>,
  id?: PublicId, by?: Defect['topics']): Defect {
  const topics = by ?? (id ? BY_LIST[id]! : ['paging.actions', 'paging.messages'] as const);
  return { name: `lists.${name}`, does, topics: [...topics], async answer(answered, asked, world) {
    const meant = id ? asked.id === id : LISTS.has(asked.id);
    if (meant && answered.status === 200) await change(answered.body, asked, world, answered);
  } };
}

export const LIST_DEFECTS: Defect[] = [
  ...(Object.keys(BY_LIST) as PublicId[]).flatMap((id) => ['cursor', 'limit', 'order']
    .filter((parameter) => parameter !== 'order' || id !== 'listActions')
    .map((parameter) => ignores(parameter, id))),
  ignores('status', 'listSessions'), ignores('status', 'listRuns'),
  ignores('metadata', 'listSessions'), ignores('metadata', 'listRuns'),
  ignores('query', 'listSessions'), ignores('error_code', 'listRuns'),
  ignores('model', 'listRuns'), ignores('source', 'listRuns'), ignores('id_prefix', 'listRuns'),
  ignores('id_prefix', 'listActionInvocations'), ignores('session_id', 'listRuns'),
  ignores('created_after', 'listRuns'), ignores('created_before', 'listRuns'),
  ignores('read_only', 'listActions'),
  ignores('integration', 'listActions'), ignores('run_id', 'listActionInvocations'),
  ignores('source', 'listActionInvocations'), ignores('action', 'listActionInvocations'),
  ignores('status', 'listActionInvocations'),
  { name: 'lists.query_of_ids_alone', topics: BY_LIST.listSessions!,
    does: 'finds sessions by their ids, and by no word of their titles',
    request({ id, query }) {
      if (id !== 'listSessions' || /^ses_/.test(query.get('query') ?? 'ses_')) return;
      query.set('query', 'ses_none');
    } },
  { name: 'lists.query_of_titles_alone', topics: BY_LIST.listSessions!,
    does: 'finds sessions by words of their titles, and not by their ids',
    request({ id, query }) {
      if (id !== 'listSessions' || !/^ses_/.test(query.get('query') ?? '')) return;
      query.set('query', `no title has ${query.get('query')}`);
    } },
  { name: 'lists.metadata_by_beginning', topics: [...BY_LIST.listSessions!, ...BY_LIST.listRuns!],
    does: 'takes no notice of what follows a second = of metadata, nor of its last letter',
    request({ query }) {
      const metadata = query.get('metadata');
      if (metadata) query.set('metadata', metadata.replace(/(=[^=]*)(=.*|s)$/, '$1'));
    } },
  pages('metadata_left_out', 'leaves the metadata of sessions out', (body) => {
    for (const session of body.data) session.metadata = {};
  }, 'listSessions'),
  pages('source_confused', 'calls those who called an action by another name', (body) => {
    for (const one of body.data) one.source = 'mcp';
  }, 'listActionInvocations'),
  pages('skips_a_row', 'leaves out the first row of every further page', (body, { query }) => {
    if (query.has('cursor')) body.data.shift();
  }),
  pages('loses_the_last_row', 'leaves out the last row of every page that has a next one',
    (body) => { if (body.has_more) body.data.pop(); }),
  pages('repeats_a_row', 'begins a page with the last row of the one before',
    (body, { query }, { memory }) => {
      if (query.has('cursor') && memory.has(query.get('cursor')!)) {
        body.data.unshift(memory.get(query.get('cursor')!));
        body.data.pop();
      }
      if (body.next_cursor) memory.set(body.next_cursor, body.data.at(-1));
    }),
  pages('repeats_a_page', 'sends every page twice', (body, asked, { memory }) => {
    const times = memory.get(`${asked.path}?${asked.query}`) ?? 0;
    memory.set(`${asked.path}?${asked.query}`, times + 1);
    if (times === 0 && asked.query.has('cursor')) {
      body.next_cursor = asked.query.get('cursor');
      body.has_more = true;
    }
  }),
  pages('never_ends', 'says on the last page that there are more', (body, { query }) => {
    if (!body.has_more && query.has('cursor')) {
      body.has_more = true;
      body.next_cursor = query.get('cursor');
    }
  }),
  pages('ends_early', 'says on the first page that these are all', (body) => {
    body.has_more = false;
    body.next_cursor = null;
  }),
  pages('more_without_cursor', 'says that there are more, and gives no cursor',
    (body) => { body.next_cursor = null; }),
  pages('cursor_without_more', 'gives a cursor and says that these are all',
    (body) => { body.has_more = false; }),
  pages('empty_page', 'sends an empty page in between', (body, { query }, { memory }) => {
    if (!body.has_more || memory.has(String(query.get('cursor')))) return;
    memory.set(String(query.get('cursor')), true);
    if (query.has('cursor')) Object.assign(body, { data: [], next_cursor: query.get('cursor') });
  }),
  { name: 'lists.limit_off_by_one', does: 'has one row more in a page than asked for',
    topics: BOTH_WAYS, request({ id, query }) {
      if (!LISTS.has(id) || !query.has('limit')) return;
      query.set('limit', String(Math.min(100, Number(query.get('limit')) + 1)));
    } },
  { name: 'lists.order_reversed', does: 'lists oldest first where newest first belongs',
    topics: BOTH_WAYS, request({ id, query }) {
      if (!LISTS.has(id) || id === 'listActions' || query.has('cursor')) return;
      query.set('order', query.get('order') === 'asc' ? 'desc' : 'asc');
    } },
  pages('unsorted_within_pages', 'turns the rows of a page round', (body) => body.data.reverse()),
  pages('rows_with_output', 'shows output in lists', (body) => {
    for (const run of body.data) run.output = [];
  }, 'listRuns'),
  pages('rows_with_results', 'shows results in lists', (body) => {
    for (const one of body.data) one.result = null;
  }, 'listActionInvocations'),
  pages('stale_rows', 'shows runs in lists as they were created', (body) => {
    for (const run of body.data) run.finished_at = null;
  }, 'listRuns'),
  pages('moves_with_new_rows', 'counts rows: what is added moves all that follow',
    async (body, asked, world) => {
      if (!asked.query.has('cursor')) return;
      const limit = Number(asked.query.get('limit') ?? 20);
      const query = new URLSearchParams(asked.query);
      query.delete('cursor');
      query.set('limit', '100');
      const whole = await world.ask({ ...asked, query });
      body.data = whole.body.data.slice(limit, 2 * limit);
    }, 'listRuns', ['paging.while_it_grows']),
  ...(['garbage', 'of_another_list'] as const).map((kind): Defect => ({
    name: `lists.takes_cursors_${kind}`, topics: BAD_CURSOR,
    does: kind === 'garbage' ? 'begins anew for a cursor that is garbage'
      : 'begins anew for a cursor of another list',
    async answer(answered, asked, world) {
      const isGarbage = /^(garbage|AAAA)$|!$/.test(asked.query.get('cursor') ?? '');
      if (!LISTS.has(asked.id) || answered.body?.code !== 'invalid_cursor') return;
      if (isGarbage !== (kind === 'garbage')) return;
      asked.query.delete('cursor');
      Object.assign(answered, await world.ask(asked));
    },
  })),
  { name: 'lists.bad_cursor_is_404', does: 'answers 404 for a bad cursor', topics: BAD_CURSOR,
    answer(answered) {
      if (answered.body?.code !== 'invalid_cursor') return;
      Object.assign(answered, { status: 404, body: { ...answered.body, code: 'not_found' } });
    } },
  { name: 'lists.bad_cursor_unnamed', does: 'does not name the bad cursor', topics: BAD_CURSOR,
    answer({ body }) { if (body?.code === 'invalid_cursor') body.param = null; } },
];
