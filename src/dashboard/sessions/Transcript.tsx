/** The turns of a conversation, and the place in which they scroll. */
import { Link } from '@tanstack/react-router';
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { RunSummary } from '#client/types.gen.ts';
import { approvalOf, askedOf, callStatus, MAKERS } from '../data/calls.ts';
import { useRunEvents } from '../data/reach.ts';
import { useWorkspaceId } from '../data/session.ts';
import { ApprovalNote } from '../frame/permission.tsx';
import { Button, Icon, Spinner, StatusBadge } from '../kit/controls.tsx';
import { Name } from '../kit/exact.tsx';
import { JsonView } from '../kit/JsonView.tsx';
import { Prose } from '../kit/Prose.tsx';
import { useEnd } from '../kit/rows.ts';
import { countText, ErrorNote, nameOf } from '../kit/text.tsx';
import { Duration, Time } from '../kit/time.tsx';
import {
  inputText, isOpen, LiveTurn, type Conversation, type Item, type Turn,
} from './turns.ts';

/** So far before the beginning, in px, earlier messages are asked for. */
const AHEAD_PX = 600;

/**
 * Scrolls the turns. At the end it follows what comes; elsewhere nothing moves, whether more comes
 * at the end or before what is read. In a low window it keeps a height to read in.
 */
export function TurnScroller({ conversation, target, children }: {
  conversation: Conversation;
  /** The run to begin at, by a link; without one the reader begins at the end. */
  target: string | undefined;
  children: ReactNode;
}) {
  const { has_earlier, earlier_error, onEarlier } = conversation;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { is_at_end, onScroll, toEnd } = useSteadiness(
    { scroller, content, first: firstOf(conversation), is_at_end: !target });
  useEarlier(conversation, scroller, content);
  useTarget({ conversation, content, target, toEnd });
  return (
    <div className="relative flex min-h-[min(18rem,70dvh)] grow flex-col">
      <div ref={scroller} tabIndex={0} role="region" aria-label="Conversation" onScroll={onScroll}
        className="min-h-0 grow overflow-y-auto border-t border-line outline-offset-[-2px]
          [overflow-anchor:none]">
        <div ref={content} className="mx-auto flex w-full max-w-3xl flex-col gap-5 px-4 py-5">
          <div>
            {earlier_error && <ErrorNote error={earlier_error} onRetry={onEarlier} />}
            {has_earlier && !earlier_error && (
              <p role="status" className="flex h-6 items-center justify-center gap-2 text-muted">
                <Spinner />Earlier messages …
              </p>
            )}
          </div>
          {children}
        </div>
      </div>
      {!is_at_end && (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <span className="pointer-events-auto rotate-180 rounded-md shadow-lift">
            <Button icon="up" icon_only onClick={() => {
              toEnd();
              scroller.current?.focus(); // What was pressed goes.
            }}>To the newest</Button>
          </span>
        </div>
      )}
    </div>
  );
}

interface Place { current: HTMLElement | null }

/** What is another text whenever something was put before the first message. */
function firstOf({ turns: [first] }: Conversation): string {
  return first ? `${first.run_id} ${first.items.length} ${first.asked.length}` : '';
}

/** Keeps the end in sight, or what is read where it is. */
function useSteadiness({ scroller, content, first, is_at_end: begins_at_end }: {
  scroller: Place; content: Place; first: string; is_at_end: boolean;
}) {
  const { is_there, look, toEnd } = useEnd(scroller, begins_at_end);
  const [is_at_end, setAtEnd] = useState(true);
  const anchor = useRef<{ turn: Element; top: number }>(null);
  const remember = () => {
    const turn = content.current?.querySelector('[data-turn]:last-of-type');
    if (turn) anchor.current = { turn, top: turn.getBoundingClientRect().top - topOf(content) };
  };
  // What comes before the last turn has moved it: as much as that, and no more, is scrolled.
  useLayoutEffect(() => {
    const { turn, top } = anchor.current ?? {};
    if (turn?.isConnected && !is_there.current) {
      scroller.current!.scrollTop += turn.getBoundingClientRect().top - topOf(content) - top!;
    }
    remember();
  }, [first]);
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (is_there.current) toEnd();
      remember();
    });
    observer.observe(content.current!);
    observer.observe(scroller.current!);
    return () => observer.disconnect();
  }, []);
  return { is_at_end, onScroll: () => setAtEnd(look()), toEnd };
}

