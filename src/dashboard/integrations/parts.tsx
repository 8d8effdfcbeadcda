/** What the pages of an integration are made of. */
import { queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { listConnections, previewGrant } from '#client/sdk.gen.ts';
import type {
  ActionInvocation, Connection, Integration, ListConnectionsData, Missing, PreviewGrantRequest,
} from '#client/types.gen.ts';
import { asApiError, type ApiError } from '../data/api.ts';
import { wholeOptions } from '../data/pages.ts';
import { useWorkspaceId } from '../data/session.ts';
import { ApprovalNote } from '../frame/permission.tsx';
import { Badge, Button, type Tone } from '../kit/controls.tsx';
import { markedText, Name } from '../kit/exact.tsx';
import { Field, Input, useSettled, type InputProps } from '../kit/fields.tsx';
import { JsonView } from '../kit/JsonView.tsx';
import { Code, countText, ErrorNote, Facts, Id, Tail, Warning } from '../kit/text.tsx';
import { durationText, Time } from '../kit/time.tsx';

const LOOK_MS = 2_000;

/** The accounts of the workspace, or of an integration there; read again while one is awaited. */
export function useConnections(integration?: string) {
  const workspace_id = useWorkspaceId();
  return useQuery({
    ...wholeOptions<ListConnectionsData['query'], Connection>('listConnections', listConnections,
      { workspace_id, ...(integration && { integration }) }),
    // Of very many no more pages are asked for in a second than of a few.
    refetchInterval: ({ state: { data } }) => (data?.some(({ status }) => status === 'pending')
      ? LOOK_MS * Math.ceil(data.length / 100) : false),
  });
}

/** That what is to be chosen from, or stands beside rows, cannot be read; and a way to read it. */
export function Unread({ what, of: { data, error, refetch } }: {
  what: string; of: Pick<UseQueryResult, 'data' | 'error' | 'refetch'>;
}) {
  if (data !== undefined || !error) return null;
  const { message, code, request_id } = asApiError(error);
  return <ErrorNote onRetry={() => void refetch()}
    error={{ message: `${what} cannot be read: ${message}`, code, request_id }} />;
}

export const Part = ({ title, children }: { title: string; children: ReactNode }) =>
  <section className="flex max-w-4xl flex-col gap-2"><h2>{title}</h2>{children}</section>;

export function Lines({ of }: { of: readonly (readonly [key: string, says: string])[] }) {
  if (of.length === 0) return null;
  return (
    <ul className="panel divide-y divide-line">
      {of.map(([key, says]) => (
        <li key={key} className="flex flex-wrap gap-x-3 px-3 py-1.5">
          <span className="font-mono text-sm wrap-anywhere"><Name>{key}</Name></span>
          <span className="text-muted wrap-anywhere"><Name>{says}</Name></span>
        </li>
      ))}
    </ul>
  );
}

/** What the source does not have any more, and the grants that then name nothing. */
export function LeftBehind({ vanished = [], vanished_total = 0, dangling_grants: dangling = [] }:
Integration['report']) {
  if (vanished_total === 0) return null;
  return (
    <Part title="Gone from the source">
      {vanished.some(({ restricted }) => restricted) && (
        <p>
          Something was denied, hidden or to be approved about some of them. They may be back under
          other names: what is new waits until you accept.
        </p>
      )}
      <Lines of={[...vanished.map(({ action, source_key, restricted }) =>
        [action, `${source_key}${restricted ? ', was restricted' : ''}`] as const),
      ...dangling.map(({ actions, decision }) =>
        [actions, `a grant (${decision}) that names nothing`] as const)]} />
      {vanished_total > vanished.length
        && <p>{`And ${countText(vanished_total - vanished.length)} more.`}</p>}
    </Part>
  );
}

/** A call that failed, with what the other system said: as a rule that tells what to mend. */
function Failure({ error }: { error: ApiError }) {
  const { upstream } = (error.details ?? {}) as { upstream?: unknown };
  return (
    <div className="flex flex-col gap-2">
      <ErrorNote error={error} />
      {upstream !== undefined && (
        <JsonView value={upstream} label="what the other system answered" height={240} />
      )}
    </div>
  );
}

/** What a call that was refused lacks, as the API lists it. */
export function missingOf({ details }: ApiError): Missing[] {
  const { missing } = (details ?? {}) as { missing?: unknown };
  return Array.isArray(missing) ? missing as Missing[] : [];
}

/** Where what is missing can be supplied. */
const REMEDIES: Readonly<Record<string, readonly [string, Record<string, string>]>> = {
  not_connected: ['Connect an account', { tab: 'connections', connect: 'new' }],
  needs_reconnect: ['See its connections', { tab: 'connections' }],
};

/** A call that was refused or failed: what is missing, and what to do about it. */
export function Refusal({ error }: { error: ApiError }) {
  const missing = missingOf(error);
  if (missing.length === 0) return <Failure error={error} />;
  return missing.map((gap) => {
    const { code, message } = gap;
    if (code === 'approval_required') return <ToApprove key={code} {...{ gap, error }} />;
    const [words, search] = REMEDIES[code] ?? [];
    return (
      <div key={code} className="flex flex-col gap-1.5">
        <ErrorNote error={{ message, code, request_id: error.request_id }} />
        {words && <Link to="." search={search as never} className="link">{words}</Link>}
      </div>
    );
  });
}

/** A call that waits for somebody, or that somebody has denied; with its way to the inbox. */
function ToApprove({ gap, error }: { gap: Missing; error: ApiError }) {
  const { approval_id, status, message } =
    gap as Missing & Record<'approval_id' | 'status', string>;
  return (
    <div className="flex flex-col gap-1.5">
      {status === 'denied' && <ErrorNote error={{ ...error, message, details: null }} />}
      <ApprovalNote approval_id={approval_id} by="self" />
    </div>
  );
}

/** What came of a call that was made. `onMore` asks for the next page. */
export function Answer({ of, is_busy, onMore }: {
  of: ActionInvocation; is_busy: boolean; onMore: (cursor: string) => void;
}) {
  const { invocation_id, duration_ms, truncated, result, page } = of;
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="flex flex-wrap items-center gap-2 text-muted">
        <Badge tone="good" mark="check">answered</Badge>{durationText(duration_ms)}
        <Id>{invocation_id}</Id>
        {truncated && <Badge tone="warn">cut to the size that is kept</Badge>}
      </p>
      <JsonView key={invocation_id} value={result} label="result" />
      {page && (
        <Button is_busy={is_busy} onClick={() => onMore(page.next_cursor)}>Next page</Button>
      )}
    </div>
  );
}

