/**
 * The systems whose actions are offered, and whether each may be called where it is. They belong to
 * the service; accounts, to a workspace.
 */
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { getIntegration, listIntegrations, updateIntegration } from '#client/sdk.gen.ts';
import type { Integration } from '#client/types.gen.ts';
import { useAct } from '../data/api.ts';
import { OWN_SLUGS } from '../data/calls.ts';
import { useCursorPages } from '../data/pages.ts';
import { useMay, useNeed, useWorkspaceId } from '../data/session.ts';
import { Badge, Button, StatusBadge } from '../kit/controls.tsx';
import { markedText, Name } from '../kit/exact.tsx';
import { Filters, useFilters } from '../kit/filters.tsx';
import { FormDialog } from '../kit/overlays.tsx';
import {
  Code, countText, EmptyState, ErrorNote, holdsWords, PageHead, Tail, Warning,
} from '../kit/text.tsx';
import { timeColumn } from '../kit/time.tsx';
import { VirtualTable, type Column } from '../kit/VirtualTable.tsx';
import { AddIntegration } from './AddIntegration.tsx';
import { allowedBy, PrivateAddresses, Unread, useConnections } from './parts.tsx';
import { barredHostOf } from './source.ts';

const EVERYTHING = {};
const FILTERS = [{ name: 'name', label: 'Search', placeholder: 'A slug, or words' }];

export default function IntegrationList() {
  const workspace_id = useWorkspaceId();
  const navigate = useNavigate();
  const [search, change] = useFilters();
  const may = useMay('admin');
  const accounts = useConnections();
  const list = useCursorPages('listIntegrations', listIntegrations, EVERYTHING);
  const { name = '' } = search;
  const rows = useMemo(() => list.rows.filter(({ slug, title }) =>
    holdsWords(`${slug} ${title}`, name)), [list.rows, name]);
  const add = (
    <Button look="main" icon="plus" {...useNeed('admin')} onClick={() => change({ add: '1' })}>
      Add integration</Button>
  );
  return (
    <>
      <PageHead title="Integrations">{list.rows.length > 0 && add}</PageHead>
      <p className="flex flex-wrap gap-x-2 px-4 pb-2 text-sm text-muted">
        Gatehouse's own actions:
        {[...OWN_SLUGS].map((slug) => (
          <Link key={slug} to="/w/$workspace_id/integrations/$slug" params={{ workspace_id, slug }}
            preload={false} className="link font-mono">{slug}</Link>
        ))}
      </p>
      {(list.rows.length > 0 || name) && <Filters of={FILTERS} left={{ ...list, rows }} />}
      <div className="px-4 pb-2 empty:hidden"><Unread what="Whether each has an account here"
        of={accounts} /></div>
      <VirtualTable {...list} rows={rows} label="Integrations" columns={COLUMNS}
        rowKey={({ slug }) => slug} onOpen={({ slug }) => void navigate({
          to: '/w/$workspace_id/integrations/$slug', params: { workspace_id, slug },
        })}
        empty={name ? <EmptyState title="No integration is like that" /> : (
          <EmptyState title="No integrations yet" action={add}
            command="bin/gatehouse integrations add <slug> --document <file or url>">
            An integration is another system: agents call what its OpenAPI document, or its MCP
            server, offers. Add one here, or by this command:
          </EmptyState>
        )} />
      {may && search.add && <AddIntegration onClose={() => change({ add: undefined })} />}
    </>
  );
}

const COLUMNS: readonly Column<Integration>[] = [
  {
    key: 'title', title: 'Integration', width: 'minmax(12rem, 1fr)', card: 'head',
    cell: (integration) => <TitleLink {...integration} />,
  },
  {
    key: 'kind', title: 'Kind', width: '5.5rem', card: 'hidden',
    cell: ({ kind }) => <span className="truncate text-muted">{kindWords(kind)}</span>,
  },
  {
    key: 'actions', title: 'Actions', width: 'minmax(15rem, 18rem)',
    cell: ({ actions }) => <ActionCounts {...actions} />,
  },
  {
    key: 'connected', title: 'This workspace', width: '9rem', card: 'side',
    cell: (integration) => <Standing of={integration} />,
  },
  timeColumn('updated_at', 'Changed', '6rem'),
];

/** What a kind of integration is called. */
export function kindWords(kind: string): string {
  return { openapi: 'OpenAPI', mcp: 'MCP server' }[kind] ?? kind;
}

function TitleLink({ slug, title }: Integration) {
  const workspace_id = useWorkspaceId();
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <Link to="/w/$workspace_id/integrations/$slug" params={{ workspace_id, slug }} tabIndex={-1}
        preload={false} title={markedText(title)} className="truncate font-medium hover:underline">
        <Name>{title}</Name>
      </Link>
      <span className="flex max-w-3/5 shrink-0 font-mono text-sm text-muted">
        <Tail>{slug}</Tail>
      </span>
    </span>
  );
}