/** Asks for earlier messages before the reader is at the beginning. */
function useEarlier(conversation: Conversation, scroller: Place, content: Place) {
  const { has_earlier, is_loading_earlier, earlier_error, onEarlier } = conversation;
  const wants_earlier = has_earlier && !earlier_error && !is_loading_earlier;
  const ask = useRef(onEarlier);
  ask.current = onEarlier;
  const first = firstOf(conversation);
  useEffect(() => {
    if (!wants_earlier) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) ask.current();
    }, { root: scroller.current, rootMargin: `${AHEAD_PX}px 0px 0px` });
    observer.observe(content.current!.firstElementChild!);
    return () => observer.disconnect();
  }, [wants_earlier, first]);
}

/** Goes to the turn that a link names, once it was read. */
function useTarget({ conversation, content, target, toEnd }: {
  conversation: Conversation; content: Place; target: string | undefined; toEnd: () => void;
}) {
  const { turns, has_earlier, is_loading_earlier, earlier_error, onEarlier } = conversation;
  const wanted = useRef(target);
  const earliest = turns[0]?.run_id;
  useEffect(() => {
    if (!wanted.current || !earliest || is_loading_earlier || earlier_error) return;
    const turn = content.current!.querySelector(`[data-turn="${CSS.escape(wanted.current)}"]`);
    // Ids of runs are in the order of their creation.
    if (!turn && has_earlier && wanted.current < earliest) return onEarlier();
    wanted.current = undefined;
    if (turn) turn.scrollIntoView();
    else toEnd();
  }, [earliest, has_earlier, is_loading_earlier, earlier_error]);
}

const topOf = (element: Place) => element.current!.getBoundingClientRect().top;

interface TurnProps {
  turn: Turn;
  /** Undefined while it is not read yet. */
  run: RunSummary | undefined;
  /** Shown by its events, as they come. */
  is_live: boolean;
  /** Cancels the run; undefined where that is not offered. */
  onCancel: ((run_id: string) => void) | undefined;
  /** The run's events have ended. */
  onEnd: () => void;
}

export const TurnView = memo(function TurnView({ turn, run, is_live, onCancel, onEnd }: TurnProps) {
  const { run_id, asked, asked_at, items } = turn;
  return (
    <article data-turn={run_id} aria-label="Prompt and answer" className="flex flex-col gap-3">
      {asked.length > 0 && (
        <div className="flex flex-col gap-1.5 rounded-lg bg-raised px-3.5 py-2.5">
          {asked.map((text, at) => <Prose key={at} text={text} plain limit={4_000} />)}
          <p className="flex gap-2 text-xs text-muted">
            <Time at={asked_at} />
            {run && <span>{`from ${MAKERS[run.source] ?? run.source}`}</span>}
          </p>
        </div>
      )}
      {is_live ? <LiveItems {...{ run_id, run, onCancel, onEnd }} /> : (
        <>
          <Items items={items} is_over={run === undefined || !isOpen(run)} />
          <Foot run={run} onCancel={onCancel} />
        </>
      )}
    </article>
  );
});

