import type { Schemas } from './client.ts';
import { adminCommand, FOR_WORKSPACE, group } from './command.ts';
import { argument, choice, flag, like, needed, pointInTime, withDefault } from './inputs.ts';
import {
  AS_JSON, linesTo, listCommand, minute, printJson, printList, remove, wholeList,
} from './output.ts';
import { moment, printFacts, showCommand } from './records.ts';
import { oneLine, safeText, type Terminal } from './terminal.ts';

const APPROVAL = argument('<approval_id>', 'the approval, or the beginning of its id');
const OF_WORKSPACE = flag('-w, --workspace <id>', 'only those of this workspace');

const addGrant = adminCommand('add', {
  summary: 'add a grant',
  description: 'Allows actions, has each call of them approved, or denies them. Of the grants that'
    + ' match an action the most restrictive holds.',
  inputs: {
    actions: needed(flag('--actions <pattern>', 'a name, or one with * such as github.issues.*',
      like(/^([a-z0-9_-]+|\*)(\.([a-z0-9_-]+|\*))*$/, 'It must be the name of an action, with *'
        + ' for any part: github.issues.create, github.issues.*, *.'))),
    decision: withDefault(choice('--decision <decision>', 'what holds for them',
      ['allow', 'require_approval', 'deny']), 'allow'),
    approval_scope: choice('--approval-scope <scope>',
      'who may use an approval: the api key that asked, or all of the workspace',
      ['api_key', 'workspace']),
    workspace_id: FOR_WORKSPACE,
    api_key_id: flag('--key <id>', 'only for this api key'),
    connection_id: flag('--connection <id>', 'only for this connection'),
    expires_at: flag('--expires <time>', 'when it ceases to hold, ISO 8601', pointInTime),
  },
  example: 'gatehouse grants add --actions github.issues.create --decision require_approval',
  async run({ client, terminal, workspaceFor, again }, { workspace_id, ...grant }) {
    const { id, matches } = await client.request('POST', '/admin/grants',
      { body: { ...grant, workspace_id: workspaceFor('grant', workspace_id) } });
    if (matches === 0) {
      terminal.err('It matches no action of today. Take it back with:'
        + ` ${again('grants', 'remove', id)}\n`);
    }
    terminal.out(`${id}\n`);
  },
});

const listGrants = listCommand('grants', '/admin/grants', {
  summary: 'list grants',
  description: 'Lists grants, the newest first.',
  inputs: { workspace_id: OF_WORKSPACE },
  nothing: 'grants',
  headings: ['ID', 'ACTIONS', 'DECISION', 'WORKSPACE', 'KEY', 'CONNECTION', 'EXPIRES'],
  row: (grant) => [grant.id, grant.actions, grant.approval_scope === 'workspace'
    ? `${grant.decision} (workspace)` : grant.decision, grant.workspace_id,
    grant.api_key_id ?? '-', grant.connection_id ?? '-', endOf(grant)],
});

/** One that holds no more stays in the list, and is told from those that do. */
function endOf({ expires_at }: Schemas['Grant']): string {
  const is_over = expires_at !== null && Date.parse(expires_at) <= Date.now();
  return `${minute(expires_at)}${is_over ? ' (expired)' : ''}`;
}

const removeGrant = adminCommand('remove', {
  summary: 'remove a grant',
  description: 'Removes a grant; it no longer holds from the next call on.',
  inputs: { id: argument('<grant_id>', 'the grant, or the beginning of its id') },
  example: 'gatehouse grants remove grt_01kagz51a1b3c5d7e9f1g3h5j7',
  run: (workplace, { id }) => remove(workplace, '/admin/grants/{grant_id}', id),
});

export const addGrantCommands = group('grants', {
  summary: 'allow, deny or require approval for actions',
  description: 'Says what agents of a workspace may do, with the admin token.',
  example: "gatehouse grants add --actions 'github.issues.*'",
}, [addGrant, listGrants, removeGrant]);

