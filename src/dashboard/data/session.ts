/** Who is signed in, and the workspaces there are. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { listWorkspacesOptions } from '#client/@tanstack/react-query.gen.ts';
import {
  createDashboardSession, endDashboardSession, getCurrentDashboardSession,
} from '#client/sdk.gen.ts';
import type { DashboardSession } from '#client/types.gen.ts';
import { ApiError, forget, queries, signed_out } from './api.ts';

const KEY = [{ _id: 'getCurrentDashboardSession' }];

/** The session; null if nobody is signed in, undefined while that is not known. */
export function useSession() {
  return useQuery({ queryKey: KEY, queryFn: readSession, staleTime: 60_000 });
}

async function readSession(): Promise<DashboardSession | null> {
  try {
    return (await getCurrentDashboardSession({ throwOnError: true })).data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

signed_out.subscribe(() => queries.setQueryData(KEY, null));

/** Exchanges a credential for the cookie. Throws an ApiError. */
export async function signIn(credential: { admin_token: string } | { ticket: string }) {
  const { data } = await createDashboardSession({ body: credential, throwOnError: true });
  // Another person may see other things than the last one.
  forget();
  await queries.resetQueries({ queryKey: [{ _id: 'listWorkspaces' }] });
  queries.setQueryData(KEY, data);
}

/** Ends the session; what was read goes with it, and what was written and not sent. */
export async function signOut(): Promise<void> {
  await endDashboardSession({ throwOnError: true });
  sessionStorage.clear();
  queries.setQueryData(KEY, null);
  forget();
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
