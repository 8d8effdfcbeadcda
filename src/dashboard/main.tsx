/**
 * The dashboard: every address of it, and what surrounds them. A screen in ten lines:
 *
 * 1. Make `src/dashboard/<room>/<Screen>.tsx` with a component as its default export, and name it
 *    in `tree` below: `screen('things', () => import('./things/ThingList.tsx'))`.
 * 2. Begin it with `<PageHead title="Things">`; below it `<Filters of={[…]} left={list} />`: the
 *    values are in the URL: `const [search] = useFilters()`.
 * 3. Read by the generated queries: `useQuery(getThingOptions({ path: { thing_id } }))`; a list by
 *    `<VirtualTable {...useLiveList('listThings', listThings, query)} columns={…} />`. The
 *    workspace is in every request already; admin operations take it as a parameter besides:
 *    `workspace_id: useWorkspaceId()`.
 * 4. Change by `const { act, is_busy, error } = useAct()`: `act(async () => {…}, onClose)` with
 *    `await createThing({ body, throwOnError: true })`, `await readAgain('listThings')` and
 *    `toast('Made')` in it.
 * 5. Show failures with `<ErrorNote error={asApiError(error)} />`, nothing with `<EmptyState>`.
 *
 * Rooms: kit/ knows no data, data/ no components; screens import both and frame/, never each other:
 * they are linked by routes. `#client/…` is generated from openapi.yaml by scripts/dashboard.ts.
 */
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect, RouterProvider,
  type RouteComponent,
} from '@tanstack/react-router';
import { StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { getWorkspace, listWorkspaces } from '#client/sdk.gen.ts';
import { are_unseen, asApiError, BASE, enterWorkspace, queries, useSignal } from './data/api.ts';
import { clock_ahead_ms } from './data/reach.ts';
import { followed_link, LAST_WORKSPACE_KEY, personOf, useSession } from './data/session.ts';
import {
  NoneYet, NotFound, NotFoundAtAll, ScreenError, ScreenPending, Unreachable,
} from './frame/Boundary.tsx';
import { keepFocus } from './frame/keyboard.tsx';
import { Shell, startTheme } from './frame/Shell.tsx';
import { arrive, OtherPerson, SignIn, SignInAgain } from './frame/SignIn.tsx';
import { ErrorNote } from './kit/text.tsx';
import { setClock } from './kit/time.tsx';
import './style.css';

clock_ahead_ms.subscribe(() => setClock(clock_ahead_ms.get()));

const root = createRootRoute({ notFoundComponent: NotFoundAtAll });

/** The workspace of last time, if it still is there, or the oldest of the newest hundred. */
async function firstWorkspace(): Promise<string | undefined> {
  const { data: { data } } = await listWorkspaces({ query: { limit: 100 }, throwOnError: true });
  const last = localStorage.getItem(LAST_WORKSPACE_KEY);
  if (last === null || data.some(({ id }) => id === last)) return last ?? data.at(-1)?.id;
  try {
    return (await getWorkspace({ path: { workspace_id: last }, throwOnError: true })).data.id;
  } catch (error) {
    if ([400, 404].includes(asApiError(error).status)) return data.at(-1)?.id;
    throw error;
  }
}

// A link that is pointed at is loaded beforehand, which runs `beforeLoad` too, with `preload`. What
// that does holds for the screen that is shown, so nothing is done before one really goes there:
// `beforeLoad` then runs again, whatever was loaded.
const home = createRoute({
  getParentRoute: () => root, path: '/',
  beforeLoad: async ({ preload }) => {
    if (preload) return;
    const workspace_id = await firstWorkspace();
    if (workspace_id) throw redirect({ to: '/w/$workspace_id/overview', params: { workspace_id } });
  },
  component: NoneYet,
});

const workspace = createRoute({
  getParentRoute: () => root, path: '/w/$workspace_id', component: Shell,
  beforeLoad: ({ preload, params: { workspace_id } }) => {
    if (preload) return;
    enterWorkspace(workspace_id);
    localStorage.setItem(LAST_WORKSPACE_KEY, workspace_id);
  },
});

type Load = () => Promise<{ default: RouteComponent }>;

/** By its own name for such a failure the router would load the page anew, from nobody maybe. */
const loaded = (load: Load) => lazyRouteComponent(() => load().catch((error: Error) => {
  throw new Error(`Not loaded: ${error.message}`);
}));

/**
 * A screen below `/w/$workspace_id`: a chunk of its own, loaded when it is shown. What is open on
 * that of one thing is not about another.
 */
function screen<Path extends string>(path: Path, load: Load) {
  return createRoute({ getParentRoute: () => workspace, path, component: loaded(load),
    remountDeps: ({ params }) => params });
}

const approvals = screen('approvals', () => import('./approvals/Approvals.tsx'));

/** Outside of any workspace: nothing there asks the service, nor who is signed in. */
const runFile = createRoute({
  getParentRoute: () => root, path: '/run-file',
  component: loaded(() => import('./runs/RunFile.tsx')),
});

const tree = root.addChildren([home, runFile, workspace.addChildren([
  createRoute({
    getParentRoute: () => workspace, path: '/',
    beforeLoad: ({ params }) => {
      throw redirect({ to: '/w/$workspace_id/overview', params });
    },
  }),
  screen('overview', () => import('./overview/Overview.tsx')),
  screen('runs', () => import('./runs/RunList.tsx')),
  screen('runs/$run_id', () => import('./runs/RunPage.tsx')),
  screen('calls', () => import('./runs/Calls.tsx')),
  screen('sessions', () => import('./sessions/SessionList.tsx')),
  screen('sessions/$session_id', () => import('./sessions/SessionPage.tsx')),
  // The same screen, so that the list stays while one goes through it.
  approvals.addChildren([createRoute({ getParentRoute: () => approvals, path: '$approval_id' })]),
  screen('integrations', () => import('./integrations/IntegrationList.tsx')),
  screen('integrations/$slug', () => import('./integrations/IntegrationPage.tsx')),
  screen('grants', () => import('./integrations/Grants.tsx')),
  screen('keys', () => import('./keys/Keys.tsx')),
  screen('audit', () => import('./audit/AuditLog.tsx')),
  screen('workspaces', () => import('./workspaces/Workspaces.tsx')),
  screen('access', () => import('./workspaces/Access.tsx')),
  createRoute({ getParentRoute: () => workspace, path: '$', component: NotFound }),
])]);

const router = createRouter({
  routeTree: tree,
  basepath: BASE.pathname,
  // Every parameter is a text, as it stands in the address: no quotes, nothing guessed.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const given = Object.entries(search as Record<string, string | undefined>)
      .filter((pair): pair is [string, string] => Boolean(pair[1]));
    return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
  },
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenError,
  defaultPendingComponent: ScreenPending,
  defaultNotFoundComponent: NotFoundAtAll,
});

