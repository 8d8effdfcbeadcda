/** One run, three ways: as a conversation, in time, event by event. Which, is in the URL. */
import { Link } from '@tanstack/react-router';
import { useCallback, useMemo, useRef, useState, type ReactNode } from 'react';
import type { Run, RunEvent } from '#client/types.gen.ts';
import { callStatus, MAKERS } from '../data/calls.ts';
import { useWorkspaceId } from '../data/session.ts';
import { Badge, CopyButton, Spinner, Tabs } from '../kit/controls.tsx';
import { Name } from '../kit/exact.tsx';
import { addressWith, Filters, useFilters } from '../kit/filters.tsx';
import { jsonStart, JsonView } from '../kit/JsonView.tsx';
import { Drawer } from '../kit/overlays.tsx';
import { Prose } from '../kit/Prose.tsx';
import { CopyId, counted, countText, EmptyState, ErrorNote } from '../kit/text.tsx';
import { Duration, durationText, Time } from '../kit/time.tsx';
import { VirtualTable, type Column } from '../kit/VirtualTable.tsx';
import { Conversation, Follow, useFollowing } from './Conversation.tsx';
import type { History } from './history.ts';
import { PartDrawer } from './PartDrawer.tsx';
import { Timeline } from './Timeline.tsx';

interface RunViewProps {
  events: readonly RunEvent[];
  history: History;
  /** What the log does not tell; null of a file that has the events alone. */
  run: Pick<Run, 'id' | 'session_id' | 'source' | 'instructions'>
    & Partial<Pick<Run, 'finished_at'>> | null;
  /** It goes on, and is followed. */
  is_live: boolean;
  /** Nothing is asked of the service. */
  is_file?: boolean;
}

const VIEWS = ['conversation', 'timeline', 'events'];

export function RunView({ events, history, run, is_live, is_file = false }: RunViewProps) {
  const [{ view = VIEWS[0]!, part, event }, change, open] = useFilters();
  const onOpen = useCallback((id: string | undefined) => open({ part: id }), [open]);
  const shown_event = event === undefined ? undefined
    : events.find(({ sequence_number }) => String(sequence_number) === event);
  const shown_part = part === undefined ? undefined : history.parts.get(part);
  const shared = { history, is_live, onOpen };
  return (
    <>
      <RunFacts {...{ history, run, is_live, is_file }} />
      {history.error && (
        <div className="shrink-0 px-4 pb-3">
          <ErrorNote error={{ ...history.error, message: [history.error.message,
            WHAT_TO_DO[history.error.code]].filter(Boolean).join('\n') }} />
        </div>
      )}
      <Tabs label="Ways to see the run" value={VIEWS.includes(view) ? view : VIEWS[0]!}
        onChange={(to) => change({ view: to === VIEWS[0] ? undefined : to })} tabs={[
          {
            value: 'conversation', label: 'Conversation',
            content: (
              <Conversation {...shared}><Outcome {...{ history, is_file }} /></Conversation>
            ),
          },
          { value: 'timeline', label: 'Timeline', content: <Timeline {...shared} /> },
          {
            value: 'events', label: `Events (${countText(events.length)})`,
            content: <EventTable {...{ events, is_live, is_file }} />,
          },
        ]} />
      {shown_part && <PartDrawer part={shown_part} {...{ history, is_live, is_file, onOpen }} />}
      {shown_event && (
        <Drawer onClose={() => change({ event: undefined })}
          title={`Event ${event}`} says={shown_event.type}>
          <JsonView value={shown_event} label="event" height={640} />
        </Drawer>
      )}
    </>
  );
}

/** What to do about a run that failed, by its code; docs/errors.md has the whole table. */
const WHAT_TO_DO: Readonly<Record<string, string>> = {
  model_error: 'If the model refused the request, change it; if it was away, run it again later.',
  model_rate_limited: 'The model\'s provider limits the rate: run it again later.',
  max_steps_exceeded: 'A new run of the session goes on from here.',
  budget_exceeded: 'Raise the limit that is named, or ask for less; that of a day begins anew'
    + ' at 0:00 UTC.',
  worker_lost: 'The logs of the workers say why they ended.',
  internal_error: 'This is a fault of the service: report it with the id of the run.',
};

