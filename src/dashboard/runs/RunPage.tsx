/** A run, live: what it does, and what can be done about it. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { getRunOptions, getWorkspaceOptions } from '#client/@tanstack/react-query.gen.ts';
import { cancelRun, createRun } from '#client/sdk.gen.ts';
import type { CreateRunRequest, Run } from '#client/types.gen.ts';
import { asApiError, readAgain, SERVICE, useAct, useOnce } from '../data/api.ts';
import { useRunEvents, type RunEvents } from '../data/reach.ts';
import { useNeed, useWorkspaceId } from '../data/session.ts';
import { Badge, Button, copyText, StatusBadge } from '../kit/controls.tsx';
import { Field, Input, Textarea } from '../kit/fields.tsx';
import { Confirm, FormDialog, Menu, toast } from '../kit/overlays.tsx';
import { Prose } from '../kit/Prose.tsx';
import { ErrorNote, PageHead } from '../kit/text.tsx';
import { ScreenPending } from '../frame/Boundary.tsx';
import { historyOf, type History } from './history.ts';
import { promptOf, saveRunFile } from './RunFile.tsx';
import { RunView } from './RunView.tsx';

const POLL_MS = 2_000;

export default function RunPage() {
  const { run_id } = useParams({ from: '/w/$workspace_id/runs/$run_id' });
  const { events, state, error } = useRunEvents(run_id);
  const logged = useMemo(() => historyOf(events), [events]);
  const { data: run, error: fault, isFetchedAfterMount: is_known, refetch } = useQuery({
    ...getRunOptions({ path: { run_id } }), refetchOnMount: 'always',
    // The log tells the rest, as long as it is kept; a file of it has the run as it has ended.
    refetchInterval: ({ state: { data } }) =>
      (/refused|ended/.test(state) && data?.finished_at === null ? POLL_MS : false) });
  useEffect(() => {
    if (state === 'ended') void refetch();
  }, [state, refetch]);
  const history = useMemo(() => withEnd(logged, run), [logged, run]);
  const has_ended = Boolean(run?.finished_at);
  const status = history?.status ?? run?.status;
  const input = history?.input ?? run?.input;
  return (
    <>
      <PageHead title={input ? promptOf(input) : run_id}>
        {status && <StatusBadge status={status} />}
        <Following {...{ state, has_ended }} />
        {run && status && (
          <RunActions run={run} is_over={!['queued', 'running'].includes(status)}
            onSave={() => saveRunFile(run, events)} />
        )}
      </PageHead>
      {is_known && history && <RunView events={events} history={history} run={run ?? null}
        is_live={!history.is_over && state !== 'refused' && !has_ended} />}
      {is_known && !history && run && error && <WithoutLog run={run} says={error.message} />}
      {is_known && !history && !run && (
        <div className="px-4"><ErrorNote error={asApiError(fault ?? error)} /></div>
      )}
      {(!is_known || (!history && run && !error)) && <ScreenPending />}
    </>
  );
}

/**
 * How a run that is over came out is known before its log, which may be long, has been read; and
 * the log of one that was cancelled does not say what it has used.
 */
function withEnd(history: History | undefined, run: Run | undefined): History | undefined {
  if (!history || !run?.finished_at) return history;
  const { status, error, usage } = run;
  return { ...history, status, error, usage };
}

function Following({ state, has_ended }: Pick<RunEvents, 'state'> & { has_ended: boolean }) {
  return (
    <span role="status">
      {state === 'reading' && (has_ended ? <Badge mark="wait">reading its log</Badge>
        : <Badge tone="accent" mark="dot">live</Badge>)}
      {state === 'waiting' && <Badge tone="warn" mark="wait">reconnecting</Badge>}
    </span>
  );
}

/** Of a run whose events are no longer kept there is what it was asked, and its answer. */
function WithoutLog({ run: { input, output, error }, says }: { run: Run; says: string }) {
  return (
    <div className="flex max-w-5xl flex-col gap-4 overflow-y-auto px-4 pb-4">
      <p className="rounded-lg bg-warn-soft p-3">{says}</p>
      {error && <ErrorNote error={error} />}
      {[...input, ...output].map(({ role, content }, at) => (
        <section key={at} className="flex flex-col gap-1.5">
          <h2>{role === 'user' ? 'Prompt' : 'Agent'}</h2>
          {content.map(({ text }, part) =>
            <Prose key={part} text={text} plain={role === 'user'} />)}
        </section>
      ))}
    </div>
  );
}

