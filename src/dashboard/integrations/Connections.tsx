/** The accounts of the workspace: connected, checked, switched off. Secrets only go in. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { getConnectionOptions } from '#client/@tanstack/react-query.gen.ts';
import {
  checkConnection, deleteConnection, listConnections, updateConnection,
} from '#client/sdk.gen.ts';
import type { Connection, Integration, ListConnectionsData } from '#client/types.gen.ts';
import { asApiError, type ApiError } from '../data/api.ts';
import { itemsOf } from '../data/pages.ts';
import { useMay, useNeed, useWorkspaceId } from '../data/session.ts';
import { Badge, Button, CopyButton, Spinner, StatusBadge } from '../kit/controls.tsx';
import { Name } from '../kit/exact.tsx';
import { useFilters } from '../kit/filters.tsx';
import { Confirm, Dialog, toast } from '../kit/overlays.tsx';
import { Code, EmptyState, ErrorNote, Id } from '../kit/text.tsx';
import { Time } from '../kit/time.tsx';
import { Connect, forgetConnections, METHODS } from './Connect.tsx';

const LOOK_MS = 2_000;

/** The connections of the workspace; read again while one waits for consent. */
export function useConnections() {
  const workspace_id = useWorkspaceId();
  return useQuery({
    queryKey: [{ _id: 'listConnections', workspace_id }],
    queryFn: ({ signal }) => Array.fromAsync(
      itemsOf<ListConnectionsData['query'], Connection>(listConnections, { workspace_id }, signal)),
    refetchInterval: ({ state: { data } }) =>
      (data?.some(({ status }) => status === 'pending') ? LOOK_MS : false),
  });
}

/** While no account is connected: what that means, and what to do. */
export function NextStep({ slug, children }: { slug: string; children?: ReactNode }) {
  const [, change] = useFilters();
  const need = useNeed('admin');
  const own = useConnections().data?.filter(({ integration }) => integration === slug);
  if (!own || own.some(({ status }) => status === 'connected')) return null;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="min-w-0 grow basis-72">
        No account is connected in this workspace, so its agents are not offered these
        actions.{children}
      </p>
      {own.length > 0 ? (
        <Button look="main" onClick={() => change({ tab: 'connections' })}>
          See its connections</Button>
      ) : (
        <Button look="main" {...need}
          onClick={() => change({ tab: 'connections', connect: 'new' })}>
          Connect an account</Button>
      )}
    </div>
  );
}

export function Connections({ integration }: { integration: Integration }) {
  const { slug } = integration;
  const may = useMay('admin');
  const [{ connect }, change] = useFilters();
  const { data, error, refetch } = useConnections();
  const own = data?.filter((one) => one.integration === slug);
  const again = own?.find(({ id }) => id === connect);
  const [made, setMade] = useState<Connection | null>(null);
  const close = () => {
    setMade(null);
    change({ connect: undefined });
  };
  const onMade = (one: Connection) => {
    if (one.authorization_url) return setMade(one);
    toast(`${one.name} is ${one.status.replace('_', ' ')}`, one.status_reason ?? undefined);
    close();
  };
  const add = (
    <Button look="main" icon="plus" {...useNeed('admin')}
      onClick={() => change({ connect: 'new' })}>Connect an account</Button>
  );
  return (
    <div className="flex min-h-0 grow flex-col gap-3 overflow-y-auto p-4">
      {error && <ErrorNote error={asApiError(error)} onRetry={() => void refetch()} />}
      {own?.length === 0 && (
        <EmptyState title="No account is connected in this workspace" action={add}
          command={`bin/gatehouse connections add ${slug}`}>
          Its agents see the actions of {slug} once an account is. Connect one here, or by this
          command:
        </EmptyState>
      )}
      {own && own.length > 0 && <div className="flex justify-end">{add}</div>}
      <ul className="flex flex-col gap-3">
        {own?.map((one) => (
          <Account key={one.id} connection={one} onReconnect={() => change({ connect: one.id })} />
        ))}
      </ul>
      {may && (connect === 'new' || again) && (made
        ? <Consent made={made} onClose={close} />
        : <Connect integration={integration} again={again ?? null} {...{ onMade }}
          onClose={close} />)}
    </div>
  );
}

/** What there is to do about a status. */
const ADVICE: Readonly<Record<string, string>> = {
  pending: 'Somebody has to consent yet. If the page was closed or is too old, begin again.',
  needs_reconnect: 'The other side does not accept it any more. Reconnect it with new credentials.',
  disabled: 'Agents cannot use it until you enable it.',
};

