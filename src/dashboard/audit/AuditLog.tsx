/** Who did what: every entry of the audit log, newest first, by filters that are in the URL. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, type ReactNode } from 'react';
import { getWorkspaceOptions, listAuditEntriesOptions } from '#client/@tanstack/react-query.gen.ts';
import { listAdminTokens, listApiKeys, listAuditEntries } from '#client/sdk.gen.ts';
import type { AuditEntry, ListAuditEntriesData } from '#client/types.gen.ts';
import { itemsOf, useLiveList, type CursorPages } from '../data/pages.ts';
import { useWorkspaceId } from '../data/session.ts';
import { NotRead } from '../frame/Boundary.tsx';
import { Badge, Button, CopyButton, type Mark, type Tone } from '../kit/controls.tsx';
import { Marked, markedText, Name } from '../kit/exact.tsx';
import { Field, Select } from '../kit/fields.tsx';
import { addressWith, askedFor, Filters, useFilters, type Filter } from '../kit/filters.tsx';
import { JsonView } from '../kit/JsonView.tsx';
import { Drawer } from '../kit/overlays.tsx';
import { Code, EmptyState, Facts, Id, PageHead } from '../kit/text.tsx';
import { Time } from '../kit/time.tsx';
import { VirtualTable, type Column } from '../kit/VirtualTable.tsx';
import { ExportButton, VerifyButton } from './AuditTools.tsx';

type Query = NonNullable<ListAuditEntriesData['query']>;
type Row = AuditEntry & { id: string };

const FILTERS: readonly Filter[] = [
  { name: 'event', label: 'Event', placeholder: 'grant.created' },
  { name: 'actor', label: 'Actor', placeholder: 'An e-mail or an id' },
  { name: 'target', label: 'Target', placeholder: 'An id or a name' },
  { name: 'created_after', label: 'After', type: 'datetime-local' },
  { name: 'created_before', label: 'Before', type: 'datetime-local' },
];

const SCOPES = [
  { value: '', label: 'Of this workspace' },
  { value: 'all', label: 'Of all, and of the service' },
];

/** As a list whose rows have ids. */
async function listRows(options: Parameters<typeof listAuditEntries<true>>[0]) {
  const { data } = await listAuditEntries<true>({ ...options, throwOnError: true });
  const rows = data.data.map((entry): Row => ({ ...entry, id: String(entry.sequence_number) }));
  return { data: { ...data, data: rows } };
}

