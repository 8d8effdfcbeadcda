/** One integration: its actions, accounts and grants, what has changed, and where it comes from. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { getIntegrationOptions } from '#client/@tanstack/react-query.gen.ts';
import {
  deleteIntegration, listConnections, refreshIntegration,
} from '#client/sdk.gen.ts';
import type { ActionChange, Integration } from '#client/types.gen.ts';
import { asApiError, ended, isGone, isPassing, queries, readAgain, useAct } from '../data/api.ts';
import { OWN_SLUGS } from '../data/calls.ts';
import { useNeed, useWorkspaceId } from '../data/session.ts';
import { NotRead } from '../frame/Boundary.tsx';
import { Badge, Button, Tabs } from '../kit/controls.tsx';
import { Difference, Name } from '../kit/exact.tsx';
import { useFilters } from '../kit/filters.tsx';
import { Confirm, toast } from '../kit/overlays.tsx';
import { Code, counted, countText, EmptyState, ErrorNote, PageHead, Tail } from '../kit/text.tsx';
import { Actions } from './Actions.tsx';
import { Connections, NextStep } from './Connections.tsx';
import { GrantList } from './Grants.tsx';
import { ActionCounts, Barred, kindWords, Reach } from './IntegrationList.tsx';
import { Overrides } from './Overrides.tsx';
import { LeftBehind, Lines, Origin, Part } from './parts.tsx';

const LOOK_MS = 10_000;

export default function IntegrationPage() {
  const { slug } = useParams({ strict: false }) as { slug: string };
  return OWN_SLUGS.has(slug) ? <Own slug={slug} /> : <Added slug={slug} />;
}

/** That of Gatehouse's own actions. */
function Own({ slug }: { slug: string }) {
  const [{ tab }, change] = useFilters();
  return (
    <>
      <PageHead title={slug} />
      <p className="px-4 pb-2 text-sm text-muted">
        Comes with Gatehouse. Agents and keys may call its actions as grants allow.
      </p>
      <Tabs label="Parts of the integration" value={tab === 'grants' ? tab : 'actions'}
        onChange={(value) => change({ tab: value, action: undefined, pattern: undefined })} tabs={[
          { value: 'actions', label: 'Actions', content: <Actions slug={slug} quarantined={0} /> },
          { value: 'grants', label: 'Grants', content: <GrantList slug={slug} /> },
        ]} />
    </>
  );
}

function Added({ slug }: { slug: string }) {
  const [search, change] = useFilters();
  const [is_deleting, setDeleting] = useState(false);
  const { data: integration, error, refetch } = useQuery({
    ...getIntegrationOptions({ path: { slug } }), refetchInterval: LOOK_MS,
  });
  const retry = () => void refetch();
  // What was shown before goes, if somebody has deleted it meanwhile.
  if (!integration || (isGone(error) && !is_deleting)) {
    return (
      <>
        <PageHead title={slug} />
        <NotRead error={error} onRetry={retry} />
      </>
    );
  }
  const { report: { changes_total = 0 } } = integration;
  const changes = <span className="flex items-center gap-1.5">Changes{changes_total > 0
    && <Badge tone="warn">{countText(changes_total)}</Badge>}</span>;
  const tabs = [
    { value: 'actions', label: 'Actions', content:
      <Actions slug={slug} quarantined={integration.actions.quarantined} /> },
    { value: 'connections', label: 'Connections', content: <Connections {...{ integration }} /> },
    { value: 'grants', label: 'Grants', content: <GrantList slug={slug} /> },
    { value: 'changes', label: changes, content: <Changes {...{ integration }} /> },
    { value: 'about', label: 'About', content: <About {...{ integration }} /> },
  ];
  const value = tabs.find((tab) => tab.value === search.tab)?.value ?? 'actions';
  return (
    <>
      <Head {...{ integration, is_deleting, setDeleting }} />
      {error && !isGone(error) && !isPassing(asApiError(error))
        && <NotRead error={error} onRetry={retry} />}
      <Tabs label="Parts of the integration" tabs={tabs} value={value}
        onChange={(tab) => change({ tab, action: undefined, connect: undefined,
          grant: undefined, pattern: undefined, query: undefined, name: undefined })} />
    </>
  );
}

