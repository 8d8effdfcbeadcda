/** The frame of every screen: navigation, the workspace, who is signed in, and what goes wrong. */
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { getWorkspaceOptions, listApprovalsOptions } from '#client/@tanstack/react-query.gen.ts';
import type { DashboardSession } from '#client/types.gen.ts';
import { asApiError, SERVICE, Signal, useSignal } from '../data/api.ts';
import {
  signOut, useSession, useWorkspaceId, useWorkspaces, way_here,
} from '../data/session.ts';
import { Button, Icon, Logo } from '../kit/controls.tsx';
import { Name } from '../kit/exact.tsx';
import { Menu, toast, Toasts, type MenuItem } from '../kit/overlays.tsx';
import { PageHead } from '../kit/text.tsx';
import { Unreachable } from './Boundary.tsx';
import { Palette, Shortcuts } from './keyboard.tsx';
import { SCREENS } from './navigation.ts';

const APPROVALS_MS = 5_000;
const SHOWN_WORKSPACES = 10;

export function Shell() {
  const [is_open, setOpen] = useState(false);
  const workspace_id = useWorkspaceId();
  const { is_missing } = useHere(workspace_id);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const keeps_focus = useRouterState({ select: ({ location }) => location.state.keeps_focus });
  const main = useRef<HTMLElement>(null);
  const is_first = useRef(true);
  useEffect(() => {
    setOpen(false);
    // Who follows a link by keyboard or hears the page goes on from its content, or from where a
    // screen of before has put the focus again.
    const is_anew = is_first.current && way_here.get() !== 'signed_in';
    const is_in_content = main.current?.contains(document.activeElement) === true;
    if (!is_anew && !keeps_focus && !is_in_content) main.current?.focus({ preventScroll: true });
    is_first.current = false;
  }, [path, keeps_focus]);
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] md:grid-rows-1
      md:grid-cols-[13rem_minmax(0,1fr)]">
      <a href="#main" className="link sr-only focus:not-sr-only focus:absolute focus:z-30
        focus:m-2 focus:rounded-md focus:bg-surface focus:p-2" onClick={(event) => {
        event.preventDefault();
        main.current?.focus();
      }}>Skip to the content</a>
      <header className="flex min-h-0 flex-col border-line bg-surface max-md:border-b md:border-r">
        <div className="flex items-center gap-2 p-2 md:p-3">
          <Link to="/" aria-label="Gatehouse" className="shrink-0 rounded"><Logo /></Link>
          <WorkspaceSwitch />
          <span className="md:hidden">
            <Button look="quiet" icon={is_open ? 'close' : 'menu'} icon_only
              aria-expanded={is_open} aria-controls="navigation"
              onClick={() => setOpen(!is_open)}>Navigation</Button>
          </span>
        </div>
        <div id="navigation" className={`flex min-h-0 grow flex-col overflow-y-auto
          ${is_open ? '' : 'max-md:hidden'}`}>
          <Palette />
          <Navigation />
          <Person />
        </div>
      </header>
      <div className="flex min-h-0 min-w-0 flex-col">
        <Unreachable />
        <main ref={main} id="main" tabIndex={-1} key={workspace_id}
          className="flex min-h-0 grow flex-col overflow-y-auto outline-none">
          {is_missing ? <NoWorkspace /> : <Outlet />}
        </main>
      </div>
      <Shortcuts />
      <Toasts />
    </div>
  );
}

/**
 * What the workspace is called, and whether there is none: its screens would fail one by one, each
 * in other words.
 */
function useHere(workspace_id: string): { name: string; is_missing: boolean } {
  const { data } = useWorkspaces();
  const listed = data?.data.find(({ id }) => id === workspace_id);
  const { data: older, error } = useQuery({
    ...getWorkspaceOptions({ path: { workspace_id } }), retry: false,
    // It may be older than the newest hundred.
    enabled: data !== undefined && !listed,
  });
  return { name: (listed ?? older)?.name ?? workspace_id,
    is_missing: error !== null && [400, 404].includes(asApiError(error).status) };
}

