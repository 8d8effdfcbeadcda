/** The calls of actions, with and without a run, newest first, live. Filters are in the URL. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { getActionInvocationOptions } from '#client/@tanstack/react-query.gen.ts';
import { listActionInvocations } from '#client/sdk.gen.ts';
import type { ActionInvocationSummary, ListActionInvocationsData } from '#client/types.gen.ts';
import { callStatus, recordedFault } from '../data/calls.ts';
import { useLiveList } from '../data/pages.ts';
import { useWorkspaceId } from '../data/session.ts';
import { NotRead } from '../frame/Boundary.tsx';
import { StatusBadge } from '../kit/controls.tsx';
import { markedText, Name } from '../kit/exact.tsx';
import { asChoices } from '../kit/fields.tsx';
import { addressWith, Filters, useFilters, type Filter, type Search } from '../kit/filters.tsx';
import { Drawer } from '../kit/overlays.tsx';
import { CopyId, EmptyState, Facts, PageHead, Tail } from '../kit/text.tsx';
import { durationText, Time, timeColumn } from '../kit/time.tsx';
import { VirtualTable, type Column } from '../kit/VirtualTable.tsx';
import { CallFault, RecordText } from './PartDrawer.tsx';

type Query = NonNullable<ListActionInvocationsData['query']>;
type Row = ActionInvocationSummary & { id: string };

/** Who asks for calls, by the `source` of one; people by the dashboard are not told apart. */
const CALLERS: Readonly<Record<string, string>> = {
  api: 'an application or a person', run: 'a run', mcp: 'an MCP client',
};
const FILTERS: readonly Filter[] = [
  { name: 'status', label: 'Status', choices: [...asChoices('completed'),
    { value: 'failed', label: 'failed, or asked for approval' }] },
  { name: 'source', label: 'Made by', choices: Object.entries(CALLERS).map(([value, label]) =>
    ({ value, label })) },
  { name: 'action', label: 'Action (whole name)', placeholder: 'pets.pets.list' },
  { name: 'run_id', label: 'Run (whole id)', placeholder: 'run_…' },
  { name: 'id_prefix', label: 'Id, or its beginning', placeholder: 'inv_…' },
];

/** What is asked for: an id of which less than its kind is typed is none yet. */
function queryOf(search: Search): Query {
  return Object.fromEntries(FILTERS.flatMap(({ name }) => {
    const value = search[name];
    return value && (name !== 'id_prefix' || value.includes('_')) ? [[name, value]] : [];
  }));
}

/** As a list whose rows have ids. */
async function listCalls(options: Parameters<typeof listActionInvocations<true>>[0]) {
  const { data } = await listActionInvocations<true>({ ...options, throwOnError: true });
  const rows = data.data.map((call): Row => ({ ...call, id: call.invocation_id }));
  return { data: { ...data, data: rows } };
}

export default function Calls() {
  const [search, change, open] = useFilters();
  const query = useMemo(() => queryOf(search), [search]);
  const list = useLiveList<Query, Row>('listActionInvocations', listCalls, query);
  return (
    <>
      <PageHead title="Calls" />
      <Filters of={FILTERS} left={list} />
      <VirtualTable {...list} label="Calls" columns={COLUMNS} rowKey={({ id }) => id}
        onOpen={({ id }) => open({ call: id })} addressOf={({ id }) => addressWith({ call: id })}
        empty={Object.keys(query).length > 0
          ? <EmptyState title="No call is like that">Change the filters, or clear them.</EmptyState>
          : (
            <EmptyState title="No calls yet"
              command="bin/gatehouse actions invoke gatehouse.sessions.list">
              What runs, applications, people and MCP clients call of actions appears here. This
              makes a call, with GATEHOUSE_API_KEY set to a key of this workspace:
            </EmptyState>
          )} />
      {search.call && <OneCall id={search.call} onClose={() => change({ call: undefined })} />}
    </>
  );
}

function statusOf({ status, error }: Pick<Row, 'status' | 'error'>): string {
  return callStatus({ status, error: error && recordedFault(error) });
}

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'status', title: 'Status', width: '8.75rem', card: 'side',
    cell: (call) => <StatusBadge status={statusOf(call)} />,
  },
  {
    key: 'action', title: 'Action', width: 'minmax(9rem, 3fr)', card: 'head',
    cell: ({ action }) => (
      <span className="flex min-w-0 font-mono text-sm"><Tail>{action}</Tail></span>
    ),
  },
  {
    key: 'source', title: 'Made by', width: 'minmax(6rem, 11.5rem)',
    cell: ({ source }) => (
      <span className="truncate" title={CALLERS[source]}>{CALLERS[source] ?? source}</span>
    ),
  },
  timeColumn('created_at', 'Made', '5rem'),
  {
    key: 'duration', title: 'Took', width: '5.5rem', is_number: true,
    cell: ({ duration_ms }) => durationText(duration_ms),
  },
  {
    key: 'error', title: 'Error', width: 'minmax(7rem, 1fr)',
    cell: ({ status, error }) => (error ? (
      <span title={markedText(error.message)} className={`truncate ${
        statusOf({ status, error }) === 'failed' ? 'text-bad' : 'text-warn'}`}>{error.code}</span>
    ) : '–'),
  },
];

/** What one call came to. */
function OneCall({ id, onClose }: { id: string; onClose: () => void }) {
  const workspace_id = useWorkspaceId();
  const { data: call, error, refetch } = useQuery(
    getActionInvocationOptions({ path: { invocation_id: id } }));
  const fault = call?.error && recordedFault(call.error);
  return (
    <Drawer onClose={onClose} shows={id} title={call ? <Name>{call.action}</Name> : 'A call'}>
      {!call ? <NotRead error={error} onRetry={() => void refetch()} /> : (
        <div className="flex flex-col gap-4">
          {fault && <CallFault error={fault} by={call.source === 'api' ? 'self' : 'agent'} />}
          <Facts of={[
            ['Status', <StatusBadge status={statusOf(call)} />],
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
          <RecordText record={{ ...call, error: null }} />
        </div>
      )}
    </Drawer>
  );
}