function Head({ integration, is_deleting, setDeleting }: {
  integration: Integration; is_deleting: boolean; setDeleting: (is_deleting: boolean) => void;
}) {
  const { slug, title, kind, base_url, mcp, actions } = integration;
  const need = useNeed('admin');
  const refresh = useRefresh(slug);
  return (
    <>
      <PageHead title={title}>
        <Button icon="retry" is_busy={refresh.is_busy} onClick={() => void refresh.ask(false)}
          title="Reads the document, or asks the server, again" {...need}>Refresh</Button>
        <Button look="danger" {...need} aria-label="Delete the integration"
          onClick={() => setDeleting(true)}>Delete</Button>
      </PageHead>
      <p className="flex min-w-0 flex-wrap gap-x-3 px-4 pb-2 text-sm text-muted">
        <span className="flex max-w-full min-w-0 font-mono"><Tail>{slug}</Tail></span>
        <span>{kindWords(kind)}</span>
        <span className="max-w-full truncate">
          <Name>{base_url ?? mcp?.url ?? mcp?.command ?? ''}</Name></span>
        <ActionCounts {...actions} />
      </p>
      {refresh.error && <div className="px-4 pb-3"><ErrorNote error={refresh.error} /></div>}
      {kind === 'openapi' && base_url === null && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pb-3">
          <p>No action can be called: the document names no server. Say where it is:</p>
          <Code copy>{`bin/gatehouse integrations update ${slug} --api-url <url>`}</Code>
        </div>
      )}
      <Barred {...{ integration }} onSaved={forgetIntegration} />
      {is_deleting && <Delete slug={slug} onClose={() => setDeleting(false)} />}
    </>
  );
}

function Delete({ slug, onClose }: { slug: string; onClose: () => void }) {
  const workspace_id = useWorkspaceId();
  const navigate = useNavigate();
  const { data: used, error } = useQuery({
    queryKey: [{ _id: 'listConnections', everywhere: slug }],
    queryFn: async () => (await listConnections({
      query: { integration: slug, limit: 100 }, throwOnError: true })).data,
  });
  const count = used && `${used.data.length}${used.has_more ? '+' : ''}`;
  const here = used?.data.filter((one) => one.workspace_id === workspace_id).length ?? 0;
  return (
    <Confirm title={<>Delete the integration {slug}?</>} action="Delete integration"
      onClose={onClose} is_ready={used?.data.length === 0}
      onConfirm={async (isHere) => {
        await ended(deleteIntegration({ path: { slug }, throwOnError: true }));
        if (isHere()) {
          await navigate({ to: '/w/$workspace_id/integrations', params: { workspace_id } });
        }
        queries.removeQueries({ queryKey: [{ _id: 'getIntegration', path: { slug } }] });
        await forgetIntegration();
        toast(`${slug} was deleted`);
      }}>
      {error && <ErrorNote error={asApiError(error)} />}
      {used && used.data.length > 0 && (
        <p>
          {`Connections: ${count}, of them in this workspace: ${here}. `}
          Delete all of them first: their secrets are destroyed with them.
        </p>
      )}
      {used?.data.length === 0 && (
        <p>
          Its actions are gone from the next call on, in every workspace. Grants that name them
          stay, and hold again for an integration with the same slug. So does the record of what
          was called.
        </p>
      )}
    </Confirm>
  );
}

/** Asks the source again; `accept`: takes what was set aside, as it was shown. */
function useRefresh(slug: string) {
  const { act, ...state } = useAct();
  const ask = (accept_changes: boolean) => act(async () => {
    const { data: { report, actions } } = await refreshIntegration({
      path: { slug }, body: { accept_changes }, throwOnError: true });
    await forgetIntegration();
    const { changes_total: left = 0 } = report;
    toast(accept_changes ? 'The changes were accepted' : 'The source was asked again',
      left > 0 ? `Changed, and waiting for you: ${counted(left, 'action')}.`
        : `It offers ${counted(actions.read + actions.write + actions.destructive, 'action')}.`);
  });
  return { ...state, ask };
}

/** Integrations are read again, and what they offer. */
async function forgetIntegration(): Promise<void> {
  await readAgain(
    'getIntegration', 'listIntegrations', 'listActions', 'searchActions', 'previewGrant');
}

