/** What keys of the workspace may do beyond reading, or may not do, as sentences. */
import { useMemo, useState } from 'react';
import { createGrant, deleteGrant, listGrants } from '#client/sdk.gen.ts';
import type { Grant } from '#client/types.gen.ts';
import { ended, readAgain, useAct, useOnce } from '../data/api.ts';
import { useCursorPages } from '../data/pages.ts';
import { useMay, useNeed, useWorkspaceId } from '../data/session.ts';
import { isOver, Sentence, sentenceOf, useKeys, type Said } from '../frame/permission.tsx';
import { Badge, Button, StatusBadge, type Mark, type Tone } from '../kit/controls.tsx';
import { markedText } from '../kit/exact.tsx';
import { Field, Input, Select } from '../kit/fields.tsx';
import { Filters, useFilters, utcInstant } from '../kit/filters.tsx';
import { Confirm, Dialog, FormDialog, toast } from '../kit/overlays.tsx';
import { EmptyState, holdsWords, PageHead } from '../kit/text.tsx';
import { Time, timeColumn } from '../kit/time.tsx';
import { VirtualTable, type Column } from '../kit/VirtualTable.tsx';
import { Destructive, PATTERN, Preview, Searches, Unread, useConnections } from './parts.tsx';

type Decision = Grant['decision'];

/** The page of all grants of the workspace; the tab of an integration shows a part of it. */
export default function Grants() {
  return (
    <>
      <PageHead title="Grants"><AddGrant /></PageHead>
      <GrantList />
    </>
  );
}

function AddGrant() {
  const [, change] = useFilters();
  return (
    <Button look="main" icon="plus" {...useNeed('admin')}
      onClick={() => change({ grant: 'new' })}>Add grant</Button>
  );
}

/** Whether a pattern can match actions of this integration. */
export function canMatch(pattern: string, slug: string): boolean {
  return [slug, '*'].includes(pattern.split('.')[0]!);
}

/** Whether a pattern matches the name: `*` is one part of it, and at the end any number of them. */
export function covers(pattern: string, name: string): boolean {
  const [wanted, parts] = [pattern.split('.'), name.split('.')];
  return (wanted.at(-1) === '*' ? parts.length >= wanted.length : parts.length === wanted.length)
    && wanted.every((one, at) => one === '*' || one === parts[at]);
}

const FILTERS = [{ name: 'name', label: 'Search', placeholder: 'An action, or words' }];

/** `slug`: only those whose pattern can match actions of this integration. */
export function GrantList({ slug }: { slug?: string }) {
  const workspace_id = useWorkspaceId();
  const may = useMay('admin');
  const [{ grant, pattern, name = '' }, change] = useFilters();
  const query = useMemo(() => ({ workspace_id }), [workspace_id]);
  const list = useCursorPages('listGrants', listGrants, query);
  const all = useMemo(() => list.rows.filter(({ actions }) =>
    slug === undefined || canMatch(actions, slug)), [list.rows, slug]);
  const { data: keys } = useKeys();
  const { data: connections } = useConnections();
  const rows = useMemo(() => all.filter((one) => covers(one.actions, name)
    || holdsWords(`${LOOKS[one.decision][0]} ${sentenceOf(one, keys, connections)}`, name)),
  [all, name, keys, connections]);
  const [ending, setEnding] = useState<Grant | null>(null);
  const [opened, setOpened] = useState<Grant | null>(null);
  return (
    <>
      {(all.length > 0 || name) && (
        <div className={`flex flex-wrap items-end ${slug ? 'pt-3' : ''}`}>
          <div className="grow max-sm:w-full">
            <Filters of={FILTERS} left={{ ...list, rows }} /></div>
          {slug && <div className="ml-auto px-4 pb-3"><AddGrant /></div>}
        </div>
      )}
      <VirtualTable {...list} rows={rows} label="Grants" rowKey={({ id }) => id}
        columns={columnsOf(setEnding)} onOpen={setOpened} empty={name
          ? <EmptyState title="No grant is like that" /> : (
            <EmptyState title="No grants yet" action={<AddGrant />}
              command={`bin/gatehouse grants add --actions '${slug ?? 'tickets'}.*' \\
  --workspace ${workspace_id}`}>
              Without any, agents read and nothing else. Say here, or by this command, what they may
              do besides:
            </EmptyState>
          )} />
      {may && grant && (
        <NewGrant pattern={pattern ?? (slug ? `${slug}.*` : '')}
          onClose={() => change({ grant: undefined, pattern: undefined })} />
      )}
      {opened && <Particulars of={opened} onClose={() => setOpened(null)} />}
      {ending && <Deletion of={ending} onClose={() => setEnding(null)} />}
    </>
  );
}

