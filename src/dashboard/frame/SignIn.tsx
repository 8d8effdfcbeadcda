/**
 * The sign-in, in the place of what was asked for: the address stays, so that whoever has signed in
 * is where they wanted to be. The identity provider's page is told where that is, and checks it.
 */
import { useState, useSyncExternalStore, type FormEvent } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getDashboardSignInOptions } from '#client/@tanstack/react-query.gen.ts';
import type { DashboardSession } from '#client/types.gen.ts';
import { asApiError, BASE, type ApiError } from '../data/api.ts';
import { signIn, signInInstead, way_here } from '../data/session.ts';
import { Button } from '../kit/controls.tsx';
import { Field, Input } from '../kit/fields.tsx';
import { Logo } from '../kit/icons.tsx';
import { Code, ErrorNote } from '../kit/text.tsx';

/** The ticket of a one-time link. It leaves the address and the history at once. */
export function takeTicket(): string | null {
  const ticket = new URLSearchParams(location.hash.slice(1)).get('ticket');
  if (ticket !== null) history.replaceState(null, '', location.pathname + location.search);
  return ticket;
}

/** The page that leads to the identity provider, and back to the address that was asked for. */
function providerPage(): URL {
  const page = new URL('oidc', BASE);
  page.searchParams.set('return_to', location.pathname + location.search);
  return page;
}

export function SignIn({ error: earlier }: { error: ApiError | null }) {
  const [error, setError] = useState(earlier);
  const [is_busy, setBusy] = useState(false);
  const { data: ways } = useQuery(getDashboardSignInOptions());
  const has_ended = useSyncExternalStore(way_here.subscribe, way_here.get) === 'session_ended';
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const admin_token = String(new FormData(event.currentTarget).get('admin_token')).trim();
    setBusy(true);
    setError(null);
    try {
      await signIn({ admin_token });
    } catch (fault) {
      setError(asApiError(fault));
      setBusy(false);
    }
  };
  return (
    <main className="flex min-h-full items-center justify-center p-4">
      <title>Sign in – Gatehouse</title>
      <div className="panel flex w-full max-w-md flex-col gap-4 p-6">
        <div className="flex items-center gap-2.5">
          <Logo />
          <h1>Sign in to Gatehouse</h1>
        </div>
        {error ? <ErrorNote error={error} /> : has_ended && (
          <p role="status">
            Your session has ended. Sign in again to go on where you were.
          </p>
        )}
        {ways?.oidc && (
          <>
            <Button look="main" onClick={() => location.assign(providerPage())}>
              {`Sign in with ${ways.oidc.issuer_name}`}
            </Button>
            <p className="text-center text-muted">or</p>
          </>
        )}
        <form onSubmit={submit} className="flex flex-col gap-3">
          <Field label="Admin token">
            <Input name="admin_token" type="password" autoComplete="off" required autoFocus
              placeholder="gta_…" spellCheck={false} />
          </Field>
          <Button type="submit" look={ways?.oidc ? 'plain' : 'main'} is_busy={is_busy}>
            Sign in
          </Button>
        </form>
        <div className="flex flex-col gap-1.5 border-t border-line pt-4">
          <p className="text-muted">
            On the machine of the service this prints a link that signs in once:
          </p>
          <Code copy>bin/gatehouse dashboard</Code>
        </div>
      </div>
    </main>
  );
}

/**
 * Asked before a one-time link takes the place of a session: a page of anybody may lead here with a
 * link of their own, and whoever follows it would go on working as somebody else.
 */
export function OtherPerson({ session, ticket, onDone }: {
  session: DashboardSession; ticket: string; onDone: (error: ApiError | null) => void;
}) {
  const change = useMutation({
    mutationFn: () => signInInstead({ ticket }),
    onSettled: (_, error) => onDone(error && asApiError(error)),
  });
  return (
    <main className="flex min-h-full items-center justify-center p-4">
      <title>Sign in – Gatehouse</title>
      <div className="panel flex w-full max-w-md flex-col gap-4 p-6">
        <div className="flex items-center gap-2.5">
          <Logo />
          <h1>You are signed in already</h1>
        </div>
        <p>
          This browser is signed in as <bdi className="font-medium">{session.name}</bdi>
          {` (${session.role})`}. The link that you have followed signs in whoever made it. Use it
          only if that was you.
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button is_busy={change.isPending} onClick={() => change.mutate()}>
            Sign in by the link
          </Button>
          <Button look="main" autoFocus onClick={() => onDone(null)}>
            Stay signed in
          </Button>
        </div>
      </div>
    </main>
  );
}
