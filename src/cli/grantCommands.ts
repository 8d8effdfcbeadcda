import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Act } from './act.ts';
import type { Schemas } from './client.ts';
import { EXIT } from './failure.ts';
import {
  openWorkplace, pointInTime, withAdminToken, workspaceOf, type ClientOptions,
} from './options.ts';
import { AS_ADMIN, minute, none } from './output.ts';
import { oneLine, safeText, table } from './terminal.ts';

interface AddOptions extends ClientOptions {
  actions: string;
  decision: Schemas['GrantDecision'];
  workspace?: string;
  key?: string;
  connection?: string;
  expires?: string;
}

interface OfWorkspace extends ClientOptions {
  workspace?: string;
}

/** `grants` and `approvals`: what a workspace may do. */
export function addGrantCommands(program: Command, act: Act): void {
  const grants = program.command('grants')
    .summary('allow, deny or require approval for actions')
    .description('Says what agents of a workspace may do, with the admin token.')
    .addHelpText('after', '\nExample:\n  gatehouse grants add --actions github.issues.*');
  withAdminToken(grants.command('add')
    .summary('add a grant')
    .description('Of the grants that match an action the most restrictive holds.')
    .requiredOption('--actions <pattern>', 'a name, or one with * such as github.issues.*',
      actionPattern)
    .addOption(new Option('--decision <decision>', 'what holds for them')
      .choices(['allow', 'require_approval', 'deny']).default('allow'))
    .option('--workspace <id>', 'the workspace; that of credentials.json if left out')
    .option('--key <id>', 'only for this api key')
    .option('--connection <id>', 'only for this connection')
    .option('--expires <time>', 'when it ceases to hold, ISO 8601', pointInTime))
    .addHelpText('after', '\nExample:\n  gatehouse grants add --actions github.issues.create'
      + ' --decision require_approval')
    .action(act(addGrant));
  withAdminToken(grants.command('list')
    .summary('list grants')
    .description('Lists grants, the newest first.')
    .option('--workspace <id>', 'only those of this workspace'))
    .addHelpText('after', '\nExample:\n  gatehouse grants list')
    .action(act(listGrants));
  withAdminToken(grants.command('remove')
    .summary('remove a grant')
    .description('Removes a grant; it no longer holds from the next call on.')
    .argument('<grant_id>', 'the grant'))
    .addHelpText('after', '\nExample:\n  gatehouse grants remove grt_01kagz51a1b3c5d7e9f1g3h5j7')
    .action(act(removeGrant));
  const approvals = program.command('approvals')
    .summary('list, approve and deny calls')
    .description('Lists and decides calls that wait for an approval, with the admin token.')
    .addHelpText('after', '\nExample:\n  gatehouse approvals list');
  withAdminToken(approvals.command('list')
    .summary('list calls that wait')
    .description('Lists calls that wait for an approval.')
    .option('--workspace <id>', 'only those of this workspace')
    .option('--all', 'also those that were decided'))
    .addHelpText('after', '\nExample:\n  gatehouse approvals list')
    .action(act(listApprovals));
  for (const decision of ['approve', 'deny'] as const) {
    withAdminToken(approvals.command(decision)
      .summary(decision === 'approve' ? 'let exactly this call through, once' : 'refuse this call')
      .description(decision === 'approve'
        ? 'Lets the next call that is exactly this one through.' : 'Refuses exactly this call.')
      .argument('<approval_id>', 'the approval')
      .option('--reason <text>', 'what the agent is told'))
      .addHelpText('after',
        `\nExample:\n  gatehouse approvals ${decision} apr_01kagz52a1b3c5d7e9f1g3h5j7`)
      .action(act((id: string, options: ClientOptions & { reason?: string }) =>
        decide(decision, id, options)));
  }
}