/** What Enter on a row opens: the whole sentence, and what can be done about it. */
function Particulars({ of, onClose }: { of: Grant; onClose: () => void }) {
  const [is_ending, setEnding] = useState(false);
  return (
    <Dialog title="Grant" onClose={onClose} actions={(
      <Button look="danger" {...useNeed('admin')} onClick={() => setEnding(true)}>
        Delete grant</Button>
    )}>
      <p className="wrap-anywhere"><Sentence of={of} /></p>
      <p className="pt-3 text-muted">Added <Time at={of.created_at} as="local" /></p>
      {is_ending && <Deletion of={of} onClose={() => setEnding(false)} onEnded={onClose} />}
    </Dialog>
  );
}

interface DeletionProps { of: Grant; onClose: () => void; onEnded?: () => void }

function Deletion({ of, onClose, onEnded }: DeletionProps) {
  return (
    <Confirm title="Delete this grant?" action="Delete grant" onClose={onClose} ends_opener
      onConfirm={async () => {
        await ended(deleteGrant({ path: { grant_id: of.id }, throwOnError: true }));
        await readAgain('listGrants');
        onEnded?.();
      }}>
      <p><Sentence of={of} /></p>
      <p>{ENDS[of.decision]}</p>
    </Confirm>
  );
}

const ENDS: Readonly<Record<Decision, string>> = {
  allow: 'From the next call on, agents may do what only reads, or what another grant allows.',
  require_approval: 'From the next call on, nobody is asked any more: what only reads is allowed,'
    + ' and the rest is not, unless another grant says so.',
  deny: 'From the next call on, what it denied exists again: reading is allowed, and what another'
    + ' grant allows.',
};

const LOOKS: Readonly<Record<Decision, readonly [string, Tone, Mark]>> = {
  allow: ['allow', 'good', 'check'], require_approval: ['ask', 'warn', 'wait'],
  deny: ['deny', 'bad', 'cross'],
};

/** What a grant decides: allow, ask, deny. */
export function DecisionBadge({ decision }: { decision: Decision }) {
  const [words, tone, mark] = LOOKS[decision];
  return <Badge tone={tone} mark={mark}>{words}</Badge>;
}

function columnsOf(onEnd: (grant: Grant) => void): readonly Column<Grant>[] {
  return [
    {
      key: 'decision', title: 'Decision', width: '5rem',
      cell: (grant) => (isOver(grant) ? <StatusBadge status="expired" />
        : <DecisionBadge decision={grant.decision} />),
    },
    {
      key: 'sentence', title: 'What holds', width: 'minmax(18rem, 1fr)', card: 'head',
      cell: (grant) => (
        <span className="truncate group-data-cards/table:wrap-anywhere
          group-data-cards/table:whitespace-normal"
          onPointerEnter={({ currentTarget: it }) => it.title = it.textContent}>
          <Sentence of={grant} /></span>
      ),
    },
    timeColumn('created_at', 'Added', '6rem'),
    {
      key: 'end', title: 'Delete', width: '5.5rem', card: 'side',
      cell: (grant) => <End {...{ grant, onEnd }} />,
    },
  ];
}

function End({ grant, onEnd }: { grant: Grant; onEnd: (grant: Grant) => void }) {
  return (
    // Its words stand below the heading, not its edge. By keyboard it is in what Enter opens.
    <span className="-ml-3.25 group-data-cards/table:ml-0">
      <Button look="quiet" {...useNeed('admin')} tabIndex={-1}
        aria-label={`Delete the grant for ${grant.actions}`}
        onClick={() => onEnd(grant)}>Delete</Button>
    </span>
  );
}

