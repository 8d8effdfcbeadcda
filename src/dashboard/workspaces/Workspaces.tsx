/** Workspaces: what holds for the runs of each, what they may use, and what they do. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState, type FormEvent } from 'react';
import { getOverviewOptions, getWorkspaceOptions } from '#client/@tanstack/react-query.gen.ts';
import { createWorkspace, getWorkspace, listWorkspaces, updateWorkspace } from '#client/sdk.gen.ts';
import type { Overview, UpdateWorkspaceRequest, Workspace } from '#client/types.gen.ts';
import { asApiError, readAgain, useAct, useOnce, type ApiError } from '../data/api.ts';
import { useCursorPages } from '../data/pages.ts';
import { useMay, useWorkspaceId } from '../data/session.ts';
import { Badge, Button, StatusBadge } from '../kit/controls.tsx';
import { CutName, markedText, Name } from '../kit/exact.tsx';
import { Field, Input, Textarea, Used } from '../kit/fields.tsx';
import { addressWith, Filters, useFilters } from '../kit/filters.tsx';
import { Confirm, Drawer, toast } from '../kit/overlays.tsx';
import {
  CopyId, countText, EmptyState, ErrorNote, FormError, holdsWords, Id, PageHead,
} from '../kit/text.tsx';
import { timeColumn } from '../kit/time.tsx';
import { VirtualTable, type Column } from '../kit/VirtualTable.tsx';

const ALL = {};
const FILTERS = [{ name: 'name', label: 'Search', placeholder: 'Words, or wsp_…' }];

export default function Workspaces() {
  const here = useWorkspaceId();
  const may_change = useMay('admin');
  const [{ workspace, create, name = '' }, change, open] = useFilters();
  const list = useCursorPages<object, Workspace>('listWorkspaces', listWorkspaces, ALL);
  const rows = useMemo(() => list.rows.filter((one) => holdsWords(`${one.name} ${one.id}`, name)),
    [list.rows, name]);
  const { data: shown, error } = useQuery({ enabled: workspace !== undefined,
    ...getWorkspaceOptions({ path: { workspace_id: workspace ?? '' } }) });
  return (
    <>
      <PageHead title="Workspaces">
        <Link to="/w/$workspace_id/access" params={{ workspace_id: here }} className="link">
          Browsers and admin tokens
        </Link>
        {may_change && (
          <Button look="main" icon="plus" onClick={() => change({ create: 'workspace' })}>
            New workspace
          </Button>
        )}
      </PageHead>
      <Filters of={FILTERS} left={{ ...list, rows }} />
      {error && <div className="px-4 pb-3"><ErrorNote error={asApiError(error)} /></div>}
      <VirtualTable {...list} rows={rows} label="Workspaces" columns={COLUMNS}
        rowKey={({ id }) => id} onOpen={({ id }) => open({ workspace: id })}
        addressOf={({ id }) => addressWith({ workspace: id })}
        empty={<EmptyState title="No workspace is like that" />} />
      {workspace && shown && <Form key={shown.id} workspace={shown}
        onClose={() => change({ workspace: undefined })} />}
      {create && may_change
        && <Form workspace={null} onClose={() => change({ create: undefined })} />}
    </>
  );
}

const COLUMNS: readonly Column<Workspace>[] = [
  {
    key: 'name', title: 'Name', width: 'minmax(10rem, 1fr)', card: 'head',
    cell: (workspace) => <NameCell of={workspace} />,
  },
  {
    key: 'status', title: 'Status', width: '6.5rem', card: 'side',
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    key: 'model', title: 'Model', width: 'minmax(8rem, 12rem)',
    cell: ({ model }) => <span className="truncate">{model ?? 'the service’s'}</span>,
  },
  {
    key: 'limits', title: 'Limits', width: '5rem', is_number: true,
    cell: ({ limits }) => Object.keys(limits).length || '–',
  },
  timeColumn('created_at', 'Created', '7rem'),
  { key: 'id', title: 'Id', width: '18rem', card: 'hidden', cell: ({ id }) => <Id>{id}</Id> },
];

function NameCell({ of: { id, name } }: { of: Workspace }) {
  const is_here = id === useWorkspaceId();
  return <span className="flex min-w-0 items-center gap-2">
    <CutName is_main>{name}</CutName>
    {is_here && <Badge tone="accent">this one</Badge>}</span>;
}

const LIMITS: readonly {
  name: keyof Workspace['limits']; label: string; hint: string; used?: (now: Overview) => number;
}[] = [
  { name: 'max_steps', label: 'Steps of a run', hint: 'Answers of the model, at most 1,000.' },
  { name: 'timeout_s', label: 'Seconds of a run', hint: 'From its start, at most 86,400.' },
  { name: 'max_total_tokens', label: 'Tokens of a run', hint: 'In and out, of all its steps.' },
  { name: 'max_total_tokens_per_day', label: 'Tokens of a day', used: tokensToday,
    hint: 'Since midnight UTC; beyond, runs fail with budget_exceeded.' },
  { name: 'max_queued_runs', label: 'Queued runs', hint: 'Beyond, new ones get queue_full.',
    used: ({ open_runs }) => open_runs.queued },
  { name: 'max_running_runs', label: 'Running runs', hint: 'Further ones wait.',
    used: ({ open_runs }) => open_runs.running },
  { name: 'max_storage_bytes', label: 'Stored bytes', hint: 'Beyond, runs get storage_full.' },
];

function tokensToday({ tokens, made_at }: Overview): number {
  return tokens.filter(({ day }) => day === made_at.slice(0, 10))
    .reduce((sum, { input_tokens, output_tokens }) => sum + input_tokens + output_tokens, 0);
}

type Fields = Pick<Workspace, 'name' | 'model' | 'allowed_models' | 'instructions' | 'limits'>;

/** What the fields say, as the API takes it; what is empty is the service's own. */
function readForm(form: HTMLFormElement): Fields {
  const values = new FormData(form);
  const text = (name: string) => String(values.get(name) ?? '').trim();
  const models = text('allowed_models').split(/[\s,]+/).filter(Boolean);
  const limits = LIMITS.flatMap(({ name }) => (text(name) ? [[name, Number(text(name))]] : []));
  return {
    name: text('name'), model: text('model') || null,
    allowed_models: models.length > 0 ? models : null, instructions: text('instructions') || null,
    limits: Object.fromEntries(limits),
  };
}