/** The service would say so with a regular expression. */
function actionPattern(text: string): string {
  if (/^([a-z0-9_-]+|\*)(\.([a-z0-9_-]+|\*))*$/.test(text)) return text;
  throw new InvalidArgumentError('It must be the name of an action, with * for any part:'
    + ' github.issues.create, github.issues.*, *.');
}

async function addGrant(options: AddOptions): Promise<number> {
  const { client, terminal, profile, again } = openWorkplace(options);
  const body: Schemas['CreateGrantRequest'] = {
    workspace_id: workspaceOf(options.workspace, profile, 'grant'),
    actions: options.actions, decision: options.decision,
    ...(options.key !== undefined && { api_key_id: options.key }),
    ...(options.connection !== undefined && { connection_id: options.connection }),
    ...(options.expires !== undefined && { expires_at: options.expires }),
  };
  const { id, matches } = await client.request<Schemas['Grant']>('POST', '/admin/grants',
    { ...AS_ADMIN, body });
  if (matches === 0) {
    terminal.err('It matches no action of today. Take it back with:'
      + ` ${again('grants', 'remove', id)}\n`);
  }
  terminal.out(`${id}\n`);
  return EXIT.ok;
}

async function listGrants(options: OfWorkspace): Promise<number> {
  const { client, terminal } = openWorkplace(options);
  const grants = await Array.fromAsync(
    client.list<Schemas['Grant']>('/admin/grants', { ...AS_ADMIN, query: queryOf(options) }));
  if (grants.length === 0) return none(terminal.err, 'grants');
  terminal.out(table(['ID', 'ACTIONS', 'DECISION', 'WORKSPACE', 'KEY', 'CONNECTION', 'EXPIRES'],
    grants.map((grant) => [grant.id, grant.actions, grant.decision, grant.workspace_id,
      grant.api_key_id ?? '-', grant.connection_id ?? '-', minute(grant.expires_at)]),
    terminal.style));
  return EXIT.ok;
}

async function removeGrant(id: string, options: ClientOptions): Promise<number> {
  const { client, terminal } = openWorkplace(options);
  await client.request('DELETE', `/admin/grants/${encodeURIComponent(id)}`, AS_ADMIN);
  terminal.out(`${id} is removed.\n`);
  return EXIT.ok;
}

async function listApprovals(options: OfWorkspace & { all?: boolean }): Promise<number> {
  const { client, terminal } = openWorkplace(options);
  const query = { ...queryOf(options), ...(options.all !== true && { status: 'pending' }) };
  const approvals = await Array.fromAsync(
    client.list<Schemas['Approval']>('/admin/approvals', { ...AS_ADMIN, query }));
  if (approvals.length === 0) return none(terminal.err, 'calls that wait for an approval');
  for (const { id, action, status, connection_id, run_id, input, expires_at } of approvals) {
    terminal.out(`${terminal.style('bold', id)} ${action} (${status}, until ${minute(expires_at)})`
      + `\n  connection ${connection_id}, run ${run_id ?? '-'}\n`
      + `  input ${safeText(JSON.stringify(input))}\n`);
  }
  return EXIT.ok;
}

async function decide(
  decision: 'approve' | 'deny', id: string,
  options: ClientOptions & { reason?: string }): Promise<number> {
  const { client, terminal } = openWorkplace(options);
  const body: Schemas['DecideApprovalRequest'] = {
    decision, ...(options.reason !== undefined && { reason: options.reason }),
  };
  const { action, status, expires_at } = await client.request<Schemas['Approval']>('POST',
    `/admin/approvals/${encodeURIComponent(id)}/decision`, { ...AS_ADMIN, body });
  const next = status === 'approved'
    ? ` The next call that is exactly this one goes through, until ${minute(expires_at)}.` : '';
  terminal.out(`${id} (${oneLine(action, 200)}) is ${status}.${next}\n`);
  return EXIT.ok;
}

function queryOf({ workspace }: OfWorkspace): Record<string, string> {
  return workspace === undefined ? {} : { workspace_id: workspace };
}