function RunActions({ run, is_over, onSave }: { run: Run; is_over: boolean; onSave: () => void }) {
  const [open, setOpen] = useState<'again' | 'cancel' | null>(null);
  const need = useNeed('operator');
  const onClose = () => setOpen(null);
  const copy = async (text: string, what: string) =>
    toast(await copyText(text) ? `${what} copied` : `${what} cannot be copied here`);
  return (
    <>
      {!is_over && (
        <Button look="danger" icon="stop" {...need}
          onClick={() => setOpen('cancel')}>Cancel run</Button>
      )}
      <Button icon="retry" {...need} onClick={() => setOpen('again')}>Run again</Button>
      <Menu trigger={<Button look="quiet" icon="more" icon_only>More</Button>} items={[
        { label: 'Copy link', icon: 'link', onSelect: () => void copy(location.href, 'Link') },
        { label: 'Copy id', icon: 'copy', onSelect: () => void copy(run.id, 'Id') },
        { label: 'Copy as curl', icon: 'copy', onSelect: () => void copy(curlOf(run), 'Command') },
        'line',
        { label: 'Save as a file', icon: 'download', onSelect: onSave },
      ]} />
      {open === 'cancel' && <CancelDialog run={run} onClose={onClose} />}
      {open === 'again' && <AgainDialog run={run} onClose={onClose} />}
    </>
  );
}

function CancelDialog({ run: { id }, onClose }: { run: Run; onClose: () => void }) {
  const cancel = async () => {
    const { data } = await cancelRun({ path: { run_id: id }, throwOnError: true });
    toast(data.status === 'cancelled' ? 'Run cancelled' : `The run had ${data.status} already`);
    void readAgain('getRun');
  };
  return (
    <Confirm title="Cancel this run?" action="Cancel run" keep="Let it go on" onConfirm={cancel}
      onClose={onClose}>
      <p>
        It ends at once, for good. What it has said and done so far stays in the session; a call
        that has left already may still take effect.
      </p>
    </Confirm>
  );
}

/** The same request once more, changed if need be: a new run of the session. */
function AgainDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const workspace_id = useWorkspaceId();
  const navigate = useNavigate();
  const { data: workspace } = useQuery(getWorkspaceOptions({ path: { workspace_id } }));
  const [texts, setTexts] = useState(
    run.input.map(({ content }) => content.map(({ text }) => text)));
  const [model, setModel] = useState(run.model);
  const once = useOnce();
  const body: CreateRunRequest = {
    input: texts.map((parts) => ({
      role: 'user', content: parts.map((text) => ({ type: 'input_text', text })),
    })),
    ...(model.trim() && { model: model.trim() }), metadata: run.metadata,
  };
  const { error, is_busy, act } = useAct();
  const again = () => act(() => once(body, (asked) =>
    createRun({ ...asked, path: { session_id: run.session_id } })), ({ data }) => {
    onClose();
    void navigate({ to: '/w/$workspace_id/runs/$run_id',
      params: { workspace_id, run_id: (data as Run).id }, search: {} as never });
  });
  const models = new Set([run.model, workspace?.model, ...workspace?.allowed_models ?? []]
    .flatMap((name) => (name && !name.endsWith('*') ? name : [])));
  const of_model = error?.param === '/model' ? error.message : null;
  return (
    <FormDialog {...{ is_busy, onClose }} title="Run again" action="Run" leave="Close"
      says="A new run of the same session: the agent knows what was said there before."
      error={of_model ? null : error} onSubmit={() => void again()}>
      {texts.map((parts, item) => parts.map((text, part) => (
        <Field key={`${item}/${part}`} label="Prompt">
          <Textarea name="prompt" rows={8} required value={text} onChange={({ target }) => setTexts(
            texts.with(item, parts.with(part, target.value)))} />
        </Field>
      )))}
      <Field label="Model" error={of_model}>
        <Input is_code name="model" value={model} list="models"
          onChange={({ target }) => setModel(target.value)} />
      </Field>
      <datalist id="models">
        {[...models].map((name) => <option key={name} value={name} />)}
      </datalist>
    </FormDialog>
  );
}

/** The request as a command. All but plain characters are escaped: a terminal shows what it is. */
function curlOf({ session_id, input, model, metadata }: Run): string {
  const body = JSON.stringify({ input, model, metadata })
    .replaceAll(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('\'', '\\u0027');
  return `curl -sS '${new URL(`v1/sessions/${session_id}/runs`, SERVICE).href}' \\
  -H "Authorization: Bearer $GATEHOUSE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  --data-raw '${body}'`;
}