/** A message of the API, which names the member that allows an address: here there is a field. */
export function allowedBy(field: string, message: string): string {
  return message.replace(/The operator can allow it .*`egress_allow`\.$/, field);
}

/** The field of `egress_allow`. */
export function PrivateAddresses({ error, ...props }: InputProps & { error: string | undefined }) {
  return (
    <Field label="Private addresses it may call" error={error}
      hint="An address or a range, a colon and a port; commas between several.">
      <Input is_code {...props} placeholder="10.1.0.0/16:443" />
    </Field>
  );
}

/** Where an integration comes from, and what its calls are held to. */
export function Origin({
  slug, document_url, base_url, mcp, auth_methods, insecure_http, other_origins, new_actions,
  workspace_ids, updated_at, reach,
}: Integration & { reach: ReactNode }) {
  const none = <span className="text-muted">none</span>;
  return (
    <>
      <Facts of={[
        ...mcp ? [
          ['Server', mcp.url ?? [mcp.command, ...mcp.args ?? []].join(' ')] as const,
          ['Its word on what only reads', mcp.trust_hints ? 'is believed' : 'is not believed'],
        ] as const : [
          ['Document', document_url ?? 'a file that was handed over'],
          ['Called at', [base_url, ...other_origins].filter(Boolean).join(', ') || none],
        ] as const,
        ['Accounts connect by', auth_methods.join(', ') || none],
        ['Private addresses', reach],
        insecure_http && ['Credentials by plain http', 'allowed'],
        ['Actions that it adds later', new_actions === 'wait' ? 'wait until you accept them'
          : 'are offered at once'],
        ['Offered to', workspace_ids ? workspace_ids.join(', ') || none : 'every workspace'],
        ['Changed', <Time at={updated_at} as="local" />],
      ]} />
      <p className="pt-1 text-muted">What has no button here is changed by a command:</p>
      <Code copy>{`bin/gatehouse integrations update ${slug} --help`}</Code>
    </>
  );
}

const TONES: Readonly<Record<string, Tone>> = { read: 'good', write: 'warn', destructive: 'bad' };

