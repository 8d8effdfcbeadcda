/** Streams and pages of events that begin, go on or end at the wrong place. */
import { never, type Asked, type Defect } from './defect.ts';

const TOPICS: Defect['topics'] = ['resume'];
const wantsStream = ({ headers }: Asked) => /event-stream/.test(headers.accept ?? '');

function asks(
  name: string, does: string, change: (asked: Asked) => void, which: 'stream' | 'page' | 'both',
): Defect {
  return { name: `resume.${name}`, does, topics: TOPICS, request(asked) {
    if (asked.id !== 'streamRunEvents') return;
    if (which !== 'both' && wantsStream(asked) !== (which === 'stream')) return;
    change(asked);
  } };
}

function shift(asked: Asked, by: number): void {
  const after = asked.query.get('starting_after');
  if (after !== null) asked.query.set('starting_after', String(Math.max(0, Number(after) + by)));
  const last = asked.headers['last-event-id'];
  if (last !== undefined) asked.headers['last-event-id'] = String(Math.max(0, Number(last) + by));
}

function pages(name: string, does: string, change: (body: any, asked: Asked) => void): Defect {
  return { name: `resume.${name}`, does, topics: TOPICS, answer({ status, body }, asked) {
    if (asked.id === 'streamRunEvents' && status === 200 && body) change(body, asked);
  } };
}

export const RESUME_DEFECTS: Defect[] = [
  asks('starting_after_ignored', 'always begins with event 1',
    ({ query }) => query.delete('starting_after'), 'stream'),
  asks('last_event_id_ignored', 'takes no notice of Last-Event-ID',
    ({ headers }) => { delete headers['last-event-id']; }, 'stream'),
  asks('one_too_many', 'begins with the event that the reader has', (asked) => shift(asked, -1),
    'stream'),
  asks('one_too_few', 'leaves out the next event', (asked) => shift(asked, 1), 'stream'),
  asks('header_wins', 'takes Last-Event-ID though starting_after is larger', (asked) => {
    if (asked.headers['last-event-id'] !== undefined) asked.query.delete('starting_after');
  }, 'stream'),
  asks('parameter_wins', 'takes starting_after though Last-Event-ID is larger', (asked) => {
    if (asked.query.has('starting_after')) delete asked.headers['last-event-id'];
  }, 'stream'),
  asks('page_starting_after_ignored', 'always begins pages with event 1',
    ({ query }) => query.delete('starting_after'), 'page'),
  asks('page_one_too_few', 'leaves an event out between two pages', (asked) => {
    if (asked.query.get('starting_after') !== '0') shift(asked, 1);
  }, 'page'),
  asks('page_limit_ignored', 'takes no notice of the limit of a page',
    ({ query }) => query.delete('limit'), 'page'),
  asks('page_limit_off_by_one', 'has one event more in a page than asked for', ({ query }) => {
    const limit = Number(query.get('limit') ?? 1_000);
    query.set('limit', String(Math.min(1_000, limit + 1)));
  }, 'page'),
  pages('page_never_more', 'says of no page that there are more',
    (body) => { body.has_more = false; }),
  pages('page_always_more', 'says of every page that there are more',
    (body) => { body.has_more = true; }),
  pages('page_cursor_off', 'gives the cursor of the event before', (body) => {
    if (body.next_cursor) body.next_cursor = String(Number(body.next_cursor) - 1);
  }),
  pages('page_loses_last', 'leaves the last event of a page out', (body) => { body.data.pop(); }),
  pages('page_descending', 'lists the newest event first', (body) => { body.data.reverse(); }),
  pages('page_repeats', 'lists the first event of a page twice',
    (body) => { if (body.data[0]) body.data.unshift(body.data[0]); }),
  { name: 'resume.replayed_at_the_end', topics: TOPICS,
    does: 'replays the run for whoever has its last event',
    async request(asked, world) {
      if (asked.id !== 'streamRunEvents' || !wantsStream(asked)) return;
      const run = await world.ask({ ...asked, id: 'getRun', query: new URLSearchParams(),
        path: `/runs/${asked.params[0]}/events`,
        headers: { authorization: asked.headers.authorization ?? '' } });
      const last = run.body?.data?.at(-1)?.sequence_number ?? Infinity;
      const after = Number(asked.query.get('starting_after') ?? 0);
      if (after >= last) asked.query.set('starting_after', '0');
    } },
  { name: 'resume.never_stops_reconnecting', topics: TOPICS,
    does: 'answers a reader that reconnects after the end with an empty stream, and not with 204',
    answer(answered, asked) {
      if (asked.id !== 'streamRunEvents' || answered.status !== 204) return;
      Object.assign(answered, { status: 200, text: '' });
      answered.headers['content-type'] = 'text/event-stream; charset=utf-8';
    } },
  { name: 'resume.nothing_is_lost', topics: TOPICS,
    does: 'has nothing for whoever has more events than there are, and does not say so',
    answer(answered, asked) {
      if (asked.id !== 'streamRunEvents' || answered.status !== 410) return;
      const body = { object: 'list', data: [], has_more: false, next_cursor: null };
      Object.assign(answered, { status: 200, body });
    } },
  { name: 'resume.hangs_at_the_end', topics: TOPICS, silent: true,
    does: 'keeps the stream of a run open that has ended, for whoever has its last event',
    stream: async function* (messages, { query }) {
      let number = 0;
      for await (const message of messages) {
        number += 1;
        yield message;
      }
      if (number === 0 && query.has('starting_after')) await never();
    } },
  { name: 'resume.closing_cancels', topics: TOPICS,
    does: 'cancels a run when its reader goes away',
    stream: async function* (messages, asked, world) {
      const { authorization = '' } = asked.headers;
      let run_id = '';
      let over = false;
      world.onGone(asked, () => {
        if (!over) {
          void world.ask({ ...asked, id: 'cancelRun', method: 'POST', text: '', json: undefined,
            path: `/runs/${run_id}/cancel`, query: new URLSearchParams(),
            headers: { authorization } }).catch(() => undefined);
        }
      });
      for await (const message of messages) {
        run_id = message.data.run_id;
        yield message;
      }
      over = true;
    } },
  { name: 'resume.only_new_events', topics: ['streams.as_they_happen'], silent: true,
    does: 'sends whoever joins only what happens from then on',
    async request(asked, world) {
      if (asked.id !== 'streamRunEvents' || !wantsStream(asked)) return;
      const page = await world.ask({ ...asked, query: new URLSearchParams({ limit: '1000' }),
        headers: { authorization: asked.headers.authorization ?? '' } });
      const last = page.body?.data?.at(-1);
      if (last && !/^run\.(completed|failed|cancelled)$/.test(last.type)) {
        asked.query.set('starting_after', String(last.sequence_number));
      }
    } },
];
