/** The accounts of the workspace: connected, checked, switched off. Secrets only go in. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { getConnectionOptions } from '#client/@tanstack/react-query.gen.ts';
import { checkConnection, deleteConnection, updateConnection } from '#client/sdk.gen.ts';
import type { Connection, ConnectionCheck, Integration } from '#client/types.gen.ts';
import { asApiError, ended, isGone, useAct, type ApiError } from '../data/api.ts';
import { useMay, useNeed, useWorkspaceId } from '../data/session.ts';
import { Badge, Button, CopyButton, Spinner, StatusBadge } from '../kit/controls.tsx';
import { markedText, Name } from '../kit/exact.tsx';
import { Filters, useFilters } from '../kit/filters.tsx';
import { Confirm, Dialog, toast } from '../kit/overlays.tsx';
import { Code, countText, EmptyState, ErrorNote, holdsWords, Id, Words } from '../kit/text.tsx';
import { Time } from '../kit/time.tsx';
import { Connect, forgetConnections, METHODS } from './Connect.tsx';
import { allowedBy, useConnections } from './parts.tsx';
import { barredHostOf } from './source.ts';

const LOOK_MS = 1_000;
/** So many are seen at one look; of more one can be searched for. */
const FEW = 10;
/** So many accounts are drawn at once. */
const SHOWN = 50;
const FILTERS = [{ name: 'query', label: 'Account', placeholder: 'Words, or con_…' }];

/** While no account is connected: what that means, and what to do. */
export function NextStep({ slug, children }: { slug: string; children?: ReactNode }) {
  const [, change] = useFilters();
  const need = useNeed('admin');
  const { data: own } = useConnections(slug);
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
  const workspace_id = useWorkspaceId();
  const may = useMay('admin');
  const [{ connect, query = '' }, change] = useFilters();
  const { data: own, error, refetch } = useConnections(slug);
  const found = own?.filter(({ id, name, account_label, status }) =>
    holdsWords([id, name, account_label, status.replaceAll('_', ' ')].join(' '), query)) ?? [];
  const [most, setMost] = useState(SHOWN);
  const again = own?.find(({ id }) => id === connect);
  const [made, setMade] = useState<Connection | null>(null);
  const { checks, check } = useChecks();
  const is_barred = barredHostOf(integration) !== null;
  const close = () => {
    setMade(null);
    change({ connect: undefined });
  };
  const onMade = (one: Connection) => {
    if (one.authorization_url) return setMade(one);
    change({ connect: undefined, query: undefined });
    if (one.status === 'connected') return void check(one.id);
    toast(`${one.name} is ${one.status.replace('_', ' ')}`, one.status_reason ?? undefined);
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
          command={`bin/gatehouse connections add ${slug} --workspace ${workspace_id}`}>
          Its agents see the actions of {slug} once an account is. Connect one here, or by this
          command:
        </EmptyState>
      )}
      {own && own.length > 0 && (
        <div className="flex flex-wrap items-end justify-end gap-y-3">
          {(own.length > FEW || query) && (
            <div className="-mx-4 -mb-3 grow"><Filters of={FILTERS} left={{ rows: found }} /></div>
          )}
          {add}
        </div>
      )}
      <ul className="flex flex-col gap-3">
        {found.slice(0, most).map((one) => (
          <Account key={one.id} connection={one} {...{ is_barred }} check={checks[one.id]}
            onCheck={() => check(one.id)} onReconnect={() => change({ connect: one.id })} />
        ))}
      </ul>
      {found.length > most && (
        <div>
          <Button onClick={() => setMost(most + SHOWN)}>
            {`Show more: ${countText(most)} of ${countText(found.length)} are here`}</Button>
        </div>
      )}
      {may && (connect === 'new' || again) && (made
        ? <Consent made={made} check={checks[made.id]} onClose={close}
          onDone={() => void check(made.id)} />
        : <Connect integration={integration} again={again ?? null} {...{ onMade }}
          onClose={close} />)}
    </div>
  );
}

/** What there is to do about a status. */
const ADVICE: Readonly<Record<string, string>> = {
  pending: 'Somebody has to consent yet. If the page was closed or is too old, begin again.',
  needs_reconnect: 'Reconnect it with credentials that the other side accepts.',
  disabled: 'Agents cannot use it until you enable it.',
};

interface Check { is_busy: boolean; said?: ConnectionCheck; error?: ApiError }

/** What checks have come to, by the id of the connection. */
function useChecks() {
  const [checks, setChecks] = useState<Readonly<Record<string, Check | undefined>>>({});
  const check = async (id: string) => {
    const set = (one: Check) => setChecks((before) => ({ ...before, [id]: one }));
    set({ is_busy: true });
    try {
      const { data } = await checkConnection({ path: { connection_id: id }, throwOnError: true });
      await forgetConnections();
      set({ is_busy: false, said: data });
    } catch (fault) {
      set({ is_busy: false, error: asApiError(fault) });
    }
  };
  return { checks, check };
}

/** What a check has come to; nothing is said to work that was not tried. */
function Checked({ is_busy, said, error, is_alone }: Check & { is_alone?: boolean }) {
  if (error) return <ErrorNote error={error} />;
  if (!said) {
    return is_busy && (
      <p role="status" className="flex items-center gap-2"><Spinner />Trying it …</p>
    );
  }
  const { ok, action, status, message } = said;
  const words = allowedBy(
    'If it is meant, allow it: About has the private addresses that it may call.', message);
  return (
    <p role="status" className="flex flex-wrap items-center gap-2">
      {ok && action === null ? <Badge mark="ring">Not tried</Badge>
        : <Badge tone={ok ? 'good' : 'bad'} mark={ok ? 'check' : 'cross'}>
          {ok ? 'It works' : 'It does not work'}</Badge>}
      {/* In its list the reason for which it needs that stands above. */}
      {(is_alone || status !== 'needs_reconnect')
        && <span className="min-w-0 wrap-anywhere"><Words>{words}</Words></span>}
    </p>
  );
}