/** How the run stands, and the way to all of it; `doing` is what it does just now. */
function Foot({ run, onCancel, doing }:
Pick<TurnProps, 'run' | 'onCancel'> & { doing?: string | null }) {
  const workspace_id = useWorkspaceId();
  if (!run) return <div className="h-8" />;
  const { id, input, status, model, started_at, finished_at, usage, error } = run;
  // A conversation has several of its links and buttons.
  const name = nameOf(askedOf(input)) || id;
  return (
    <>
      {error && <ErrorNote error={{ message: error.message, code: error.code }} />}
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        <StatusBadge status={status} />
        <span className="truncate" title={model}><Name>{model}</Name></span>
        {started_at && <Duration from={started_at} to={finished_at} />}
        {usage && !doing
          && <span className="tabular-nums">{countText(usage.total_tokens)} tokens</span>}
        <Link to="/w/$workspace_id/runs/$run_id" params={{ workspace_id, run_id: id }}
          preload={false} className="link" aria-label={`Open the run: ${name}`}>Open the run</Link>
        {doing && (
          <span className="flex min-w-0 grow basis-40 items-center gap-2">
            <Spinner /><span className="truncate">{doing}</span>
          </span>
        )}
        {status === 'queued' && onCancel && (
          <Button look="quiet" icon="close" aria-label={`Cancel the run: ${name}`}
            onClick={() => onCancel(id)}>Cancel</Button>
        )}
      </div>
    </>
  );
}

function LiveItems({ run_id, run, onCancel, onEnd }:
Omit<TurnProps, 'turn' | 'is_live'> & { run_id: string }) {
  const { events, state, error } = useRunEvents(run_id);
  const live = useMemo(() => new LiveTurn(), [run_id]);
  live.take(events);
  const is_over = state === 'ended';
  useEffect(() => {
    if (is_over) onEnd();
  }, [is_over, onEnd]);
  return (
    <>
      <Items items={live.items} is_over={is_over} />
      {error && <ErrorNote error={error} />}
      <Foot run={run} onCancel={onCancel} doing={is_over || error ? null
        : state === 'waiting' ? 'The connection broke. Trying again …' : live.doing} />
    </>
  );
}

function Items({ items, is_over }: { items: readonly Item[]; is_over: boolean }) {
  return items.map((item) => (item.kind === 'call'
    ? <Call key={item.id} call={item} is_over={is_over} />
    : (
      <div key={item.id} className={item.is_whole ? '' : is_over ? 'text-muted' : ''}>
        <Prose text={item.text} limit={40_000} />
        {!item.is_whole && is_over && (
          <p className="mt-1.5 text-sm">Cut off here. The agent will not know of it.</p>
        )}
      </div>
    )));
}

const Call = memo(function Call({ call, is_over }: {
  call: Extract<Item, { kind: 'call' }>; is_over: boolean;
}) {
  const [is_open, setOpen] = useState(false);
  const { name, state, input, written, result, error } = call;
  const status = state === 'running' && is_over ? 'no result'
    : callStatus({ status: state, error });
  const approval_id = approvalOf(error);
  return (
    <details className="panel min-w-0" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex h-9 min-w-0 items-center gap-2.5 px-3">
        <span className={`text-muted ${is_open ? 'rotate-90' : ''}`}>
          <Icon name="right" size={14} />
        </span>
        <span className="shrink-0 truncate font-mono text-sm max-sm:shrink">
          <Name>{name}</Name></span>
        <span className="min-w-0 grow truncate font-mono text-sm text-muted max-sm:hidden">
          <Name>{inputText(call)}</Name>
        </span>
        <StatusBadge status={status} />
      </summary>
      {is_open && (
        <div className="flex flex-col gap-3 border-t border-line p-3">
          {approval_id ? <ApprovalNote approval_id={approval_id} />
            : error && <ErrorNote error={error} />}
          {(input ?? written) !== undefined && <Value label="input" value={input ?? written} />}
          {result !== undefined && <Value label="result" value={result} />}
          {!approval_id && error?.missing && <Value label="missing" value={error.missing} />}
        </div>
      )}
    </details>
  );
});

function Value({ label, value }: { label: string; value: unknown }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="text-sm text-muted">{label}</p>
      <JsonView label={label} value={value} height={280} />
    </div>
  );
}