function RunFacts({ history, run, is_live, is_file }: Omit<RunViewProps, 'events'>) {
  const workspace_id = useWorkspaceId();
  const { created_ms, started_ms, last_ms, items, calls, usage, metadata } = history;
  const iso = (at_ms: number) => new Date(at_ms).toISOString();
  // Of what is neither followed nor over the log is known until its last event.
  const end = is_live ? null : run?.finished_at ?? iso(last_ms);
  const steps = items.filter(({ kind }) => kind === 'step').length;
  const attempts = items.length - steps + 1;
  const count = (status: string) => calls.filter((call) => callStatus(call) === status).length;
  const [failed, asked] = [count('failed'), count('asked_for_approval')];
  return (
    <dl className="flex shrink-0 flex-wrap gap-x-6 gap-y-1 px-4 pb-3">
      {run && <Fact name="Run" is_minor><CopyId id={run.id} of="run" /></Fact>}
      {run && (
        <Fact name="Session">
          {is_file ? <CopyId id={run.session_id} of="session" /> : (
            <Link to="/w/$workspace_id/sessions/$session_id" className="link truncate font-mono
              text-sm" params={{ workspace_id, session_id: run.session_id }}>{run.session_id}</Link>
          )}
        </Fact>
      )}
      {history.model && <Fact name="Model"><Name>{history.model}</Name></Fact>}
      {run?.source && (
        <Fact name="Made by" is_minor>{MAKERS[run.source] ?? <Name>{run.source}</Name>}</Fact>
      )}
      <Fact name="Created"><Time at={iso(created_ms)} as={is_file ? 'local' : 'age'} /></Fact>
      <Fact name="Queued" is_minor>
        <Duration from={iso(created_ms)} to={started_ms === null ? end : iso(started_ms)} />
      </Fact>
      {started_ms !== null && <Fact name="Ran"><Duration from={iso(started_ms)} to={end} /></Fact>}
      {attempts > 1 && <Fact name="Attempts">{attempts}</Fact>}
      <Fact name="Steps" is_minor>{countText(steps)}</Fact>
      <Fact name="Calls">
        {countText(calls.length)}{failed > 0 && `, ${countText(failed)} failed`}
        {asked > 0 && `, ${countText(asked)} asked for approval`}
      </Fact>
      {usage && (
        <Fact name="Tokens">{countText(usage.total_tokens)}
          <span className="text-muted">{` (${countText(usage.input_tokens)} in, ${
            countText(usage.output_tokens)} out)`}</span>
        </Fact>
      )}
      {run?.instructions && <InstructionsFact text={run.instructions} />}
      <MetadataFacts of={metadata} />
    </dl>
  );
}

function InstructionsFact({ text }: { text: string }) {
  const [is_open, setOpen] = useState(false);
  return (
    <Fact name="Instructions">
      <button type="button" className="link" onClick={() => setOpen(true)}>Read</button>
      {is_open && <Drawer title="Instructions" onClose={() => setOpen(false)}>
        <Prose text={text} plain /></Drawer>}
    </Fact>
  );
}

const METADATA_SHOWN = 4;

/** What the application has written beside the run: more than a few values are folded. */
function MetadataFacts({ of }: { of: History['metadata'] }) {
  const [is_open, setOpen] = useState(false);
  const values = Object.entries(of);
  const shown = is_open ? values : values.slice(0, METADATA_SHOWN);
  return (
    <>
      {shown.map(([name, value]) => (
        <Fact key={name} name={name} is_minor><Badge><Name>{String(value)}</Name></Badge></Fact>
      ))}
      {values.length > METADATA_SHOWN && (
        <Fact name="Metadata" is_minor>
          <button type="button" className="link" aria-expanded={is_open}
            onClick={() => setOpen(!is_open)}>
            {is_open ? 'Fewer values' : counted(values.length - METADATA_SHOWN, 'more value')}
          </button>
        </Fact>
      )}
    </>
  );
}

/** `is_minor`: a phone has no room for it. */
function Fact({ name, is_minor, children }: {
  name: string; is_minor?: boolean; children: ReactNode;
}) {
  return (
    <div className={`flex h-6 max-w-full min-w-0 items-center gap-1.5
      ${is_minor ? 'max-sm:hidden' : ''}`}>
      <dt className="max-w-48 shrink-0 truncate text-sm text-muted"><Name>{name}</Name></dt>
      <dd className="flex min-w-0 items-center gap-1 truncate tabular-nums">{children}</dd>
    </div>
  );
}

const REASONS: Readonly<Record<string, string>> = {
  requested: 'as somebody asked for', interrupted: 'by a newer run of the session',
  api_key_revoked: 'because its api key was revoked',
  workspace_archived: 'because its workspace was archived',
};

