/** One approval: what would leave, who asked for it, and the decision. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import {
  getApprovalOptions, listAuditEntriesOptions,
} from '#client/@tanstack/react-query.gen.ts';
import { decideApproval, listAdminTokens } from '#client/sdk.gen.ts';
import type { AdminToken, Approval, AuditActor } from '#client/types.gen.ts';
import { asApiError, readAgain } from '../data/api.ts';
import { itemsOf } from '../data/pages.ts';
import { useMay, useWorkspaceId } from '../data/session.ts';
import { NotRead } from '../frame/Boundary.tsx';
import { useShortcuts } from '../frame/keyboard.tsx';
import {
  Badge, Button, CopyButton, isComposing, StatusBadge, type Tone,
} from '../kit/controls.tsx';
import { Marked, Name } from '../kit/exact.tsx';
import { Field, Input, useUnsent } from '../kit/fields.tsx';
import { toast } from '../kit/overlays.tsx';
import { EmptyState, ErrorNote, Id } from '../kit/text.tsx';
import { Time } from '../kit/time.tsx';
import { Outgoing, WhoAsked } from './Call.tsx';

const POLL_MS = 3_000;
const REASON_LENGTH = 1_000;

export interface ApprovalViewProps {
  approval_id: string;
  /** The focus goes to it: somebody went here from the one before, or opened it. */
  takes_focus: boolean;
  onDecided: (approval: Approval) => void;
}

export function ApprovalView({ approval_id, takes_focus, onDecided }: ApprovalViewProps) {
  const workspace_id = useWorkspaceId();
  const { data: approval, error, refetch } = useQuery({
    ...getApprovalOptions({ path: { approval_id } }),
    refetchInterval: ({ state: { data } }) => (data && isOpen(data) ? POLL_MS : false),
  });
  if (!approval) return <NotRead error={error} onRetry={() => void refetch()} />;
  if (approval.workspace_id !== workspace_id) {
    return (
      <EmptyState title="This approval belongs to another workspace" action={
        <Link to="/w/$workspace_id/approvals/$approval_id" className="link"
          params={{ workspace_id: approval.workspace_id, approval_id }}>Show it there</Link>
      } />
    );
  }
  return <Sheet {...{ approval, takes_focus, onDecided }} />;
}

function isOpen({ status }: Approval): boolean {
  return status === 'pending' || status === 'approved';
}

const EFFECTS: Readonly<Record<string, readonly [Tone, string]>> = {
  read: ['plain', 'Reads; changes nothing'],
  write: ['warn', 'Changes something there'],
  destructive: ['bad', 'May remove or overwrite what nobody can bring back'],
};

/** In a low window, such as at a zoom of 200 %, all of it scrolls: the foot would hide the call. */
const SHORT = {
  scrolls: '[@media(max-height:32rem)]:overflow-y-auto',
  is_whole: '[@media(max-height:32rem)]:shrink-0 [@media(max-height:32rem)]:overflow-visible',
};

function Sheet({ approval, takes_focus, onDecided }:
Omit<ApprovalViewProps, 'approval_id'> & { approval: Approval }) {
  const { id, action, action_title, effect, status } = approval;
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (takes_focus) section.current?.focus();
  }, [takes_focus]);
  const [tone, words] = EFFECTS[effect] ?? ['warn', effect];
  return (
    <section ref={section} tabIndex={-1} aria-labelledby={`${id}-title`}
      className={`flex min-h-0 grow flex-col outline-none ${SHORT.scrolls}`}>
      <div className={`flex min-h-0 grow flex-col gap-4 overflow-y-auto p-4 ${SHORT.is_whole}`}>
        <header className="flex items-start gap-2">
          <div className="min-w-0 grow">
            <h2 id={`${id}-title`} className="wrap-anywhere text-lg">
              <Marked>{action_title ?? action}</Marked>
            </h2>
            <p className="font-mono text-sm wrap-anywhere text-muted">{action}</p>
          </div>
          <StatusBadge status={status} />
          <span className="-my-1.5">
            <CopyButton text={location.href} what="link to this approval" />
          </span>
        </header>
        <div className="grid gap-x-8 gap-y-4 min-[1800px]:grid-cols-[minmax(0,1fr)_30rem]">
          <div className="flex min-w-0 flex-col gap-2">
            <h3 className="font-semibold">What leaves</h3>
            <p><Badge tone={tone}>{effect}</Badge> <span className="text-muted">{words}.</span></p>
            <Outgoing approval={approval} />
          </div>
          <WhoAsked approval={approval} />
        </div>
      </div>
      <Decision approval={approval} onDecided={onDecided} />
    </section>
  );
}

