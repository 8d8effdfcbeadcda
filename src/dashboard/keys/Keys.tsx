/** The api keys of a workspace: what each is for and may do, and what ends with it. */
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { listApiKeys, revokeApiKey } from '#client/sdk.gen.ts';
import type { ApiKey, ListApiKeysData } from '#client/types.gen.ts';
import { asApiError, ended, queries } from '../data/api.ts';
import { readPagesAgain, useLiveList } from '../data/pages.ts';
import { useMay, useWorkspaceId } from '../data/session.ts';
import { Sentence, useGrants } from '../frame/permission.tsx';
import { Badge, Button, StatusBadge } from '../kit/controls.tsx';
import { CutName, Name } from '../kit/exact.tsx';
import { asChoices, Field, Input } from '../kit/fields.tsx';
import { addressWith, Filters, useFilters, type Filter } from '../kit/filters.tsx';
import { Confirm, Drawer, toast } from '../kit/overlays.tsx';
import { CopyId, countText, EmptyState, ErrorNote, Facts, Id, PageHead } from '../kit/text.tsx';
import { serviceNow, Time, timeColumn } from '../kit/time.tsx';
import { VirtualTable, type Column } from '../kit/VirtualTable.tsx';
import { NewKey } from './NewKey.tsx';

const SOON_MS = 7 * 86_400_000;
const FILTERS: readonly Filter[] = [
  { name: 'status', label: 'Status', choices: asChoices('active', 'expired', 'revoked') },
  { name: 'name', label: 'Name or end' },
];

export default function Keys() {
  const workspace_id = useWorkspaceId();
  const may_change = useMay('admin');
  const [{ status, name, key, create }, change, open] = useFilters();
  const query = useMemo(() => ({ workspace_id }), [workspace_id]);
  const list = useLiveList<NonNullable<ListApiKeysData['query']>, ApiKey>(
    'listApiKeys', listApiKeys, query);
  const rows = useMemo(() => list.rows.filter((one) => (!status || one.status === status)
    // Of a key that was found somewhere its end is known, not what it is called.
    && (!name || [one.name, one.hint].some((words) =>
      words.toLowerCase().includes(name.toLowerCase())))), [list.rows, status, name]);
  // What is made here is shown at once; what others make waits to be asked for.
  const has_made = useRef(false);
  const { fresh, onShowFresh, has_more, onMore } = list;
  useEffect(() => {
    if (fresh === 0 || !has_made.current) return;
    has_made.current = false;
    onShowFresh();
  }, [fresh, onShowFresh]);
  const shown = list.rows.find(({ id }) => id === key);
  useEffect(() => {
    if (key && !shown && has_more) onMore();
  }, [key, shown, has_more, onMore]);
  const make = may_change && (
    <Button look="main" icon="plus" onClick={() => change({ create: 'key' })}>New key</Button>
  );
  return (
    <>
      <PageHead title="API keys">
        {make || <p className="text-muted">Making and revoking keys needs the role admin.</p>}
      </PageHead>
      <Filters of={FILTERS} left={{ ...list, rows }} />
      <VirtualTable {...list} rows={rows} label="API keys" columns={COLUMNS}
        rowKey={({ id }) => id} onOpen={({ id }) => open({ key: id })}
        addressOf={({ id }) => addressWith({ key: id })}
        empty={status || name
          ? <EmptyState title="No key is like that">Change the filters, or clear them.</EmptyState>
          : <EmptyState title="No API keys yet" action={make}
            command={`bin/gatehouse keys create --name backend --workspace ${workspace_id}`}>
              An application asks with a key. Make the first here, or by this command.
            </EmptyState>} />
      {shown && <KeyDrawer api_key={shown} may_change={may_change}
        onClose={() => change({ key: undefined })} />}
      {create && may_change && <NewKey onClose={() => change({ create: undefined })}
        onMade={() => {
          has_made.current = true;
          void queries.invalidateQueries({ queryKey: [{ _id: 'listApiKeys', _newest: true }] });
        }} />}
    </>
  );
}

