/** Who is signed in, and the workspaces there are. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { listWorkspacesOptions } from '#client/@tanstack/react-query.gen.ts';
import {
  createDashboardSession, endDashboardSession, getCurrentDashboardSession,
} from '#client/sdk.gen.ts';
import type { DashboardSession } from '#client/types.gen.ts';
import { ApiError, forget, queries, Signal, signed_out } from './api.ts';

const KEY = [{ _id: 'getCurrentDashboardSession' }];

/**
 * The session; null if nobody is signed in, undefined while that is not known. One that has ended
 * stays as long as something is shown that would be lost with its screen.
 */
export function useSession() {
  const query = useQuery({ queryKey: KEY, queryFn: readSession, staleTime: 60_000 });
  const is_held = useSyncExternalStore(shown_once.subscribe, shown_once.get) > 0;
  return query.data === null && is_held ? { ...query, data: ended } : query;
}

export async function readSession(): Promise<DashboardSession | null> {
  try {
    return (await getCurrentDashboardSession({ throwOnError: true })).data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** How this page came to be where it is: what the sign-in says, and who has the focus after it. */
export const way_here = new Signal<'opened' | 'session_ended' | 'signed_in'>('opened');

/**
 * How many things are shown that cannot be shown again. A sign-in that is due waits for them: a new
 * key would be lost with its dialog, and go on working.
 */
const shown_once = new Signal(0);

/** Says that the component shows such a thing, as long as it is there. */
export function useShownOnce(): void {
  useEffect(() => {
    shown_once.set(shown_once.get() + 1);
    return () => shown_once.set(shown_once.get() - 1);
  }, []);
}

/** The session that ended last. */
let ended: DashboardSession | null = null;
signed_out.subscribe(() => {
  const session = queries.getQueryData<DashboardSession | null>(KEY);
  if (session) {
    ended = session;
    way_here.set('session_ended');
  }
  queries.setQueryData(KEY, null);
});

/** Other tabs of this browser have the same cookie: they are told that it is another's now. */
const tabs = new BroadcastChannel('gatehouse session');
tabs.onmessage = () => {
  forget();
  void queries.invalidateQueries({ queryKey: [{ _id: 'listWorkspaces' }] });
  void queries.invalidateQueries({ queryKey: KEY });
};

/** Exchanges a credential for the cookie. Throws an ApiError. */
export async function signIn(credential: { admin_token: string } | { ticket: string }) {
  const { data } = await createDashboardSession({ body: credential, throwOnError: true });
  way_here.set('signed_in');
  // Another person may see other things than the last one.
  forget();
  await queries.resetQueries({ queryKey: [{ _id: 'listWorkspaces' }] });
  queries.setQueryData(KEY, data);
  tabs.postMessage('signed in');
}

/** The same in the place of who is signed in, whose session ends: it must not live on unseen. */
export async function signInInstead(credential: { ticket: string }): Promise<void> {
  await endDashboardSession({ throwOnError: true });
  sessionStorage.clear();
  try {
    await signIn(credential);
  } catch (error) {
    queries.setQueryData(KEY, null);
    throw error;
  }
}

/** Ends the session; what was read goes with it, and what was written and not sent. */
export async function signOut(): Promise<void> {
  await endDashboardSession({ throwOnError: true });
  sessionStorage.clear();
  way_here.set('opened');
  queries.setQueryData(KEY, null);
  forget();
  tabs.postMessage('signed out');
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
export function useNeed(role: Role): { disabled?: boolean; title?: string } {
  return useMay(role) ? {} : { disabled: true, title: `This needs the role ${role}` };
}

/** The id of the workspace that the URL names. */
export function useWorkspaceId(): string {
  return (useParams({ strict: false }) as { workspace_id?: string }).workspace_id ?? '';
}

/** The newest hundred workspaces, for the switch. */
export function useWorkspaces() {
  return useQuery({ ...listWorkspacesOptions({ query: { limit: 100 } }), staleTime: 60_000 });
}
