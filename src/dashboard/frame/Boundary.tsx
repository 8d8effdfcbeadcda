/** What is shown instead of a screen: while it loads, when it fails, where there is none. */
import { Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { asApiError, lookAround, queries, reach, type Reach } from '../data/api.ts';
import { Button, Spinner } from '../kit/controls.tsx';
import { ErrorNote, PageHead } from '../kit/text.tsx';

/** A screen's error stays in its screen: the navigation goes on working. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const state = useReach();
  const was_away = useRef(false);
  useEffect(() => {
    if (state !== 'here') was_away.current = true;
    else if (was_away.current) {
      // What failed for want of the service is drawn again by itself.
      reset();
      void router.invalidate();
    }
  }, [state, reset, router]);
  // After an upgrade of the node the scripts of before are gone: the page has to be loaded anew.
  const is_old = /dynamically imported module|module script/i.test((error as Error).message);
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-3 p-4">
      <h1>This screen cannot be shown</h1>
      <ErrorNote error={is_old ? { message: 'A part of the dashboard could not be loaded. It may'
        + ' have been upgraded since this page was opened.' } : asApiError(error)}
        onRetry={() => {
          if (is_old) return location.reload();
          reset();
          void router.invalidate();
        }} />
    </div>
  );
}

export function ScreenPending() {
  return (
    <div role="status" className="flex items-center gap-2 p-4 text-muted"><Spinner />Loading …</div>
  );
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

const FIRST_TRY_MS = 1_000;
const LONGEST_WAIT_MS = 10_000;

/** Stands above all while the node is not well, asks whether it is again, and reads anew. */
export function Unreachable() {
  const state = useReach();
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
  if (is_here) return null;
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

function useReach(): Reach {
  return useSyncExternalStore(reach.subscribe, reach.get);
}
