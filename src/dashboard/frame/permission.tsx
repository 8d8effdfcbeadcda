/** What lets a call through: how an approval of it stands, and what grants say, as sentences. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  getApprovalOptions, getConnectionOptions,
} from '#client/@tanstack/react-query.gen.ts';
import { listApiKeys, listGrants } from '#client/sdk.gen.ts';
import type { ApiKey, Grant, ListApiKeysData, ListGrantsData } from '#client/types.gen.ts';
import { wholeOptions } from '../data/pages.ts';
import { useWorkspaceId } from '../data/session.ts';
import { StatusBadge } from '../kit/controls.tsx';
import { Name } from '../kit/exact.tsx';
import { serviceNow, Time } from '../kit/time.tsx';

const POLL_MS = 5_000;
/** What comes of the call, by the approval's status: an agent's, and one's own. */
const SAYS: Readonly<Record<string, Readonly<Record<'agent' | 'self', string>>>> = {
  pending: {
    agent: 'It is made once a person has approved it and the agent asks again.',
    self: 'Once somebody has approved it, call it again, exactly as it is.',
  },
  approved: {
    agent: 'It is made when the agent asks again, with the same input.',
    self: 'Call it again, exactly as it is.',
  },
  denied: { agent: 'It is not made.', self: 'It is not made.' },
  expired: {
    agent: 'It is not made: the agent may ask again.', self: 'It is not made: you may ask again.',
  },
  used: { agent: 'It was made by a later call.', self: 'It was made by a later call.' },
};

/** How the approval stands that a call asked for, and the way to it. `by`: who calls. */
export function ApprovalNote({ approval_id, by = 'agent' }: {
  approval_id: string; by?: 'agent' | 'self';
}) {
  const workspace_id = useWorkspaceId();
  const { data } = useQuery({
    ...getApprovalOptions({ path: { approval_id } }),
    // Until it has ended: an approved one may be used.
    refetchInterval: ({ state: { data } }) =>
      (data && ['pending', 'approved'].includes(data.status) ? POLL_MS : false),
  });
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg
      bg-warn-soft p-3">
      {data && <StatusBadge status={data.status} />}
      {data && <p className="min-w-0">{SAYS[data.status]?.[by]}</p>}
      <Link to="/w/$workspace_id/approvals/$approval_id" className="link ml-auto"
        params={{ workspace_id, approval_id }}>Open the approval</Link>
    </div>
  );
}

/** Whether a grant holds no more: it stays in the list until somebody deletes it. */
export function isOver({ expires_at }: Pick<Grant, 'expires_at'>): boolean {
  return expires_at !== null && Date.parse(expires_at) <= serviceNow();
}

const STRICTNESS: readonly Grant['decision'][] = ['allow', 'require_approval', 'deny'];

/** The grants of the workspace that hold now, the strictest first, for that one decides. */
export function useGrants(isWanted: (grant: Grant) => boolean) {
  const workspace_id = useWorkspaceId();
  return useQuery({
    ...wholeOptions<ListGrantsData['query'], Grant>('listGrants', listGrants, { workspace_id }),
    select: (grants) => grants.filter((grant) => isWanted(grant) && !isOver(grant))
      .toSorted((a, b) => STRICTNESS.indexOf(b.decision) - STRICTNESS.indexOf(a.decision)),
  });
}

/** What a sentence says of a grant, which may not be made yet. */
export type Said = Pick<Grant,
  'api_key_id' | 'actions' | 'decision' | 'approval_scope' | 'connection_id' | 'expires_at'>;

/** All keys of the workspace. */
export function useKeys(enabled = true) {
  const workspace_id = useWorkspaceId();
  return useQuery({ enabled, ...wholeOptions<ListApiKeysData['query'], ApiKey>(
    'listApiKeys', listApiKeys, { workspace_id }) });
}

/** The words of a grant's sentence, but for its names and its pattern. */
function wordsOf({ api_key_id, decision, approval_scope }: Said): [string, string, string] {
  const is_denial = decision === 'deny';
  return [
    api_key_id !== null ? 'The key' : is_denial ? 'No key' : 'Every key',
    is_denial && api_key_id !== null ? 'may not call' : 'may call',
    is_denial ? '' : decision === 'allow' ? 'without asking' : approval_scope === 'workspace'
      ? 'once somebody approves the call, for whichever key' : 'once somebody approves the call',
  ];
}

type Named = readonly { id: string; name: string }[] | undefined;

/** The sentence of a grant as a text, by which it is found. */
export function sentenceOf(grant: Said, keys: Named, connections: Named): string {
  const quoted = (id: string | null, among: Named) =>
    (id === null ? '' : `“${among?.find((one) => one.id === id)?.name ?? id}”`);
  const [who, may, ends] = wordsOf(grant);
  return [who, quoted(grant.api_key_id, keys), may, grant.actions, ends,
    grant.connection_id && 'with the connection', quoted(grant.connection_id, connections),
  ].filter(Boolean).join(' ');
}

/**
 * What a grant says: every key may call `pets.*` without asking with the connection “shop”, until …
 * `key_name`: of the key that it names, where that is known.
 */
export function Sentence({ of, key_name }: { of: Said; key_name?: string }) {
  const { api_key_id, actions, connection_id, expires_at } = of;
  const { data: keys } = useKeys(api_key_id !== null && key_name === undefined);
  const { data: connected } = useQuery({ enabled: connection_id !== null,
    ...getConnectionOptions({ path: { connection_id: connection_id ?? '' } }) });
  const key = api_key_id === null ? null
    : key_name ?? keys?.find(({ id }) => id === api_key_id)?.name ?? api_key_id;
  const connection = connected?.name ?? connection_id;
  const pattern = <code className="font-mono text-sm font-semibold">{actions || '…'}</code>;
  const [who, may, ends] = wordsOf(of);
  return (
    <>
      {who}{key !== null && <> “<Name>{key}</Name>”</>}{` ${may} `}{pattern}{ends && ` ${ends}`}
      {connection !== null && <> with the connection “<Name>{connection}</Name>”</>}
      {expires_at && <>, until <Time at={expires_at} as="local" /></>}
    </>
  );
}
