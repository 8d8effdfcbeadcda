/** The systems whose actions are offered. They belong to the service; accounts, to a workspace. */
import { Link, useNavigate } from '@tanstack/react-router';
import { listIntegrations } from '#client/sdk.gen.ts';
import type { Integration } from '#client/types.gen.ts';
import { OWN_SLUGS } from '../data/calls.ts';
import { useCursorPages } from '../data/pages.ts';
import { useMay, useNeed, useWorkspaceId } from '../data/session.ts';
import { Badge, Button, StatusBadge } from '../kit/controls.tsx';
import { markedText, Name } from '../kit/exact.tsx';
import { useFilters } from '../kit/filters.tsx';
import { countText, EmptyState, PageHead, Tail } from '../kit/text.tsx';
import { Time } from '../kit/time.tsx';
import { VirtualTable, type Column } from '../kit/VirtualTable.tsx';
import { AddIntegration } from './AddIntegration.tsx';
import { useConnections } from './Connections.tsx';

const EVERYTHING = {};

export default function IntegrationList() {
  const workspace_id = useWorkspaceId();
  const navigate = useNavigate();
  const [search, change] = useFilters();
  const may = useMay('admin');
  const list = useCursorPages('listIntegrations', listIntegrations, EVERYTHING);
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
      <VirtualTable {...list} label="Integrations" columns={COLUMNS} rowKey={({ slug }) => slug}
        onOpen={({ slug }) => void navigate({
          to: '/w/$workspace_id/integrations/$slug', params: { workspace_id, slug },
        })}
        empty={
          <EmptyState title="No integrations yet" action={add}
            command="bin/gatehouse integrations add <slug> --document <file or url>">
            An integration makes actions that agents can call of an OpenAPI document or an MCP
            server. Add one here, or by this command:
          </EmptyState>
        } />
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
    key: 'actions', title: 'Actions', width: '15rem',
    cell: ({ actions }) => <ActionCounts {...actions} />,
  },
  {
    key: 'connected', title: 'This workspace', width: '9rem', card: 'side',
    cell: (integration) => <Standing of={integration} />,
  },
  {
    key: 'updated', title: 'Changed', width: '6rem',
    cell: ({ updated_at }) => <Time at={updated_at} />,
  },
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
function Standing({ of: { slug, report, workspace_ids } }: { of: Integration }) {
  const workspace_id = useWorkspaceId();
  const { data } = useConnections();
  if (report.changes_total) {
    return <Badge tone="warn" mark="wait">{`${countText(report.changes_total)} changed`}</Badge>;
  }
  if (workspace_ids && !workspace_ids.includes(workspace_id)) return <Badge>not offered</Badge>;
  if (data === undefined) return null;
  const statuses = data.filter(({ integration }) => integration === slug)
    .map(({ status }) => status);
  const status = ['needs_reconnect', 'pending', 'connected', 'disabled']
    .find((one) => statuses.some((its) => its === one));
  return status ? <StatusBadge status={status} /> : <Badge mark="ring">not connected</Badge>;
}
