/** Ctrl-K: finds pages, runs, sessions, actions, accounts, keys, and whatever else has a name. */
import { Dialog } from '@base-ui/react/dialog';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import {
  getRunOptions, getSessionOptions, listApprovalsOptions, listRunsOptions, listSessionsOptions,
  listWorkspacesOptions,
} from '#client/@tanstack/react-query.gen.ts';
import { listIntegrations, listWorkspaces, searchActions } from '#client/sdk.gen.ts';
import type { Integration, Workspace } from '#client/types.gen.ts';
import { asApiError } from '../data/api.ts';
import { askedOf, OWN_SLUGS } from '../data/calls.ts';
import { wholeOptions } from '../data/pages.ts';
import { useWorkspaceId, useWorkspaces } from '../data/session.ts';
import { Icon, isComposing, Spinner } from '../kit/controls.tsx';
import { Name } from '../kit/exact.tsx';
import { useSettled } from '../kit/fields.tsx';
import { FocusReturned } from '../kit/overlays.tsx';
import { holdsWords, startOf } from '../kit/text.tsx';
import { latinKey, SCREENS, useNamed, useRecent, type Place } from './navigation.tsx';

/** What a query has found so far. */
interface Found<T> { data?: { data: T[] } | undefined; isPlaceholderData: boolean }

const GROUP_PLACES = 6;
/** So many of the newest runs are looked through: the API finds them by their whole id alone. */
const RUNS_LOOKED_AT = 100;
const TYPING_MS = 120;
const ID_LENGTH = 30;
const ASKED_LENGTH = 300;
const KEPT_MS = 60_000;
const EVERYTHING = {};

/** The button that opens it, and the dialog itself. */
export function Palette() {
  const [is_open, setOpen] = useState(false);
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  // Who goes back has left the screen over which it was opened.
  useEffect(() => setOpen(false), [pathname]);
  const recent = useRecent();
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (latinKey(event).toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey
        || event.shiftKey) return;
      event.preventDefault();
      // Another dialog that is open keeps what it shows.
      setOpen((was_open) => !was_open
        && !document.querySelector('[role$=dialog]:not([data-palette])'));
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)} aria-keyshortcuts="Control+K"
        className="mx-3 mb-2 flex h-8 shrink-0 items-center gap-2 rounded-md border border-line px-2
          text-muted hover:bg-raised max-md:mt-1">
        <Icon name="search" />
        <span className="grow text-left">Find …</span>
        <kbd className="font-mono text-xs">Ctrl K</kbd>
      </button>
      {is_open && (
        <Dialog.Root open onOpenChange={setOpen}>
          <FocusReturned />
          <Dialog.Portal>
            <Dialog.Backdrop className="fixed inset-0 bg-shade" />
            <Dialog.Popup data-palette finalFocus={false} className="fixed inset-x-2 top-2 flex
              max-h-[min(32rem,90dvh)] flex-col rounded-xl border border-line bg-surface shadow-lift
              outline-none sm:inset-x-auto sm:top-[12vh] sm:left-1/2
              sm:w-[min(40rem,calc(100vw-2rem))] sm:-translate-x-1/2">
              <Dialog.Title className="sr-only">Find</Dialog.Title>
              <Finder recent={recent} onClose={() => setOpen(false)} />
            </Dialog.Popup>
          </Dialog.Portal>
        </Dialog.Root>
      )}
    </>
  );
}

/** A place may be in several groups. */
const keyOf = ({ group, to, params, search }: Place) => JSON.stringify([group, to, params, search]);

function Finder({ recent, onClose }: { recent: readonly Place[]; onClose: () => void }) {
  const id = useId();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const { places, is_busy, error } = usePlaces(text.trim(), recent);
  // What is found late may come above it.
  const active = Math.max(0, places.findIndex((place) => keyOf(place) === chosen));
  const choose = (at: number) => setChosen(places[at] ? keyOf(places[at]) : null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const go = ({ to, params = {}, search = {} }: Place) => {
    onClose();
    void navigate({ to, params, search } as never);
  };
  const setAwaited = useAwaited(is_busy, () => places[0] && go(places[0]));
  const onKey = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) choose((active + step + places.length) % Math.max(1, places.length));
    else if (event.key === 'Enter' && places[active]) go(places[active]);
    else if (event.key === 'Enter') setAwaited(is_busy);
    else return;
    event.preventDefault();
  };
  const said = places.length > 0 ? `${places.length} found` : is_busy ? 'Looking …'
    : 'Nothing is found. Ids are found whole: run_…, ses_…';
  return (
    <>
      <div className="flex items-center gap-2.5 border-b border-line px-4 text-muted">
        {is_busy ? <Spinner /> : <Icon name="search" size={14} />}
        <input autoFocus role="combobox" aria-expanded="true" aria-controls={`${id}-list`}
          aria-label="Find a page, a run, a session, an action, an account, a key, a workspace …"
          aria-activedescendant={places.length > 0 ? `${id}-${active}` : undefined}
          placeholder="A page, an id, or words" value={text} dir="auto" autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => {
            setText(target.value);
            setChosen(null);
            setAwaited(false);
          }}
          onKeyDown={onKey}
          className="h-12 min-w-0 grow bg-transparent text-lg text-text outline-none" />
        <kbd className="font-mono text-xs">Esc</kbd>
      </div>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label="Found"
        className="min-h-0 grow overflow-y-auto p-2">
        <Options {...{ id, places, active, choose, go }} />
      </div>
      <p role="status" className={places.length > 0 ? 'sr-only' : 'px-4 pb-4 text-muted'}>{said}</p>
      {error && <p role="alert" className="px-4 pb-3 text-sm text-bad">{error}</p>}
    </>
  );
}

