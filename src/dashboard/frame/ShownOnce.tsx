/** A secret that is shown once: while it is made, and until it was copied. */
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useShownOnce } from '../data/session.ts';
import { Button, CopyButton } from '../kit/controls.tsx';
import { Dialog } from '../kit/overlays.tsx';
import { Warning } from '../kit/text.tsx';

/**
 * Is there while what will be shown once is being made: whoever wants to leave before it is there
 * to be seen is told what that means. `what` it is: key.
 */
export function MakingOnce({ what }: { what: string }) {
  useShownOnce();
  const { status, proceed, reset } = useBlocker({ shouldBlockFn: () => true, withResolver: true });
  // What is made stays to be seen.
  useEffect(() => () => reset?.(), [reset]);
  if (status !== 'blocked') return null;
  return (
    <Warning>
      <p>
        {`The ${what} may be made already: if you leave now, nobody sees it, and it has to be`
          + ' revoked.'}
      </p>
      <div className="flex justify-end">
        <Button look="danger" onClick={proceed}>Leave without it</Button>
      </div>
    </Warning>
  );
}

/** For texts besides the secret that hold it: to be called when they were copied. */
export interface Copied {
  onCopied: () => void;
  /** By hand: it counts if it is the whole of the secret. */
  onCopy: () => void;
}

/**
 * A secret that is shown this once. It is not left by mistake before it was copied. `what` it is:
 * key. `opener`: what has the focus afterwards. `children` follow the secret.
 */
export function ShownOnce({ title, what, secret, opener, onClose, children }: {
  title: ReactNode; what: string; secret: string; opener: Element | null; onClose: () => void;
  children?: (copied: Copied) => ReactNode;
}) {
  useShownOnce();
  const first = useRef<HTMLDivElement>(null);
  const [is_copied, setCopied] = useState(false);
  const [is_leaving, setLeaving] = useState(false);
  const has_left = useRef(false);
  const holds = () => !is_copied && !has_left.current;
  const blocker = useBlocker({
    shouldBlockFn: holds, enableBeforeUnload: holds, withResolver: true,
  });
  const onCopied = () => {
    setCopied(true);
    setLeaving(false);
    if (blocker.status === 'blocked') blocker.reset();
  };
  const onCopy = () => {
    if (String(getSelection()).includes(secret)) onCopied();
  };
  const warns = !is_copied && (is_leaving || blocker.status === 'blocked');
  const leave = () => {
    has_left.current = true;
    if (blocker.status === 'blocked') blocker.proceed();
    else onClose();
  };
  const close = () => (is_copied ? onClose() : setLeaving(true));
  return (
    <Dialog onClose={close} title={title} returns_to={opener}
      starts_at={() => first.current?.querySelector('button')}
      says="Copy it now: only its hash is kept, and nobody can show it again."
      actions={warns ? <>
        <Button look="danger" onClick={leave}>Leave without it</Button>
        <CopyButton look="main" text={secret} what={what} onCopied={onCopied}>
          {`Copy the ${what}`}
        </CopyButton>
      </> : <Button look={is_copied ? 'main' : 'plain'} onClick={close}>Done</Button>}>
      <div className="flex flex-col gap-4">
        <div ref={first} className="flex flex-wrap items-center gap-2">
          <code data-secret onCopy={onCopy} className="min-w-0 grow rounded-md border border-line
            bg-raised px-2.5 py-1.5 font-mono text-sm break-all">{secret}</code>
          <CopyButton look={is_copied ? 'plain' : 'main'} text={secret} what={what}
            onCopied={onCopied}>Copy</CopyButton>
        </div>
        {children?.({ onCopied, onCopy })}
        {warns && (
          <Warning>
            {`You have not copied the ${what}. If you leave now it is lost: you would have to`
              + ' revoke it and make another.'}
          </Warning>
        )}
      </div>
    </Dialog>
  );
}