/** `12: 8 read, 3 write, 1 destructive`. */
export function ActionCounts(
  { read, write, destructive, quarantined }: Integration['actions']) {
  const parts = Object.entries({ read, write, destructive, quarantined })
    .filter(([, count]) => count > 0).map(([name, count]) => `${countText(count)} ${name}`);
  return <span className="truncate" title={parts.join(', ')}>{parts.join(', ') || 'none'}</span>;
}

/** Whether the workspace can use it; what waits for somebody comes first. */
function Standing({ of }: { of: Integration }) {
  const { slug, report, workspace_ids } = of;
  const workspace_id = useWorkspaceId();
  const { data, error } = useConnections();
  if (report.changes_total) {
    return <Badge tone="warn" mark="wait">{`${countText(report.changes_total)} changed`}</Badge>;
  }
  if (workspace_ids && !workspace_ids.includes(workspace_id)) return <Badge>not offered</Badge>;
  if (data === undefined) return error ? '–' : null;
  const statuses = data.filter(({ integration }) => integration === slug)
    .map(({ status }) => status);
  const status = ['needs_reconnect', 'pending', 'connected', 'disabled']
    .find((one) => statuses.some((its) => its === one));
  if (status === 'connected' && barredHostOf(of) !== null) {
    return <Badge tone="warn" mark="ring">address not allowed</Badge>;
  }
  return status ? <StatusBadge status={status} /> : <Badge mark="ring">not connected</Badge>;
}

interface ReachProps { integration: Integration; onSaved: () => Promise<void> }

/** `save` is told what is allowed by now. */
function useReach({ integration: { slug }, onSaved }: ReachProps, onClose?: () => void) {
  const { act, ...state } = useAct();
  const save = (next: (now: readonly string[]) => string[]) => act(async () => {
    const { data: now } = await getIntegration({ path: { slug }, throwOnError: true });
    await updateIntegration({ path: { slug }, throwOnError: true,
      body: { egress_allow: next(now.egress_allow) } });
    await onSaved();
  }, onClose);
  return { ...state, save };
}

/** That the integration is at a private address which it may not call, and what to do about it. */
export function Barred(props: ReachProps) {
  const { slug, egress_allow } = props.integration;
  const { error, is_busy, save } = useReach(props);
  const need = useNeed('admin');
  const host = barredHostOf(props.integration);
  if (host === null) return null;
  const options = [...egress_allow, host].map((one) =>
    ` --allow ${one.includes('[') ? `'${one}'` : one}`).join('');
  return (
    <div className="px-4 pb-3">
      <Warning>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <p className="min-w-0 grow basis-72">
            No action can be called: <code className="font-mono text-sm">{host}</code> is a private
            address, which this integration may not call. If it is meant, allow it here, or by this
            command:
          </p>
          <Button {...need} is_busy={is_busy}
            onClick={() => void save((now) => [...now, host])}>Allow this address</Button>
          <Code copy>{`bin/gatehouse integrations update ${slug}${options}`}</Code>
          {error && <ErrorNote error={error} />}
        </div>
      </Warning>
    </div>
  );
}

/** Which private addresses it may call, and a way to change that. */
export function Reach(props: ReachProps) {
  const { egress_allow } = props.integration;
  const [is_open, setOpen] = useState(false);
  return (
    <span className="-my-1.5 flex flex-wrap items-center gap-x-2">
      {egress_allow.length > 0 ? <Name>{egress_allow.join(', ')}</Name>
        : <span className="text-muted">none</span>}
      <Button look="quiet" icon="edit" {...useNeed('admin')} onClick={() => setOpen(true)}
        aria-label="Change the private addresses">Change</Button>
      {is_open && <ChangeReach of={props} onClose={() => setOpen(false)} />}
    </span>
  );
}

function ChangeReach({ of, onClose }: { of: ReachProps; onClose: () => void }) {
  const { error, is_busy, save } = useReach(of, onClose);
  const submit = (form: FormData) => {
    const given = String(form.get('egress_allow'));
    void save(() => given.split(/[\s,]+/).filter(Boolean));
  };
  const is_shown = /^.egress_allow/.test(error?.param ?? '');
  return (
    <FormDialog {...{ is_busy, onClose }} title="Private addresses" action="Save" onSubmit={submit}
      says="Without any it may call public addresses alone."
      error={error && !is_shown ? { ...error,
        message: allowedBy('This is where its API is.', error.message) } : null}>
      <PrivateAddresses name="egress_allow" autoFocus
        defaultValue={of.integration.egress_allow.join(', ')}
        error={is_shown ? error?.message : undefined} />
    </FormDialog>
  );
}