function Changes({ integration: { slug, report, actions } }: { integration: Integration }) {
  const need = useNeed('admin');
  const { ask, is_busy, error } = useRefresh(slug);
  const { changes = [], changes_total = 0, vanished_total = 0 } = report;
  if (changes_total === 0 && vanished_total === 0) {
    return (
      <EmptyState title="Nothing waits for you">
        When the source changes what an action says or takes, the change is set aside here until
        somebody has looked at it. {actions.quarantined > 0
          && `Quarantined: ${counted(actions.quarantined, 'action')}; refresh to see why.`}
      </EmptyState>
    );
  }
  return (
    <div className="flex min-h-0 grow flex-col gap-3 overflow-y-auto p-4" tabIndex={0}
      role="region" aria-label="Changes">
      <div className="flex flex-wrap items-center gap-3">
        <p className="max-w-3xl min-w-0 grow basis-80">
          {changes_total > 0 && <>
            The source has changed {countText(changes_total)} {changes_total === 1
              ? 'action since it was' : 'actions since they were'} accepted. What a model reads can
            turn it against you: look at the words before you accept.
          </>}
          {changes_total === 0 && 'The source does not have some actions any more.'}
        </p>
        <Button look="main" is_busy={is_busy} {...need} onClick={() => void ask(true)}>
          {changes_total === 1 ? 'Accept this change' : 'Accept all of these changes'}
        </Button>
      </div>
      {error && <ErrorNote error={error} />}
      <LeftBehind {...report} />
      {changes.map((change) => <Change key={change.source_key} change={change} />)}
      {changes.length < changes_total && (
        <p className="text-muted">
          {`And ${countText(changes_total - changes.length)} more that are not shown.`}
        </p>
      )}
    </div>
  );
}

function Change({ change: { action, offered, fields, fields_total } }: { change: ActionChange }) {
  return (
    <section className="panel flex flex-col gap-2 p-3" aria-label={action}>
      <header className="flex flex-wrap items-center gap-2">
        <h2 className="font-mono wrap-anywhere">{action}</h2>
        {offered ? <Badge>goes on as it was accepted</Badge>
          : <Badge tone="warn" mark="wait">quarantined: cannot be called</Badge>}
      </header>
      {fields.map(({ field, before, after }) => (
        <div key={field} className="flex flex-col gap-1">
          <p className="font-mono text-sm wrap-anywhere text-muted"><Name>{field}</Name></p>
          <Difference {...{ before, after }} />
        </div>
      ))}
      {fields.length < fields_total && (
        <p className="text-muted">
          {`And ${counted(fields_total - fields.length, 'more field')}.`}
        </p>
      )}
    </section>
  );
}

/** Why an operation did not become an action. */
const REASONS: Readonly<Record<string, string>> = {
  internal: 'the document marks it as internal', hidden: 'you hide it',
  method_not_supported: 'no application calls its method (OPTIONS, TRACE)',
  external_reference: 'what it refers to is not in the document, nor was it to be had elsewhere',
  too_many_operations: 'there are more operations than are taken',
};

/** What came of the import, what is known better, and where it comes from. */
function About({ integration }: { integration: Integration }) {
  const {
    slug, kind, report: { operations, imported, has_resources, skipped, errors = [], warnings },
  } = integration;
  const things = kind === 'mcp' ? 'tools' : 'operations';
  return (
    <div className="flex min-h-0 grow flex-col gap-5 overflow-y-auto p-4" tabIndex={0}
      role="region" aria-label="About the integration">
      <NextStep slug={slug} />
      <Part title="What was imported">
        <p>
          {imported === operations ? `All ${countText(operations)} ${things} became actions.`
            : `${countText(imported)} of ${countText(operations)} ${things} became actions.`}
          {has_resources && ' One more action reads resources.'}
        </p>
        <Lines of={skipped.map(({ source_key, reason }) =>
          [source_key, `left out: ${REASONS[reason] ?? reason}`])} />
        {operations - imported > skipped.length
          && <p>{`${countText(operations - imported - skipped.length)} more were left out.`}</p>}
        {errors.map((one) => (
          <p key={one} className="wrap-anywhere text-bad"><Name>{one}</Name></p>
        ))}
        {warnings.map((one) => (
          <p key={one} className="wrap-anywhere"><Name>{one}</Name></p>))}
      </Part>
      <Part title="What you know better">
        <Overrides integration={integration} onSaved={forgetIntegration} />
      </Part>
      <Part title="Where it comes from">
        <Origin {...integration}
          reach={<Reach {...{ integration }} onSaved={forgetIntegration} />} />
      </Part>
    </div>
  );
}