function NoWorkspace() {
  const { data } = useWorkspaces();
  return (
    <>
      <PageHead title="No such workspace" />
      <div className="flex flex-col gap-3 p-4">
        <p>The address names one that is not here: the link may be cut off, or of another service.
          These are:</p>
        <ul className="flex flex-col gap-1">
          {data?.data.slice(0, SHOWN_WORKSPACES).map(({ id, name }) => (
            <li key={id}>
              <Link to="/w/$workspace_id/overview" params={{ workspace_id: id }} className="link">
                <Name>{name}</Name>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

function Navigation() {
  const workspace_id = useWorkspaceId();
  const { data: waiting } = useQuery({
    ...listApprovalsOptions({ query: { workspace_id, status: 'pending', limit: 100 } }),
    refetchInterval: APPROVALS_MS,
  });
  const count = waiting ? `${waiting.data.length}${waiting.has_more ? '+' : ''}` : '0';
  return (
    <nav aria-label="Screens" className="grow px-2 pb-2">
      <ul className="flex flex-col gap-0.5">
        {SCREENS.map(({ to, title, icon }) => (
          <li key={to}>
            <Link to={to} params={{ workspace_id }} search={{} as never}
              activeOptions={{ includeSearch: false }}
              className="flex h-8 items-center gap-2.5 rounded-md px-2 text-muted hover:bg-raised
                aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium
                aria-[current=page]:text-text">
              <Icon name={icon} />
              <span className="grow">{title}</span>
              {title === 'Approvals' && count !== '0' && (
                <span className="rounded-full bg-accent px-1.5 text-xs font-medium text-on-accent
                  tabular-nums">{count}<span className="sr-only"> waiting</span></span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Stays on the same screen: `/w/<one>/runs/…` becomes `/w/<other>/runs`. */
function WorkspaceSwitch() {
  const workspace_id = useWorkspaceId();
  const { data } = useWorkspaces();
  const { name } = useHere(workspace_id);
  const navigate = useNavigate();
  const screen = useRouterState({ select: ({ location }) => location.pathname.split('/')[3] });
  const to = SCREENS.find((one) => one.to.endsWith(`/${screen}`))?.to ?? SCREENS[0]!.to;
  const items: MenuItem[] = (data?.data ?? []).map(({ id, name: label }): MenuItem => ({
    label: <Name>{label}</Name>, is_checked: id === workspace_id,
    onSelect: () => void navigate({ to, params: { workspace_id: id }, search: {} as never }),
  }));
  return (
    <div className="min-w-0 grow">
      <Menu items={[...items, 'line', {
        label: 'All workspaces', icon: 'workspaces',
        onSelect: () => void navigate(
          { to: '/w/$workspace_id/workspaces', params: { workspace_id }, search: {} as never }),
      }]} trigger={
        <button type="button" className="flex h-8 w-full min-w-0 items-center gap-1.5 rounded-md
          border border-line px-2 font-medium hover:bg-raised">
          <span className="grow truncate text-left">
            <span className="sr-only">Workspace: </span><Name>{name}</Name>
          </span>
          <span className="text-muted"><Icon name="down" size={14} /></span>
        </button>
      } />
    </div>
  );
}

const THEMES = ['system', 'light', 'dark'] as const;
const THEME_KEY = 'gatehouse_theme';
/** The theme that this browser keeps; it is an attribute of the root, for style.css. */
const theme = new Signal(storedTheme());

function storedTheme(): typeof THEMES[number] {
  const stored = localStorage.getItem(THEME_KEY);
  return THEMES.find((one) => one === stored) ?? 'system';
}

/** Follows the stored theme, also when another tab changes it. */
export function startTheme(): void {
  const apply = () => {
    if (theme.get() === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.get();
  };
  theme.subscribe(apply);
  addEventListener('storage', ({ key }) => {
    if (key === THEME_KEY) theme.set(storedTheme());
  });
  apply();
}

const METHODS: Record<DashboardSession['method'], string> = {
  ticket: 'by a one-time link', admin_token: 'by an admin token', oidc: 'by single sign-on',
};

function Person() {
  const { data: session } = useSession();
  const chosen = useSignal(theme);
  const workspace_id = useWorkspaceId();
  const navigate = useNavigate();
  const leave = async () => {
    try {
      await signOut();
    } catch (error) {
      toast('You are still signed in', asApiError(error).message);
    }
  };
  if (!session) return null;
  const items: MenuItem[] = [
    ...THEMES.map((one): MenuItem => ({
      label: `Theme: ${one === 'system' ? 'as the system' : one}`,
      is_checked: one === chosen, onSelect: () => {
        localStorage.setItem(THEME_KEY, one);
        theme.set(one);
      },
    })),
    'line',
    { label: 'Browsers and admin tokens', onSelect: () => void navigate(
      { to: '/w/$workspace_id/access', params: { workspace_id }, search: {} as never }) },
    { label: 'Documentation', onSelect: () => void open(new URL('docs', SERVICE), '_blank') },
    { label: 'Sign out', onSelect: () => void leave() },
  ];
  return (
    <div className="flex items-center gap-2 border-t border-line p-3">
      <div className="min-w-0 grow" title={`Signed in ${METHODS[session.method]}`}>
        <p className="truncate text-sm font-medium"><Name>{session.name}</Name></p>
        <p className="text-xs text-muted">{session.role}</p>
      </div>
      <Menu items={items} trigger={
        <Button look="quiet" icon="more" icon_only>Theme and sign out</Button>
      } />
    </div>
  );
}
