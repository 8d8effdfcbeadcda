/** Who is signed in, and the workspaces there are. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { listWorkspacesOptions } from '#client/@tanstack/react-query.gen.ts';
import {
  createDashboardSession, endDashboardSession, getCurrentDashboardSession,
} from '#client/sdk.gen.ts';
import type { DashboardSession } from '#client/types.gen.ts';
import { ApiError, asApiError, forget, queries, Signal, useSignal } from './api.ts';
import { signed_in, signed_out } from './reach.ts';

const KEY = [{ _id: 'getCurrentDashboardSession' }];

/**
 * The session; null if nobody is signed in, undefined while that is not known. As long as something
 * is shown that would be lost with its screen, it is that of who made it, though it has ended.
 * `has_ended`: its screens go on below the sign-in, unseen, until the same person is there again.
 */
export function useSession() {
  const query = useQuery({ queryKey: KEY, queryFn: readSession, staleTime: 60_000 });
  const is_held = useSignal(shown_once) > 0;
  const before = useSignal(last);
  if (is_held && holder) return { ...query, data: holder, has_ended: false };
  const has_ended = query.data === null && before !== null;
  return { ...query, data: has_ended ? before : query.data, has_ended };
}

/** Whose session was the last here, unless they have signed out. */
const last = new Signal<DashboardSession | null>(null);

/** Has the screens of the last session go, with what was typed there. */
export const dropScreens = (): void => last.set(null);

const known = () => queries.getQueryData<DashboardSession | null>(KEY);

export async function readSession(): Promise<DashboardSession | null> {
  try {
    const { data } = await getCurrentDashboardSession({ throwOnError: true });
    meet(data);
    return data;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error;
    if (known()) way_here.set('session_ended');
    return null;
  }
}

/** How this page came to be where it is: what the sign-in says, and who has the focus after it. */
export const way_here = new Signal<'opened' | 'session_ended' | 'signed_in'>('opened');

/**
 * How many things are shown that cannot be shown again. A sign-in that is due waits for them: a new
 * key would be lost with its dialog, and go on working.
 */
const shown_once = new Signal(0);
/** Who was signed in as the first of them was made. */
let holder: DashboardSession | null | undefined;

/** Says that the component shows or makes such a thing, as long as `is_there`. */
export function useShownOnce(is_there = true): void {
  useEffect(() => {
    if (!is_there) return;
    // What was made after its maker was signed out is theirs.
    if (shown_once.get() === 0) holder = known() ?? holder;
    shown_once.set(shown_once.get() + 1);
    return () => shown_once.set(shown_once.get() - 1);
  }, [is_there]);
}

// Not simply nobody from now on: the refused request may have gone out with the cookie of before,
// while another tab was signing in.
signed_out.subscribe(() => void queries.invalidateQueries({ queryKey: KEY }));

/** Whom a session stands for: the same after signing in again. */
export function personOf({ actor }: DashboardSession): string {
  return `${actor.type} ${actor.id}`;
}

/** What this browser keeps for good: where one was last. Nobody has worked in one without it. */
export const LAST_WORKSPACE_KEY = 'gatehouse_workspace';

/** Beside what this tab keeps for the person: drafts. */
const PERSON_KEY = 'gatehouse_person';

/** Nothing that one person has read, or written and not sent, is there for another. */
function meet(session: DashboardSession): void {
  const person = personOf(session);
  // Several people may have the token of the configuration, which has no id.
  last.set(session.actor.id === null ? null : session);
  if (sessionStorage.getItem(PERSON_KEY) !== person) {
    sessionStorage.clear();
    sessionStorage.setItem(PERSON_KEY, person);
    forget();
    void queries.resetQueries({ queryKey: [{ _id: 'listWorkspaces' }] });
  }
  tabs.postMessage(session.id);
  signed_in.set(signed_in.get() + 1);
}

/** Other tabs of this browser have the same cookie: they are told whose it is. */
const tabs = new BroadcastChannel('gatehouse session');
tabs.onmessage = ({ data: id }: MessageEvent<string | null>) => {
  if (id === null) {
    dropScreens();
    sessionStorage.clear();
  }
  const own = known();
  if (own !== undefined && (own?.id ?? null) === id) return;
  void queries.invalidateQueries({ queryKey: KEY });
};

/** A one-time link that has led here. */
export interface Link {
  /** Null: it was refused. */
  ticket: string | null;
  /** What its use came to. */
  error: ApiError | null;
}
/** Until somebody has signed in, or does not want to by the link. */
export const followed_link = new Signal<Link | null>(null);

/** Signs in by a link, which is kept unless it is refused. */
export async function signInByLink(ticket: string): Promise<void> {
  try {
    await signIn({ ticket });
  } catch (fault) {
    keepLink(ticket, fault);
    throw fault;
  }
}

/** Says at the sign-in what has gone wrong with a link. */
function keepLink(ticket: string, fault: unknown): void {
  const error = asApiError(fault);
  followed_link.set({ ticket: error.status === 401 ? null : ticket, error });
}

type Credential = { admin_token: string } | { ticket: string };

/** Exchanges a credential for the cookie; the session of before ends. Throws an ApiError. */
export async function signIn(credential: Credential): Promise<void> {
  const { data } = await createDashboardSession({ body: credential, throwOnError: true });
  followed_link.set(null);
  way_here.set('signed_in');
  meet(data);
  queries.setQueryData(KEY, data);
}

/** Ends the session; what was read goes with it, and what was written and not sent. */
export async function signOut(): Promise<void> {
  try {
    await endDashboardSession({ throwOnError: true });
  } catch (error) {
    // Ended elsewhere, it has ended.
    if (!(error instanceof ApiError && error.status === 401)) throw error;
  }
  dropScreens();
  sessionStorage.clear();
  way_here.set('opened');
  queries.setQueryData(KEY, null);
  forget();
  tabs.postMessage(null);
}

type Role = DashboardSession['role'];
const ROLES: readonly Role[] = ['viewer', 'operator', 'admin'];

/**
 * Whether who is signed in has this role or a higher one. What they may not do is shown disabled,
 * with the role that it needs; the API refuses it anyway.
 */
export function useMay(role: Role): boolean {
  const { data } = useSession();
  return data ? ROLES.indexOf(data.role) >= ROLES.indexOf(role) : false;
}

/** What a button takes that needs this role: it is off for others, and says why. */
export function useNeed(role: Role): { why_off?: string } {
  return useMay(role) ? {} : { why_off: `This needs the role ${role}` };
}

/** The id of the workspace that the URL names. */
export function useWorkspaceId(): string {
  return (useParams({ strict: false }) as { workspace_id?: string }).workspace_id ?? '';
}

/** The newest hundred workspaces, for the switch. */
export function useWorkspaces() {
  return useQuery({ ...listWorkspacesOptions({ query: { limit: 100 } }), staleTime: 60_000 });
}
