/** What is shown instead of a screen: while it loads, when it fails, where there is none. */
import { Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createWorkspace } from '#client/sdk.gen.ts';
import { asApiError, queries, useAct, useOnce, useSignal } from '../data/api.ts';
import { staleness } from '../data/pages.ts';
import { lookAround, reach, type Reach } from '../data/reach.ts';
import { useMay } from '../data/session.ts';
import { Button, Spinner } from '../kit/controls.tsx';
import { ErrorNote, PageHead } from '../kit/text.tsx';

/** For which part the page was loaded anew by itself; kept in the tab. */
const LOADED_ANEW = 'gatehouse_loaded_anew';

/** One is on the way to another page: Firefox then breaks off what this one still loads. */
let is_leaving = false;
/** What leaving breaks off fails at once. */
const STAYED_MS = 1_000;
addEventListener('beforeunload', () => {
  is_leaving = true;
  // The page lives on if the browser has asked, and one has stayed.
  setTimeout(() => void (is_leaving = false), STAYED_MS);
});
addEventListener('pageshow', () => void (is_leaving = false));

/** A screen's error stays in its screen: the navigation goes on working. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const state = useSignal(reach);
  const was_away = useRef(false);
  const { message } = error as Error;
  const is_lost = /dynamically imported module|module script/i.test(message);
  const again = useCallback(() => {
    // What was not loaded would fail as before until it is.
    if (!is_lost) reset();
    void router.invalidate();
  }, [is_lost, reset, router]);
  useEffect(() => {
    if (state !== 'here') was_away.current = true;
    // What failed for want of the service is drawn again by itself.
    else if (was_away.current) again();
  }, [state, again]);
  useEffect(() => {
    if (!is_lost) return;
    let is_shown = true;
    void lookAround().then((found) => {
      // After an upgrade of the node the scripts of before are gone: the page has to be loaded
      // anew, but not again and again, nor in the place of the page that was asked for meanwhile.
      if (!is_shown || is_leaving || found !== 'here') return;
      if (sessionStorage.getItem(LOADED_ANEW) === message) return;
      sessionStorage.setItem(LOADED_ANEW, message);
      location.reload();
    });
    return () => void (is_shown = false);
  }, [error, is_lost, message]);
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-3 p-4">
      <h1>This screen cannot be shown</h1>
      <ErrorNote error={is_lost ? { message: LOST[state] } : asApiError(error)}
        onRetry={() => (is_lost ? void loadAnew() : again())} />
    </div>
  );
}

const IT_WAITS = 'It could not be loaded, and is shown as soon as it can be.';
const LOST: Readonly<Record<Reach, string>> = {
  gone: IT_WAITS, unwell: IT_WAITS, here: 'A part of the dashboard could not be loaded. It may have'
    + ' been upgraded since this page was opened.',
};

/** Without a node to ask for it, the browser would have an error of its own in the page's place. */
async function loadAnew(): Promise<void> {
  if (await lookAround() === 'here') location.reload();
}

export function ScreenPending() {
  return (
    <div role="status" className="flex items-center gap-2 p-4 text-muted"><Spinner />Loading …</div>
  );
}

/** In the place of what is not read yet: that it is on its way, or why it cannot be read. */
export function NotRead({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (!error) return <ScreenPending />;
  return <div className="p-4"><ErrorNote error={asApiError(error)} onRetry={onRetry} /></div>;
}

/** Within a workspace its navigation stays around it. */
export function NotFound() {
  return (
    <>
      <PageHead title="Nothing is at this address" />
      <div className="flex flex-col items-start gap-3 p-4">
        <p>The link may be mistyped, or of a later version.</p>
        <Link to="/" className="link">To the overview</Link>
      </div>
    </>
  );
}

export function NotFoundAtAll() {
  return <main><NotFound /></main>;
}

/** A service may be deployed without a workspace, and every other screen is in one. */
export function NoneYet() {
  const router = useRouter();
  const may_make = useMay('admin');
  const { error, is_busy, act } = useAct();
  const once = useOnce();
  const make = () => void act(
    () => once({ name: 'Default' }, (asked) => createWorkspace(asked)),
    () => void router.invalidate());
  return (
    <main>
      <PageHead title="There is no workspace yet" />
      <div className="flex flex-col items-start gap-3 p-4">
        <p>Sessions, runs and keys belong to one. {may_make
          ? 'What it is called can be changed later.'
          : 'Somebody with the role admin has to make it.'}</p>
        {error && <ErrorNote error={error} />}
        {may_make
          ? <Button look="main" is_busy={is_busy} onClick={make}>Make the workspace Default</Button>
          : <Button is_busy={is_busy} onClick={() => void act(() => router.invalidate())}>
            Look again
          </Button>}
      </div>
    </main>
  );
}

const FIRST_TRY_MS = 1_000;
const LONGEST_WAIT_MS = 10_000;

/** Stands above all while the node is not well, asks whether it is again, and reads anew. */
export function Unreachable() {
  const state = useSignal(reach);
  const [tries, setTries] = useState(0);
  const is_here = state === 'here';
  useEffect(() => {
    if (is_here) {
      setTries(0);
      return;
    }
    const wait_ms = Math.min(FIRST_TRY_MS * 2 ** tries, LONGEST_WAIT_MS);
    const timer = setTimeout(() => void look(() => setTries(tries + 1)), wait_ms);
    const now = () => void look(() => {});
    addEventListener('online', now);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', now);
    };
  }, [is_here, tries]);
  if (is_here) return <Stale />;
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-warn-soft px-4
      py-1.5 text-warn">
      <Spinner />
      <span className="grow">
        {navigator.onLine ? SAYS[state] : 'This computer is offline.'}
        {' What you see is from before. Trying again …'}
      </span>
      <Button look="quiet" icon="retry" onClick={() => void look(() => {})}>Try now</Button>
    </div>
  );
}

/** Stands there instead while the node is well, and a list that is shown cannot be read again. */
function Stale() {
  const error = useSyncExternalStore(staleness.subscribe, staleness.get);
  if (error === null) return null;
  return (
    <div role="alert" className="bg-warn-soft px-4 py-1.5 text-warn">
      {`This list is from before, and cannot be read again: ${asApiError(error).message}`
        + ' It is tried every few seconds.'}
    </div>
  );
}

const SAYS: Record<Exclude<Reach, 'here'>, string> = {
  gone: 'The service does not answer.',
  unwell: 'The service cannot reach its database, or is not ready yet.',
};

async function look(onAway: () => void): Promise<void> {
  if (await lookAround() !== 'here') return onAway();
  await readAnew();
}

/** Reads again what is shown: of a long list the newest page alone, not a thousand pages. */
export async function readAnew(): Promise<void> {
  await queries.invalidateQueries({ predicate: ({ state: { data } }) =>
    !(typeof data === 'object' && data !== null && 'pages' in data) });
}
