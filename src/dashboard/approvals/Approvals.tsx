/**
 * Calls that wait for somebody's yes, live, beside the one that is looked at. The keyboard alone is
 * enough: j and k go through them, a approves and d denies, and the next one is there.
 */
import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import {
  useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent,
} from 'react';
import { listApprovals } from '#client/sdk.gen.ts';
import type { Approval, ListApprovalsData } from '#client/types.gen.ts';
import { BASE } from '../data/api.ts';
import { askerOf } from '../data/calls.ts';
import { useLiveList, type LiveList } from '../data/pages.ts';
import { useWorkspaceId } from '../data/session.ts';
import { NotRead } from '../frame/Boundary.tsx';
import { useShortcuts } from '../frame/keyboard.tsx';
import { Badge, Button, Spinner, StatusBadge } from '../kit/controls.tsx';
import { useFilters } from '../kit/filters.tsx';
import { Marked, Name } from '../kit/exact.tsx';
import { jsonStart } from '../kit/JsonView.tsx';
import { keepStill, opensElsewhere, useOverscan } from '../kit/rows.ts';
import { EmptyState, ErrorNote, inLetters, PageHead, Tail } from '../kit/text.tsx';
import { Time } from '../kit/time.tsx';
import { ApprovalView } from './ApprovalView.tsx';
import { keysOptions } from './Call.tsx';

type Query = NonNullable<ListApprovalsData['query']>;
const STATUSES = ['pending', 'approved', 'denied', 'used', 'expired', 'all'] as const;
type Status = typeof STATUSES[number];

function statusOf(text: string | undefined): Status {
  return STATUSES.find((status) => status === text) ?? 'pending';
}

export default function Approvals() {
  const workspace_id = useWorkspaceId();
  const { approval_id } = useParams({ strict: false });
  const status = statusOf(useFilters()[0].status);
  const query = useMemo((): Query => ({
    workspace_id, status: status === 'all' ? undefined : status,
  }), [workspace_id, status]);
  const list = useLiveList<Query, Approval>('listApprovals', listApprovals, query);
  const is_empty = list.rows.length === 0 && !approval_id;
  const way = useWay(list.rows, approval_id);
  // Only held: without this each approval that one goes to would look through all keys anew.
  useQuery({ ...keysOptions(workspace_id), enabled: false });
  const { takes_focus, go, onEnter, onDecided } = way;
  useShortcuts([
    { key: 'j', title: 'The next approval', onPress: () => go(1) },
    { key: 'k', title: 'The one before', onPress: () => go(-1) },
    { key: 'Enter', title: 'Go into it', onPress: onEnter },
    ...(list.fresh > 0 ? [{ key: 'n', title: 'Show new ones', onPress: list.onShowFresh }] : []),
  ]);
  return (
    <>
      <PageHead title="Approvals"><StatusTabs /></PageHead>
      <div className={`grid min-h-0 grow grid-rows-[minmax(0,1fr)] border-t border-line
        ${is_empty ? '' : 'lg:grid-cols-[24rem_minmax(0,1fr)]'}
        ${approval_id ? 'max-lg:[@media(max-height:32rem)]:shrink-0' : ''}`}>
        <div className={`flex min-h-0 min-w-0 flex-col bg-surface lg:border-r lg:border-line
          ${approval_id ? 'max-lg:hidden' : ''} ${is_empty ? 'lg:border-0' : ''}`}>
          <Inbox {...{ list, status, way }} chosen={approval_id} />
        </div>
        {approval_id
          ? (
            <div className="flex min-h-0 min-w-0 flex-col">
              <Link to="/w/$workspace_id/approvals" params={{ workspace_id }} search={true as never}
                className="link px-4 pt-3 lg:hidden">All approvals</Link>
              <ApprovalView key={approval_id} {...{ approval_id, takes_focus, onDecided }} />
            </div>
          ) : !is_empty && <div className="max-lg:hidden"><Hints /></div>}
      </div>
    </>
  );
}

