/** The actions of an integration, as agents of the workspace see them; each with what it takes. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import { getActionOptions } from '#client/@tanstack/react-query.gen.ts';
import { listActions, searchActions } from '#client/sdk.gen.ts';
import type {
  Action, JsonSchema, ListActionsData, SearchActionsRequest, WholeAction,
} from '#client/types.gen.ts';
import { asApiError, isGone } from '../data/api.ts';
import { useCursorPages } from '../data/pages.ts';
import { useWorkspaceId } from '../data/session.ts';
import { NotRead } from '../frame/Boundary.tsx';
import { Sentence, useGrants } from '../frame/permission.tsx';
import { Badge } from '../kit/controls.tsx';
import { CutName, markedText, Name } from '../kit/exact.tsx';
import { addressWith, Filters, useFilters, type Filter } from '../kit/filters.tsx';
import { JsonView } from '../kit/JsonView.tsx';
import { Drawer } from '../kit/overlays.tsx';
import { Prose } from '../kit/Prose.tsx';
import { countText, EmptyState, ErrorNote, Tail } from '../kit/text.tsx';
import { VirtualTable, type Column } from '../kit/VirtualTable.tsx';
import { NextStep } from './Connections.tsx';
import { canMatch, covers, DecisionBadge } from './Grants.tsx';
import { EffectBadge, previewOptions, useConnections } from './parts.tsx';
import { fieldsOf, typeOfWhole, type SchemaField } from './source.ts';
import { TryAction } from './TryAction.tsx';

const FILTERS: readonly Filter[] = [
  { name: 'query', label: 'Search actions' },
  {
    name: 'effect', label: 'Effect',
    choices: [{ value: 'read', label: 'only read' }, { value: 'write', label: 'change data' }],
  },
];
const FOUND_LIMIT = 50;
const DENIED_SHOWN = 3;
const NONE = 'It may be offered to other workspaces only, or its source may name none.';
/** A longer description scrolls for itself, so that it does not hide what can be done. */
const LONG = 1_200;
type Listed = Pick<Action, 'name' | 'title' | 'effect'>;

const foundOptions = (body: SearchActionsRequest) => queryOptions({
  queryKey: [{ _id: 'searchActions', body }],
  queryFn: async ({ signal }) => (await searchActions({ body, signal, throwOnError: true })).data,
});

export function Actions({ slug, quarantined }: { slug: string; quarantined: number }) {
  const [{ query: words = '', effect = '', action }, change, open] = useFilters();
  const list = useCursorPages<ListActionsData['query'], Action>('listActions', listActions,
    useMemo(() => ({ integration: slug, read_only: readOnly(effect) }), [slug, effect]));
  const found = useQuery({
    ...foundOptions({
      query: words, integration: slug, limit: FOUND_LIMIT, read_only: readOnly(effect),
    }), enabled: words !== '', placeholderData: (before) => before,
  });
  const { data: own } = useConnections(slug);
  const is_unconnected = list.rows.length === 0 && !list.is_loading && !list.error && !effect
    && own?.some(({ status }) => status === 'connected') === false;
  const shown = words === '' ? list : {
    rows: found.data?.data ?? [], is_loading: found.isFetching, has_more: false,
    error: found.error && asApiError(found.error), onRetry: () => void found.refetch(),
  };
  if (is_unconnected && words === '') return <Unconnected slug={slug} />;
  return (
    <>
      <div className="pt-3"><Filters of={FILTERS} left={words === '' ? list
        : { ...shown, has_more: shown.rows.length === FOUND_LIMIT }} /></div>
      <Denied slug={slug} />
      <VirtualTable<Listed> {...shown} label="Actions" columns={COLUMNS}
        rowKey={({ name }) => name} onOpen={({ name }) => open({ action: name })}
        addressOf={({ name }) => addressWith({ action: name })}
        empty={<Nothing {...{ slug, quarantined }} />} />
      {action && <OneAction name={action} onClose={() => change({ action: undefined })} />}
    </>
  );
}

