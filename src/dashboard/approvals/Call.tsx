/**
 * The call that an approval is for: who asks, and what leaves, letter for letter. Who approves
 * decides about what is there, not about what it looks like.
 */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { getRunOptions } from '#client/@tanstack/react-query.gen.ts';
import { listApiKeys } from '#client/sdk.gen.ts';
import type { ApiKey, Approval, ListApiKeysData, OutgoingRequest } from '#client/types.gen.ts';
import { askedOf, askerOf, OWN_SLUGS } from '../data/calls.ts';
import { wholeOptions } from '../data/pages.ts';
import { useWorkspaceId } from '../data/session.ts';
import { Badge, CopyButton } from '../kit/controls.tsx';
import { Exact, Marked, marksIn } from '../kit/exact.tsx';
import { countText, Facts, Id, startOf, Warning } from '../kit/text.tsx';
import { Time } from '../kit/time.tsx';

const KEYS_MS = 60_000;

function integrationOf(action: string): string {
  return action.slice(0, action.indexOf('.'));
}

/** What to look at closely in these texts, in words; none if there is nothing. */
function warningsOf(texts: readonly string[], url: string | null): string[] {
  const { hidden, mixed } = marksIn(texts);
  const { hostname = '', username = '' } = url === null ? {} : new URL(url);
  return [
    hidden === 1 && 'One character cannot be seen; its code stands in its place.',
    hidden > 1
      && `${countText(hidden)} characters cannot be seen; their codes stand in their place.`,
    mixed === 1 && 'One word mixes letters of alphabets that look alike.',
    mixed > 1 && `${countText(mixed)} words mix letters of alphabets that look alike.`,
    /(^|\.)xn--/.test(hostname)
      && `The host ${hostname} is written in other letters, and may look like another one.`,
    username !== '' && `What stands before the @ is no host: the request goes to ${hostname}.`,
  ].filter((words) => words !== false);
}

function urlOf(text: string): string | null {
  return URL.canParse(text) ? text : null;
}

/** The exact request, or why there is none to see. */
export function Outgoing({ approval }: { approval: Approval }) {
  const { request, input, status, action, effect } = approval;
  if (request?.type === 'http') {
    return <HttpRequest request={request} is_keyed={effect !== 'read'} />;
  }
  if (request?.type === 'mcp_tool') return <ToolCall request={request} />;
  const is_over = status !== 'pending' && status !== 'approved';
  return (
    <>
      <p className="text-muted">
        {is_over ? 'This is over: the request itself is shown only while it can be sent. It was of'
          + ' this input.'
          : OWN_SLUGS.has(integrationOf(action)) ? 'Nothing leaves to another system: it is an'
            + ' action of Gatehouse itself, with this input.'
            : 'No request can be made of this input, or its kind is not known here: the call would'
              + ' fail.'}
      </p>
      <Warnings of={warningsOf([JSON.stringify(input)], null)} />
      <Exact text={JSON.stringify(input)} what="input" />
    </>
  );
}

type Http = Extract<OutgoingRequest, { type: 'http' }>;

function HttpRequest({ request: { method, url, headers, body, body_bytes }, is_keyed }: {
  request: Http; is_keyed: boolean;
}) {
  const listed = Object.entries(headers);
  return (
    <>
      <Warnings of={warningsOf([url, ...listed.flat(), body ?? ''], urlOf(url))} />
      <div className="panel flex items-start gap-2 p-2.5">
        <Badge tone={method === 'GET' || method === 'HEAD' ? 'plain' : 'warn'}>{method}</Badge>
        <p className="min-w-0 grow font-mono text-sm wrap-anywhere" dir="ltr"><Url>{url}</Url></p>
        <span className="-my-1.5"><CopyButton text={url} what="URL" /></span>
      </div>
      {listed.length > 0 && (
        <dl aria-label="Headers" className="panel grid grid-cols-[max-content_minmax(0,1fr)]
          gap-x-4 gap-y-1 p-2.5 font-mono text-sm max-sm:grid-cols-1">
          {listed.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="wrap-anywhere" dir="ltr"><Marked>{value}</Marked></dd>
            </div>
          ))}
        </dl>
      )}
      {body !== null ? <Exact text={body} what="body" />
        : (
          <p className="text-muted">
            {body_bytes === 0 ? 'It has no body.'
              : `Its body has ${countText(body_bytes)} bytes that are no text.`}
          </p>
        )}
      <p className="text-sm text-muted">
        As it leaves, the credentials of the connection{is_keyed && ' and an Idempotency-Key'} are
        added. They are not shown here.
      </p>
    </>
  );
}

type Tool = Extract<OutgoingRequest, { type: 'mcp_tool' }>;