function StatusTabs() {
  const workspace_id = useWorkspaceId();
  return (
    <div role="group" aria-label="Status" className="flex flex-wrap gap-0.5">
      {STATUSES.map((one) => (
        <Link key={one} to="/w/$workspace_id/approvals" params={{ workspace_id }}
          search={{ status: one === 'pending' ? undefined : one } as never}
          activeOptions={{ explicitUndefined: true }}
          className="flex h-8 items-center rounded-md px-2.5 text-muted capitalize hover:bg-raised
            aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium
            aria-[current=page]:text-text">{one}</Link>
      ))}
    </div>
  );
}

interface Way {
  takes_focus: boolean;
  /** To the row so many further; to the first one, if none is chosen. */
  go: (steps: number) => void;
  onEnter: () => void;
  onChoose: (approval_id: string) => void;
  onDecided: (approval: Approval) => void;
}

/** The way through the list: each step is the address of one approval. */
function useWay(rows: readonly Approval[], chosen: string | undefined): Way {
  const workspace_id = useWorkspaceId();
  const navigate = useNavigate();
  // What was decided, here or elsewhere, leaves the list: one goes on from where it was.
  const place = useRef(-1);
  const [entered, setEntered] = useState<string | null>(null);
  const at = rows.findIndex(({ id }) => id === chosen);
  useEffect(() => {
    if (at !== -1) place.current = at;
    if (chosen === undefined) place.current = -1;
  }, [at, chosen]);
  const onChoose = (approval_id: string) => void navigate({
    to: '/w/$workspace_id/approvals/$approval_id', params: { workspace_id, approval_id },
    search: true as never, replace: chosen !== undefined, state: { keeps_focus: true },
  });
  const choose = (row: Approval | undefined) => {
    // The list tells which one is shown while it has the focus; or else it is gone into.
    const is_in_list = document.activeElement?.role === 'listbox';
    setEntered(is_in_list ? null : row?.id ?? null);
    if (row) onChoose(row.id);
  };
  return {
    takes_focus: entered === chosen, onChoose,
    go(steps) {
      const to = at === -1 && steps > 0 ? Math.max(place.current, 0)
        : (at === -1 ? place.current : at) + steps;
      choose(rows[Math.max(0, Math.min(rows.length - 1, to))]);
    },
    onEnter() {
      const id = chosen ?? rows[0]?.id;
      if (id === undefined) return;
      // Once more for the one that had it before.
      setEntered(null);
      queueMicrotask(() => setEntered(id));
      if (chosen === undefined) onChoose(id);
    },
    onDecided({ id }) {
      const here = rows.findIndex((row) => row.id === id);
      const isNext = (row: Approval) => row.id !== id && row.status === 'pending';
      const next = rows.slice(here + 1).find(isNext) ?? rows.slice(0, here).findLast(isNext);
      setEntered(next?.id ?? null);
      if (next) onChoose(next.id);
      else {
        void navigate({ to: '/w/$workspace_id/approvals', params: { workspace_id },
          search: true as never, replace: true });
      }
    },
  };
}

const ROW_PX = inLetters(80);
const PREVIEW = 200;
const AHEAD = 20;

function Inbox({ list, status, chosen, way }: {
  list: LiveList<Approval>; status: Status; chosen: string | undefined; way: Way;
}) {
  const { rows, error, is_loading, has_more, fresh, onMore, onRetry, onSeen, onShowFresh } = list;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length, getScrollElement: () => scroller.current, estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]!.id, overscan: useOverscan(8),
  });
  const items = virtual.getVirtualItems();
  useEffect(() => onSeen(items.map(({ key }) => String(key))));
  const wants_more = has_more && (items.at(-1)?.index ?? 0) >= rows.length - AHEAD;
  useEffect(() => {
    if (wants_more) onMore();
  }, [wants_more, rows.length, onMore]);
  const at = rows.findIndex((row) => row.id === chosen);
  useEffect(() => {
    if (at !== -1) virtual.scrollToIndex(at);
  }, [at, virtual]);
  if (rows.length === 0) {
    return error || is_loading ? <NotRead {...{ error, onRetry }} /> : <Nothing status={status} />;
  }
  return (
    <>
      {fresh > 0 && (
        <div role="status" className="flex justify-center border-b border-line p-1.5">
          <Button look="main" icon="up" onClick={onShowFresh}>{`${fresh} new`}</Button>
        </div>
      )}
      <div ref={scroller} role="listbox" tabIndex={0} aria-label="Approvals"
        aria-activedescendant={items.some(({ index }) => index === at) ? `${id}-${chosen}`
          : undefined}
        onKeyDown={(event) => onKey(event, way)}
        className="group/list min-h-0 grow overflow-y-auto outline-offset-[-2px]">
        <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, key, start }) => (
            <Row key={key} row={rows[index]!} id={`${id}-${key}`} start={start}
              is_chosen={index === at} has_status={status === 'all'}
              place={[index + 1, has_more ? -1 : rows.length]}
              onChoose={way.onChoose} />
          ))}
        </div>
        {error ? <div className="p-3"><ErrorNote {...{ error, onRetry }} /></div>
          : has_more && <p role="presentation" className="flex items-center gap-2 p-3 text-muted">
            <Spinner /> Loading …</p>}
      </div>
    </>
  );
}

