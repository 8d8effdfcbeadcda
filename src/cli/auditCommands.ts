import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Act } from './act.ts';
import type { Client, Schemas } from './client.ts';
import { EXIT } from './failure.ts';
import { openWorkplace, wholeNumber, withAdminToken, type ClientOptions } from './options.ts';
import { AS_ADMIN, none } from './output.ts';
import { oneLine, safeText, type Style } from './terminal.ts';

interface TailOptions extends ClientOptions {
  lines: number;
  workspace?: string;
  event?: string;
  target?: string;
  follow?: boolean;
  json?: boolean;
}

const FOLLOW_MS = 1_000;

/** `audit`: who did what. */
export function addAuditCommands(program: Command, act: Act): void {
  const audit = program.command('audit')
    .summary('show and verify the audit log')
    .description('Shows and verifies the audit log, with the admin token.')
    .addHelpText('after', '\nExample:\n  gatehouse audit tail');
  withAdminToken(audit.command('tail')
    .summary('show the latest entries')
    .description('Shows the latest entries of the audit log, the newest last.')
    .option('--lines <number>', 'how many', wholeNumber(1, 10_000), 20)
    .option('--workspace <id>', 'only those of this workspace')
    .option('--event <kind>', 'only this kind, such as grant.created')
    .option('--target <id or name>', 'only those about this')
    .option('--follow', 'go on as they come, until Ctrl-C')
    .option('--json', 'print the entries as lines of JSON'))
    .addHelpText('after', '\nExample:\n  gatehouse audit tail --lines 50')
    .action(act(tail));
  withAdminToken(audit.command('verify')
    .summary('check that nothing was changed or removed')
    .description('Walks the chain of hashes, and names the first entry that does not fit.'))
    .addHelpText('after', '\nExit codes: 0 whole, 1 broken.\n\nExample:\n  gatehouse audit verify')
    .action(act(verify));
}

async function tail(options: TailOptions): Promise<number> {
  const { client, terminal } = openWorkplace(options);
  const { workspace, event, target } = options;
  const query: Record<string, string> = {
    ...(workspace !== undefined && { workspace_id: workspace }),
    ...(event !== undefined && { event }), ...(target !== undefined && { target }),
  };
  let last = 0;
  let { lines } = options;
  for (;;) {
    const entries = await latest(client, query, { lines, after: last });
    for (const entry of entries) {
      terminal.out(options.json ? `${JSON.stringify(entry)}\n` : lineOf(entry, terminal.style));
      last = entry.sequence_number;
    }
    if (!options.follow) return entries.length === 0 ? none(terminal.err, 'entries') : EXIT.ok;
    lines = Infinity; // of what is new, everything
    await delay(FOLLOW_MS);
  }
}

/** The latest entries after a number, oldest first. */
async function latest(
  client: Client, query: Record<string, string>, { lines, after }: { lines: number; after: number },
): Promise<Schemas['AuditEntry'][]> {
  const found: Schemas['AuditEntry'][] = [];
  for await (const entry of client.list<Schemas['AuditEntry']>('/admin/audit_entries',
    { ...AS_ADMIN, query })) {
    if (found.length === lines || entry.sequence_number <= after) break;
    found.push(entry);
  }
  return found.reverse();
}

function lineOf(entry: Schemas['AuditEntry'], style: Style): string {
  const { sequence_number, created_at, actor, event, target, outcome, reason } = entry;
  const who = actor.id === null ? actor.type : `${actor.type} ${actor.id}`;
  const what = outcome === 'ok' ? outcome : style('red', outcome);
  return `${sequence_number}  ${created_at}  ${event}  ${safeText(target ?? '-')}  ${what}  by`
    + ` ${who}${reason === null ? '' : `: ${oneLine(reason, 120)}`}\n`;
}

async function verify(options: ClientOptions): Promise<number> {
  const { client, terminal } = openWorkplace(options);
  const { ok, entries, head, first_broken } = await client.request<
    Schemas['AuditLogVerification']>('GET', '/admin/audit_log/verification', AS_ADMIN);
  const last = head === null ? '' : `, the last hash is ${head}`;
  terminal.out(ok ? `The audit log is whole: ${entries} entries${last}.\n`
    : `The audit log is broken: entry ${first_broken} does not fit. Everything before it does.\n`);
  return ok ? EXIT.ok : EXIT.failed;
}