function Nothing({ slug, quarantined }: { slug: string; quarantined: number }) {
  const [{ query, effect }] = useFilters();
  const is_denied = useDenials(slug).length > 0;
  return (
    <EmptyState title={query || effect ? 'No action is like that' : 'No action is offered'}>
      {quarantined > 0 ? 'Quarantined actions are not offered; see Changes.'
        : query || effect ? 'Change the words or the effect.'
          : is_denied ? 'Grants deny all of them to every key.' : NONE}
    </EmptyState>
  );
}

/** The grants by which an action of the integration may be missing, though it counts it. */
function useDenials(slug: string) {
  return useGrants(({ actions, decision, api_key_id, connection_id }) => decision === 'deny'
    && api_key_id === null && connection_id === null && canMatch(actions, slug)).data ?? [];
}

function Denied({ slug }: { slug: string }) {
  const grants = useDenials(slug);
  if (grants.length === 0) return null;
  const more = grants.length - DENIED_SHOWN;
  return (
    <p className="px-4 pb-2 text-sm wrap-anywhere text-muted">
      Grants deny these to every key, so that they are not listed:{' '}
      <span className="font-mono">
        {grants.slice(0, DENIED_SHOWN).map(({ actions }) => actions).join(', ')}</span>
      {more > 0 && ` and ${countText(more)} more`}.{' '}
      <Link to="." search={{ tab: 'grants' } as never} className="link underline">
        See the grants</Link>
    </p>
  );
}

function readOnly(effect: string): boolean | undefined {
  return effect === '' ? undefined : effect === 'read';
}

const COLUMNS: readonly Column<Listed>[] = [
  {
    key: 'name', title: 'Action', width: 'minmax(14rem, 1fr)', card: 'head',
    cell: ({ name }) => <span className="flex min-w-0 font-mono text-sm"><Tail>{name}</Tail></span>,
  },
  {
    key: 'effect', title: 'Effect', width: '6.5rem', card: 'side',
    cell: ({ effect }) => <EffectBadge effect={effect} />,
  },
  {
    key: 'title', title: 'What it does', width: 'minmax(12rem, 1.4fr)',
    cell: ({ title }) => <CutName>{title}</CutName>,
  },
];

/** Names are all there is to see before an account is connected. */
function Unconnected({ slug }: { slug: string }) {
  const workspace_id = useWorkspaceId();
  const { data, error, isFetching, refetch } = useQuery(
    previewOptions({ workspace_id, actions: `${slug}.*` }));
  const rows = data?.actions ?? [];
  return (
    <>
      <div className="px-4 py-3">
        <NextStep slug={slug}>{data && data.matches > rows.length
          && ` The first ${rows.length} of ${countText(data.matches)} are shown.`}</NextStep>
      </div>
      <VirtualTable<Listed> label="Actions" columns={COLUMNS} rows={rows} is_loading={isFetching}
        rowKey={({ name }) => name} error={error && asApiError(error)}
        onRetry={() => void refetch()}
        empty={<EmptyState title="It has no actions for this workspace">{NONE}</EmptyState>} />
    </>
  );
}

function OneAction({ name, onClose }: { name: string; onClose: () => void }) {
  const { data: action, error, refetch } = useQuery(getActionOptions({ path: { action: name } }));
  const [is_unsent, setUnsent] = useState(false);
  return (
    <Drawer is_firm={is_unsent} onClose={onClose} title={<span className="font-mono">{name}</span>}
      says={action && <Name>{action.title}</Name>}>
      {action ? <Description key={action.name} {...{ action, setUnsent }} />
        : isGone(error) ? (
          <EmptyState title="There is no such action">
            It is gone, quarantined, or a grant denies it.
          </EmptyState>
        ) : <NotRead error={error} onRetry={() => void refetch()} />}
    </Drawer>
  );
}

function Description({ action, setUnsent }: {
  action: WholeAction; setUnsent: (is_unsent: boolean) => void;
}) {
  const { read_only, title, input_schema, output_schema } = action;
  const description = action.description === title ? '' : action.description;
  return (
    <div className="flex flex-col gap-5">
      <Permitted of={action} />
      {description.length > LONG ? (
        <div tabIndex={0} role="region" aria-label="Description"
          className="panel max-h-64 shrink-0 overflow-y-auto p-3"><Prose text={description} /></div>
      ) : description && <Prose text={description} />}
      <Part title="What it takes">
        <Schema schema={input_schema} label="Schema of the input" />
      </Part>
      {read_only && (
        <Part title="Try it"><TryAction action={action} onUnsent={setUnsent} /></Part>
      )}
      {output_schema && (
        <Part title="What it answers">
          <Schema schema={output_schema} label="Schema of the result" />
        </Part>
      )}
    </div>
  );
}

