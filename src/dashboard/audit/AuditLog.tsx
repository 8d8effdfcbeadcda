/** Who did what: every entry of the audit log, newest first, by filters that are in the URL. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { listAuditEntriesOptions } from '#client/@tanstack/react-query.gen.ts';
import { listAuditEntries } from '#client/sdk.gen.ts';
import type { AuditEntry, ListAuditEntriesData } from '#client/types.gen.ts';
import { asApiError } from '../data/api.ts';
import { useLiveList } from '../data/pages.ts';
import { useWorkspaceId, useWorkspaces } from '../data/session.ts';
import { Badge, Button, CopyButton, Spinner, type Mark, type Tone } from '../kit/controls.tsx';
import { Filters, useFilters, type Filter } from '../kit/filters.tsx';
import { JsonView } from '../kit/JsonView.tsx';
import { Drawer } from '../kit/overlays.tsx';
import { Marked } from '../kit/exact.tsx';
import { Code, EmptyState, ErrorNote, Facts, PageHead } from '../kit/text.tsx';
import { Time } from '../kit/time.tsx';
import { VirtualTable, type Column } from '../kit/VirtualTable.tsx';
import { ExportButton, VerifyButton } from './AuditTools.tsx';

type Query = NonNullable<ListAuditEntriesData['query']>;
type Row = AuditEntry & { id: string };

const FILTERS: readonly Filter[] = [
  { name: 'event', label: 'Event', placeholder: 'grant.created' },
  { name: 'actor', label: 'Actor', placeholder: 'An address, key_…, run_…' },
  { name: 'target', label: 'Target', placeholder: 'An id or a name' },
  { name: 'created_after', label: 'After', type: 'datetime-local' },
  { name: 'created_before', label: 'Before', type: 'datetime-local' },
  { name: 'scope', label: 'Workspace', choices: [{ value: 'workspace', label: 'This one' }] },
];

/** As a list whose rows have ids. */
async function listRows(options: Parameters<typeof listAuditEntries<true>>[0]) {
  const { data } = await listAuditEntries<true>({ ...options, throwOnError: true });
  const rows = data.data.map((entry): Row => ({ ...entry, id: String(entry.sequence_number) }));
  return { data: { ...data, data: rows } };
}

export default function AuditLog() {
  const workspace_id = useWorkspaceId();
  const [search, change] = useFilters();
  const { scope, event, actor, target, created_after, created_before } = search;
  const query = useMemo((): Query => ({
    workspace_id: scope === 'workspace' ? workspace_id : undefined,
    event: event || undefined, actor: actor || undefined, target: target || undefined,
    created_after: created_after || undefined, created_before: created_before || undefined,
  }), [workspace_id, scope, event, actor, target, created_after, created_before]);
  const list = useLiveList<Query, Row>('listAuditEntries', listRows, query);
  const { rows } = list;
  return (
    <>
      <PageHead title="Audit log">
        <VerifyButton />
        <ExportButton query={query} />
      </PageHead>
      <Filters of={FILTERS} />
      <VirtualTable {...list} label="Audit log" columns={COLUMNS} rowKey={({ id }) => id}
        onOpen={({ id }) => change({ entry: id })}
        empty={(
          <EmptyState title="No entry is like that">Change the filters, or clear them.</EmptyState>
        )} />
      {search.entry && /^[1-9]\d{0,14}$/.test(search.entry) && (
        <EntryDrawer number={search.entry} rows={rows} onChange={(entry) => change({ entry })} />
      )}
    </>
  );
}

const OUTCOMES: Readonly<Record<string, readonly [Tone, Mark]>> = {
  ok: ['good', 'check'], refused: ['warn', 'bar'], failed: ['bad', 'cross'],
  unknown: ['warn', 'wait'],
};

function Outcome({ of: { outcome } }: { of: AuditEntry }) {
  const [tone, mark] = OUTCOMES[outcome] ?? ['plain', 'ring'];
  return <Badge tone={tone} mark={mark}>{outcome}</Badge>;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'time', title: 'Time', width: '13rem',
    cell: ({ created_at }) => <Time at={created_at} as="local" />,
  },
  {
    key: 'event', title: 'Event', width: 'minmax(11rem, 1fr)', card: 'head',
    cell: ({ event }) => <span className="truncate font-medium" title={event}>{event}</span>,
  },
  {
    key: 'target', title: 'Target', width: 'minmax(11rem, 2fr)',
    cell: (entry) => <Cell>{targetOf(entry, true)}</Cell>,
  },
  {
    key: 'actor', title: 'Actor', width: 'minmax(9rem, 2fr)',
    cell: (entry) => <Cell>{actorOf(entry, true)}</Cell>,
  },
  {
    key: 'outcome', title: 'Outcome', width: '6rem', card: 'side',
    cell: (entry) => <Outcome of={entry} />,
  },
  {
    key: 'number', title: 'No.', width: '5rem', is_number: true, card: 'hidden',
    cell: ({ sequence_number }) => <span className="text-muted">{sequence_number}</span>,
  },
];

function Cell({ children }: { children: ReactNode }) {
  return <span className="truncate">{children}</span>;
}

const ACTORS: Readonly<Record<string, string>> = {
  admin: 'the admin token of the configuration', system: 'Gatehouse', run: 'a run',
  api_key: 'an api key', person: 'a person',
};

/** Who it was; a run or a key leads to its page. In a table the row is the one stop of Tab. */
function actorOf({ actor: { type, id }, workspace_id }: AuditEntry, in_table = false): ReactNode {
  if (id === null) return <span className="text-muted">{ACTORS[type] ?? type}</span>;
  return <Thing id={id} workspace_id={workspace_id} in_table={in_table} />;
}

