/**
 * The sign-in, in the place of what was asked for: the address stays, so that whoever has signed in
 * is where they wanted to be. The identity provider's page is told where that is, and checks it.
 */
import { useEffect, useLayoutEffect, useState, type FormEvent } from 'react';
import { createPortal } from 'react-dom';
import { focusManager, useQuery } from '@tanstack/react-query';
import { getDashboardSignInOptions } from '#client/@tanstack/react-query.gen.ts';
import type { DashboardSession } from '#client/types.gen.ts';
import { asApiError, BASE, useAct, useSignal } from '../data/api.ts';
import {
  dropScreens, followed_link, LAST_WORKSPACE_KEY, readSession, signIn, signInByLink, way_here,
  type Link,
} from '../data/session.ts';
import { Button, Logo } from '../kit/controls.tsx';
import { Name } from '../kit/exact.tsx';
import { Field, Input } from '../kit/fields.tsx';
import { giveFocus } from '../kit/overlays.tsx';
import { Code, ErrorNote } from '../kit/text.tsx';
import { readAnew } from './Boundary.tsx';

const LOOK_MS = 5_000;

/**
 * Signs in by the one-time link that has led here, if one has, which leaves the address and the
 * history at once. A page of anybody can lead here with a link of theirs: in a browser in which
 * somebody has worked, the person is asked.
 */
export async function arrive(): Promise<void> {
  const ticket = new URLSearchParams(location.hash.slice(1)).get('ticket');
  if (ticket === null) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  followed_link.set({ ticket, error: null });
  try {
    const is_new_here = localStorage.getItem(LAST_WORKSPACE_KEY) === null;
    if (await readSession() === null && is_new_here) await signInByLink(ticket);
  } catch (fault) {
    const error = asApiError(fault);
    if (followed_link.get()?.error === null) followed_link.set({ ticket, error });
  }
}

/** The page that leads to the identity provider, and back to the address that was asked for. */
function providerPage(): URL {
  const page = new URL('oidc', BASE);
  page.searchParams.set('return_to', location.pathname + location.search);
  return page;
}

/**
 * What signs in, in what was pasted: with quotes, a name or `Bearer` before it, broken by the end
 * of a line, it is the same token, and nobody sees in the field what is wrong. A link has a ticket.
 */
function credentialIn(typed: string): Parameters<typeof signIn>[0] {
  // A token of the configuration may be any text, and one of ours with more behind it, too.
  const [ticket, admin_token] = ['gtk', 'gta'].map((kind) =>
    new RegExp(`${kind}_[0-9A-Za-z]{49}(?![0-9A-Za-z])`).exec(typed.replaceAll(/\s/g, ''))?.[0]);
  return ticket ? { ticket } : { admin_token: admin_token ?? typed.trim() };
}

/** `is_again`: there are screens below, which the identity provider's page would take away. */
export function SignIn({ is_again = false }: { is_again?: boolean }) {
  const link = useSignal(followed_link);
  const { error: refusal, is_busy, act } = useAct();
  const error = refusal ?? link?.error;
  const { data: ways } = useWays();
  const has_ended = useSignal(way_here) === 'session_ended';
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get('admin_token'));
    void act(() => signIn(credentialIn(typed)));
  };
  const ticket = link?.ticket;
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
        {ticket && <ByLink is_busy={is_busy} onPress={() => void act(() =>
          signInByLink(ticket))} />}
        {ways?.oidc && (
          <>
            <Button look={ticket ? 'plain' : 'main'}
              onClick={() => {
                // A browser may refuse another tab.
                if (!is_again || open(providerPage()) === null) location.assign(providerPage());
              }}>
              {`Sign in with ${ways.oidc.issuer_name}`}
            </Button>
            <p className="text-center text-muted">or</p>
          </>
        )}
        <form onSubmit={submit} className="flex flex-col gap-3">
          <Field label="Admin token">
            <Input is_code name="admin_token" type="password" required autoFocus={!ticket}
              placeholder="gta_…" />
          </Field>
          <Button type="submit" look={ways?.oidc || ticket ? 'plain' : 'main'} is_busy={is_busy}>
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

/** What was typed may be secret: it does not wait for days. */
const KEPT_MS = 3_600_000;

/**
 * The sign-in above the screens of whoever was signed in, which keep what they have typed. Until
 * the same person is there again nobody sees or reaches those: style.css hides all else.
 */
export function SignInAgain() {
  const [before] = useState(() => document.activeElement);
  useLayoutEffect(() => {
    document.body.dataset.signedOut = '';
    return () => {
      delete document.body.dataset.signedOut;
      giveFocus(before);
    };
  }, [before]);
  useEffect(() => {
    // Nothing is asked again and again for nobody.
    focusManager.setFocused(false);
    const timer = setTimeout(dropScreens, KEPT_MS);
    return () => {
      clearTimeout(timer);
      focusManager.setFocused(undefined);
      void readAnew();
    };
  }, []);
  // As a dialog it has the shortcuts of the screens rest. It is outside of those that are open, and
  // its keys are not for them: Escape would close them.
  return createPortal(
    <div role="dialog" aria-modal="true" aria-label="Sign in" data-sign-in
      onKeyDown={(event) => event.stopPropagation()}
      className="fixed inset-0 z-50 overflow-y-auto bg-canvas"><SignIn is_again /></div>,
    document.body);
}

function useWays() {
  return useQuery({
    ...getDashboardSignInOptions(),
    // Above the screens of before, a retry would wait until these are asked for again.
    retry: false, refetchInterval: ({ state }) => (state.data ? false : LOOK_MS),
    refetchIntervalInBackground: true,
  });
}

/** Never unasked, where somebody has worked: whoever follows it would go on as somebody else. */
function ByLink({ is_busy, onPress }: { is_busy: boolean; onPress: () => void }) {
  return (
    <>
      <p>
        The link that you have followed signs in whoever made it. Use it only if that was you.
      </p>
      <Button look="main" is_busy={is_busy} autoFocus onClick={onPress}>Sign in by the link</Button>
      <p className="text-center text-muted">or</p>
    </>
  );
}

/**
 * Asked before a one-time link takes the place of a session: a page of anybody may lead here with a
 * link of their own, and whoever follows it would go on working as somebody else.
 */
export function OtherPerson({ session, link: { ticket, error } }: {
  session: DashboardSession; link: Link;
}) {
  const { act, is_busy } = useAct();
  return (
    <main className="flex min-h-full items-center justify-center p-4">
      <title>Sign in – Gatehouse</title>
      <div className="panel flex w-full max-w-md flex-col gap-4 p-6">
        <div className="flex items-center gap-2.5">
          <Logo />
          <h1>You are signed in already</h1>
        </div>
        <p>
          This browser is signed in as <span className="font-medium"><Name>
            {session.name}</Name></span>
          {` (${session.role})`}. The link that you have followed signs in whoever made it. Use it
          only if that was you.
        </p>
        {error && <ErrorNote error={error} />}
        <div className="flex flex-wrap justify-end gap-2">
          {ticket && (
            <Button is_busy={is_busy} onClick={() => void act(() => signInByLink(ticket))}>
              Sign in by the link
            </Button>
          )}
          <Button look="main" autoFocus onClick={() => followed_link.set(null)}>
            Stay signed in
          </Button>
        </div>
      </div>
    </main>
  );
}