function Account({ connection, onReconnect }: { connection: Connection; onReconnect: () => void }) {
  const { id, name, account_label, status, status_reason } = connection;
  const path = { connection_id: id };
  const [said, setSaid] = useState<{ ok: boolean; message: string } | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState<'check' | 'turn' | null>(null);
  const [opener, setOpener] = useState<Element | null>(null);
  const need = { ...useNeed('admin'), is_off: busy !== null };
  const act = async (what: 'check' | 'turn', how: () => Promise<unknown>) => {
    setBusy(what);
    setError(null);
    setSaid(null);
    await how().catch((fault: unknown) => setError(asApiError(fault)));
    await forgetConnections();
    setBusy(null);
  };
  const check = async () =>
    setSaid((await checkConnection({ path, throwOnError: true })).data);
  const turn = (to: 'connected' | 'disabled') =>
    updateConnection({ path, body: { status: to }, throwOnError: true });
  return (
    <li className="panel flex flex-col gap-2 p-3" aria-label={name}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="min-w-0 wrap-anywhere"><Name>{name}</Name></h2>
        {account_label
          && <span className="min-w-0 wrap-anywhere"><Name>{account_label}</Name></span>}
        <StatusBadge status={status} />
        <span className="grow" />
        <Button {...need} is_busy={busy === 'check'} onClick={() => void act('check', check)}>
          Check</Button>
        <Button {...need} onClick={onReconnect}>
          {status === 'pending' ? 'Begin again' : 'Reconnect'}</Button>
        {status !== 'pending' && (
          <Button {...need} is_busy={busy === 'turn'} onClick={() => void act('turn', () =>
            turn(status === 'disabled' ? 'connected' : 'disabled'))}>
            {status === 'disabled' ? 'Enable' : 'Disable'}</Button>
        )}
        <Button {...need} look="danger"
          onClick={({ currentTarget }) => setOpener(currentTarget)}>Delete</Button>
      </div>
      {(status_reason || ADVICE[status]) && (
        <p className="wrap-anywhere">
          <Name>{[status_reason, ADVICE[status]].filter(Boolean).join(' ')}</Name>
        </p>
      )}
      <AccountFacts {...connection} />
      {said && (
        <p role="status" className="flex flex-wrap items-center gap-2">
          <Badge tone={said.ok ? 'good' : 'bad'} mark={said.ok ? 'check' : 'cross'}>
            {said.ok ? 'It works' : 'It does not work'}</Badge>
          <span className="min-w-0 wrap-anywhere"><Name>{said.message}</Name></span>
        </p>
      )}
      {error && <ErrorNote error={error} />}
      {opener && (
        <Confirm title={<>Delete the connection <Name>{name}</Name>?</>} action="Delete connection"
          returns_to={opener} onClose={() => setOpener(null)} onConfirm={async () => {
            await deleteConnection({ path, throwOnError: true });
            await forgetConnections();
          }}>
          <p>
            Its secrets are destroyed, and agents cannot use the account from the next call on.
            The record of what was done with it stays.
          </p>
        </Confirm>
      )}
    </li>
  );
}

function AccountFacts({ id, auth_type, granted_scopes, expires_at, created_at }: Connection) {
  return (
    <p className="flex flex-wrap gap-x-3 text-sm text-muted">
      <Id>{id}</Id><span>{METHODS[auth_type]?.label ?? auth_type}</span>
      <span>added <Time at={created_at} /></span>
      {expires_at && <span>token renewed before <Time at={expires_at} as="local" /></span>}
      {granted_scopes.length > 0 && (
        <span className="wrap-anywhere">may <Name>{granted_scopes.join(', ')}</Name></span>
      )}
    </p>
  );
}

/** Sends a browser to the other service, and notices when somebody has consented there. */
function Consent({ made, onClose }: { made: Connection; onClose: () => void }) {
  const { id, name, authorization_url, authorization_expires_at, settings } = made;
  const { data } = useQuery({
    ...getConnectionOptions({ path: { connection_id: id } }),
    // Nor for nobody: the screens are read anew once somebody is signed in again.
    refetchInterval: ({ state: { data, error } }) =>
      (data?.status === 'connected' || (error && asApiError(error).status === 401) ? false
        : LOOK_MS / 2),
    // The page of the other service lies before this one.
    refetchIntervalInBackground: true,
  });
  const is_done = data?.status === 'connected';
  useEffect(() => {
    if (is_done) void forgetConnections();
  }, [is_done]);
  const url = authorization_url ?? '';
  return (
    <Dialog is_firm={!is_done} onClose={onClose}
      title={<>Consent for <Name>{name}</Name></>}
      says="Somebody with an account at the other service has to agree there."
      actions={is_done ? <Button look="main" onClick={onClose}>Done</Button> : <>
        <CopyButton look="plain" text={url} what="address">Copy the address</CopyButton>
        <Button look="main" onClick={() => void open(url, '_blank', 'noopener')}>
          Open the other service</Button>
      </>}>
      <div className="flex flex-col gap-3">
        {settings?.redirect_uri && !is_done && <>
          <p>It sends the browser back to this address{settings.client_id === undefined
            && ', which has to be registered there'}:</p>
          <Code copy>{settings.redirect_uri}</Code>
          <p>
            The page opens once{authorization_expires_at
              && <>, until <Time at={authorization_expires_at} as="local" /></>}. Whoever opens it
            has to come back in the same browser.
          </p>
        </>}
        <p role="status" className="flex items-center gap-2">
          {is_done ? <><Badge tone="good" mark="check">connected</Badge>Agents can use it now.</>
            : <><Spinner />Waiting for the consent …</>}
        </p>
      </div>
    </Dialog>
  );
}
