/** What lies above the screen: dialogs, drawers, menus and toasts. */
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Toast as BaseToast } from '@base-ui/react/toast';
import {
  useEffect, useId, useLayoutEffect, useRef, useState, type ReactElement, type ReactNode,
} from 'react';
import { Button, Icon, type IconName } from './controls.tsx';
import { Marked } from './exact.tsx';
import { useChanged, useUnsent } from './fields.tsx';
import { FormError, type Trouble } from './text.tsx';

export interface DialogProps {
  onClose: () => void;
  title: ReactNode;
  /** One sentence below the title. */
  says?: ReactNode;
  children: ReactNode;
  /** Buttons at the foot, the main one last. */
  actions?: ReactNode;
  /** Escape and a press beside it do not close it, as when something is typed: it would be lost. */
  is_firm?: boolean;
  /** Whether words are lost with it, of which Back then asks: by default if it is firm. */
  is_unsent?: boolean;
  /** What it asked for is under way: nothing closes it until the answer is there to be shown. */
  is_busy?: boolean;
  /** What has the focus first; without, what comes first. */
  starts_at?: () => HTMLElement | null | undefined;
  /** What has the focus afterwards; without, what had it before. If it is gone, the screen has. */
  returns_to?: Element | null;
  /** What it is about, where that can become another: its content begins anew then, at its top. */
  shows?: string | undefined;
}

/** It is open as long as it is there. */
function Layer({ onClose, title, says, children, actions, is_firm = false, is_busy = false,
  is_unsent = is_firm, starts_at, returns_to, shows, look }: DialogProps & { look: string }) {
  const asks = useUnsent(is_unsent && !is_busy);
  return (
    <BaseDialog.Root open disablePointerDismissal={is_firm || is_busy}
      onOpenChange={(opens, { reason }) => {
        const is_pressed = reason !== 'escape-key' && reason !== 'outside-press';
        if (!opens && !is_busy && (is_pressed || !is_firm)) onClose();
      }}>
      {/* Before the portal, which takes the focus with it when it goes. */}
      <FocusReturned to={returns_to} />
      <BaseDialog.Portal>
        <BaseDialog.Backdrop forceRender className="fixed inset-0 bg-shade" />
        <BaseDialog.Popup initialFocus={starts_at && (() => starts_at() ?? true)}
          finalFocus={false}
          className={`fixed flex flex-col bg-surface shadow-lift
          animate-[rise_0.12s_ease-out] outline-none ${look}`}>
          <header className="flex items-start gap-2 border-b border-line px-4 py-3">
            <div className="min-w-0 grow">
              <BaseDialog.Title className="text-lg font-semibold wrap-anywhere">
                {title}
              </BaseDialog.Title>
              {says && (
                <BaseDialog.Description className="wrap-anywhere text-muted">
                  {says}
                </BaseDialog.Description>
              )}
            </div>
            <BaseDialog.Close render={
              <Button look="quiet" icon="close" icon_only is_off={is_busy}>Close</Button>
            } />
          </header>
          <div key={shows} className="min-h-0 grow overflow-y-auto p-4">{children}</div>
          {asks && <div className="p-2">{asks}</div>}
          {actions && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3">
              {actions}
            </footer>
          )}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

/**
 * Gives the focus to `place`, or where that is gone to the dialog that is left, or the screen:
 * without any, the keyboard would begin at the head of the page. Who has taken it meanwhile has it.
 */
export function giveFocus(place: Element | null): void {
  const below = [...document.querySelectorAll('[role=dialog]:not([data-toasts] *)')];
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    const to = [document.querySelector('main'), ...below, place].findLast((one) =>
      one !== document.body && one?.isConnected);
    (to as HTMLElement | undefined)?.focus({ preventScroll: true });
  });
}

/** Beside what takes the focus for a while: gives it back to what had it before, or to `to`. */
export function FocusReturned({ to }: { to?: Element | null | undefined }) {
  // As it is drawn first: a field in it has taken the focus by then, before any effect is run.
  const [before] = useState(document.activeElement);
  useLayoutEffect(() => () => giveFocus(to === undefined ? before : to), [to, before]);
  return null;
}

/** A dialog in the middle; on a phone at the foot. */
export function Dialog(props: DialogProps) {
  return <Layer {...props} look="max-sm:inset-x-0 max-sm:bottom-0 max-sm:rounded-t-xl
    max-h-[88dvh] sm:top-[12vh] sm:left-1/2 sm:w-[min(36rem,calc(100vw-2rem))]
    sm:-translate-x-1/2 sm:rounded-xl sm:border sm:border-line" />;
}

/**
 * A dialog of a form. What was changed in it is not lost by Escape, nor by Back without a question.
 * `action` and `leave` are the words of its buttons, `more` is another one; `error`: why it was not
 * done, unless a field says so.
 */
export function FormDialog({
  action, leave = 'Cancel', more, error, onSubmit, children, is_busy = false, onClose, ...head
}: Pick<DialogProps, 'title' | 'says' | 'is_busy' | 'onClose' | 'children'> & {
  action: string; leave?: string; more?: ReactNode; error: Trouble | null;
  onSubmit: (form: FormData) => void;
}) {
  const id = useId();
  const [is_changed, form] = useChanged();
  return (
    <Dialog {...head} {...{ is_busy, onClose }} is_firm={is_changed} actions={<>
      <Button is_off={is_busy} onClick={onClose}>{leave}</Button>
      {more}
      <Button look="main" type="submit" form={id} is_busy={is_busy}>{action}</Button>
    </>}>
      <form id={id} {...form} className="flex flex-col gap-4" autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit(new FormData(event.currentTarget));
        }}>
        {children}<FormError error={error} />
      </form>
    </Dialog>
  );
}