const DECISIONS = [
  { value: 'require_approval', label: 'Ask somebody each time' },
  { value: 'allow', label: 'Allow without asking' },
  { value: 'deny', label: 'Deny: it does not exist' },
];
const SCOPES = [
  { value: 'api_key', label: 'The key that asked for it' },
  { value: 'workspace', label: 'Every key of the workspace' },
];

function NewGrant({ pattern, onClose }: { pattern: string; onClose: () => void }) {
  const workspace_id = useWorkspaceId();
  const [said, setSaid] = useState<Said>({ api_key_id: null, actions: pattern,
    decision: 'require_approval', approval_scope: 'api_key', connection_id: null,
    expires_at: null });
  const { is_busy, act, errorAt, errorBut } = useAct();
  const once = useOnce();
  const set = (changes: Partial<Said>) => setSaid({ ...said, ...changes });
  const add = () => {
    const { api_key_id, connection_id, decision, approval_scope, ...rest } = said;
    void act(async () => {
      await once({
        workspace_id, decision, ...rest, ...(api_key_id && { api_key_id }),
        ...(connection_id && { connection_id }),
        ...(decision === 'require_approval' && { approval_scope }),
      }, (asked) => createGrant(asked));
      await readAgain('listGrants');
      toast('The grant holds from the next call on');
    }, onClose);
  };
  return (
    <FormDialog {...{ is_busy, onClose }} title="Add grant" action="Add grant" onSubmit={add}
      says="Of several that match, the strictest holds: deny, then ask, then allow."
      error={errorBut('/actions', '/expires_at')}>
      <Field label="Actions" error={errorAt('/actions')}
        hint="A name; * stands for one part, and at the end for any number of them.">
        <Input is_code name="actions" value={said.actions} required autoFocus
          placeholder="pets.pets.*" maxLength={255}
          title="Lower-case names, dots and stars" pattern={PATTERN.source.slice(1, -1)}
          onChange={({ target }) => set({ actions: target.value })} />
      </Field>
      <Preview pattern={said.actions} />
      <Conditions of={said} error={errorAt('/expires_at')} onChange={set} />
      {said.decision === 'allow' ? <Destructive pattern={said.actions} />
        : <Searches pattern={said.actions} decision={said.decision} />}
      <p className="rounded-md bg-raised px-3 py-2 wrap-anywhere"><Sentence of={said} /></p>
    </FormDialog>
  );
}

/** For whom, with what, how long, and whether somebody is asked. */
function Conditions({ of: said, error, onChange: set }: {
  of: Said; error: string | undefined; onChange: (changes: Partial<Said>) => void;
}) {
  const keys = useKeys();
  const connections = useConnections();
  const named = ({ id, name }: { id: string; name: string }) => ({
    value: id, label: markedText(name) });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <div className="flex flex-col gap-2 empty:hidden sm:col-span-2">
        <Unread what="The keys to choose from" of={keys} />
        <Unread what="The connections to choose from" of={connections} />
      </div>
      <Field label="Decision">
        <Select name="decision" value={said.decision} choices={DECISIONS}
          onChange={({ target }) => set({ decision: target.value as Decision })} />
      </Field>
      {said.decision === 'require_approval' && (
        <Field label="Who may use an approval">
          <Select name="approval_scope" value={said.approval_scope} choices={SCOPES}
            onChange={({ target }) =>
              set({ approval_scope: target.value as Said['approval_scope'] })} />
        </Field>
      )}
      <Field label="Key">
        <Select name="api_key_id" value={said.api_key_id ?? ''}
          onChange={({ target }) => set({ api_key_id: target.value || null })}
          choices={[{ value: '', label: 'Every key' }, ...(keys.data ?? [])
            .filter(({ status }) => status === 'active').map(named)]} />
      </Field>
      <Field label="Connection">
        <Select name="connection_id" value={said.connection_id ?? ''}
          onChange={({ target }) => set({ connection_id: target.value || null })}
          choices={[{ value: '', label: 'Every connection' },
            ...(connections.data ?? []).map(named)]} />
      </Field>
      <Field label="Until" hint="Left empty, it holds until it is deleted."
        error={error}>
        <Input name="expires_at" type="datetime-local" onChange={({ target }) => set({
          expires_at: utcInstant(target.value) || null })} />
      </Field>
    </div>
  );
}