/** What an action does to data: read, write, destructive. */
export function EffectBadge({ effect }: { effect: string }) {
  return <Badge tone={TONES[effect] ?? 'plain'}>{effect}</Badge>;
}

/** The actions of the workspace that a pattern matches, whether or not they can be called. */
export const previewOptions = (body: PreviewGrantRequest) => queryOptions({
  queryKey: [{ _id: 'previewGrant', body }],
  queryFn: async ({ signal }) => (await previewGrant({ body, signal, throwOnError: true })).data,
});

/** What the actions of a grant are named by. */
export const PATTERN = /^([a-z0-9_\-]+|\*)(\.([a-z0-9_\-]+|\*))*$/;
const TYPING_MS = 250;

/** What is known of the pattern, when whoever types it pauses. */
function usePreview(pattern: string) {
  const workspace_id = useWorkspaceId();
  const asked = useSettled(pattern, TYPING_MS);
  const is_pattern = PATTERN.test(asked);
  const { data, error } = useQuery({
    ...previewOptions({ workspace_id, actions: asked }), enabled: is_pattern,
    placeholderData: (before) => before,
  });
  return { asked, is_pattern, found: is_pattern ? data : undefined, error };
}

/** Warns of what the pattern lets agents do without being asked. */
export function Destructive({ pattern }: { pattern: string }) {
  const { found } = usePreview(pattern);
  const count = found?.effects.destructive ?? 0;
  if (count === 0) return null;
  return (
    <Warning>
      {`${countText(count)} of these ${count === 1 ? 'is' : 'are'} destructive: agents may remove`
        + ' or overwrite what nobody can bring back, and nobody is asked. Have somebody asked each'
        + ' time, or name only what agents need.'}
    </Warning>
  );
}

const SEARCH = 'gateway.actions.search';

/** That agents look for actions by one, which then waits for somebody, or is denied. */
export function Searches({ pattern, decision }: { pattern: string; decision: string }) {
  const { found } = usePreview(pattern);
  if (!found?.actions.some(({ name }) => name === SEARCH)) return null;
  return (
    <Warning>
      {decision === 'deny' ? `Agents find actions by ${SEARCH}, which this denies: they find none.`
        : `Agents find actions by ${SEARCH}, which this stops: each search waits for somebody.`}
    </Warning>
  );
}

/** Why it is no pattern. */
function faultOf(pattern: string): string {
  const [strange] = /[^a-z0-9_\-.*]/u.exec(pattern) ?? [];
  if (strange !== undefined) {
    const what = strange.trim() === '' ? 'a blank' : `“${markedText(strange)}”`;
    return `No action is named so: ${what} cannot stand there. Names are of small letters, digits,`
      + ' _ and -, with dots between their parts.';
  }
  return pattern.split('.').includes('') ? 'Something has to stand before and behind each dot.'
    : '* stands for a whole part of a name: nothing but a dot may stand beside it.';
}

/** What the pattern matches of what there is now. */
export function Preview({ pattern }: { pattern: string }) {
  const { asked, is_pattern, found, error } = usePreview(pattern);
  if (error) return <ErrorNote error={asApiError(error)} />;
  const { matches = 0, effects, actions = [] } = found ?? {};
  const counts = Object.entries(effects ?? {}).filter(([, count]) => count > 0)
    .map(([effect, count]) => `${countText(count)} ${effect}`).join(', ');
  return (
    <div className="flex flex-col gap-1.5">
      <p role="status">
        {asked === '' ? 'Type a name to see what it matches.' : !is_pattern ? faultOf(asked)
          : !effects ? '…' : matches === 0 ? 'It matches no action of today. Is it a misprint?'
            : `It matches ${countText(matches)}: ${counts}.${asked.includes('*')
              ? ' Those that are added later, too.' : ''}`}
      </p>
      <ul tabIndex={0} aria-label="Actions that it matches"
        className="panel h-36 overflow-y-auto py-1">
        {actions.map(({ name, effect }) => (
          <li key={name} className="flex items-center gap-2 px-3 py-0.5">
            <span className="flex min-w-0 grow font-mono text-sm"><Tail>{name}</Tail></span>
            <EffectBadge effect={effect} />
          </li>
        ))}
        {matches > actions.length && (
          <li className="px-3 text-muted">{`and ${countText(matches - actions.length)} more`}</li>
        )}
      </ul>
    </div>
  );
}
