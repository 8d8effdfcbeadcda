/**
 * The dashboard. A screen in ten lines:
 *
 * 1. Make `src/dashboard/<room>/<Screen>.tsx` with a component as its default export, and name it
 *    in routes.tsx: `screen('things', () => import('./things/ThingList.tsx'))`.
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
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { are_unseen, asApiError, BASE, queries, useSignal } from './data/api.ts';
import { followed_link, personOf, useSession } from './data/session.ts';
import { ScreenPending, Unreachable } from './frame/Boundary.tsx';
import { arrive, OtherPerson, SignIn, SignInAgain } from './frame/SignIn.tsx';
import { startTheme } from './frame/Shell.tsx';
import { ErrorNote } from './kit/text.tsx';
import { router } from './routes.tsx';
import './style.css';

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
