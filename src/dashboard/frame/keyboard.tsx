/**
 * What is reached by keys: Ctrl K finds whatever has a name, `g` and a letter goes to a screen, `/`
 * to the filter, `?` lists them. A screen has its own while it is shown.
 */
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useWorkspaceId } from '../data/session.ts';
import { Icon, isComposing, Spinner } from '../kit/controls.tsx';
import { Name } from '../kit/exact.tsx';
import { Dialog, FocusReturned, giveFocus } from '../kit/overlays.tsx';
import { SCREENS, usePlaces, useRecent, type Place } from './navigation.ts';

const AROUND = '[tabindex]:not([data-toasts])';

/**
 * From now on, what goes while it has the focus leaves it to what is around it, but a message to
 * where messages come: it would stay there, and hold the next ones. Where nothing had it, nothing
 * gets it.
 */
export function keepFocus(): void {
  let way: EventTarget[] = [];
  addEventListener('focusin', (event) => void (way = event.composedPath()));
  // Some browsers tell of a focus that goes with its element, too: by then it is not there.
  addEventListener('focusout', ({ target }) => queueMicrotask(() => {
    if ((target as Element).isConnected && document.activeElement === document.body) way = [];
  }));
  new MutationObserver(() => {
    const elements = way.filter((one) => one instanceof Element);
    if (elements[0]?.isConnected !== false || document.activeElement !== document.body) return;
    giveFocus(elements.find((one) => one.isConnected && one.matches(AROUND)) ?? null);
    way = [];
  }).observe(document.body, { childList: true, subtree: true });
}

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
        <BaseDialog.Root open onOpenChange={setOpen}>
          <FocusReturned />
          <BaseDialog.Portal>
            <BaseDialog.Backdrop className="fixed inset-0 bg-shade" />
            <BaseDialog.Popup data-palette finalFocus={false} className="fixed inset-x-2 top-2 flex
              max-h-[min(32rem,90dvh)] flex-col rounded-xl border border-line bg-surface shadow-lift
              outline-none sm:inset-x-auto sm:top-[12vh] sm:left-1/2
              sm:w-[min(40rem,calc(100vw-2rem))] sm:-translate-x-1/2">
              <BaseDialog.Title className="sr-only">Find</BaseDialog.Title>
              <Finder recent={recent} onClose={() => setOpen(false)} />
            </BaseDialog.Popup>
          </BaseDialog.Portal>
        </BaseDialog.Root>
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

const SECOND_KEY_MS = 1_200;

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement
    && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** The key of an event; where another alphabet is typed, the Latin letter of its place. */
function latinKey({ key, code, shiftKey }: globalThis.KeyboardEvent): string {
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  if (!letter || !/^[^\x20-\x7e\p{Script=Latin}]$/u.test(key)) return key;
  return shiftKey ? letter : letter.toLowerCase();
}

/** Enter on a button or a link is theirs. */
function isPressing({ key, target }: globalThis.KeyboardEvent): boolean {
  return key === 'Enter' && (target as Element).closest('a, button, summary') !== null;
}

interface Shortcut {
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
  const workspace_id = useWorkspaceId();
  useEffect(() => {
    let first_at = -Infinity;
    const onKey = (event: globalThis.KeyboardEvent) => {
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
  }, [navigate, workspace_id]);
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
