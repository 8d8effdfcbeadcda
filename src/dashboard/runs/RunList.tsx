/** The runs of a workspace, newest first, live. Every filter is in the URL. */
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { listRuns } from '#client/sdk.gen.ts';
import type { ListRunsData, RunSummary } from '#client/types.gen.ts';
import { askedOf } from '../data/calls.ts';
import { useLiveList } from '../data/pages.ts';
import { useWorkspaceId } from '../data/session.ts';
import { StatusBadge } from '../kit/controls.tsx';
import { markedText, Name } from '../kit/exact.tsx';
import { asChoices } from '../kit/fields.tsx';
import { askedFor, Filters, useFilters, type Filter } from '../kit/filters.tsx';
import { countText, EmptyState, PageHead, startOf, Tail } from '../kit/text.tsx';
import { Duration, timeColumn } from '../kit/time.tsx';
import { VirtualTable, type Column } from '../kit/VirtualTable.tsx';

type Query = NonNullable<ListRunsData['query']>;

const STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'];
/** Of a run that failed; there may be more in time, which the address can name. */
const CODES = ['model_error', 'model_rate_limited', 'max_steps_exceeded', 'timeout',
  'budget_exceeded', 'worker_lost', 'internal_error'];
const SOURCES = [
  { value: 'api', label: 'applications' }, { value: 'console', label: 'the dashboard' },
];

const FILTERS: readonly Filter[] = [
  { name: 'status', label: 'Status', choices: asChoices(...STATUSES) },
  { name: 'error_code', label: 'Error', choices: asChoices(...CODES) },
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
  const query = useMemo(() => askedFor(FILTERS, search) as Query, [search]);
  const list = useLiveList<Query, RunSummary>('listRuns', listRuns, query);
  return (
    <>
      <PageHead title="Runs">
        <Link to="/run-file" className="link" preload={false}>Open a run from a file</Link>
      </PageHead>
      <Filters of={FILTERS} left={list} />
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
  timeColumn('created_at', 'Created', '4.5rem'),
  {
    key: 'duration', title: 'Duration', width: '5.5rem', is_number: true,
    cell: ({ started_at, finished_at }) => <Duration from={started_at} to={finished_at} />,
  },
  {
    key: 'tokens', title: 'Tokens', width: '4.5rem', is_number: true,
    cell: ({ usage }) => (usage ? countText(usage.total_tokens) : '–'),
  },
  {
    key: 'error', title: 'Error', width: 'minmax(5.25rem, 2.2fr)',
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