type Verb = 'approve' | 'deny';

/** The foot of the sheet: what a decision means, and its two buttons; or how it was decided. */
function Decision({ approval, onDecided }: {
  approval: Approval; onDecided: (approval: Approval) => void;
}) {
  const { id, status } = approval;
  const [verb, setVerb] = useState<Verb | null>(null);
  const [first_status] = useState(status);
  const may = useMay('operator');
  const navigate = useNavigate();
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: async (body: { decision: Verb; reason?: string }) =>
      (await decideApproval({ path: { approval_id: id }, body, throwOnError: true })).data,
    onSuccess: ({ status, action, workspace_id, run_id }) => {
      if (status === 'denied') return toast('Denied', action);
      // From there it is run again, which makes the call.
      toast('Approved, once', action, run_id === null ? undefined : { label: 'Open the run',
        onGo: () => void navigate({ to: '/w/$workspace_id/runs/$run_id',
          params: { workspace_id, run_id }, search: {} as never }) });
    },
    onSettled: () => void readAgain('getApproval', 'listApprovals', 'listAuditEntries'),
  });
  const is_pending = status === 'pending';
  useShortcuts(is_pending && may ? [
    { key: 'a', title: 'Approve', onPress: () => setVerb('approve') },
    { key: 'd', title: 'Deny', onPress: () => setVerb('deny') },
  ] : []);
  return (
    <footer className="flex shrink-0 flex-col gap-2.5 border-t border-line bg-surface px-4 py-3">
      {error && is_pending && <ErrorNote error={asApiError(error)} />}
      {!is_pending
        ? <Outcome approval={approval} was_here={first_status === 'pending' && !isSuccess} />
        : verb
          // Another one for the other decision: what was meant for one is not said with both.
          ? <Confirm key={verb} {...{ approval, verb }} is_busy={isPending || isSuccess}
              onLeave={() => setVerb(null)}
              onConfirm={(reason) => mutate({ decision: verb, ...(reason && { reason }) },
                // Of the call: who is elsewhere when the answer comes stays there.
                { onSuccess: (decided) => onDecided(decided) })} />
          : (
            <>
              <Meaning approval={approval} />
              <div className="flex flex-wrap items-center justify-end gap-2">
                {!may && (
                  <p className="grow text-muted">To decide, one needs the role operator.</p>
                )}
                <Button look="danger" is_off={!may} aria-keyshortcuts="d"
                  onClick={() => setVerb('deny')}>Deny <Key>d</Key></Button>
                <Button look="main" is_off={!may} aria-keyshortcuts="a"
                  onClick={() => setVerb('approve')}>Approve <Key>a</Key></Button>
              </div>
            </>
          )}
    </footer>
  );
}

function Key({ children }: { children: string }) {
  return (
    <kbd aria-hidden="true" className="rounded border border-current px-1 font-mono text-xs
      max-sm:hidden">{children}</kbd>
  );
}

function Meaning({ approval: { scope, expires_at } }: { approval: Approval }) {
  return (
    <p className="text-muted">
      Approving sends nothing yet: the next time {scope === 'workspace'
        ? 'any api key of this workspace' : 'the api key that asked'} makes exactly this call, it
      goes through, once, until <Time at={expires_at} as="local" />.
    </p>
  );
}

