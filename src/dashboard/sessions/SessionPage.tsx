/** A session: what was said in it, live, and the box in which the next prompt is written. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useCallback, useRef, useState, type KeyboardEvent } from 'react';
import { getWorkspaceOptions } from '#client/@tanstack/react-query.gen.ts';
import { cancelRun, createRun, deleteSession, updateSession } from '#client/sdk.gen.ts';
import type { CreateRunRequest, Session, UpdateSessionRequest } from '#client/types.gen.ts';
import { asApiError, ended, queries, readAgain, useAct, useOnce } from '../data/api.ts';
import { useMay, useWorkspaceId } from '../data/session.ts';
import { NotRead } from '../frame/Boundary.tsx';
import { Button, CopyButton, isComposing, StatusBadge } from '../kit/controls.tsx';
import { Field, Input, Select, Textarea } from '../kit/fields.tsx';
import { useFilters } from '../kit/filters.tsx';
import { Confirm, FormDialog, Menu, toast } from '../kit/overlays.tsx';
import { EmptyState, ErrorNote, PageHead, Told } from '../kit/text.tsx';
import { TurnScroller, TurnView } from './Transcript.tsx';
import { titleOf, useConversation, useNews, type Conversation } from './turns.ts';

/** The runs that were watched here stay as they were seen; of so many, the latest. */
const WATCHED = 20;

export default function SessionPage() {
  const { session_id } = useParams({ from: '/w/$workspace_id/sessions/$session_id' });
  const conversation = useConversation(session_id);
  const { session, turns, runs, open_runs, error, onRetry } = conversation;
  const may_ask = useMay('operator');
  const [{ run: target }] = useFilters();
  const current = open_runs[0]?.id;
  const [watched, setWatched] = useState<readonly string[]>([]);
  if (current && !watched.includes(current)) setWatched([...watched, current].slice(-WATCHED));
  const news = useNews(conversation, watched);
  const onEnd = useCallback(() => changed(session_id), [session_id]);
  const onCancel = useCallback((run_id: string) => void cancel(run_id, session_id), [session_id]);
  if (!session) {
    return (
      <>
        <PageHead title="Session" />
        <NotRead {...{ error, onRetry }} />
      </>
    );
  }
  return (
    <>
      <Head session={session} may_change={may_ask} />
      <Told of={news} />
      {error && <div className="px-4 pb-3"><ErrorNote error={error} onRetry={onRetry} /></div>}
      <TurnScroller conversation={conversation} target={target}>
        {turns.length === 0 && (
          <EmptyState title="Nothing was asked yet">
            {may_ask ? 'Write below what the agent is to do.' : 'A prompt appears here at once.'}
          </EmptyState>
        )}
        {turns.map((turn) => (
          <TurnView key={turn.run_id} turn={turn} run={runs.get(turn.run_id)} onEnd={onEnd}
            is_live={watched.includes(turn.run_id)} onCancel={may_ask ? onCancel : undefined} />
        ))}
      </TurnScroller>
      {!may_ask ? <p className="border-t border-line p-4 text-muted">
          Asking the agent needs the role operator.</p>
        : session.status === 'archived' ? <Archived session_id={session_id} />
          : <Prompt conversation={conversation} session={session} onCancel={onCancel} />}
    </>
  );
}

/** Reads again what a run has changed. */
function changed(session_id: string): void {
  void readAgain('listRuns');
  void queries.invalidateQueries({ queryKey: [{ _id: 'getSession', transcript: session_id }] });
}

async function cancel(run_id: string, session_id: string): Promise<void> {
  try {
    await cancelRun({ path: { run_id }, throwOnError: true });
    changed(session_id);
  } catch (error) {
    toast('The run could not be cancelled', asApiError(error).message);
  }
}

/** Throws an ApiError. */
async function change(session_id: string, body: UpdateSessionRequest): Promise<void> {
  await updateSession({ path: { session_id }, body, throwOnError: true });
  await queries.invalidateQueries({ queryKey: [{ _id: 'getSession', transcript: session_id }] });
}