const COLUMNS: readonly Column<ApiKey>[] = [
  {
    key: 'name', title: 'Name', width: 'minmax(10rem, 1fr)', card: 'head',
    cell: ({ name, dashboard }) => (
      <span className="flex min-w-0 items-center gap-2">
        <CutName is_main>{name}</CutName>
        {dashboard && <Badge tone="accent">this dashboard</Badge>}
      </span>
    ),
  },
  {
    key: 'hint', title: 'Ends in', width: '6rem',
    cell: ({ hint, dashboard }) => (dashboard ? '–' : <Id>{hint}</Id>),
  },
  {
    key: 'status', title: 'Status', width: '6.5rem', card: 'side',
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  timeColumn('created_at', 'Created', '6rem'),
  timeColumn('last_used_at', 'Last used', '6rem'),
  {
    key: 'expires', title: 'Expires', width: '6rem', cell: (key) => <Expiry of={key} />,
  },
  {
    key: 'runs', title: 'Open runs', width: '5.5rem', is_number: true, card: 'hidden',
    cell: ({ open_runs }) => (open_runs > 0 ? countText(open_runs)
      : <span className="text-muted">–</span>),
  },
];

function Expiry({ of: { expires_at, status } }: { of: ApiKey }) {
  if (!expires_at) return <span className="text-muted">never</span>;
  const is_soon = status === 'active' && Date.parse(expires_at) - serviceNow() < SOON_MS;
  return <span className={is_soon ? 'text-warn' : ''}><Time at={expires_at} /></span>;
}

function KeyDrawer({ api_key, may_change, onClose }: {
  api_key: ApiKey; may_change: boolean; onClose: () => void;
}) {
  const [is_revoking, setRevoking] = useState(false);
  const {
    id, name, hint, identities, status, dashboard, revoked_at, last_used_at, expires_at,
  } = api_key;
  const instant = (at: string | null, never: string) => (at
    ? <><Time at={at} as="local" /> <span className="text-muted">(<Time at={at} />)</span></>
    : never);
  return (
    <Drawer onClose={onClose} title={<Name>{name}</Name>} actions={may_change
      && status !== 'revoked' && (
      <Button look="danger" onClick={() => setRevoking(true)}>Revoke key</Button>
    )}>
      <div className="flex flex-col gap-5">
        {dashboard && (
          <p className="rounded-lg bg-accent-soft p-3">
            This dashboard acts with it in the workspace: its limits and grants hold for what people
            do here. Nobody holds the key itself. Once it is revoked, the next use of the dashboard
            makes another one.
          </p>
        )}
        <Facts of={[
          ['Status', <StatusBadge status={status} />],
          ['Id', <CopyId id={id} of="key" />],
          !dashboard && ['Ends in', <Id>{hint}</Id>],
          identities.length > 0 && ['Stands for', identities.join(', ')],
          ['Created', instant(api_key.created_at, '')],
          ['Last used', instant(last_used_at, 'never')],
          ['Expires', instant(expires_at, 'never')],
          revoked_at !== null && ['Revoked', instant(revoked_at, '')],
        ]} />
        {status === 'active' && <Permissions api_key={api_key} />}
        {status !== 'revoked' && (
          <section className="flex flex-col gap-1.5">
            <h2>If it is revoked</h2>
            <p>{endsText(api_key)}</p>
          </section>
        )}
      </div>
      {is_revoking && status !== 'revoked' && (
        <Revocation api_key={api_key} onClose={() => setRevoking(false)} />
      )}
    </Drawer>
  );
}

/** What the revocation of a key ends, as a sentence. */
function endsText({ open_runs, pending_approvals }: ApiKey): string {
  const counted = (count: number, one: string) =>
    `${countText(count)}${count >= 1_000 ? ' or more' : ''} ${one}${count === 1 ? '' : 's'}`;
  const ends = [
    ...(open_runs > 0 ? [`${counted(open_runs, 'open run')} will be cancelled`] : []),
    ...(pending_approvals > 0
      ? [`${counted(pending_approvals, 'approval')} that nobody has decided will expire`] : []),
  ];
  return ends.length === 0
    ? 'Requests with it are refused. Nothing else ends: no run is open in its name.'
    : `Requests with it are refused; ${ends.join(' and ')}.`;
}

function Revocation({ api_key, onClose }: { api_key: ApiKey; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const ends_something = api_key.open_runs + api_key.pending_approvals > 0;
  const word = api_key.dashboard ? 'revoke' : api_key.hint;
  return (
    <Confirm title={<>Revoke <Name>{api_key.name}</Name>?</>} action="Revoke key" ends_opener
      onClose={onClose} is_ready={!ends_something || typed.trim() === word}
      onConfirm={async () => {
        await ended(revokeApiKey({ path: { api_key_id: api_key.id }, throwOnError: true }));
        await readPagesAgain('listApiKeys');
        toast('The key is revoked', api_key.name);
      }}>
      <p>{endsText(api_key)} It cannot be undone.</p>
      {ends_something && (
        <Field label={<>To confirm, type {api_key.dashboard ? '' : 'what the key ends in: '}
          <code className="font-mono font-semibold text-text">{word}</code></>}>
          <Input is_code value={typed} autoFocus
            onChange={({ target }) => setTyped(target.value)} />
        </Field>
      )}
    </Confirm>
  );
}

/** What the grants of the key and of its workspace say, in the order in which they count. */
function Permissions({ api_key: { id, name, workspace_id } }: { api_key: ApiKey }) {
  const { data, error, refetch } = useGrants(({ api_key_id }) => [null, id].includes(api_key_id));
  return (
    <section className="flex flex-col gap-1.5">
      <h2>What it may do</h2>
      {error && <ErrorNote error={asApiError(error)} onRetry={() => void refetch()} />}
      {data && (
        <ul className="flex list-disc flex-col gap-1 pl-5 wrap-anywhere">
          {data.map((grant) => (
            <li key={grant.id}><Sentence of={grant} key_name={name} /></li>
          ))}
          <li>{data.length > 0 ? 'Whatever else only reads is allowed, and nothing more.'
            : 'It may read. What changes something needs a grant, and there is none.'}</li>
        </ul>
      )}
      <p>
        <Link to="/w/$workspace_id/grants" params={{ workspace_id }} className="link">
          See and change grants
        </Link>
      </p>
    </section>
  );
}