const PERMITTED = {
  allow: 'Agents may call it without asking: a grant allows it.',
  require_approval: 'Agents may call it once somebody approves the call: a grant asks for that.',
  deny: 'Agents may not call it: a grant denies it.',
};

/** What agents may do with an action by the grants of today, and which these are. */
function Permitted({ of: { name, effect, read_only } }: { of: WholeAction }) {
  // Of those for every key and connection the first one decides; others hold besides for the keys
  // and connections that they name.
  const { data: grants, error } = useGrants(({ actions }) => covers(actions, name));
  const for_all = grants?.find(({ api_key_id, connection_id }) =>
    api_key_id === null && connection_id === null);
  const has_others = grants?.some(({ api_key_id, connection_id }) =>
    api_key_id !== null || connection_id !== null);
  const says = for_all ? PERMITTED[for_all.decision]
    : read_only ? 'Agents may call it without a grant.' : 'Agents need a grant to call it.';
  return (
    <div className="flex flex-col gap-2">
      <p className="flex items-baseline gap-2">
        <EffectBadge effect={effect} />
        {grants && <span>{says}{has_others
          && ' For some keys or connections more is said; the strictest holds:'}</span>}
      </p>
      {error && <ErrorNote error={asApiError(error)} />}
      {grants && grants.length > 0 && (
        <ul aria-label="Grants that match it" className="panel divide-y divide-line">
          {grants.map((grant) => (
            <li key={grant.id} className="flex items-baseline gap-2 px-3 py-1.5">
              <DecisionBadge decision={grant.decision} />
              <span className="min-w-0 wrap-anywhere"><Sentence of={grant} /></span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-2 border-t border-line pt-4">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** A schema as a table of its fields, those first that have to be there; and as it stands. */
function Schema({ schema, label }: { schema: JsonSchema; label: string }) {
  const [fields, type] = useMemo(() => [fieldsOf(schema), typeOfWhole(schema)], [schema]);
  return (
    <>
      {fields.length > 0 && type.startsWith('list') && <p>A list. Each of its items has:</p>}
      {fields.length === 0 ? (
        <p className="text-muted">
          No fields are described{/^(object|anything)/.test(type) ? '.'
            : <>, only its type: <Name>{type}</Name>.</>}
        </p>
      ) : (
        <div className="panel"><Fields of={fields} label={label} /></div>
      )}
      <details className="min-w-0">
        <summary className="w-fit text-muted hover:text-text">As JSON</summary>
        <div className="pt-2"><JsonView value={schema} label={label} /></div>
      </details>
    </>
  );
}

/** Fields of one depth, each with a list of those within it. */
function Fields({ of, label }: { of: readonly SchemaField[]; label: string }) {
  const depth = of[0]!.path.length;
  const starts = of.flatMap(({ path }, at) => (path.length === depth ? [at] : []));
  return (
    <ul className="divide-y divide-line" aria-label={label}>
      {starts.map((start, at) => {
        const { path, type, is_required, description, limits } = of[start]!;
        const within = of.slice(start + 1, starts[at + 1]);
        const name = path.at(-1)!;
        return (
          <li key={name}>
            <div className="flex flex-col gap-0.5 py-1.5 pr-3"
              style={{ paddingLeft: 12 + (depth - 1) * 16 }}>
              <p className="flex flex-wrap items-baseline gap-x-2">
                <span className="font-mono text-sm font-semibold wrap-anywhere">
                  <Name>{name}</Name></span>
                <span className="text-sm wrap-anywhere text-muted"><Name>{type}</Name></span>
                {is_required && <Badge tone="accent">required</Badge>}
                {limits && (
                  <span className="text-sm wrap-anywhere text-muted"><Name>{limits}</Name></span>
                )}
              </p>
              {description && <p className="text-sm wrap-anywhere"><Name>{description}</Name></p>}
            </div>
            {within.length > 0 && (
              <div className="border-t border-line">
                <Fields of={within} label={`Fields of ${markedText(name)}`} />
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