async function setStatus(session_id: string, status: Session['status']): Promise<void> {
  try {
    await change(session_id, { status });
    toast(status === 'archived' ? 'The session is archived' : 'The session is active again');
  } catch (error) {
    toast('The session was not changed', asApiError(error).message);
  }
}

function Head({ session: { id, title, status }, may_change }: {
  session: Session; may_change: boolean;
}) {
  const [is_renaming, setRenaming] = useState(false);
  const [is_deleting, setDeleting] = useState(false);
  const is_archived = status === 'archived';
  return (
    <PageHead title={titleOf({ title }) ?? 'Untitled session'}>
      {is_archived && <StatusBadge status={status} />}
      <CopyButton text={id} what="id of the session" />
      {may_change && (
        <>
          <Button look="quiet" icon="edit" icon_only onClick={() => setRenaming(true)}>
            Rename
          </Button>
          <Menu items={[{
            label: is_archived ? 'Make it active again' : 'Archive',
            onSelect: () => void setStatus(id, is_archived ? 'active' : 'archived'),
          }, { label: 'Delete', onSelect: () => setDeleting(true) }]}
            trigger={<Button look="quiet" icon="more" icon_only>More</Button>} />
        </>
      )}
      {is_renaming && <Rename {...{ id, title }} onClose={() => setRenaming(false)} />}
      {is_deleting && <Delete id={id} onClose={() => setDeleting(false)} />}
    </PageHead>
  );
}

function Rename({ id, title, onClose }: {
  id: string; title: string | null; onClose: () => void;
}) {
  const { error, is_busy, act } = useAct();
  const rename = (form: FormData) => {
    const wanted = String(form.get('title')).trim();
    void act(() => change(id, { title: wanted || null }), onClose);
  };
  return (
    <FormDialog {...{ is_busy, onClose }} title="Rename the session" action="Save" error={null}
      onSubmit={rename}>
      <Field label="Title" error={error?.message} hint="Empty: it has none.">
        <Input name="title" defaultValue={title ?? ''} maxLength={200} autoComplete="off"
          autoFocus />
      </Field>
    </FormDialog>
  );
}

function Delete({ id, onClose }: { id: string; onClose: () => void }) {
  const workspace_id = useWorkspaceId();
  const navigate = useNavigate();
  const remove = async (isHere: () => boolean) => {
    await ended(deleteSession({ path: { session_id: id }, throwOnError: true }));
    sessionStorage.removeItem(draftOf(id));
    if (isHere()) await navigate({ to: '/w/$workspace_id/sessions', params: { workspace_id } });
    await queries.invalidateQueries();
    toast('The session was deleted');
  };
  return (
    <Confirm title="Delete the session?" action="Delete session" onClose={onClose}
      onConfirm={remove}>
      <p>What was said and done in it goes for good: its messages, runs, events and calls, and the
        approvals that were asked for. The audit log stays.</p>
    </Confirm>
  );
}

function Archived({ session_id }: { session_id: string }) {
  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line p-4">
      <p className="grow text-muted">The session is archived: it takes no prompts.</p>
      <Button onClick={() => void setStatus(session_id, 'active')}>Make it active again</Button>
    </div>
  );
}

const TITLE_CHARACTERS = 80;
/** On a phone Enter begins a new line, as everywhere on phones. */
const has_keyboard = matchMedia('(pointer: fine)');

const draftOf = (session_id: string) => `gatehouse_draft_${session_id}`;

/** What is written next: kept in this tab until it was sent. */
function usePrompt({ id, title }: Session, is_first: boolean) {
  const draft_key = draftOf(id);
  const [text, setText] = useState(() => sessionStorage.getItem(draft_key) ?? '');
  const [model, setModel] = useState('');
  const { error, is_busy, act } = useAct();
  const once = useOnce(`gatehouse_sent_${id}`);
  const latest = useRef(text);
  const write = (next: string) => {
    latest.current = next;
    setText(next);
    if (next === '') sessionStorage.removeItem(draft_key);
    else sessionStorage.setItem(draft_key, next);
  };
  const send = async () => {
    const prompt = text.trim();
    if (prompt === '' || is_busy) return;
    await act(async () => {
      const body: CreateRunRequest = {
        input: [{ role: 'user', content: [{ type: 'input_text', text: prompt }] }],
        ...(model.trim() && { model: model.trim() }),
      };
      await once(body, (asked) => createRun({ ...asked, path: { session_id: id } }));
      write(unsentOf(latest.current, text));
      changed(id);
      if (title === null && is_first) {
        const [line = ''] = prompt.split('\n');
        await change(id, { title: titleIn(line) }).catch((fault: unknown) =>
          toast('The prompt was sent, but the session has no title', asApiError(fault).message));
      }
    });
  };
  return { text, write, model, setModel, error, is_busy, send };
}

