import { setTimeout as delay } from 'node:timers/promises';
import type { Client, QueryOf, Schemas } from './client.ts';
import { adminCommand, group } from './command.ts';
import { EXIT } from './failure.ts';
import { flag, toggle, wholeNumber, withDefault } from './inputs.ts';
import { none } from './output.ts';
import { oneLine, safeText, type Style } from './terminal.ts';

const ENTRIES = '/admin/audit_entries';
const FOLLOW_MS = 1_000;

const tail = adminCommand('tail', {
  summary: 'show the latest entries',
  description: 'Shows the latest entries of the audit log, the newest last.',
  inputs: {
    lines: withDefault(flag('--lines <number>', 'how many', wholeNumber(1, 10_000)), 20),
    workspace_id: flag('--workspace <id>', 'only those of this workspace'),
    event: flag('--event <kind>', 'only this kind, such as grant.created'),
    target: flag('--target <id or name>', 'only those about this'),
    follow: toggle('--follow', 'go on as they come, until Ctrl-C'),
    json: toggle('--json', 'print the entries as lines of JSON'),
  },
  example: 'gatehouse audit tail --lines 50',
  async run({ client, terminal }, { lines, follow, json, ...query }) {
    let last = 0;
    // Only the first round has a limit: --follow shows every entry that comes later.
    for (let limit = lines; ; limit = Infinity) {
      const entries = await latest(client, query, { limit, after: last });
      for (const entry of entries) {
        terminal.out(json ? `${JSON.stringify(entry)}\n` : lineOf(entry, terminal.style));
        last = entry.sequence_number;
      }
      if (!follow && entries.length === 0) none(terminal, 'entries');
      if (!follow) return;
      await delay(FOLLOW_MS);
    }
  },
});

const verify = adminCommand('verify', {
  summary: 'check that nothing was changed or removed',
  description: 'Walks the chain of hashes, and names the first entry that does not fit.',
  notes: 'Exit codes: 0 whole, 1 broken.',
  example: 'gatehouse audit verify',
  async run({ client, terminal }) {
    const { ok, entries, head, first_broken } =
      await client.request('GET', '/admin/audit_log/verification', {});
    const last = head === null ? '' : `, the last hash is ${head}`;
    terminal.out(ok ? `The audit log is whole: ${entries} entries${last}.\n` : 'The audit log is'
      + ` broken: entry ${first_broken} does not fit. Everything before it does.\n`);
    return ok ? EXIT.ok : EXIT.failed;
  },
});

/** `audit`: who did what. */
export const addAuditCommands = group('audit', {
  summary: 'show and verify the audit log',
  description: 'Shows and verifies the audit log, with the admin token.',
  example: 'gatehouse audit tail',
}, [tail, verify]);

/** At most `limit` of the latest entries after a number, oldest first. */
async function latest(
  client: Client, query: QueryOf<typeof ENTRIES>,
  { limit, after }: { limit: number; after: number }): Promise<Schemas['AuditEntry'][]> {
  const found: Schemas['AuditEntry'][] = [];
  for await (const entry of client.list(ENTRIES, query)) {
    if (found.length === limit || entry.sequence_number <= after) break;
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
