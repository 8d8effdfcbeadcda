/**
 * The runs of a workspace, and the calls of actions in it, which applications make without a run as
 * well: newest first, live. Every filter is in the URL.
 */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { getActionInvocationOptions } from '#client/@tanstack/react-query.gen.ts';
import { listActionInvocations, listRuns } from '#client/sdk.gen.ts';
import type {
  ActionInvocationSummary, ListActionInvocationsData, ListRunsData, RunSummary,
} from '#client/types.gen.ts';
import { askedOf } from '../data/calls.ts';
import { useLiveList } from '../data/pages.ts';
import { useWorkspaceId } from '../data/session.ts';
import { NotRead } from '../frame/Boundary.tsx';
import { StatusBadge } from '../kit/controls.tsx';
import { markedText, Name } from '../kit/exact.tsx';
import { addressWith, Filters, useFilters, type Filter } from '../kit/filters.tsx';
import { Drawer } from '../kit/overlays.tsx';
import {
  CopyId, countText, EmptyState, ErrorNote, Facts, PageHead, startOf, Tail,
} from '../kit/text.tsx';
import { Duration, durationText, Time } from '../kit/time.tsx';
import { VirtualTable, type Column } from '../kit/VirtualTable.tsx';
import { RecordText } from './PartDrawer.tsx';

type Query = NonNullable<ListRunsData['query']>;

const STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'];
/** Of a run that failed; there may be more in time, which the address can name. */
const CODES = ['model_error', 'model_rate_limited', 'max_steps_exceeded', 'timeout',
  'budget_exceeded', 'worker_lost', 'internal_error'];
const SOURCES = [
  { value: 'api', label: 'applications' }, { value: 'console', label: 'the dashboard' },
];
const asChoice = (value: string) => ({ value, label: value });

const FILTERS: readonly Filter[] = [
  { name: 'status', label: 'Status', choices: STATUSES.map(asChoice) },
  { name: 'error_code', label: 'Error', choices: CODES.map(asChoice) },
  { name: 'model', label: 'Model', placeholder: 'openai/gpt-…' },
  { name: 'source', label: 'Made by', choices: SOURCES },
  { name: 'session_id', label: 'Session', placeholder: 'ses_…' },
  { name: 'metadata', label: 'Metadata', placeholder: 'key=value' },
  { name: 'created_after', label: 'Created after', type: 'datetime-local' },
  { name: 'created_before', label: 'Created before', type: 'datetime-local' },
];

export default function RunList() {
  const workspace_id = useWorkspaceId();
  const navigate = useNavigate();
  const [search] = useFilters();
  const query = useMemo(() => Object.fromEntries(FILTERS.flatMap(({ name }) =>
    (search[name] ? [[name, search[name]]] : []))) as Query, [search]);
  const list = useLiveList<Query, RunSummary>('listRuns', listRuns, query);
  const filters = useMemo(() => FILTERS.map((filter) => withValue(filter, search[filter.name])),
    [search]);
  return (
    <>
      <PageHead title="Runs">
        <Link to="/run-file" className="link" preload={false}>Open a run from a file</Link>
      </PageHead>
      <Filters of={filters} left={list} />
      <VirtualTable {...list} label="Runs" columns={COLUMNS} rowKey={({ id }) => id}
        onOpen={({ id }) => void navigate(
          { to: '/w/$workspace_id/runs/$run_id', params: { workspace_id, run_id: id } })}
        empty={Object.keys(query).length > 0
          ? <EmptyState title="No run is like that">Change the filters, or clear them.</EmptyState>
          : (
            <EmptyState title="No runs yet"
              command={'bin/gatehouse run "Which sessions are there?"'}>
              A run appears here as soon as an application sends a prompt, or this command with an
              api key of this workspace.
            </EmptyState>
          )} />
    </>
  );
}

/** What the address says is among the choices, also if this version does not know it. */
function withValue(filter: Filter, value: string | undefined): Filter {
  const is_known = !value || filter.choices?.some((choice) => choice.value === value);
  return !filter.choices || is_known ? filter
    : { ...filter, choices: [...filter.choices, asChoice(value)] };
}

