/**
 * The places to go to: the screens, those where one has been, and what Ctrl K finds by words or an
 * id.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useState } from 'react';
import {
  getRunOptions, getSessionOptions, listApiKeysOptions, listApprovalsOptions,
  listConnectionsOptions, listRunsOptions, listSessionsOptions, listWorkspacesOptions,
} from '#client/@tanstack/react-query.gen.ts';
import { listIntegrations, listWorkspaces, searchActions } from '#client/sdk.gen.ts';
import type { Integration, Workspace } from '#client/types.gen.ts';
import { asApiError } from '../data/api.ts';
import { askedOf, OWN_SLUGS } from '../data/calls.ts';
import { wholeOptions } from '../data/pages.ts';
import { useWorkspaceId, useWorkspaces } from '../data/session.ts';
import type { IconName } from '../kit/controls.tsx';
import { useSettled } from '../kit/fields.tsx';
import { holdsWords, startOf } from '../kit/text.tsx';

/** A screen of the navigation; `key` follows `g`. */
export interface Screen { to: string; title: string; icon: IconName; key: string }

const below = '/w/$workspace_id';

/** In the order of worth. */
export const SCREENS: readonly Screen[] = [
  { to: `${below}/overview`, title: 'Overview', icon: 'overview', key: 'o' },
  { to: `${below}/runs`, title: 'Runs', icon: 'runs', key: 'r' },
  { to: `${below}/calls`, title: 'Calls', icon: 'link', key: 'c' },
  { to: `${below}/sessions`, title: 'Sessions', icon: 'sessions', key: 's' },
  { to: `${below}/approvals`, title: 'Approvals', icon: 'approvals', key: 'a' },
  { to: `${below}/integrations`, title: 'Integrations', icon: 'integrations', key: 'i' },
  { to: `${below}/grants`, title: 'Grants', icon: 'grants', key: 'p' },
  { to: `${below}/keys`, title: 'API keys', icon: 'keys', key: 'k' },
  { to: `${below}/audit`, title: 'Audit log', icon: 'audit', key: 'l' },
  { to: `${below}/workspaces`, title: 'Workspaces', icon: 'workspaces', key: 'w' },
];

/** Something to go to, as Find shows it. */
export interface Place {
  /** What it is one of; places of one group stand together. */
  group: string;
  icon: IconName;
  title: string;
  says?: string | undefined;
  to: string;
  params?: Record<string, string>;
  search?: Record<string, string>;
}

const RECENT_PLACES = 8;

