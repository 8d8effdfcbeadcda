/** What can be done with the audit log: verify it, and take it along as a file. */
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { listAuditEntries, verifyAuditLog } from '#client/sdk.gen.ts';
import type { AuditLogVerification, ListAuditEntriesData } from '#client/types.gen.ts';
import { asApiError, queries, type ApiError } from '../data/api.ts';
import { Button, Icon, saveFile, Spinner } from '../kit/controls.tsx';
import { Field, Textarea } from '../kit/fields.tsx';
import { Dialog } from '../kit/overlays.tsx';
import { Code, counted, countText, ErrorNote } from '../kit/text.tsx';

const entriesText = (count: number) => `${countText(count)} ${count === 1 ? 'entry' : 'entries'}`;

/** Opens a dialog that walks the chain of hashes and its anchors. */
export function VerifyButton() {
  const [is_open, setOpen] = useState(false);
  return (
    <>
      <Button icon="check" onClick={() => setOpen(true)}>Verify</Button>
      {is_open && <VerifyDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function VerifyDialog({ onClose }: { onClose: () => void }) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async (anchor: string) =>
      (await verifyAuditLog({ query: anchor ? { anchor } : {}, throwOnError: true })).data,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate(String(new FormData(event.currentTarget).get('anchor')).trim());
  };
  const fault = error && asApiError(error);
  return (
    <Dialog onClose={onClose} title="Verify the audit log" says="Walks the chain of hashes
      from the first entry to the last, and every anchor: has anything been changed or removed?"
      actions={(
        <Button type="submit" form="verify" look="main" is_busy={isPending}>
          {isPending ? 'Verifying' : data ? 'Verify again' : 'Verify'}
        </Button>
      )}>
      <form id="verify" onSubmit={submit} className="flex flex-col gap-4">
        <Field label="An anchor that was kept elsewhere, if there is one"
          error={fault?.param === 'anchor' ? fault.message : null}
          hint="It also shows whether the newest entries were removed or rewritten.">
          <Textarea name="anchor" is_code rows={2} autoComplete="off" placeholder="42:5e88…:v1.…" />
        </Field>
        <div role="status" className="flex flex-col gap-4">
          {isPending && <p className="flex items-center gap-2 text-muted">
            <Spinner /> A log of a million entries takes a while.</p>}
          {!isPending && data && <Verdict found={data} />}
        </div>
        {fault && fault.param !== 'anchor' && <ErrorNote error={fault} />}
      </form>
    </Dialog>
  );
}

function Verdict({ found }: { found: AuditLogVerification }) {
  const { ok, entries, anchors, latest_anchor, anchor_ok, problems } = found;
  return (
    <>
      <div className={`flex items-start gap-2.5 rounded-lg p-3 ${ok ? 'bg-good-soft'
        : 'bg-bad-soft'}`}>
        <span className={`mt-0.5 ${ok ? 'text-good' : 'text-bad'}`}>
          <Icon name={ok ? 'check' : 'alert'} />
        </span>
        <div className="flex min-w-0 flex-col gap-1">
          <p className="font-medium">
            {ok ? 'The audit log is whole' : 'The audit log is broken'}
          </p>
          {problems.map((words) => <p key={words}>{words}</p>)}
          {anchor_ok === true && <p>It holds what the given anchor says.</p>}
          <p>
            {`${entriesText(entries)}, ${counted(anchors, 'anchor')}`}
            {anchors > 0 && latest_anchor === null && ', not opened: this node has no master key'}.
          </p>
        </div>
      </div>
      {latest_anchor !== null && (
        <div className="flex flex-col gap-1.5">
          <h3>The newest anchor: keep it where the owner of the database cannot change it.</h3>
          <Code copy>{latest_anchor}</Code>
        </div>
      )}
      {latest_anchor === null && anchors === 0 && (
        <p className="text-muted">
          There is no anchor yet. A node with a master key makes one each minute if there is
          something new.
        </p>
      )}
    </>
  );
}

type Query = NonNullable<ListAuditEntriesData['query']>;

/** Opens a dialog that writes what is filtered into a file. */
export function ExportButton({ query }: { query: Query }) {
  const [is_open, setOpen] = useState(false);
  return (
    <>
      <Button icon="down" onClick={() => setOpen(true)}>Export</Button>
      {is_open && <ExportDialog query={query} onClose={() => setOpen(false)} />}
    </>
  );
}

interface Progress {
  state: 'ready' | 'reading' | 'broken' | 'done';
  entries: number;
  bytes: number;
  error: ApiError | null;
}

const PAGE_ENTRIES = 100;

/** The pages so far, kept by the browser (which moves large ones to the disk). */
function useExport(query: Query) {
  const [progress, setProgress] = useState<Progress>(
    { state: 'ready', entries: 0, bytes: 0, error: null });
  const so_far = useRef({ parts: [] as Blob[], entries: 0, bytes: 0, cursor: '', leaving:
    new AbortController() });
  useEffect(() => {
    const { current } = so_far;
    current.leaving = new AbortController();
    return () => current.leaving.abort();
  }, []);
  /** From the start, or from where it broke. */
  const start = async () => {
    const { current } = so_far;
    const { signal } = current.leaving;
    const show = (state: Progress['state'], error: ApiError | null = null) =>
      setProgress({ state, entries: current.entries, bytes: current.bytes, error });
    show('reading');
    try {
      for (let has_more = true; has_more;) {
        const page = await readPage({ ...query, cursor: current.cursor || undefined }, signal);
        if (signal.aborted) return;
        const part = new Blob(page.data.map((entry) => `${JSON.stringify(entry)}\n`));
        current.parts.push(part);
        current.entries += page.data.length;
        current.bytes += part.size;
        current.cursor = page.next_cursor ?? '';
        ({ has_more } = page);
        show('reading');
      }
      save(new Blob(current.parts, { type: 'application/jsonl' }));
      show('done');
    } catch (error) {
      if (!signal.aborted) show('broken', asApiError(error));
    }
  };
  return { progress, start };
}

/** Tried again as any other query when the service is busy. */
async function readPage(query: Query, signal: AbortSignal) {
  return await queries.fetchQuery({
    queryKey: [{ _id: 'exportAuditEntries', query }], staleTime: 0, gcTime: 0,
    retry: queries.getDefaultOptions().queries?.retry,
    queryFn: async () => (await listAuditEntries(
      { query: { ...query, limit: PAGE_ENTRIES, order: 'asc' }, signal, throwOnError: true })).data,
  });
}

function save(file: Blob): void {
  saveFile(file, `audit-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z.jsonl`);
}

function ExportDialog({ query, onClose }: { query: Query; onClose: () => void }) {
  const { progress: { state, entries, bytes, error }, start } = useExport(query);
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const size = bytes < 2 ** 20 ? `${Math.ceil(bytes / 2 ** 10)} KiB`
    : `${countText(Math.round(bytes / 2 ** 20 * 10) / 10)} MiB`;
  const count = `${entriesText(entries)}, ${size}`;
  return (
    <Dialog onClose={onClose} title="Export the audit log" is_firm={state === 'reading'}
      is_unsent={false}
      says="JSON Lines: one entry in each line, the oldest first, with its hash." actions={(
        <>
          <Button look="quiet" onClick={onClose}>{state === 'done' ? 'Close' : 'Cancel'}</Button>
          {state !== 'done' && (
            <Button look="main" is_busy={state === 'reading'} onClick={() => void start()}>
              {state === 'ready' ? 'Export' : state === 'broken' ? 'Go on' : 'Exporting'}
            </Button>
          )}
        </>
      )}>
      <div className="flex flex-col gap-3">
        <p>
          {given.length === 0 ? 'All entries of the service.'
            : 'The entries with these filters:'}
        </p>
        {given.length > 0 && (
          <ul className="flex flex-col gap-1 font-mono text-sm">
            {given.map(([name, value]) => (
              <li key={name} className="wrap-anywhere">{`${name}: ${value}`}</li>
            ))}
          </ul>
        )}
        <p role="status" className="font-medium tabular-nums">
          {state === 'reading' ? `${count} so far` : state === 'done' ? `Saved: ${count}.`
            : state === 'broken' ? `It stopped after ${count}.` : ''}
        </p>
        {error && <ErrorNote error={error} />}
      </div>
    </Dialog>
  );
}