/** Enter was pressed before anything was found: does `then` once all is. Answers how to say so. */
function useAwaited(is_busy: boolean, then: () => void): (is_awaited: boolean) => void {
  const [is_awaited, setAwaited] = useState(false);
  useEffect(() => {
    if (!is_awaited || is_busy) return;
    setAwaited(false);
    then();
  });
  return setAwaited;
}

/** What is found, in its groups. */
function Options({ id, places, active, choose, go }: {
  id: string; places: readonly Place[]; active: number; choose: (at: number) => void;
  go: (place: Place) => void;
}) {
  return (
    <>
      {[...Map.groupBy(places, ({ group }) => group)].map(([group, members]) => (
        <div key={group} role="group" aria-label={group}>
          <p role="presentation" className="px-2 pt-2 pb-1 text-xs font-medium text-muted">
            {group}
          </p>
          {members.map((place) => {
            const at = places.indexOf(place);
            return (
              <div key={at} id={`${id}-${at}`} role="option" aria-selected={at === active}
                onPointerMove={() => choose(at)} onClick={() => go(place)}
                className="flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2
                  aria-selected:bg-accent-soft">
                <span className="text-muted"><Icon name={place.icon} /></span>
                <span className="min-w-0 truncate"><Name>{place.title}</Name></span>
                <span className="min-w-0 shrink-[2] truncate text-sm text-muted">
                  {place.says && <Name>{place.says}</Name>}
                </span>
              </div>
            );
          })}
        </div>
      ))}
    </>
  );
}

/** What is found, best kinds first: what is here at once, then what the API finds. */
function usePlaces(text: string, recent: readonly Place[]) {
  const workspace_id = useWorkspaceId();
  const here = { workspace_id };
  const words = useSettled(useDeferredValue(text), TYPING_MS);
  const holds = (...of: (string | null | undefined)[]) => holdsWords(of.join(' '), text);
  const pending = { workspace_id, status: 'pending', limit: 100 } as const;
  const approvals = useQuery(listApprovalsOptions({ query: pending }));
  const is_fresh = text === words;
  const asked = { enabled: words !== '', placeholderData: keepPreviousData };
  const runs = useQuery({ ...listRunsOptions({ query: { limit: RUNS_LOOKED_AT } }), ...asked });
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
  const pages = SCREENS.filter(({ title }) => holds(title)).map(({ to, title, icon }): Place =>
    ({ group: 'Pages', icon, title, to, params: here }));
  const integrations = useIntegrations(text);
  const named = useNamed(text);
  const others = useOthers(text);
  const elsewhere = useElsewhere(words);
  if (text === '') return { places: [...recent, ...pages, ...others.places], is_busy: false };
  const found_runs = [...new Map([...(run.data ? [run.data] : []), ...(runs.data?.data ?? [])]
    .map((one) => [one.id, one])).values()]
    .map((one) => ({ ...one, asked: startOf(askedOf(one.input), ASKED_LENGTH) }))
    .filter(({ id, asked }) => holds(id, asked));
  const found_sessions = [...new Map([
    ...(session.data ? [session.data] : []), ...foundBy(sessions, is_fresh),
  ].map((one) => [one.id, one])).values()].filter(({ id }) => !isId(text, 'ses') || holds(id));
  const waiting = (approvals.data?.data ?? []).filter(({ id, action, action_title }) =>
    holds(id, action, action_title));
  const queried = [runs, sessions, actions, integrations.read, others.read, ...named.reads];
  const failed = queried.find(({ error, isFetching }) => error && !isFetching);
  return {
    places: [
      ...pages, ...integrations.places,
      ...few(found_runs).map(({ id, asked, status }): Place => ({
        group: 'Runs', icon: 'runs', title: asked || id, says: `${status} · ${id}`,
        to: '/w/$workspace_id/runs/$run_id', params: { ...here, run_id: id },
      })),
      ...elsewhere, ...few(found_sessions).map(({ id, title }): Place => ({
        group: 'Sessions', icon: 'sessions', title: title || id, says: title ? id : undefined,
        to: '/w/$workspace_id/sessions/$session_id', params: { ...here, session_id: id },
      })),
      ...few(waiting).map(({ id, action, action_title }): Place => ({
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
  const found = few((read.data ?? newest).filter(({ id, name }) =>
    id !== here && holdsWords(`${id} ${name}`, text)));
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
  const found = few([...read.data ?? [], ...own].filter(({ slug, title }) =>
    holdsWords(`${slug} ${title}`, text)));
  return { read, places: found.map(({ slug, title }): Place => ({
    group: 'Integrations', icon: 'integrations', title: slug, says: title,
    to: '/w/$workspace_id/integrations/$slug', params: { workspace_id, slug },
  })) };
}

/** What was found for the words before is none of these: Enter would go there. */
function foundBy<T>({ data, isPlaceholderData }: Found<T>, is_fresh: boolean): T[] {
  return is_fresh && !isPlaceholderData ? data?.data ?? [] : [];
}

const few = <T,>(all: readonly T[]) => all.slice(0, GROUP_PLACES);

const isId = (text: string, kind: 'run' | 'ses') => new RegExp(`^${kind}_[0-9a-z]*$`).test(text);
