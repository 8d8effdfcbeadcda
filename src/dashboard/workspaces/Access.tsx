/** Who gets in: browsers that are signed in, and the tokens that sign in. */
import { useState } from 'react';
import {
  createAdminToken, listAdminTokens, listDashboardSessions, revokeAdminToken,
  revokeDashboardSession,
} from '#client/sdk.gen.ts';
import type { AdminToken, AdminTokenWithSecret, DashboardSession } from '#client/types.gen.ts';
import { ended, useAct, useOnce } from '../data/api.ts';
import { itemsOf, readPagesAgain, useLiveList } from '../data/pages.ts';
import { signOut, useMay } from '../data/session.ts';
import { MakingOnce, ShownOnce } from '../frame/ShownOnce.tsx';
import { Badge, Button, StatusBadge, Tabs } from '../kit/controls.tsx';
import { CutName, markedText, Name } from '../kit/exact.tsx';
import { Field, Input } from '../kit/fields.tsx';
import { useFilters, utcInstant } from '../kit/filters.tsx';
import { Confirm, FormDialog, toast } from '../kit/overlays.tsx';
import { EmptyState, Facts, Id, PageHead } from '../kit/text.tsx';
import { Time, timeColumn } from '../kit/time.tsx';
import { VirtualTable, type Column } from '../kit/VirtualTable.tsx';

const ALL = {};
const METHODS: Readonly<Record<string, string>> = {
  ticket: 'one-time link', admin_token: 'admin token', oidc: 'single sign-on',
};

export default function Access() {
  const [{ tab }, change] = useFilters();
  return (
    <>
      <PageHead title="Access" />
      <Tabs label="Access" value={tab === 'tokens' ? 'tokens' : 'browsers'}
        onChange={(value) => change({ tab: value === 'tokens' ? value : undefined })}
        tabs={[
          { value: 'browsers', label: 'Signed-in browsers', content: <Browsers /> },
          { value: 'tokens', label: 'Admin tokens', content: <Tokens /> },
        ]} />
    </>
  );
}

function Browsers() {
  const is_admin = useMay('admin');
  const list = useLiveList<object, DashboardSession>(
    'listDashboardSessions', listDashboardSessions, ALL);
  const [asked, setAsked] = useState<DashboardSession | 'others' | null>(null);
  const others = list.rows.filter(({ current }) => !current);
  const end = async () => {
    const ending = asked === 'others' ? await allOthers() : [asked!];
    for (const { id, current } of ending) {
      if (current) return await signOut();
      const path = { dashboard_session_id: id };
      await ended(revokeDashboardSession({ path, throwOnError: true }));
    }
    await readPagesAgain('listDashboardSessions');
    toast(ending.length === 1 ? 'The session has ended' : `${ending.length} sessions have ended`);
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-4 py-3">
        <p className="min-w-0 grow text-muted">
          {is_admin ? 'All browsers that are signed in to the dashboard.'
            : 'Browsers in which you are signed in. Admins see those of everybody.'}
        </p>
        <Button look="danger" is_off={others.length === 0} onClick={() => setAsked('others')}>
          End all others
        </Button>
      </div>
      <VirtualTable {...list} label="Signed-in browsers" columns={BROWSER_COLUMNS}
        rowKey={({ id }) => id} onOpen={setAsked}
        empty={<EmptyState title="No browser is signed in" />} />
      {asked === 'others' && (
        <Confirm title="End all other sessions?" action="End all others" onConfirm={end}
          onClose={() => setAsked(null)}>
          <p>Every browser but this one is signed out with its next request.</p>
        </Confirm>
      )}
      {asked !== null && asked !== 'others' && (
        <Confirm title={<Name>{asked.name}</Name>} onConfirm={end} onClose={() => setAsked(null)}
          action={asked.current ? 'Sign out here' : 'End session'}>
          <Facts of={[
            ['Session', <Id>{asked.id}</Id>], ['Role', asked.role],
            ['Signed in by', METHODS[asked.method] ?? asked.method],
            ['Since', <Time at={asked.created_at} as="local" />],
            ['Last use', <Time at={asked.last_used_at} as="local" />],
            ['Ends unless used', <Time at={asked.expires_at} as="local" />],
            ['Browser', asked.user_agent ?? 'It did not say.'],
          ]} />
        </Confirm>
      )}
    </>
  );
}

/** All but this one, also those that the table has not read yet. */
async function allOthers(): Promise<DashboardSession[]> {
  const all = await Array.fromAsync(itemsOf<object, DashboardSession>(listDashboardSessions, ALL));
  return all.filter(({ current }) => !current);
}

const BROWSER_COLUMNS: readonly Column<DashboardSession>[] = [
  {
    key: 'name', title: 'Name', width: 'minmax(10rem, 1fr)', card: 'head',
    cell: ({ name, current }) => (
      <span className="flex min-w-0 items-center gap-2">
        <CutName is_main>{name}</CutName>
        {current && <Badge tone="accent">this browser</Badge>}
      </span>
    ),
  },
  { key: 'role', title: 'Role', width: '6rem', card: 'side', cell: ({ role }) => role },
  {
    key: 'method', title: 'Signed in by', width: '8rem',
    cell: ({ method }) => METHODS[method] ?? method,
  },
  timeColumn('last_used_at', 'Last use', '7rem'),
  timeColumn('created_at', 'Since', '7rem'),
  {
    key: 'agent', title: 'Browser', width: 'minmax(8rem, 1fr)', card: 'hidden',
    cell: ({ user_agent }) => (
      <span title={markedText(user_agent ?? '')} className="truncate text-muted">
        <Name>{browserOf(user_agent ?? '–')}</Name>
      </span>
    ),
  },
];