/** The beginning of a line, which says that it is one. */
function titleIn(line: string): string {
  const characters = Array.from(line);
  return characters.length <= TITLE_CHARACTERS ? line
    : `${characters.slice(0, TITLE_CHARACTERS - 1).join('').trimEnd()}…`;
}

/** What was typed while the rest was being sent. */
function unsentOf(text: string, sent: string): string {
  return text.startsWith(sent) ? text.slice(sent.length).trimStart() : text;
}

function Prompt({ conversation: { turns, open_runs }, session, onCancel }: {
  conversation: Conversation; session: Session; onCancel: (run_id: string) => void;
}) {
  const is_first = turns.length === 0;
  const { text, write, model, setModel, error, is_busy, send } = usePrompt(session, is_first);
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
    // A tablet may have a keyboard of which it does not tell.
    if (!has_keyboard.matches && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    void send();
  };
  const current = open_runs[0];
  return (
    <form className="border-t border-line bg-surface px-4 py-3 print:hidden" onSubmit={(event) => {
      event.preventDefault();
      void send();
    }}>
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-2">
        {error && <ErrorNote error={error} />}
        <Field label="Prompt" label_hidden>
          <Textarea value={text} rows={2} autoFocus={is_first} onKeyDown={onKey}
            onChange={({ target }) => write(target.value)}
            style={{ fieldSizing: 'content', maxHeight: '40dvh' }}
            placeholder={`What is the agent to do?${has_keyboard.matches
              ? ' Enter sends, Shift and Enter begin a new line.' : ''}`} />
        </Field>
        <div className="flex flex-wrap items-start gap-2">
          <div className="w-64 min-w-0 max-sm:w-0 max-sm:grow">
            <ModelChoice value={model} onChange={setModel}
              error={error?.param === '/model' ? 'Choose another model.' : null} />
          </div>
          <span className="grow max-sm:hidden" />
          {current && (
            <Button icon="stop" onClick={() => onCancel(current.id)}>Stop</Button>
          )}
          <Button type="submit" look="main" is_busy={is_busy} is_off={text.trim() === ''}>
            {current ? 'Queue' : 'Send'}
          </Button>
        </div>
      </div>
    </form>
  );
}

/** A list if the workspace names its models; where it allows more than can be listed, a text. */
function ModelChoice({ value, onChange, error }: {
  value: string; onChange: (model: string) => void; error: string | null;
}) {
  const { data: workspace } = useQuery(
    getWorkspaceOptions({ path: { workspace_id: useWorkspaceId() } }));
  const allowed = workspace?.allowed_models;
  const usual = workspace?.model ? `Usual model: ${workspace.model}` : 'Usual model of the service';
  return (
    <Field label="Model" label_hidden error={error}>
      {allowed?.every((one) => !one.endsWith('*'))
        ? <Select value={value} onChange={({ target }) => onChange(target.value)}
            choices={[{ value: '', label: usual },
              ...allowed.map((one) => ({ value: one, label: one }))]} />
        : (
          <>
            <Input is_code value={value} onChange={({ target }) => onChange(target.value)}
              list="models" placeholder={usual}
              title={allowed ? `Allowed: ${allowed.join(', ')}` : undefined} />
            <datalist id="models">
              {allowed?.filter((one) => !one.endsWith('*')).map((one) =>
                <option key={one} value={one} />)}
              <option value="rehearsal" />
            </datalist>
          </>
        )}
    </Field>
  );
}