/** All of it is in sight from 1024 px on. */
const COLUMNS: readonly Column<RunSummary>[] = [
  {
    key: 'status', title: 'Status', width: '5.75rem', card: 'side',
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    key: 'input', title: 'Prompt', width: 'minmax(8rem, 4fr)', card: 'head',
    cell: (run) => <RunLink run={run} />,
  },
  {
    key: 'session', title: 'Session', width: 'minmax(3rem, 1fr)', card: 'hidden',
    cell: ({ session_id }) => <SessionLink session_id={session_id} />,
  },
  {
    key: 'model', title: 'Model', width: 'minmax(4.5rem, 1.2fr)',
    cell: ({ model }) => <span className="truncate" title={model}>{model}</span>,
  },
  {
    key: 'age', title: 'Created', width: '4.5rem',
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  {
    key: 'duration', title: 'Duration', width: '5.5rem', is_number: true,
    cell: ({ started_at, finished_at }) => <Duration from={started_at} to={finished_at} />,
  },
  {
    key: 'tokens', title: 'Tokens', width: '4.5rem', is_number: true,
    cell: ({ usage }) => (usage ? countText(usage.total_tokens) : '–'),
  },
  {
    key: 'error', title: 'Error', width: 'minmax(5.25rem, 1.4fr)',
    cell: ({ error }) => (error ? <CodeLink {...error} /> : '–'),
  },
];

/** What was asked, on one line; a link, so that it can be opened in another tab. */
function RunLink({ run: { id, input } }: { run: RunSummary }) {
  const workspace_id = useWorkspaceId();
  const text = askedOf(input);
  return (
    <Link to="/w/$workspace_id/runs/$run_id" params={{ workspace_id, run_id: id }} tabIndex={-1}
      preload={false} title={markedText(startOf(text, 500))}
      className="truncate hover:underline">
      <Name>{startOf(text, 200) || id}</Name>
    </Link>
  );
}

function SessionLink({ session_id }: { session_id: string }) {
  const workspace_id = useWorkspaceId();
  return (
    <Link to="/w/$workspace_id/sessions/$session_id" params={{ workspace_id, session_id }}
      tabIndex={-1} preload={false}
      className="flex min-w-0 font-mono text-sm text-muted hover:underline">
      <Tail>{session_id}</Tail>
    </Link>
  );
}

/** All that failed of the same. */
function CodeLink({ code, message }: { code: string; message: string }) {
  const workspace_id = useWorkspaceId();
  return (
    <Link to="/w/$workspace_id/runs" params={{ workspace_id }} tabIndex={-1} preload={false}
      search={{ error_code: code } as never} title={markedText(message)}
      className="truncate text-bad hover:underline">
      {code}
    </Link>
  );
}

type CallQuery = NonNullable<ListActionInvocationsData['query']>;
type CallRow = ActionInvocationSummary & { id: string };

/** Who asks for calls, by the `source` of one. */
const CALLERS: Readonly<Record<string, string>> = {
  api: 'an application', run: 'a run', mcp: 'an MCP client',
};
const CALL_FILTERS: readonly Filter[] = [
  { name: 'status', label: 'Status', choices: ['completed', 'failed'].map(asChoice) },
  { name: 'source', label: 'Made by', choices: Object.entries(CALLERS).map(([value, label]) =>
    ({ value, label })) },
  { name: 'action', label: 'Action', placeholder: 'pets.pets.list' },
  { name: 'run_id', label: 'Run', placeholder: 'run_…' },
  { name: 'id_prefix', label: 'Id', placeholder: 'inv_…' },
];

/** As a list whose rows have ids. */
async function listCalls(options: Parameters<typeof listActionInvocations<true>>[0]) {
  const { data } = await listActionInvocations<true>({ ...options, throwOnError: true });
  const rows = data.data.map((call): CallRow => ({ ...call, id: call.invocation_id }));
  return { data: { ...data, data: rows } };
}

/** Every call of an action, also those that no run has made. */
export function Calls() {
  const [search, change, open] = useFilters();
  const query = useMemo(() => Object.fromEntries(CALL_FILTERS.flatMap(({ name }) =>
    (search[name] ? [[name, search[name]]] : []))) as CallQuery, [search]);
  const list = useLiveList<CallQuery, CallRow>('listActionInvocations', listCalls, query);
  return (
    <>
      <PageHead title="Calls" />
      <Filters of={CALL_FILTERS} left={list} />
      <VirtualTable {...list} label="Calls" columns={CALL_COLUMNS} rowKey={({ id }) => id}
        onOpen={({ id }) => open({ call: id })} addressOf={({ id }) => addressWith({ call: id })}
        empty={Object.keys(query).length > 0
          ? <EmptyState title="No call is like that">Change the filters, or clear them.</EmptyState>
          : (
            <EmptyState title="No calls yet">
              What runs, applications and MCP clients call of actions appears here.
            </EmptyState>
          )} />
      {search.call && <OneCall id={search.call} onClose={() => change({ call: undefined })} />}
    </>
  );
}

const CALL_COLUMNS: readonly Column<CallRow>[] = [
  {
    key: 'status', title: 'Status', width: '6rem', card: 'side',
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    key: 'action', title: 'Action', width: 'minmax(10rem, 3fr)', card: 'head',
    cell: ({ action }) => (
      <span className="flex min-w-0 font-mono text-sm"><Tail>{action}</Tail></span>
    ),
  },
  {
    key: 'source', title: 'Made by', width: '7rem',
    cell: ({ source }) => <span className="truncate">{CALLERS[source] ?? source}</span>,
  },
  {
    key: 'age', title: 'Made', width: '5rem', cell: ({ created_at }) => <Time at={created_at} />,
  },
  {
    key: 'duration', title: 'Took', width: '5.5rem', is_number: true,
    cell: ({ duration_ms }) => durationText(duration_ms),
  },
  {
    key: 'error', title: 'Error', width: 'minmax(7rem, 1fr)',
    cell: ({ error }) => (error ? (
      <span className="truncate text-bad" title={markedText(error.message)}>{error.code}</span>
    ) : '–'),
  },
];

/** What one call came to. */
function OneCall({ id, onClose }: { id: string; onClose: () => void }) {
  const workspace_id = useWorkspaceId();
  const { data: call, error, refetch } = useQuery(
    getActionInvocationOptions({ path: { invocation_id: id } }));
  return (
    <Drawer onClose={onClose} shows={id} title={call?.action ?? 'A call'}>
      {!call ? <NotRead error={error} onRetry={() => void refetch()} /> : (
        <div className="flex flex-col gap-4">
          {call.error && <ErrorNote error={{ ...call.error, details: null }} />}
          <Facts of={[
            ['Status', <StatusBadge status={call.status} />],
            ['Id', <CopyId id={id} of="call" />],
            ['Made by', call.run_id === null ? CALLERS[call.source] ?? call.source : (
              <Link to="/w/$workspace_id/runs/$run_id" className="link underline"
                params={{ workspace_id, run_id: call.run_id }}>The run {call.run_id}</Link>
            )],
            ['Connection', call.connection_id
              ? <CopyId id={call.connection_id} of="connection" /> : 'none'],
            ['Made', <Time at={call.created_at} as="local" />],
            ['Took', durationText(call.duration_ms)],
          ]} />
          <RecordText record={call} />
        </div>
      )}
    </Drawer>
  );
}