export default function AuditLog() {
  const workspace_id = useWorkspaceId();
  const [search, change, open] = useFilters();
  const { scope } = search;
  const query = useMemo((): Query => ({ workspace_id: scope === 'all' ? undefined : workspace_id,
    ...askedFor(FILTERS, search) }), [workspace_id, scope, search]);
  const list = useLiveList<Query, Row>('listAuditEntries', listRows, query);
  return (
    <>
      <PageHead title="Audit log">
        <Field label="Entries" label_hidden>
          <Select choices={SCOPES} value={scope ?? ''}
            onChange={({ target }) => change({ scope: target.value })} />
        </Field>
        <VerifyButton />
        <ExportButton query={query} />
      </PageHead>
      <Filters of={FILTERS} left={list} />
      <VirtualTable {...list} label="Audit log" columns={COLUMNS} rowKey={({ id }) => id}
        onOpen={({ id }) => open({ entry: id })}
        addressOf={({ id }) => addressWith({ entry: id })}
        empty={(
          <EmptyState title="No entry is like that" action={scope !== 'all' && (
            <Button onClick={() => change({ scope: 'all' })}>Look in all entries</Button>
          )}>
            Change the filters, or clear them.{scope !== 'all' && ` What was done with other
              workspaces, or belongs to none, such as integrations, is among all entries alone.`}
          </EmptyState>
        )} />
      {search.entry && /^[1-9]\d{0,14}$/.test(search.entry) && (
        <EntryDrawer number={search.entry} list={list} onChange={(entry) => change({ entry })} />
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
    key: 'time', title: 'Time', width: '11.5rem',
    cell: ({ created_at }) => <Time at={created_at} as="local" />,
  },
  {
    key: 'event', title: 'Event', width: 'minmax(9rem, 1fr)', card: 'head',
    cell: ({ event }) => <span className="truncate font-medium" title={event}>{event}</span>,
  },
  {
    key: 'target', title: 'Target', width: 'minmax(8rem, 2fr)',
    cell: (entry) => <Cell>{targetOf(entry, true)}</Cell>,
  },
  {
    key: 'actor', title: 'Actor', width: 'minmax(7rem, 2fr)',
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
  return <span className="flex min-w-0 truncate">{children}</span>;
}

const ACTORS: Readonly<Record<string, string>> = {
  admin: 'an admin token', system: 'Gatehouse', run: 'a run', api_key: 'an api key',
  person: 'a person',
};

/** What kind of actor it was. The one admin token without an id is that of the configuration. */
function kindOf({ type, id }: AuditEntry['actor']): string {
  return type === 'admin' && id === null ? 'the admin token of the configuration'
    : ACTORS[type] ?? type;
}

const NAMES_MS = 60_000;

/** The name of an admin token or a key, as far as it is to be had. */
function useNameOf(id: string): string | undefined {
  const here = useWorkspaceId();
  const workspace_id = useFilters()[0].scope === 'all' ? undefined : here;
  return useQuery({
    enabled: /^(adm|key)_/.test(id),
    queryKey: [{ _id: 'namesOfActors', workspace_id }], staleTime: NAMES_MS,
    queryFn: async ({ signal }) => {
      const named = new Map<string, string>();
      const query = { workspace_id };
      for await (const { id, name } of itemsOf(listAdminTokens, {}, signal)) named.set(id, name);
      for await (const { id, name } of itemsOf(listApiKeys, query, signal)) named.set(id, name);
      return named;
    },
  }).data?.get(id);
}

/** Who it was; a run or a key leads to its page. In a table the row is the one stop of Tab. */
function actorOf({ actor, workspace_id }: AuditEntry, in_table = false): ReactNode {
  if (actor.id === null) return <span className="truncate text-muted">{kindOf(actor)}</span>;
  return <Thing id={actor.id} workspace_id={workspace_id} in_table={in_table} />;
}

function targetOf(entry: AuditEntry, in_table = false): ReactNode {
  const { target, workspace_id, event, details } = entry;
  if (target === null) return <span className="text-muted">–</span>;
  const { integration } = details;
  const slug = event.startsWith('integration.') ? target
    : event.startsWith('connection.') && typeof integration === 'string' ? integration : undefined;
  return <Thing id={target} {...{ workspace_id, slug, in_table }} />;
}

/** The links of what has a page: an integration, or a thing by what its id begins with. */
const LINKS: Readonly<Record<string, (at: string, id: string, rest: object) => ReactNode>> = {
  integration: (workspace_id, slug, rest) => (
    <Link to="/w/$workspace_id/integrations/$slug" params={{ workspace_id, slug }} {...rest} />),
  run: (workspace_id, run_id, rest) => (
    <Link to="/w/$workspace_id/runs/$run_id" params={{ workspace_id, run_id }} {...rest} />),
  ses: (workspace_id, session_id, rest) => (
    <Link to="/w/$workspace_id/sessions/$session_id" params={{ workspace_id, session_id }}
      {...rest} />),
  apr: (workspace_id, approval_id, rest) => (
    <Link to="/w/$workspace_id/approvals/$approval_id" params={{ workspace_id, approval_id }}
      {...rest} />),
  wsp: (_, workspace_id, rest) => (
    <Link to="/w/$workspace_id/overview" params={{ workspace_id }} {...rest} />),
  key: (workspace_id, key, rest) => (
    <Link to="/w/$workspace_id/keys" params={{ workspace_id }} search={{ key }} {...rest} />),
};

/** An id or a name, as a link where it has a page. `slug`: the integration whose page shows it. */
function Thing({ id, workspace_id, slug, in_table }: {
  id: string; workspace_id: string | null; slug?: string | undefined; in_table: boolean;
}) {
  const here = useWorkspaceId();
  const title = markedText(id);
  const label = <Label {...{ id, in_table }} />;
  const link = LINKS[slug === undefined ? id.split('_', 1)[0]! : 'integration'];
  return link?.(workspace_id ?? here, slug ?? id, {
    tabIndex: in_table ? -1 : undefined, preload: false, title, children: label,
    className: in_table ? 'flex min-w-0 hover:underline' : 'link',
  }) ?? <span title={title} className={in_table ? 'flex min-w-0' : ''}>{label}</span>;
}

/** Its name if it has one; an id without shows its end, which tells it from others. */
function Label({ id, in_table }: { id: string; in_table: boolean }) {
  const name = useNameOf(id);
  if (!in_table) return name === undefined ? <Name>{id}</Name> : <><Name>{name}</Name> · {id}</>;
  if (name === undefined && /^[a-z]{3}_\w{20,}$/.test(id)) return <Id>{id}</Id>;
  return <span className="truncate"><Name>{name ?? id}</Name></span>;
}

/** So many entries before the end the next page is asked for. */
const AHEAD = 10;

/** One entry in full, whether it is among the rows or came by a link. */
function EntryDrawer({ number, list: { rows, has_more, onMore }, onChange }: {
  number: string; list: CursorPages<Row>; onChange: (number: string | undefined) => void;
}) {
  const at = rows.findIndex(({ id }) => id === number);
  // The way to older ones goes on behind what is read.
  const wants_more = at !== -1 && at >= rows.length - AHEAD && has_more;
  useEffect(() => {
    if (wants_more) onMore();
  }, [wants_more, onMore]);
  const { data, error, refetch } = useQuery({
    ...listAuditEntriesOptions({ query: { sequence_number: Number(number) } }), enabled: at === -1,
  });
  const entry = rows[at] ?? data?.data[0];
  const newer = rows[at - 1];
  const older = at === -1 ? undefined : rows[at + 1];
  return (
    <Drawer shows={number} onClose={() => onChange(undefined)}
      title={entry?.event ?? `Entry ${number}`}
      says={entry && <Time at={entry.created_at} as="local" />} actions={(
        <>
          <Button is_off={!newer} onClick={() => onChange(newer!.id)}>Newer</Button>
          <Button is_off={!older} onClick={() => onChange(older!.id)}>Older</Button>
        </>
      )}>
      {entry ? <EntryFacts entry={entry} />
        : data ? <p>There is no entry of this number.</p>
          : <NotRead error={error} onRetry={() => void refetch()} />}
    </Drawer>
  );
}

function EntryFacts({ entry }: { entry: AuditEntry }) {
  const { actor, target, event, reason, workspace_id, request_id, hash, details } = entry;
  const [, change] = useFilters();
  const { data: workspace } = useQuery({ enabled: workspace_id !== null,
    ...getWorkspaceOptions({ path: { workspace_id: workspace_id ?? '' } }) });
  const here = useWorkspaceId();
  const clear = { ...Object.fromEntries(FILTERS.map((filter) => [filter.name, undefined])),
    ...(workspace_id !== here && { scope: 'all' }) };
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
        reason !== null && ['Reason', <Marked>{reason}</Marked>],
        ['Actor', line(<>{kindOf(actor)}{actor.id !== null && ': '}
          {actor.id !== null && actorOf(entry)}</>, 'All by them', { actor: actor.id })],
        ['Target', line(targetOf(entry), 'All about it', { target })],
        ['Workspace', workspace_id === null ? 'None: it is about the whole service'
          : <>{workspace && <><Marked>{workspace.name}</Marked> · </>}{workspace_id}</>],
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