function onKey(event: KeyboardEvent, { go, onEnter }: Way): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'ArrowDown') go(1);
  else if (event.key === 'ArrowUp') go(-1);
  else if (event.key === 'Home') go(-Infinity);
  else if (event.key === 'End') go(Infinity);
  else if (event.key === 'Enter') onEnter();
  else return;
  event.preventDefault();
}

function Row({ row, id, start, is_chosen, has_status, place: [position, size], onChoose }: {
  row: Approval; id: string; start: number; is_chosen: boolean; has_status: boolean;
  place: readonly [number, number]; onChoose: (approval_id: string) => void;
}) {
  const { action, input, effect, status, connection_name, account_label, created_at } = row;
  const workspace_id = useWorkspaceId();
  const open = (event: MouseEvent) => {
    const address = new URL(`w/${workspace_id}/approvals/${row.id}${location.search}`, BASE);
    if (!opensElsewhere(event, address.href)) onChoose(row.id);
  };
  return (
    <div id={id} role="option" aria-selected={is_chosen} aria-posinset={position}
      aria-setsize={size} onClick={open} onAuxClick={open} onMouseDown={keepStill}
      className={`absolute inset-x-0 top-0 flex cursor-pointer flex-col justify-center gap-0.5
        border-b border-line px-4 ${is_chosen ? `bg-accent-soft
        shadow-[inset_3px_0_var(--color-accent)]` : 'hover:bg-canvas'}`}
      style={{ height: ROW_PX, transform: `translateY(${start}px)` }}>
      <span className="flex items-baseline gap-2">
        <span className="flex min-w-0 grow font-medium"><Tail>{action}</Tail></span>
        <span className="shrink-0 text-sm text-muted"><Time at={created_at} /></span>
      </span>
      <span className="flex items-center gap-2 text-sm text-muted">
        {has_status && <StatusBadge status={status} />}
        <Badge tone={effect === 'read' ? 'plain' : effect === 'destructive' ? 'bad' : 'warn'}>
          {effect}
        </Badge>
        <span className="min-w-0 grow truncate">
          <Marked>{account_label ?? connection_name ?? ''}</Marked>
        </span>
        <span className="shrink-0">{askerOf(row)}</span>
      </span>
      <span className="truncate font-mono text-sm text-muted">
        <Name>{jsonStart(withoutOuter(input), PREVIEW)}</Name>
      </span>
    </div>
  );
}

/** Of a single object, such as the body of a request, what is in it: its name tells nothing. */
function withoutOuter(input: Approval['input']): unknown {
  const [one, ...others] = Object.values(input);
  return typeof one === 'object' && one !== null && others.length === 0 ? one : input;
}

function Nothing({ status }: { status: Status }) {
  const workspace_id = useWorkspaceId();
  if (status !== 'pending') {
    return <EmptyState title={status === 'all' ? 'No approvals yet' : `None is ${status}`} />;
  }
  return (
    <EmptyState title="Nothing waits for you"
      command={`bin/gatehouse grants add --actions 'tickets.*' \\
  --decision require_approval --workspace ${workspace_id}`}>
      A call waits here as soon as a grant says that somebody has to approve it first.
    </EmptyState>
  );
}

function Hints() {
  return (
    <EmptyState title="Choose an approval">
      With <kbd className="font-mono">j</kbd> and <kbd className="font-mono">k</kbd> one goes
      through them, with <kbd className="font-mono">a</kbd> one approves, with{' '}
      <kbd className="font-mono">d</kbd> one denies.
    </EmptyState>
  );
}