const listApprovals = adminCommand('list', {
  summary: 'list calls that wait',
  description: 'Lists calls that wait for an approval, or did, the newest first.',
  inputs: {
    workspace_id: OF_WORKSPACE,
    status: withDefault(choice('--status <status>', 'only those, or all',
      ['pending', 'approved', 'denied', 'used', 'expired', 'all']), 'pending'),
    json: AS_JSON,
  },
  example: 'gatehouse approvals list',
  async run({ client, terminal }, { workspace_id, status, json }) {
    await printList(terminal, await wholeList(client, '/admin/approvals',
      { workspace_id, status: status === 'all' ? undefined : status }), {
      nothing: status === 'pending' ? 'calls that wait for an approval' : 'such approvals',
      headings: ['ID', 'ACTION', 'STATUS', 'EXPIRES', 'CONNECTION', 'ASKED BY', 'FOR', 'INPUT'],
      row: (one) => [one.id, oneLine(one.action, 255), one.status, minute(one.expires_at),
        one.connection_id ?? '-', askerOf(one),
        one.scope === 'workspace' ? 'any key' : one.api_key_id ?? '-',
        // All of it: whoever decides has to see exactly what would be sent.
        safeText(JSON.stringify(one.input))],
    }, json);
  },
});

const showApproval = showCommand(adminCommand, '/admin/approvals/{approval_id}', {
  summary: 'show a call that waits, and what it would send',
  description: 'Shows a call that waits for an approval, or did: who asked for it, its input, and'
    + ' the request that would leave this service.',
  id: APPROVAL,
  example: 'gatehouse approvals show apr_01kagz52a1',
  print(workplace, found) {
    const { terminal, again } = workplace;
    const { id, status, reason, decided_at, request, connection_name, account_label } = found;
    printFacts(terminal, found.action, {
      id, does: found.action_title, effect: found.effect, status, reason,
      account: [connection_name, account_label].filter((one) => one !== null).join(', '),
      connection: found.connection_id, 'asked by': askerOf(found), 'may be used by': userOf(found),
      workspace: found.workspace_id, asked: moment(found.created_at),
      decided: decided_at && moment(decided_at), 'expires at': minute(found.expires_at),
    });
    const { out, style } = terminal;
    out(`\n${style('dim', 'Input')}\n`);
    printJson(terminal, found.input);
    if (request != null) {
      out(`\n${style('dim', 'What is sent, without the credentials of the account')}\n`);
      printRequest(terminal, request);
    }
    if (status !== 'pending') return;
    terminal.err(`Decide it with: ${again('approvals', 'approve', id)}\nor: ${
      again('approvals', 'deny', id)}\n`);
  },
});

/** All of it: whoever decides has to see exactly what would be sent. */
function printRequest({ out }: Terminal, request: Schemas['OutgoingRequest']): void {
  if (request.type === 'mcp_tool') {
    out(`${safeText(request.tool)} of ${safeText(request.server)}\n`);
    printJson({ out }, request.arguments);
    return;
  }
  const { method, url, headers, body, body_bytes } = request;
  out(`${safeText(method)} ${safeText(url)}\n`);
  for (const [name, value] of Object.entries(headers)) out(`${safeText(`${name}: ${value}`)}\n`);
  if (body !== null) out(`\n${safeText(body)}\n`);
  else if (body_bytes > 0) out(`\n(${body_bytes} bytes that are no text)\n`);
}

const approve = decisionCommand('approve', 'let exactly this call through, once',
  'Lets the next call that is exactly this one through.');
const deny = decisionCommand('deny', 'refuse this call', 'Refuses exactly this call.');

function decisionCommand(decision: 'approve' | 'deny', summary: string, description: string) {
  return adminCommand(decision, {
    summary, description,
    inputs: {
      id: APPROVAL,
      reason: flag('--reason <text>', 'what the agent is told'),
    },
    example: `gatehouse approvals ${decision} apr_01kagz52a1b3c5d7e9f1g3h5j7`,
    async run({ client, terminal }, { id, reason }) {
      const approval = await client.request('POST',
        '/admin/approvals/{approval_id}/decision', { id, body: { decision, reason } });
      const { action, status, expires_at } = approval;
      const next = status === 'approved' ? ' The next call that is exactly this one, by'
        + ` ${userOf(approval)}, goes through, until ${minute(expires_at)}.` : '';
      linesTo(terminal)(`${id} (${oneLine(action, 200)}) is ${status}.${next}\n`);
    },
  });
}

/** The run, or by what way the call came. Direct calls of applications only read. */
function askerOf({ run_id, effect }: Schemas['Approval']): string {
  return run_id ?? (effect === 'read' ? 'direct call or MCP client' : 'MCP client');
}

/** Who may make the call. */
function userOf({ scope, api_key_id }: Schemas['Approval']): string {
  return scope === 'workspace' ? 'any key of the workspace' : `the key ${api_key_id}`;
}

export const addApprovalCommands = group('approvals', {
  summary: 'list, show, approve and deny calls',
  description: 'Lists, shows and decides calls that wait for an approval, with the admin token.',
  example: 'gatehouse approvals list',
}, [listApprovals, showApproval, approve, deny]);