/** The second step: with a reason if need be. Enter confirms, Escape goes back. */
function Confirm({ approval, verb, is_busy, onLeave, onConfirm }: {
  approval: Approval; verb: Verb; is_busy: boolean;
  onLeave: () => void; onConfirm: (reason: string) => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [reason, setReason] = useState('');
  const asks = useUnsent(reason !== '' && !is_busy);
  const leave = () => {
    form.current?.closest('section')?.focus();
    onLeave();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!is_busy) onConfirm(reason.trim());
  };
  return (
    <form ref={form} onSubmit={submit} className="flex flex-col gap-2.5" aria-label={
      verb === 'approve' ? 'Approve this call' : 'Deny this call'} onKeyDown={(event) => {
      if (event.key === 'Escape' && !isComposing(event)) leave();
    }}>
      {verb === 'approve' ? <Meaning approval={approval} /> : (
        <p className="text-muted">
          Until <Time at={approval.expires_at} as="local" />, who makes this call is told no, with
          your reason.
        </p>
      )}
      <Field label={verb === 'approve' ? 'A note, if you like' : 'Reason'}>
        <Input name="reason" value={reason} maxLength={REASON_LENGTH} autoComplete="off" autoFocus
          placeholder={verb === 'approve' ? '' : 'The agent is told this'}
          onChange={({ target }) => setReason(target.value)} />
      </Field>
      {asks}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <Button look="quiet" onClick={leave}>Back <Key>Esc</Key></Button>
        <Button type="submit" look={verb === 'approve' ? 'main' : 'danger'} is_busy={is_busy}>
          {verb === 'approve' ? 'Approve this call' : 'Deny this call'} <Key>⏎</Key>
        </Button>
      </div>
    </form>
  );
}

/** What the service says of approvals that it lets expire itself. */
const CHANGED: Readonly<Record<string, string>> = {
  integration_changed: 'Over: its integration was changed',
  account_changed: 'Over: its connection was removed, or given another account or credentials',
};

/** How it ended. `was_here`: somebody looked at it while it was pending, and did not decide it. */
function Outcome({ approval, was_here }: { approval: Approval; was_here: boolean }) {
  const { id, status, reason, decided_at, expires_at, workspace_id } = approval;
  const { data: log } = useQuery(
    { ...listAuditEntriesOptions({ query: { workspace_id, target: id, limit: 10 } }) });
  const actor = log?.data.find(({ event }) => /^approval\.(approved|denied)$/.test(event))?.actor;
  const words: Readonly<Record<string, string>> = {
    approved: 'Approved, and not used yet', denied: 'Denied', used: 'Approved, and used',
    expired: reason !== null && reason in CHANGED ? CHANGED[reason]!
      : decided_at === null ? 'Over: nobody decided in time' : 'Over',
  };
  return (
    <div role={was_here ? 'alert' : undefined} className="flex flex-col gap-1">
      {was_here && (
        <p className="font-medium text-warn">This ended meanwhile.</p>
      )}
      <p>
        {words[status] ?? status}
        {decided_at && <> · decided {actor && <>by <Person actor={actor} /> </>}
          <Time at={decided_at} /></>}
        {status === 'approved' && <> · ends <Time at={expires_at} /></>}
      </p>
      {reason && !(reason in CHANGED) && (
        <p className="max-h-24 overflow-y-auto wrap-anywhere text-muted">
          “<Marked>{reason}</Marked>”
        </p>
      )}
    </div>
  );
}

function Person({ actor: { type, id } }: { actor: AuditActor }): ReactNode {
  const { data: token } = useQuery({
    queryKey: [{ _id: 'listAdminTokens', one: id }], staleTime: 60_000,
    queryFn: async ({ signal }) => {
      for await (const one of itemsOf<object, AdminToken>(listAdminTokens, {}, signal)) {
        if (one.id === id) return one;
      }
      return null;
    },
    enabled: type !== 'person' && id !== null,
  });
  if (id === null) return 'the admin token of the configuration';
  if (type === 'person') return <Name>{id}</Name>;
  return (
    <>the admin token {token ? <span title={id}><Name>{token.name}</Name></span> : <Id>{id}</Id>}</>
  );
}
