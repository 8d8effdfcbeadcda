/** A session's conversation: its messages as stored, its runs, and what a run does just now. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { getSession, listRuns, listSessionMessages } from '#client/sdk.gen.ts';
import type {
  ListRunsData, Message, RunEvent, RunSummary, Session, ToolCallError,
} from '#client/types.gen.ts';
import { asApiError, queries, type ApiError } from '../data/api.ts';
import { useLiveList } from '../data/pages.ts';
import { durationText } from '../kit/time.tsx';

/** What the agent said, or an action that it called. */
export type Item =
  | { kind: 'said'; id: string; text: string; is_whole: boolean }
  | {
    kind: 'call'; id: string; name: string; state: 'running' | 'completed' | 'failed';
    /** What the model passed; undefined where it is in an earlier page. */
    input?: unknown;
    /** It so far, while the model writes it. */
    written?: string;
    result?: unknown; error?: ToolCallError | undefined;
  };

/** One run: what was asked, and what came of it. */
export interface Turn { run_id: string; asked_at: string; asked: string[]; items: Item[] }

/** Messages as turns, in their order. */
function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = [];
  for (const { run_id, role, content, created_at, id } of messages) {
    let turn = turns.at(-1);
    if (turn?.run_id !== run_id) {
      turn = { run_id, asked_at: created_at, asked: [], items: [] };
      turns.push(turn);
    }
    content.forEach((part, at) => {
      if (part.type === 'input_text') turn.asked.push(part.text);
      else if (part.type === 'output_text') {
        turn.items.push({ kind: 'said', id: `${id}.${at}`, text: part.text, is_whole: true });
      } else if (part.type === 'tool_call') {
        turn.items.push({ kind: 'call', id: part.tool_call_id, name: part.name, state: 'running',
          input: part.arguments });
      } else if (part.type === 'tool_result' && role === 'tool') {
        const { tool_call_id, name, result, error } = part;
        const state = error ? 'failed' : 'completed';
        put(turn.items, tool_call_id,
          { kind: 'call', id: tool_call_id, name, state, result, error });
      }
    });
  }
  return turns;
}

/** Puts an item in the place of the one with its id, whose input it keeps; or at the end. */
function put(items: Item[], id: string, item: Item): void {
  const at = items.findIndex((one) => one.id === id);
  const before = items[at];
  if (before === undefined) items.push(item);
  else if (before.kind === 'call' && item.kind === 'call') {
    items[at] = { input: before.input, ...item };
  } else items[at] = item;
}

/** What a run has done so far, by its events. Each event is looked at once. */
export class LiveTurn {
  items: Item[] = [];
  /** What the model says that it is thinking. */
  #thought = '';
  #attempt = 0;
  #seen = 0;
  #thought_id = '';