declare module '@tanstack/react-router' {
  interface Register { router: typeof router }
  interface HistoryState {
    /** The place that has the focus stays on the page: the shell does not take it away. */
    keeps_focus?: boolean;
    /** Something was opened over the screen, which the entry before this one has closed. */
    opened?: boolean | undefined;
  }
}

/** The one page that needs nobody signed in: it shows what the reader has. */
const is_file = location.pathname === new URL('run-file', BASE).pathname;

/** Whoever is not signed in sees the sign-in, at whatever other address. */
function App() {
  const { data: session, has_ended, error, refetch } = useSession();
  const link = useSignal(followed_link);
  // Back and forward would lead the screens below the sign-in away from what was typed there.
  useEffect(() => {
    are_unseen.set(has_ended);
    return has_ended
      ? router.history.block({ blockerFn: () => true, enableBeforeUnload: false }) : undefined;
  }, [has_ended]);
  if (session && link && !has_ended) return <OtherPerson {...{ session, link }} />;
  if (session) {
    return (
      <>
        <RouterProvider key={personOf(session)} router={router} />
        {has_ended && <SignInAgain />}
      </>
    );
  }
  if (session === null) return <SignIn />;
  if (!error) return <ScreenPending />;
  return (
    <>
      <Unreachable />
      <main className="mx-auto max-w-2xl p-4">
        <ErrorNote error={asApiError(error)} onRetry={() => void refetch()} />
      </main>
    </>
  );
}

startTheme();
keepFocus();
if (!is_file) {
  await arrive();
  // A second link in the same tab changes nothing else of its address.
  addEventListener('hashchange', () => void arrive());
}
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        {is_file ? <RouterProvider router={router} /> : <App />}
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