/**
 * Asks before something ends. `children` say what goes with it; `action` and `keep` are words of
 * buttons. What fails is shown, and can be tried again. `ends_opener`: what was pressed goes with
 * what ends. `isHere`: whether nobody has left by then, such as by Back.
 */
export function Confirm({
  title, action, keep = 'Keep it', onConfirm, onClose, is_ready = true, ends_opener = false,
  children,
}: Pick<DialogProps, 'title' | 'onClose' | 'children'> & {
  action: string; keep?: string; onConfirm: (isHere: () => boolean) => Promise<unknown>;
  is_ready?: boolean; ends_opener?: boolean;
}) {
  const [is_busy, setBusy] = useState(false);
  const [error, setError] = useState<Trouble | null>(null);
  const form = useId();
  const is_here = useRef(false);
  useEffect(() => {
    is_here.current = true;
    return () => void (is_here.current = false);
  }, []);
  const isHere = () => is_here.current;
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm(isHere);
      if (isHere()) onClose();
    } catch (fault) {
      setError(fault as Trouble);
      setBusy(false);
    }
  };
  // When it goes as it should, what was pressed may be there for a moment still.
  const returns_to = is_busy && ends_opener ? null : undefined;
  return (
    <Dialog {...{ is_busy, onClose, title, returns_to }} actions={<>
      <Button is_off={is_busy} onClick={onClose}>{keep}</Button>
      <Button type="submit" form={form} look="danger" is_busy={is_busy} is_off={!is_ready}>
        {action}
      </Button>
    </>}>
      <form id={form} className="flex flex-col gap-3" onSubmit={(event) => {
        event.preventDefault();
        void confirm();
      }}>
        {children}<FormError error={error} />
      </form>
    </Dialog>
  );
}

/** A panel from the right for the particulars of a row; the list stays where it is. */
export function Drawer(props: DialogProps) {
  return <Layer {...props} look="inset-y-0 right-0 w-[min(44rem,100vw)] border-l border-line" />;
}

export type MenuItem = {
  label: ReactNode; icon?: IconName; is_danger?: boolean; is_checked?: boolean;
  onSelect: () => void;
} | 'line';

/** A button that opens a list of things to do. */
export function Menu({ trigger, items }: { trigger: ReactElement; items: readonly MenuItem[] }) {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner sideOffset={4} align="end" className="z-10 outline-none">
          <BaseMenu.Popup className="panel max-h-[70dvh] max-w-[90vw] min-w-44 overflow-y-auto p-1
            shadow-lift outline-none">
            {items.map((item, at) => item === 'line'
              ? <BaseMenu.Separator key={at} className="my-1 h-px bg-line" />
              : (
                <BaseMenu.Item key={at} onClick={item.onSelect} className={`flex h-8 items-center
                  gap-2 rounded px-2 select-none data-highlighted:bg-raised outline-none
                  ${item.is_danger ? 'text-bad' : ''}`}>
                  {item.icon && <Icon name={item.icon} />}
                  <span className="grow truncate">{item.label}</span>
                  {item.is_checked && <Icon name="check" />}
                  {item.is_checked && <span className="sr-only">chosen</span>}
                </BaseMenu.Item>
              ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

const toasts = BaseToast.createToastManager();

/** How long it is there if one can go on from it: long enough to read it and to get there. */
const WAY_MS = 20_000;

/**
 * Says for a few seconds that something was done; it can be called from anywhere. The newest takes
 * the place of the one before: two would hide twice as much of the screen. `way`: where one may
 * want to go now.
 */
export function toast(
  title: string, description?: string, way?: { label: string; onGo: () => void }): void {
  toasts.add({ id: 'newest', title, description, timeout: way && WAY_MS, actionProps: way && {
    children: way.label, onClick: () => {
      toasts.close('newest');
      way.onGo();
    },
  } });
}

/**
 * Where toasts appear; the frame has the one there is. It is below the head of the screen: what one
 * presses next is in the head or at the foot.
 */
export function Toasts() {
  return (
    <BaseToast.Provider toastManager={toasts} limit={1}>
      <BaseToast.Portal>
        <BaseToast.Viewport data-toasts className="fixed top-14 right-4 z-20
          w-[min(22rem,calc(100vw-2rem))] [position-anchor:--page-head]
          supports-[top:anchor(bottom)]:top-[anchor(bottom,3.5rem)]">
          <ToastList />
        </BaseToast.Viewport>
      </BaseToast.Portal>
    </BaseToast.Provider>
  );
}

function ToastList() {
  return BaseToast.useToastManager().toasts.map((one) => (
    <BaseToast.Root key={one.id} toast={one}
      className="panel flex items-start gap-2 p-3 shadow-lift animate-[rise_0.15s_ease-out]">
      <div className="min-w-0 grow">
        <BaseToast.Title className="font-medium wrap-anywhere">
          <Marked>{String(one.title)}</Marked>
        </BaseToast.Title>
        {one.description && (
          <BaseToast.Description className="text-muted wrap-anywhere">
            <Marked>{String(one.description)}</Marked>
          </BaseToast.Description>
        )}
        <BaseToast.Action className="link" />
      </div>
      <BaseToast.Close aria-label="Close this message"
        className="rounded p-1 text-muted hover:bg-raised">
        <Icon name="close" size={14} />
      </BaseToast.Close>
    </BaseToast.Root>
  ));
}