function ToolCall({ request: { server, tool, arguments: given } }: { request: Tool }) {
  const text = JSON.stringify(given);
  return (
    <>
      <Warnings of={warningsOf([server, tool, text], urlOf(server))} />
      <dl className="panel grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 p-2.5">
        <dt className="text-muted">MCP server</dt>
        <dd className="font-mono text-sm wrap-anywhere" dir="ltr"><Url>{server}</Url></dd>
        <dt className="text-muted">Tool</dt>
        <dd className="font-mono text-sm wrap-anywhere" dir="ltr"><Marked>{tool}</Marked></dd>
      </dl>
      <Exact text={text} what="arguments" />
    </>
  );
}

/** The host stands out: it says who gets the request. What is no URL is a text. */
function Url({ children: text }: { children: string }) {
  const url = urlOf(text);
  const { host } = new URL(url ?? 'none:');
  const at = host === '' ? -1 : text.indexOf(host);
  if (at === -1) return <Marked>{text}</Marked>;
  return (
    <>
      <span className="text-muted"><Marked>{text.slice(0, at)}</Marked></span>
      <strong className="font-semibold"><Marked>{host}</Marked></strong>
      <Marked>{text.slice(at + host.length)}</Marked>
    </>
  );
}

function Warnings({ of }: { of: readonly string[] }) {
  if (of.length === 0) return null;
  return (
    <Warning role="note">
      <ul>{of.map((words) => <li key={words} className="wrap-anywhere">{words}</li>)}</ul>
    </Warning>
  );
}

/** Who asks for it, why, as whom, and for how long. */
export function WhoAsked({ approval }: { approval: Approval }) {
  const workspace_id = useWorkspaceId();
  const {
    id, run_id, connection_name, connection_id, account_label, created_at, expires_at, scope,
    action,
  } = approval;
  const { data: run } = useQuery(
    { ...getRunOptions({ path: { run_id: run_id ?? '' } }), enabled: run_id !== null });
  const prompt = run && askedOf(run.input);
  const integration = integrationOf(action);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <h3 className="font-semibold">Who asks</h3>
      <Facts of={[
        ['Asked by', (
          <>
            {run_id === null ? askerOf(approval).replace('a', 'A') : (
              <Link to="/w/$workspace_id/runs/$run_id" params={{ workspace_id, run_id }}
                className="link underline">An agent’s run</Link>
            )}
            {run && ' in '}
            {run && (
              <Link to="/w/$workspace_id/sessions/$session_id" className="link underline"
                params={{ workspace_id, session_id: run.session_id }}>a session</Link>
            )}
            {', with '}<KeyName approval={approval} />
          </>
        )],
        prompt ? ['It was told', (
          <span className="line-clamp-4 whitespace-pre-wrap"><Marked>
            {startOf(prompt, 1_000)}
          </Marked></span>
        )] : false,
        ['Connection', OWN_SLUGS.has(integration) ? 'None: it is Gatehouse itself' : (
          <>
            <Link to="/w/$workspace_id/integrations/$slug" className="link underline"
              params={{ workspace_id, slug: integration }}>{integration}</Link>{': '}
            {connection_name === null ? <>{connection_id} (it was removed)</>
              : <Marked>{connection_name}</Marked>}
            {account_label && <>, the account <Marked>{account_label}</Marked></>}
          </>
        )],
        ['May be used by', scope === 'workspace' ? 'Any api key of this workspace, once'
          : 'That api key alone, once'],
        ['Asked', <><Time at={created_at} as="local" /> · <Time at={created_at} /></>],
        ['Ends', <><Time at={expires_at} as="local" /> · <Time at={expires_at} /></>],
        ['Log', (
          <Link to="/w/$workspace_id/audit" params={{ workspace_id }} className="link"
            search={{ target: id } as never}>What the audit log has of it</Link>
        )],
      ]} />
    </div>
  );
}

/** One look through all keys serves one approval after the other. */
export function keysOptions(workspace_id: string) {
  return { ...wholeOptions<ListApiKeysData['query'], ApiKey>(
    'listApiKeys', listApiKeys, { workspace_id }), staleTime: KEYS_MS };
}

/** The key that asked, by its name if it is known. */
function KeyName({ approval: { api_key_id } }: { approval: Approval }) {
  const workspace_id = useWorkspaceId();
  const { data: keys, refetch } = useQuery(
    { ...keysOptions(workspace_id), enabled: api_key_id !== null });
  const key = keys?.find(({ id }) => id === api_key_id);
  const is_newer = keys !== undefined && key === undefined && api_key_id !== null;
  useEffect(() => {
    if (is_newer) void refetch();
  }, [is_newer, api_key_id, refetch]);
  if (api_key_id === null) return 'a key that is not known any more';
  if (key?.dashboard) return 'this dashboard’s key';
  return key ? <>the api key <strong><Marked>{key.name}</Marked></strong></>
    : <>the api key <Id>{api_key_id}</Id></>;
}