/** Only what was changed, so that what others change meanwhile stays. */
function changesOf(form: Fields, before: Fields): UpdateWorkspaceRequest {
  const text = (value: unknown) => JSON.stringify(value && typeof value === 'object'
    && !Array.isArray(value) ? Object.entries(value).sort() : value);
  return Object.fromEntries(Object.entries(form).filter(([name, value]) =>
    text(value) !== text(before[name as keyof Fields])));
}

/** The API takes the limits as a whole: those that were not changed here stay as they are now. */
async function withLimitsOfNow(
  changes: UpdateWorkspaceRequest, { id, limits: before }: Workspace): Promise<typeof changes> {
  if (!changes.limits) return changes;
  const { data: now } = await getWorkspace({ path: { workspace_id: id }, throwOnError: true });
  const changed = LIMITS.map(({ name }) => [name, changes.limits?.[name]] as const)
    .filter(([name, limit]) => limit !== before[name]);
  return { ...changes, limits: { ...now.limits, ...Object.fromEntries(changed) } };
}

const forgetWorkspaces = () => readAgain('listWorkspaces', 'getWorkspace');

const EMPTY = { name: '', model: null, allowed_models: null, instructions: null, limits: {} };

function Form({ workspace, onClose }: { workspace: Workspace | null; onClose: () => void }) {
  const may_change = useMay('admin');
  const { error, is_busy, act } = useAct();
  const [is_changed, setChanged] = useState(false);
  const once = useOnce();
  // The fields stay those of the opening, also when the list is read again.
  const [opened] = useState(workspace);
  const { data: now } = useQuery({ enabled: workspace !== null,
    ...getOverviewOptions({ query: { workspace_id: workspace?.id ?? '', hours: 24 } }) });
  const perform = (change: () => Promise<unknown>, words: string) => act(async () => {
    await change();
    await forgetWorkspaces();
    toast(words);
  }, onClose);
  const update = async (body: UpdateWorkspaceRequest) => updateWorkspace({ throwOnError: true,
    path: { workspace_id: workspace!.id }, body: await withLimitsOfNow(body, opened!) });
  const changesIn = (form: HTMLFormElement) => changesOf(readForm(form), opened ?? EMPTY);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const [body, changes] = [readForm(event.currentTarget), changesIn(event.currentTarget)];
    if (workspace === null) {
      void perform(() => once(body, (asked) => createWorkspace(asked)), 'The workspace is made');
    } else if (Object.keys(changes).length === 0) onClose();
    else void perform(() => update(changes), 'The workspace is changed');
  };
  return (
    <Drawer is_firm={is_changed} is_busy={is_busy} onClose={onClose}
      title={workspace ? <Name>{workspace.name}</Name> : 'New workspace'}
      actions={may_change && (
        <Button look="main" type="submit" form="workspace" is_busy={is_busy}>
          {workspace ? 'Save changes' : 'Make workspace'}
        </Button>
      )}>
      <div className="flex flex-col gap-6">
        {workspace && (
          <p className="flex flex-wrap items-center gap-2">
            <StatusBadge status={workspace.status} />
            <CopyId id={workspace.id} of="workspace" />
            <Link to="/w/$workspace_id/overview" className="link"
              params={{ workspace_id: workspace.id }}>Go there</Link>
          </p>
        )}
        {!may_change && <p className="text-muted">Changes need the role admin.</p>}
        <form id="workspace" onSubmit={submit} onChange={({ currentTarget }) =>
          setChanged(Object.keys(changesIn(currentTarget)).length > 0)}>
          <fieldset disabled={!may_change} className="flex flex-col gap-6">
            <Defaults of={opened} error={error} />
            <Limits of={opened} now={now} error={error} />
            <FormError error={error} />
          </fieldset>
        </form>
        {workspace && may_change && (
          <Ending of={workspace} now={now}
            onStatus={(status) => update({ status }).then(forgetWorkspaces)} />
        )}
      </div>
    </Drawer>
  );
}