/** Where the conversation ends. */
function Outcome({ history, is_file }: Pick<RunViewProps, 'history' | 'is_file'>) {
  const { status, started_ms, last_ms, usage, cancel_reason, is_over } = history;
  if (is_file && !is_over) {
    return (
      <p role="status" className="border-t border-line pt-3 text-warn">
        The file ends here: the end of the run is not in it.
      </p>
    );
  }
  if (status === 'queued') {
    return (
      <p role="status" className="flex items-center gap-2 text-muted">
        <Spinner />Waits for its turn: runs of one session are executed one after the other.
      </p>
    );
  }
  if (status === 'running' || !is_over) return null;
  const took = started_ms === null ? '' : ` after ${durationText(last_ms - started_ms)}`;
  const words = {
    completed: `Completed${took}, with ${countText(usage?.total_tokens ?? 0)} tokens.`,
    failed: `Failed${took}.`,
    cancelled: `Cancelled${took}, ${REASONS[cancel_reason ?? ''] ?? cancel_reason}.`,
  };
  return <p role="status" className="border-t border-line pt-3 text-muted">{words[status]}</p>;
}

const PREVIEW = 400;

/** The log itself, in order. */
function EventTable({ events, is_live, is_file }: Omit<RunViewProps, 'history' | 'run'>) {
  const [{ type, words }, , open] = useFilters();
  const counts = useMemo(() => Map.groupBy(events, (event) => event.type), [events]);
  const rows = useMemo(() => {
    const wanted = words?.toLowerCase();
    return events.filter((event) => (!type || event.type === type)
      && (!wanted || JSON.stringify(event).toLowerCase().includes(wanted)));
  }, [events, type, words]);
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-start pt-3">
        <div className="grow">
          <Filters of={[
            {
              name: 'type', label: 'Kind', choices: [...counts].map(([value, { length }]) =>
                ({ value, label: `${value} (${countText(length)})` })),
            },
            { name: 'words', label: 'Words in the event' },
          ]} left={{ rows }} />
        </div>
        <div className="px-4 pb-3">
          <CopyButton look="plain" what="events" text={() =>
            rows.map((event) => JSON.stringify(event)).join('\n')}>
            {`Copy ${rows.length === events.length ? 'all' : countText(rows.length)} as JSON lines`}
          </CopyButton>
        </div>
      </div>
      {rows.length === 0
        ? <EmptyState title="No event is like that">Change the filters.</EmptyState>
        : <EventRows {...{ rows, is_live, is_file }} begun_ms={Date.parse(events[0]!.created_at)}
            onOpen={({ sequence_number }) => open({ event: String(sequence_number) })} />}
    </>
  );
}

/** Of a run that goes on the newest stay in sight, if that is where the reader is. */
function EventRows({ rows, is_live, is_file, begun_ms, onOpen }: {
  rows: readonly RunEvent[]; begun_ms: number; onOpen: (event: RunEvent) => void;
} & Pick<RunViewProps, 'is_live' | 'is_file'>) {
  const scroller = useRef<HTMLDivElement>(null);
  const [has_more, onEnd] = useFollowing(scroller, rows.length, is_live);
  const columns = useMemo(() => columnsOf(begun_ms), [begun_ms]);
  return (
    <div className="relative flex min-h-0 grow flex-col">
      <VirtualTable label="Events" rowKey={({ id }) => id} empty={null}
        {...{ scroller, columns, rows, onOpen, ...!is_file && { addressOf } }} />
      {has_more && <Follow {...{ scroller, onEnd }} />}
    </div>
  );
}

const addressOf = (event: RunEvent) => addressWith({ event: String(event.sequence_number) });

function columnsOf(begun_ms: number): readonly Column<RunEvent>[] {
  return [
    {
      key: 'number', title: '#', width: '3.5rem', is_number: true, card: 'side',
      cell: ({ sequence_number }) => sequence_number,
    },
    {
      key: 'time', title: 'After', width: '6rem', is_number: true,
      cell: ({ created_at }) => (
        <span title={created_at}>{durationText(Date.parse(created_at) - begun_ms)}</span>
      ),
    },
    {
      key: 'type', title: 'Kind', width: '14rem', card: 'head',
      cell: ({ type }) => <span className="truncate font-mono text-sm">{type}</span>,
    },
    {
      key: 'data', title: 'Data', width: 'minmax(12rem, 1fr)',
      cell: ({ data }) => (
        <span className="truncate font-mono text-sm text-muted">
          <Name>{jsonStart(data, PREVIEW)}</Name>
        </span>
      ),
    },
  ];
}