/** In turn: those that come later are in the names of the others, too. */
const BROWSERS: readonly (readonly [names: RegExp, called: string])[] = [
  [/Edg\w*\/(\d+)/, 'Edge'], [/OPR\/(\d+)/, 'Opera'],
  [/SamsungBrowser\/(\d+)/, 'Samsung Internet'], [/(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/(?:Chrome|CriOS)\/(\d+)/, 'Chrome'], [/Version\/(\d+).* Safari\//, 'Safari'],
];
const SYSTEMS: typeof BROWSERS = [
  [/Windows/, 'Windows'], [/Android/, 'Android'], [/iPhone|iPad/, 'iOS'], [/CrOS/, 'ChromeOS'],
  [/Mac OS X/, 'macOS'], [/Linux/, 'Linux'],
];

/** `Firefox 145 on Linux`; one that is not known, or hides something, as it names itself. */
function browserOf(user_agent: string): string {
  if (markedText(user_agent) !== user_agent) return user_agent;
  const named = BROWSERS.find(([names]) => names.test(user_agent));
  const system = SYSTEMS.find(([names]) => names.test(user_agent));
  return named && system
    ? `${named[1]} ${named[0].exec(user_agent)![1]} on ${system[1]}` : user_agent;
}

function Tokens() {
  const is_admin = useMay('admin');
  const list = useLiveList<object, AdminToken>('listAdminTokens', listAdminTokens, ALL);
  const [is_new, setNew] = useState(false);
  const [asked, setAsked] = useState<AdminToken | null>(null);
  const revoke = async () => {
    await ended(revokeAdminToken({ path: { admin_token_id: asked!.id }, throwOnError: true }));
    await readPagesAgain('listAdminTokens');
    toast('The token is revoked', asked!.name);
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-4 py-3">
        <p className="min-w-0 grow text-muted">
          An admin token may do everything. Scripts use it, and it signs in here.
          {!is_admin && ' Making and revoking tokens needs the role admin.'}
        </p>
        {is_admin && (
          <Button look="main" icon="plus" onClick={() => setNew(true)}>New token</Button>
        )}
      </div>
      <VirtualTable {...list} label="Admin tokens" columns={TOKEN_COLUMNS} rowKey={({ id }) => id}
        {...(is_admin ? { onOpen: setAsked } : {})}
        empty={<EmptyState title="No admin tokens"
          command="bin/gatehouse admin-tokens create --name deployment">
          The service has the token of its configuration alone.
        </EmptyState>} />
      {is_new && <NewToken onClose={() => setNew(false)} onMade={list.onRetry} />}
      {asked && (
        <Confirm title={<Name>{asked.name}</Name>} action="Revoke token" onConfirm={revoke}
          is_ready={asked.status === 'active'} onClose={() => setAsked(null)}>
          <Facts of={[
            ['Token', <Id>{asked.id}</Id>], ['Ends in', asked.hint ?? 'not known'],
            ['Status', <StatusBadge status={asked.status} />],
          ]} />
          <p>
            A revoked token is refused everywhere from then on, and cannot come back. Browsers that
            it signed in are signed out.
          </p>
        </Confirm>
      )}
    </>
  );
}

const TOKEN_COLUMNS: readonly Column<AdminToken>[] = [
  {
    key: 'name', title: 'Name', width: 'minmax(10rem, 1fr)', card: 'head',
    cell: ({ name }) => <CutName is_main>{name}</CutName>,
  },
  { key: 'hint', title: 'Ends in', width: '6rem', cell: ({ hint }) => <Id>{hint ?? '–'}</Id> },
  {
    key: 'status', title: 'Status', width: '7rem', card: 'side',
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  timeColumn('created_at', 'Created', '6rem'),
  timeColumn('last_used_at', 'Last used', '6rem'),
  timeColumn('expires_at', 'Expires', '6rem'),
];

function NewToken({ onClose, onMade }: { onClose: () => void; onMade: () => void }) {
  const [made, setMade] = useState<AdminTokenWithSecret | null>(null);
  // The second dialog was opened by the first one, which is gone when it closes.
  const [opener] = useState(document.activeElement);
  const { is_busy, act, errorAt, errorBut } = useAct();
  const once = useOnce();
  const make = (form: FormData) => void act(async () => {
    const { data } = await once({
      name: String(form.get('name')).trim(),
      expires_at: utcInstant(String(form.get('expires_at'))) || null,
    }, (asked) => createAdminToken(asked));
    setMade(data);
    onMade();
  });
  if (made) {
    return <ShownOnce what="token" secret={made.admin_token} {...{ opener, onClose }}
      title={<>The admin token <Name>{made.name}</Name></>} />;
  }
  return (
    <FormDialog {...{ is_busy, onClose }} title="New admin token" leave="Make none"
      action="Make token" error={errorBut('/name', '/expires_at')} onSubmit={make}>
      {is_busy && <MakingOnce what="token" />}
      <Field label="Name" hint="What uses it, for the audit log." error={errorAt('/name')}>
        <Input name="name" required maxLength={200} autoFocus autoComplete="off" />
      </Field>
      <Field label="Expires" hint="Left empty: never." error={errorAt('/expires_at')}>
        <Input name="expires_at" type="datetime-local" />
      </Field>
    </FormDialog>
  );
}