interface PartProps { of: Workspace | null; error: ApiError | null }

/** What is wrong with a field, also where the message is about a part of it. */
const faultOf = (error: ApiError | null, name: string) =>
  (error?.param?.split(/[./[]/).includes(name) ? error.message : null);

function Defaults({ of, error }: PartProps) {
  return (
    <div className="flex flex-col gap-4">
      <Field label="Name" error={faultOf(error, 'name')}>
        <Input name="name" required maxLength={200} autoComplete="off" autoFocus={!of}
          defaultValue={of?.name} />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Model" error={faultOf(error, 'model')}
          hint="Of runs that name none. Empty: the service’s.">
          <Input is_code name="model" maxLength={200}
            defaultValue={of?.model ?? ''} placeholder="openai/gpt-5" />
        </Field>
        <Field label="Allowed models" error={faultOf(error, 'allowed_models')}
          hint="With spaces between. Empty: all of the service.">
          <Input is_code name="allowed_models"
            defaultValue={of?.allowed_models?.join(' ') ?? ''} placeholder="openai/* rehearsal" />
        </Field>
      </div>
      <Field label="Instructions" error={faultOf(error, 'instructions')}
        hint="What every agent of the workspace is told, before its prompt.">
        <Textarea name="instructions" maxLength={32_768} rows={4}
          defaultValue={of?.instructions ?? ''} />
      </Field>
    </div>
  );
}

function Limits({ of, now, error }: PartProps & { now: Overview | undefined }) {
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">Limits and budgets</legend>
      <p className="mb-3 text-muted">Empty fields leave it to the service’s own limits.</p>
      <div className="grid gap-4 sm:grid-cols-2">
        {LIMITS.map(({ name, label, hint, used }) => {
          const stored = name === 'max_storage_bytes' ? of?.storage : undefined;
          const limit = stored?.limit_bytes ?? of?.limits[name];
          const count = stored?.bytes ?? (now && used?.(now));
          return (
            <div key={name} className="flex flex-col gap-1.5">
              <Field label={label} hint={hint} error={faultOf(error, name)}>
                <Input name={name} type="number" min={1} step={1} inputMode="numeric"
                  defaultValue={of?.limits[name]} />
              </Field>
              {count !== undefined && <Used {...{ label, count, limit }} />}
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}

function Ending({ of: { name, status }, now, onStatus }: {
  of: Workspace; now: Overview | undefined;
  onStatus: (status: Workspace['status']) => Promise<unknown>;
}) {
  const [is_asking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const open = now ? now.open_runs.queued + now.open_runs.running : 0;
  const is_archived = status === 'archived';
  const wanted = markedText(name); // Nobody can type what cannot be seen, only paste it.
  return (
    <section className="flex flex-col items-start gap-2 border-t border-line pt-4">
      <p>{is_archived ? 'Its keys are refused until it is active again. What has ended stays ended.'
        : 'Archived, it refuses its keys and runs nothing. It can be made active again.'}</p>
      <Button look={is_archived ? 'plain' : 'danger'} onClick={() => setAsking(true)}>
        {is_archived ? 'Make active again' : 'Archive workspace'}
      </Button>
      {is_asking && (
        <Confirm title={is_archived ? 'Make it active again?' : 'Archive it?'}
          action={is_archived ? 'Make active' : 'Archive'} onClose={() => setAsking(false)}
          is_ready={is_archived || markedText(typed) === wanted}
          onConfirm={() => onStatus(is_archived ? 'active' : 'archived')}>
          {is_archived ? <p>Its keys work again from then on.</p> : <>
              <p>{`All its keys are refused. ${open === 0 ? 'No run is open now.'
                : `${countText(open)} open ${open === 1 ? 'run is' : 'runs are'} cancelled.`}`}</p>
              <Field label={<>To confirm, type <b><Name>{wanted}</Name></b></>}>
                <Input value={typed} autoFocus onChange={({ target }) => setTyped(target.value)} />
              </Field>
          </>}
        </Confirm>
      )}
    </section>
  );
}