/** Where one has been since the page was loaded, the last first. Nothing of it is stored. */
export function useRecent(): readonly Place[] {
  const { pathname, search } = useRouterState({ select: ({ location }) => location });
  const [recent, setRecent] = useState<readonly Place[]>([]);
  const search_text = JSON.stringify(search);
  useEffect(() => () => {
    // The page that is left still has its title.
    const left: Place = {
      group: 'Recent', icon: 'right', title: document.title.replace(/ – Gatehouse$/, ''),
      says: pathname.replace(/^\/w\/[^/]+\//, ''), to: pathname, search: JSON.parse(search_text),
    };
    setRecent((before) => [left, ...before.filter(({ to }) => to !== pathname)]
      .slice(0, RECENT_PLACES));
  }, [pathname, search_text]);
  return recent.filter(({ to }) => to !== pathname);
}

/** What a query has found so far. */
interface Found<T> { data?: { data: T[] } | undefined; isPlaceholderData: boolean }

const GROUP_PLACES = 6;
/** Of runs, accounts and keys the newest are looked through: the API finds none by words. */
const LOOKED_AT = 100;
const TYPING_MS = 120;
const ID_LENGTH = 30;
const ASKED_LENGTH = 300;
const KEPT_MS = 60_000;
const EVERYTHING = {};

/** What is found, best kinds first: what is here at once, then what the API finds. */
export function usePlaces(text: string, recent: readonly Place[]) {
  const workspace_id = useWorkspaceId();
  const here = { workspace_id };
  const words = useSettled(useDeferredValue(text), TYPING_MS);
  const pending = { workspace_id, status: 'pending', limit: 100 } as const;
  const approvals = useQuery(listApprovalsOptions({ query: pending }));
  const is_fresh = text === words;
  const asked = { enabled: words !== '', placeholderData: keepPreviousData };
  const runs = useQuery({ ...listRunsOptions({ query: { limit: LOOKED_AT } }), ...asked });
  const sessions = useQuery({ ...listSessionsOptions({ query:
    isId(words, 'ses') ? { limit: 100 } : { query: words.slice(0, 200), limit: GROUP_PLACES } }),
  ...asked });
  const run = useQuery({ ...getRunOptions({ path: { run_id: words } }),
    enabled: isId(words, 'run') && words.length === ID_LENGTH });
  const session = useQuery({ ...getSessionOptions({ path: { session_id: words } }),
    enabled: isId(words, 'ses') && words.length === ID_LENGTH });
  const actions = useQuery({
    queryKey: [{ _id: 'searchActions', words }], ...asked,
    queryFn: async ({ signal }) => (await searchActions({ signal, throwOnError: true,
      body: { query: words.slice(0, 1_000), limit: GROUP_PLACES } })).data,
  });
  const pages = SCREENS.filter(({ title }) => holdsWords(title, text))
    .map(({ to, title, icon }): Place => ({ group: 'Pages', icon, title, to, params: here }));
  const integrations = useIntegrations(text);
  const named = useNamed(text);
  const others = useOthers(text);
  const elsewhere = useElsewhere(words);
  if (text === '') return { places: [...recent, ...pages, ...others.places], is_busy: false };
  const found_runs = withFirst(run.data, runs.data?.data ?? [])
    .map((one) => ({ ...one, asked: startOf(askedOf(one.input), ASKED_LENGTH) }));
  const found_sessions = withFirst(session.data, foundBy(sessions, is_fresh));
  const said = isId(text, 'ses') ? text : '';
  const queried = [runs, sessions, actions, integrations.read, others.read, ...named.reads];
  const failed = queried.find(({ error, isFetching }) => error && !isFetching);
  return {
    places: [
      ...pages, ...integrations.places,
      ...few(found_runs, text, ({ id, asked }) => [id, asked]).map(({ id, asked, status }):
      Place => ({
        group: 'Runs', icon: 'runs', title: asked || id, says: `${status} · ${id}`,
        to: '/w/$workspace_id/runs/$run_id', params: { ...here, run_id: id },
      })),
      ...elsewhere, ...few(found_sessions, said, ({ id }) => [id]).map(({ id, title }): Place => ({
        group: 'Sessions', icon: 'sessions', title: title || id, says: title ? id : undefined,
        to: '/w/$workspace_id/sessions/$session_id', params: { ...here, session_id: id },
      })),
      ...few(approvals.data?.data ?? [], text, ({ id, action, action_title }) =>
        [id, action, action_title]).map(({ id, action, action_title }): Place => ({
        group: 'Approvals', icon: 'approvals', title: action_title ?? action, says: id,
        to: `/w/$workspace_id/approvals/${id}`, params: here,
      })),
      ...(/^[a-z]{3}_/.test(text) ? [] : foundBy(actions, is_fresh)).map(({ name, title }):
      Place => ({
        group: 'Actions', icon: 'integrations', title: name, says: title ?? undefined,
        to: '/w/$workspace_id/integrations/$slug', search: { action: name },
        params: { ...here, slug: name.split('.')[0]! },
      })),
      ...named.places, ...others.places,
    ],
    is_busy: !is_fresh || queried.some(({ isFetching }) => isFetching),
    error: failed && asApiError(failed.error).message,
  };
}

/** The run with this id, if it is of another workspace. */
function useElsewhere(run_id: string): Place[] {
  const here = useWorkspaceId();
  const { data } = useQuery({ ...listWorkspacesOptions({ query: { run_id } }),
    enabled: isId(run_id, 'run') && run_id.length === ID_LENGTH });
  return (data?.data ?? []).filter(({ id }) => id !== here).map(({ id, name }) =>
    ({ group: 'Runs', icon: 'runs', title: run_id, says: `in ${name}`,
      to: '/w/$workspace_id/runs/$run_id', params: { workspace_id: id, run_id } }));
}

/** The other workspaces; until something is typed, the newest hundred do. */
function useOthers(text: string) {
  const here = useWorkspaceId();
  const newest = useWorkspaces().data?.data ?? [];
  const read = useQuery({ enabled: text !== '', staleTime: KEPT_MS,
    ...wholeOptions<object, Workspace>('listWorkspaces', listWorkspaces, EVERYTHING) });
  const others = (read.data ?? newest).filter(({ id }) => id !== here);
  const found = few(others, text, ({ id, name }) => [id, name]);
  return { read, places: found.map(({ id, name }): Place => ({
    group: 'Workspaces', icon: 'workspaces', title: name, says: id,
    to: '/w/$workspace_id/overview', params: { workspace_id: id },
  })) };
}

/** The integrations, and Gatehouse's own. */
function useIntegrations(text: string) {
  const workspace_id = useWorkspaceId();
  const read = useQuery({ staleTime: KEPT_MS,
    ...wholeOptions<object, Integration>('listIntegrations', listIntegrations, EVERYTHING) });
  const own = [...OWN_SLUGS].map((slug) => ({ slug, title: 'comes with Gatehouse' }));
  const found = few([...read.data ?? [], ...own], text, ({ slug, title }) => [slug, title]);
  return { read, places: found.map(({ slug, title }): Place => ({
    group: 'Integrations', icon: 'integrations', title: slug, says: title,
    to: '/w/$workspace_id/integrations/$slug', params: { workspace_id, slug },
  })) };
}

/** Accounts and api keys, by their names, ids and whose they are; a key by its end, too. */
function useNamed(text: string) {
  const workspace_id = useWorkspaceId();
  const asked = { query: { workspace_id, limit: LOOKED_AT } };
  const accounts = useQuery({ ...listConnectionsOptions(asked), enabled: text !== '' });
  const keys = useQuery({ ...listApiKeysOptions(asked), enabled: text !== '' });
  const found_accounts = few(accounts.data?.data ?? [], text,
    ({ id, name, account_label, integration }) => [id, name, account_label, integration]);
  const found_keys = few(keys.data?.data ?? [], text, ({ id, name, hint }) => [id, name, hint]);
  return { reads: [accounts, keys], places: [
    ...found_accounts.map(({ id, name, account_label, integration }): Place => ({
      group: 'Accounts', icon: 'link', title: name,
      says: [integration, account_label].filter(Boolean).join(' · '),
      to: '/w/$workspace_id/integrations/$slug', params: { workspace_id, slug: integration },
      search: { tab: 'connections', query: id },
    })),
    ...found_keys.map(({ id, name, status }): Place => ({
      group: 'API keys', icon: 'keys', title: name, says: `${status} · ${id}`,
      to: '/w/$workspace_id/keys', params: { workspace_id }, search: { key: id },
    })),
  ] };
}

/** What was found for the words before is none of these: Enter would go there. */
function foundBy<T>({ data, isPlaceholderData }: Found<T>, is_fresh: boolean): T[] {
  return is_fresh && !isPlaceholderData ? data?.data ?? [] : [];
}

/** The first of those that hold the words. */
function few<T>(
  all: readonly T[], text: string, wordsOf: (one: T) => (string | null | undefined)[]): T[] {
  return all.filter((one) => holdsWords(wordsOf(one).join(' '), text)).slice(0, GROUP_PLACES);
}

/** What was found by its id, and the others. */
function withFirst<T extends { id: string }>(
  first: NoInfer<T> | undefined, all: readonly T[]): T[] {
  return first ? [first, ...all.filter(({ id }) => id !== first.id)] : [...all];
}

const isId = (text: string, kind: 'run' | 'ses') => new RegExp(`^${kind}_[0-9a-z]*$`).test(text);
