/**
 * The screens, and the keyboard shortcuts: `g` and a letter goes to a screen, `/` to the filter,
 * `?` lists them. A screen has its own while it is shown.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import {
  listApiKeysOptions, listConnectionsOptions,
} from '#client/@tanstack/react-query.gen.ts';
import { useWorkspaceId } from '../data/session.ts';
import type { IconName } from '../kit/controls.tsx';
import { Dialog } from '../kit/overlays.tsx';
import { holdsWords } from '../kit/text.tsx';

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

/** Of the accounts and keys of the workspace the newest are looked through, by one page each. */
const NAMED_LOOKED_AT = 100;
const NAMED_SHOWN = 6;

/** Accounts and api keys, by their names, ids and whose they are; a key by its end, too. */
export function useNamed(text: string) {
  const workspace_id = useWorkspaceId();
  const asked = { enabled: text !== '', placeholderData: keepPreviousData };
  const query = { workspace_id, limit: NAMED_LOOKED_AT };
  const accounts = useQuery({ ...listConnectionsOptions({ query }), ...asked });
  const keys = useQuery({ ...listApiKeysOptions({ query }), ...asked });
  const params = { workspace_id };
  const places = [
    ...(accounts.data?.data ?? []).filter(({ id, name, account_label, integration }) =>
      holdsWords([id, name, account_label, integration].join(' '), text)).slice(0, NAMED_SHOWN)
      .map(({ id, name, account_label, integration }): Place => ({
        group: 'Accounts', icon: 'link', title: name,
        says: [integration, account_label].filter(Boolean).join(' · '),
        to: `${below}/integrations/$slug`, params: { ...params, slug: integration },
        search: { tab: 'connections', query: id },
      })),
    ...(keys.data?.data ?? []).filter(({ id, name, hint }) =>
      holdsWords([id, name, hint].join(' '), text)).slice(0, NAMED_SHOWN)
      .map(({ id, name, status }): Place => ({
        group: 'API keys', icon: 'keys', title: name, says: `${status} · ${id}`,
        to: `${below}/keys`, params, search: { key: id },
      })),
  ];
  return { reads: [accounts, keys], places: text === '' ? [] : places };
}

const SECOND_KEY_MS = 1_200;

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement
    && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** The key of an event; where another alphabet is typed, the Latin letter of its place. */
export function latinKey({ key, code, shiftKey }: KeyboardEvent): string {
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  if (!letter || !/^[^\x20-\x7e\p{Script=Latin}]$/u.test(key)) return key;
  return shiftKey ? letter : letter.toLowerCase();
}

/** Enter on a button or a link is theirs. */
function isPressing({ key, target }: KeyboardEvent): boolean {
  return key === 'Enter' && (target as Element).closest('a, button, summary') !== null;
}

export interface Shortcut {
  /** As `KeyboardEvent.key` has it. */
  key: string;
  /** What it does, for the list of `?`. */
  title: string;
  onPress: () => void;
}

const of_screens = new Set<{ current: readonly Shortcut[] }>();

/** Keys of the screen that calls this. They rest while somebody types or a dialog is open. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    of_screens.add(latest);
    return () => void of_screens.delete(latest);
  }, []);
}

const shortcutsOfScreen = () => [...of_screens].flatMap(({ current }) => current);

/** Listens as long as the shell is there, and shows the list of them. */
export function Shortcuts() {
  const [is_open, setOpen] = useState(false);
  const navigate = useNavigate();
  const router = useRouter();
  const workspace_id = useWorkspaceId();
  useEffect(() => {
    let first_at = -Infinity;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented
        || isTyping(event.target)) return;
      // A toast is a dialog to assistive technology, and stands in nobody's way.
      if (document.querySelector('[role=dialog]:not([data-toasts] *)')) return;
      const pressed = latinKey(event);
      const follows_g = event.timeStamp - first_at < SECOND_KEY_MS;
      first_at = pressed === 'g' ? event.timeStamp : -Infinity;
      const screen = follows_g && SCREENS.find(({ key }) => key === pressed);
      const own = !isPressing(event) && shortcutsOfScreen().find(({ key }) => key === pressed);
      if (screen) void navigate({ to: screen.to, params: { workspace_id }, search: {} as never });
      else if (own) own.onPress();
      else if (event.key === '?') setOpen(true);
      else if (event.key === '/') document.querySelector<HTMLElement>('[data-filter]')?.focus();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [navigate, router, workspace_id]);
  const rows: [string, string][] = [
    ...shortcutsOfScreen().map(({ key, title }): [string, string] => [key, title]),
    ...SCREENS.map(({ key, title }): [string, string] => [`g ${key}`, title]),
    ['Ctrl K', 'Find a page, a run, a session, an action …'],
    ['/', 'The filter of the screen'], ['↑ ↓ Enter', 'Choose and open a row of a table'],
    ['→ ←', 'To what can be pressed in that row, and back'],
    ['Escape', 'Close what is open'], ['?', 'This list'],
  ];
  return is_open && (
    <Dialog onClose={() => setOpen(false)} title="Keyboard shortcuts">
      <dl className="grid grid-cols-[8rem_1fr] gap-y-2">
        {rows.map(([keys, what]) => (
          <div key={keys} className="contents">
            <dt className="flex gap-1">
              {keys.split(' ').map((key) => (
                <kbd key={key} className="rounded border border-line bg-raised px-1.5 font-mono
                  text-sm">{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