function Account({ connection, is_barred, check, onCheck, onReconnect }: {
  connection: Connection; is_barred: boolean; check: Check | undefined;
  onCheck: () => Promise<void>; onReconnect: () => void;
}) {
  const { id, name, account_label, status, status_reason } = connection;
  const path = { connection_id: id };
  const { error, is_busy: is_turning, act } = useAct();
  const [is_ending, setEnding] = useState(false);
  const is_checking = check?.is_busy === true;
  const need = { ...useNeed('admin'), is_off: is_turning || is_checking };
  const named = (words: string) =>
    ({ ...need, children: words, 'aria-label': `${words} ${markedText(name)}` });
  const is_doubted = status === 'connected'
    && (is_barred || check !== undefined && !(check.said?.ok && check.said.action !== null));
  const turn = () => act(() => updateConnection({ path, throwOnError: true,
    body: { status: status === 'disabled' ? 'connected' : 'disabled' } })
    .then(forgetConnections, (fault: unknown) => {
      void forgetConnections();
      throw fault;
    }));
  return (
    <li className="panel flex flex-col gap-2 p-3" aria-label={name}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="min-w-0 wrap-anywhere"><Name>{name}</Name></h2>
        {account_label && <p className="min-w-0 wrap-anywhere"><Name>{account_label}</Name></p>}
        {is_doubted ? <Badge mark="ring">connected</Badge> : <StatusBadge status={status} />}
        <div className="ml-auto flex flex-wrap justify-end gap-x-3 gap-y-1">
          {status !== 'pending' && (
            <Button {...named('Check')} is_busy={is_checking} onClick={() => void onCheck()} />
          )}
          <Button {...named(status === 'pending' ? 'Begin again' : 'Reconnect')}
            onClick={onReconnect} />
          {status !== 'pending' && (
            <Button {...named(status === 'disabled' ? 'Enable' : 'Disable')} is_busy={is_turning}
              onClick={() => void turn()} />
          )}
          <Button {...named('Delete')} look="danger" onClick={() => setEnding(true)} />
        </div>
      </div>
      {(status_reason || ADVICE[status]) && (
        <p className="wrap-anywhere">
          <Words>{[status_reason, ADVICE[status]].filter(Boolean).join(' ')}</Words>
        </p>
      )}
      <AccountFacts {...connection} />
      {check && <Checked {...check} />}
      {error && <ErrorNote error={error} />}
      {is_ending && (
        <Confirm title={<>Delete the connection <Name>{name}</Name>?</>} action="Delete connection"
          ends_opener onClose={() => setEnding(false)} onConfirm={async () => {
            await ended(deleteConnection({ path, throwOnError: true }));
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

/** Sends a browser away, and notices a consent; what is in use already is connected meanwhile. */
function Consent({ made, check, onClose, onDone }:
{ made: Connection; check: Check | undefined; onClose: () => void; onDone: () => void }) {
  const { id, name, authorization_url, authorization_expires_at, settings } = made;
  // Whether the account works is another matter, of which its check tells.
  const isNew = (one?: Connection) => (one?.authorized_at ?? '') > (made.authorized_at ?? '');
  const { data, error } = useQuery({
    ...getConnectionOptions({ path: { connection_id: id } }),
    // Nor of one that is gone, nor for nobody: screens are read anew when somebody is there again.
    refetchInterval: ({ state: { data, error } }) => (isNew(data)
      || isGone(error) || (error && asApiError(error).status === 401) ? false : LOOK_MS),
    // The page of the other service lies before this one.
    refetchIntervalInBackground: true,
  });
  const is_done = isNew(data);
  const is_over = is_done || isGone(error);
  useEffect(() => {
    if (!is_done) return;
    void forgetConnections();
    onDone();
  }, [is_done]);
  return (
    <Dialog is_firm={!is_over} is_unsent={false} onClose={onClose}
      title={<>Consent for <Name>{name}</Name></>}
      says="Somebody with an account at the other service has to agree there."
      actions={<>
        {!is_over && (
          <CopyButton look="plain" text={authorization_url!} what="address">
            Copy the address</CopyButton>
        )}
        {/* One button, which keeps the focus: somebody comes back to it from the other page. */}
        <Button look="main" onClick={() => {
          if (is_over) onClose();
          else open(authorization_url!, '_blank', 'noopener');
        }}>{is_done ? 'Done' : is_over ? 'Close' : 'Open the other service'}</Button>
      </>}>
      <div className="flex flex-col gap-3">
        {settings?.redirect_uri && !is_over && <>
          <p>It sends the browser back to this address{settings.client_id === undefined
            && ', which has to be registered there'}:</p>
          <Code copy>{settings.redirect_uri}</Code>
          <p>
            The page opens once{authorization_expires_at
              && <>, until <Time at={authorization_expires_at} as="local" /></>}. Whoever opens it
            has to come back in the same browser.
          </p>
        </>}
        {error && !is_done && <ErrorNote error={asApiError(error)} />}
        {(is_done || !is_over) && (
          <p role="status" className="flex items-center gap-2">
            {is_done ? 'Somebody has consented.' : <><Spinner />Waiting for the consent …</>}
          </p>
        )}
        {is_done && check && <Checked {...check} is_alone />}
      </div>
    </Dialog>
  );
}