function targetOf(entry: AuditEntry, in_table = false): ReactNode {
  const { target, workspace_id, event, details } = entry;
  if (target === null) return <span className="text-muted">–</span>;
  const { integration } = details;
  const slug = event.startsWith('integration.') ? target
    : event.startsWith('connection.') && typeof integration === 'string' ? integration : undefined;
  return <Thing id={target} {...{ workspace_id, slug, in_table }} />;
}

/** An id or a name, as a link where it has a page. `slug`: the integration whose page shows it. */
function Thing({ id, workspace_id, slug, in_table }: {
  id: string; workspace_id: string | null; slug?: string | undefined; in_table: boolean;
}) {
  const here = useWorkspaceId();
  const params = { workspace_id: workspace_id ?? here };
  const shared = {
    tabIndex: in_table ? -1 : undefined, preload: false, title: id,
    className: in_table ? 'hover:underline' : 'link',
  } as const;
  const [prefix] = id.split('_', 1);
  if (slug !== undefined) {
    return (
      <Link to="/w/$workspace_id/integrations/$slug" params={{ ...params, slug }} {...shared}>
        <Marked>{id}</Marked>
      </Link>
    );
  }
  switch (prefix) {
    case 'run': return (
      <Link to="/w/$workspace_id/runs/$run_id" params={{ ...params, run_id: id }} {...shared}>
        {id}</Link>
    );
    case 'ses': return (
      <Link to="/w/$workspace_id/sessions/$session_id" params={{ ...params, session_id: id }}
        {...shared}>{id}</Link>
    );
    case 'apr': return (
      <Link to="/w/$workspace_id/approvals/$approval_id" params={{ ...params, approval_id: id }}
        {...shared}>{id}</Link>
    );
    case 'key': return (
      <Link to="/w/$workspace_id/keys" params={params} {...shared}>{id}</Link>
    );
    case 'wsp': return (
      <Link to="/w/$workspace_id/overview" params={{ workspace_id: id }} {...shared}>{id}</Link>
    );
    default: return <span title={id}><Marked>{id}</Marked></span>;
  }
}

/** One entry in full, whether it is among the rows or came by a link. */
function EntryDrawer({ number, rows, onChange }: {
  number: string; rows: readonly Row[]; onChange: (number: string | undefined) => void;
}) {
  const at = rows.findIndex(({ id }) => id === number);
  const { data, error, refetch } = useQuery({
    ...listAuditEntriesOptions({ query: { sequence_number: Number(number) } }), enabled: at === -1,
  });
  const entry = rows[at] ?? data?.data[0];
  const newer = rows[at - 1];
  const older = at === -1 ? undefined : rows[at + 1];
  return (
    <Drawer is_open onClose={() => onChange(undefined)} title={entry?.event ?? `Entry ${number}`}
      says={entry && <Time at={entry.created_at} as="local" />} actions={(
        <>
          <Button disabled={!newer} onClick={() => onChange(newer!.id)}>Newer</Button>
          <Button disabled={!older} onClick={() => onChange(older!.id)}>Older</Button>
        </>
      )}>
      {entry ? <EntryFacts entry={entry} />
        : error ? <ErrorNote error={asApiError(error)} onRetry={() => void refetch()} />
          : data ? <p>There is no entry of this number.</p> : <Spinner />}
    </Drawer>
  );
}

function EntryFacts({ entry }: { entry: AuditEntry }) {
  const { actor, target, event, reason, workspace_id, request_id, hash, details } = entry;
  const [, change] = useFilters();
  const { data: workspaces } = useWorkspaces();
  const name = workspaces?.data.find(({ id }) => id === workspace_id)?.name;
  const clear = Object.fromEntries(FILTERS.map((filter) => [filter.name, undefined]));
  /** A value, and a button that shows all entries that have it. */
  const line = (text: ReactNode, words: string, filter: Record<string, string | null>) => (
    <span className="flex items-center gap-1">
      <span className="min-w-0 wrap-anywhere">{text}</span>
      {Object.values(filter)[0] !== null && (
        <span className="-my-1.5">
          <Button look="quiet" onClick={() => change(
            { ...clear, ...filter as Record<string, string>, entry: undefined })}>{words}</Button>
        </span>
      )}
    </span>
  );
  return (
    <div className="flex flex-col gap-4">
      <Facts of={[
        ['Event', line(event, 'All of this kind', { event })],
        ['Outcome', <Outcome of={entry} />],
        ...(reason === null ? [] : [['Reason', <Marked>{reason}</Marked>] as const]),
        ['Actor', line(<>{ACTORS[actor.type] ?? actor.type}{actor.id !== null && ': '}
          {actor.id !== null && actorOf(entry)}</>, 'All by them', { actor: actor.id })],
        ['Target', line(targetOf(entry), 'All about it', { target })],
        ['Workspace', workspace_id === null ? 'None: it is about the whole service'
          : <>{name !== undefined && <><Marked>{name}</Marked> · </>}{workspace_id}</>],
        ['Time in UTC', entry.created_at],
        ['Request', request_id ?? 'None'],
        ['Number', String(entry.sequence_number)],
      ]} />
      {Object.keys(details).length > 0 && <JsonView value={details} label="particulars" />}
      <div className="flex flex-col gap-1.5">
        <h3 className="text-muted">SHA-256 of this entry and of the hash before it</h3>
        <Code copy>{hash}</Code>
      </div>
      <span>
        <CopyButton look="plain" what="entry" text={JSON.stringify(entryOf(entry))}>
          Copy entry as JSON
        </CopyButton>
      </span>
    </div>
  );
}

/** As the API has it. */
function entryOf({ id: _, ...entry }: AuditEntry & { id?: string }): AuditEntry {
  return entry;
}