  /** Takes those of all events of the run that are new. */
  take(events: readonly RunEvent[]): void {
    if (events.length === this.#seen) return;
    this.items = [...this.items];
    for (const event of events.slice(this.#seen)) this.#take(event);
    this.#seen = events.length;
  }

  /** What it does just now, in a few words. */
  get doing(): string {
    if (this.#attempt === 0) return 'Waiting for a worker …';
    const again = this.#attempt > 1 ? `Attempt ${this.#attempt}: ` : '';
    if (this.items.at(-1)?.kind === 'said') return `${again}Writing …`;
    return again + (this.#thought.trim().split('\n').at(-1) || 'Working …');
  }

  #take(event: RunEvent): void {
    const { items } = this;
    switch (event.type) {
      case 'run.started':
        this.#attempt = event.data.attempt;
        return this.#void('');
      case 'reasoning.summary.delta': {
        const { item_id, delta } = event.data;
        this.#thought = item_id === this.#thought_id ? this.#thought + delta : delta;
        this.#thought_id = item_id;
        return;
      }
      case 'message.output.delta': {
        const { message_id: id, delta } = event.data;
        this.#void(id);
        const before = items.find((item) => item.id === id);
        const text = before?.kind === 'said' ? before.text + delta : delta;
        return put(this.items, id, { kind: 'said', id, text, is_whole: false });
      }
      case 'message.output.completed': {
        const { message_id: id, message } = event.data;
        const text = message.content.map((part) => part.text).join('');
        return put(items, id, { kind: 'said', id, text, is_whole: true });
      }
      case 'tool_call.started': {
        const { tool_call_id: id, name } = event.data;
        return put(items, id, { kind: 'call', id, name, state: 'running', written: '' });
      }
      case 'tool_call.arguments.delta': {
        const { tool_call_id: id, delta } = event.data;
        const call = items.find((item) => item.id === id);
        if (call?.kind !== 'call') return;
        return put(items, id, { ...call, written: (call.written ?? '') + delta });
      }
      case 'tool_call.completed': {
        const { tool_call_id: id, name, arguments: input, result } = event.data;
        return put(items, id, { kind: 'call', id, name, state: 'completed', input, result });
      }
      case 'tool_call.failed': {
        const { tool_call_id: id, name, error } = event.data;
        const call = items.find((item) => item.id === id);
        const input = call?.kind === 'call' ? parsed(call.written ?? '') : undefined;
        return put(items, id, { kind: 'call', id, name, state: 'failed', input, error });
      }
      default: // Ends are told by the run; kinds that are not known are passed over.
    }
  }

  /** The model was asked again: what it had begun to say is void (docs/events.md). */
  #void(message_id: string): void {
    this.items = this.items.filter((item) =>
      item.kind !== 'said' || item.is_whole || item.id === message_id);
  }
}

const LINE_CHARACTERS = 300;

/** What an action was called with, on one line, without its name. */
export function inputText({ input, written = '' }: Extract<Item, { kind: 'call' }>): string {
  const { action, ...rest } = Object(input) as { action?: unknown; input?: unknown };
  const given = Object.keys(rest).length === 1 && 'input' in rest ? rest.input : rest;
  const text = input === undefined ? written : action === undefined ? JSON.stringify(input)
    : Object.keys(Object(given)).length === 0 ? '' : JSON.stringify(given);
  return text.slice(0, LINE_CHARACTERS);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json || undefined;
  }
}

interface Transcript { session: Session; messages: Message[]; earlier_cursor: string | null }

export interface Conversation {
  session: Session | undefined;
  turns: Turn[];
  error: ApiError | null;
  onRetry: () => void;
  /** The runs of the turns, as they are now, by their ids. */
  runs: ReadonlyMap<string, RunSummary>;
  /** Those that have not ended, in the order in which they are executed. */
  open_runs: readonly RunSummary[];
  has_earlier: boolean;
  is_loading_earlier: boolean;
  earlier_error: ApiError | null;
  onEarlier: () => void;
}

/** So many runs are looked at again and again; more are queued in one session hardly ever. */
const WATCHED_RUNS = 20;

/** A session, kept as it is now, whoever asks in it. */
export function useConversation(session_id: string): Conversation {
  const { data, error, refetch, earlier } = useTranscript(session_id);
  const query = useMemo(() => ({ session_id, limit: WATCHED_RUNS }), [session_id]);
  const list = useLiveList<NonNullable<ListRunsData['query']>, RunSummary>(
    'listRuns', listRuns, query);
  const { rows, fresh, onShowFresh, has_more, onMore } = list;
  useEffect(() => {
    if (fresh > 0) onShowFresh();
  }, [fresh, onShowFresh]);
  const runs = useMemo(() => new Map(rows.map((run) => [run.id, run])), [rows]);
  const open_runs = useMemo(() => rows.filter(isOpen).reverse(), [rows]);
  const turns = useMemo(() => turnsOf(data?.messages ?? []), [data]);
  // A run more, or another state of one, means other messages.
  const stand = rows.slice(0, WATCHED_RUNS).map(({ id, status }) => `${id} ${status}`).join();
  const is_behind = Boolean(data && rows[0] && !turns.some(({ run_id }) => run_id === rows[0]!.id));
  const known_stand = useRef('');
  useEffect(() => {
    const has_changed = known_stand.current !== '' && known_stand.current !== stand;
    known_stand.current = stand;
    if (is_behind || has_changed) {
      void queries.invalidateQueries({ queryKey: keyOf(session_id) });
    }
  }, [stand, is_behind, session_id]);
  const first = turns[0]?.run_id;
  useEffect(() => {
    if (first && has_more && !runs.has(first)) onMore();
  }, [first, has_more, runs, onMore]);
  const fault = error ?? list.error;
  return {
    session: data?.session, turns, runs, open_runs, error: fault && asApiError(fault),
    onRetry: () => {
      void refetch();
      list.onRetry();
    },
    has_earlier: Boolean(data?.earlier_cursor), is_loading_earlier: earlier.isPending,
    earlier_error: earlier.error && asApiError(earlier.error),
    onEarlier: () => {
      if (data?.earlier_cursor && !earlier.isPending) earlier.mutate(data.earlier_cursor);
    },
  };
}

const ENDS: Readonly<Record<string, string>> = {
  completed: 'Completed', failed: 'Failed', cancelled: 'Cancelled',
};

/**
 * That the agent works and how it has ended, of the last two runs: one may begin as the other ends.
 * What was over when the session was opened is no news.
 */
export function useNews(
  { session, turns, runs }: Conversation, watched: readonly string[],
): [run_id: string, words: string][] {
  const begun_with = useRef<string>(undefined);
  if (session) begun_with.current ??= turns.at(-1)?.run_id ?? '';
  // Ids of runs are in the order of their creation.
  return [...runs.values()].filter(({ id, status }) => status !== 'queued'
    && (watched.includes(id) || id > (begun_with.current ?? id))).slice(0, 2).reverse()
    .map(({ id, status, started_at, finished_at }) => {
      const took = started_at === null || finished_at === null ? ''
        : ` after ${durationText(Date.parse(finished_at) - Date.parse(started_at))}`;
      return [id, status === 'running' ? 'Working …' : `${ENDS[status]}${took}.`];
    });
}

/** What a session is called, for people; null if nobody could see it, as of blanks alone. */
export function titleOf({ title }: Pick<Session, 'title'>): string | null {
  return title !== null && /[^\p{C}\p{Z}]/u.test(title) ? title : null;
}

export function isOpen({ status }: RunSummary): boolean {
  return status === 'queued' || status === 'running';
}

function keyOf(session_id: string) {
  return [{ _id: 'getSession', transcript: session_id }];
}

/** The newest messages, and as many earlier ones as were asked for; none that is held is lost. */
function useTranscript(session_id: string) {
  const queryKey = keyOf(session_id);
  const path = { session_id };
  const found = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Transcript> => {
      const { data } = await getSession({ path, signal, throwOnError: true });
      const { messages, messages_next_cursor, ...session } = data;
      const held = queries.getQueryData<Transcript>(queryKey);
      return merged(held, { session, messages, earlier_cursor: messages_next_cursor });
    },
  });
  const earlier = useMutation({
    mutationFn: async (cursor: string) =>
      (await listSessionMessages({ path, query: { cursor, limit: 100 }, throwOnError: true })).data,
    onSuccess: (page, cursor) => queries.setQueryData<Transcript>(queryKey, (held) =>
      (held?.earlier_cursor !== cursor ? held : {
        ...held, messages: [...page.data.reverse(), ...held.messages],
        earlier_cursor: page.next_cursor,
      })),
  });
  return { ...found, earlier };
}

/** The newest page, and before it what was held; without a message in common, the page alone. */
function merged(held: Transcript | undefined, newest: Transcript): Transcript {
  const places = new Map(held?.messages.map(({ id }, at) => [id, at]));
  const known = newest.messages.find(({ id }) => places.has(id));
  if (!held || !known) return newest;
  return {
    ...newest, earlier_cursor: held.earlier_cursor,
    messages: [...held.messages.slice(0, places.get(known.id)), ...newest.messages],
  };
}
