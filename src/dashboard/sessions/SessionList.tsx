/** The sessions of a workspace, the newest first, live; found by words of the title or an id. */
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { createSession, listSessions } from '#client/sdk.gen.ts';
import type { ListSessionsData, Session } from '#client/types.gen.ts';
import { useAct, useOnce } from '../data/api.ts';
import { useLiveList } from '../data/pages.ts';
import { useMay, useWorkspaceId } from '../data/session.ts';
import { Button, StatusBadge } from '../kit/controls.tsx';
import { markedText, Name } from '../kit/exact.tsx';
import { asChoices } from '../kit/fields.tsx';
import { Filters, useFilters, type Filter } from '../kit/filters.tsx';
import { EmptyState, ErrorNote, Id, PageHead } from '../kit/text.tsx';
import { timeColumn } from '../kit/time.tsx';
import { VirtualTable, type Column } from '../kit/VirtualTable.tsx';
import { titleOf } from './turns.ts';

type Query = NonNullable<ListSessionsData['query']>;

const STATUSES = ['active', 'archived'];
const FILTERS: readonly Filter[] = [
  { name: 'query', label: 'Search', placeholder: 'Words, or ses_…' },
  { name: 'status', label: 'Status', choices: asChoices(...STATUSES) },
  { name: 'metadata', label: 'Metadata', placeholder: 'key=value' },
];

export default function SessionList() {
  const workspace_id = useWorkspaceId();
  const navigate = useNavigate();
  const [search] = useFilters();
  const making = useNewSession();
  const { status, query: words, metadata } = search;
  const query = useMemo(() => ({
    status: STATUSES.includes(status ?? '') ? status as Query['status'] : undefined,
    query: words || undefined, metadata: metadata || undefined,
  }), [status, words, metadata]);
  const list = useLiveList<Query, Session>('listSessions', listSessions, query);
  return (
    <>
      <PageHead title="Sessions"><NewSession of={making} /></PageHead>
      <Filters of={FILTERS} left={list} />
      <VirtualTable {...list} label="Sessions" columns={COLUMNS} rowKey={({ id }) => id}
        onOpen={({ id }) => void navigate({
          to: '/w/$workspace_id/sessions/$session_id', params: { workspace_id, session_id: id } })}
        empty={status || words || metadata
          ? (
            <EmptyState title="No session is like that">
              Change the filters, or clear them. Words are looked for in titles.
            </EmptyState>
          ) : (
            <EmptyState title="No sessions yet" action={<NewSession of={making} />}
              command={'bin/gatehouse run "Which sessions are there?"'}>
              A session is a conversation with an agent. Begin one here, or by this command with an
              api key of this workspace.
            </EmptyState>
          )} />
    </>
  );
}

/** One press, and the reader is in the new session, unless they have left the list by then. */
function useNewSession() {
  const workspace_id = useWorkspaceId();
  const navigate = useNavigate();
  const once = useOnce();
  const { act, error, is_busy } = useAct();
  const create = () => void act(() => once({}, (asked) => createSession(asked)),
    ({ data: { id } }) => void navigate({ to: '/w/$workspace_id/sessions/$session_id',
      params: { workspace_id, session_id: id } }));
  return { error, is_busy, create };
}

function NewSession({ of: { error, is_busy, create } }: { of: ReturnType<typeof useNewSession> }) {
  const may_ask = useMay('operator');
  if (!may_ask) return <p className="text-muted">Asking an agent needs the role operator.</p>;
  return (
    <>
      <Button look="main" icon="plus" is_busy={is_busy} onClick={create}>New session</Button>
      {error && <div className="w-full"><ErrorNote error={error} /></div>}
    </>
  );
}

const COLUMNS: readonly Column<Session>[] = [
  {
    key: 'title', title: 'Title', width: 'minmax(14rem, 1fr)', card: 'head',
    cell: (session) => <SessionLink session={session} />,
  },
  {
    key: 'status', title: 'Status', width: '6.5rem', card: 'side',
    cell: ({ status, active_run_id }) => (
      <StatusBadge status={active_run_id ? 'running' : status} />
    ),
  },
  {
    key: 'run', title: 'Active run', width: '12rem', card: 'hidden',
    cell: ({ active_run_id }) => (active_run_id ? <RunLink run_id={active_run_id} />
      : <span className="text-muted">–</span>),
  },
  timeColumn('updated_at', 'Last activity', '7rem'),
  timeColumn('created_at', 'Created', '6rem'),
];

function SessionLink({ session }: { session: Session }) {
  const workspace_id = useWorkspaceId();
  const { id } = session;
  const title = titleOf(session);
  return (
    <Link to="/w/$workspace_id/sessions/$session_id" params={{ workspace_id, session_id: id }}
      tabIndex={-1} preload={false} title={markedText(title ?? id)}
      className="flex min-w-0 hover:underline">
      {title ? <span className="truncate"><Name>{title}</Name></span>
        : <span className="truncate text-muted">Untitled session · <Id>{id}</Id></span>}
    </Link>
  );
}

function RunLink({ run_id }: { run_id: string }) {
  const workspace_id = useWorkspaceId();
  return (
    <Link to="/w/$workspace_id/runs/$run_id" params={{ workspace_id, run_id }} tabIndex={-1}
      preload={false} className="link flex min-w-0"><Id>{run_id}</Id></Link>
  );
}
