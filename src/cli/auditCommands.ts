import { setTimeout as delay } from 'node:timers/promises';
import { AUDIT_EVENTS, unknownEvent } from './auditEvents.ts';
import type { Client, QueryOf, Schemas } from './client.ts';
import { adminCommand, group } from './command.ts';
import { EXIT, Failure } from './failure.ts';
import { flag, pointInTime, toggle, wholeNumber, withDefault } from './inputs.ts';
import { LONG_ANSWER_MS } from './longAnswer.ts';
import { linesTo, none, printJsonLine, refuseUnknownWorkspace } from './output.ts';
import { textGiven } from './readText.ts';
import { oneLine, safeText, type Style } from './terminal.ts';
import { withTries } from './tries.ts';

const ENTRIES = '/admin/audit_entries';
const VERIFICATION = '/admin/audit_log/verification';
const FOLLOW_MS = 1_000;

const ONLY = {
  workspace_id: flag('-w, --workspace <id>', 'only those of this workspace'),
  event: flag('--event <kind>', 'only this kind, such as grant.created'),
  target: flag('--target <id or name>', 'only those about this'),
};

const tail = adminCommand('tail', {
  summary: 'show the latest entries',
  description: 'Shows the latest entries of the audit log, the newest last.',
  inputs: {
    limit: withDefault(flag('--limit <number>', 'how many at most', wholeNumber(1, 10_000)), 20),
    ...ONLY,
    follow: toggle('--follow', 'go on as they come, until Ctrl-C'),
    json: toggle('--json', 'print the entries as lines of JSON'),
  },
  example: 'gatehouse audit tail --limit 50',
  async run({ client, terminal }, { limit: first, follow, json, ...query }) {
    const out = linesTo(terminal);
    let last = 0;
    // Only the first round has a limit: --follow shows every entry that comes later.
    for (let limit = first; ; limit = Infinity) {
      const look = async () => {
        const found = await latest(client, query, { limit, after: last });
        if (found.length === 0 && limit === first) await refuseUnknown(client, query);
        return found;
      };
      const entries = follow ? await withTries(terminal, look) : await look();
      for (const entry of entries) {
        if (json) printJsonLine(terminal, entry);
        else out(lineOf(entry, terminal.style));
        last = entry.sequence_number;
      }
      if (!follow && entries.length === 0) none(terminal, 'entries');
      if (!follow) return;
      await delay(FOLLOW_MS);
    }
  },
});

const exported = adminCommand('export', {
  summary: 'print all entries, or those of some time, to be kept',
  description: 'Prints the entries of the audit log as lines of JSON, the oldest first.',
  inputs: {
    created_after: flag('--after <time>', 'only those of after it, ISO 8601', pointInTime),
    created_before: flag('--before <time>', 'only those of before it, ISO 8601', pointInTime),
    ...ONLY,
  },
  example: 'gatehouse audit export --after 2026-11-01 --before 2026-12-01 >november.jsonl',
  async run({ client, terminal }, query) {
    let is_empty = true;
    for await (const entry of client.list(ENTRIES, { ...query, order: 'asc' })) {
      is_empty = false;
      printJsonLine(terminal, entry);
    }
    if (!is_empty) return;
    await refuseUnknown(client, query);
    none(terminal, 'entries');
  },
});

/** Throws Failure if it was asked for what there is not. */
async function refuseUnknown(
  client: Client, { event, workspace_id }: QueryOf<typeof ENTRIES>): Promise<void> {
  if (event !== undefined && !AUDIT_EVENTS.includes(event)) {
    throw new Failure(unknownEvent(event), EXIT.usage);
  }
  await refuseUnknownWorkspace(client, workspace_id);
}

const verify = adminCommand('verify', {
  summary: 'check that nothing was changed or removed',
  description: 'Walks the chain of hashes and its anchors, and names the first entry that does not'
    + ' fit.',
  notes: 'Exit codes: 0 whole, 1 broken, 2 the service did not say, or wrong usage.',
  inputs: {
    anchor: flag('--anchor <text or @file>', 'an anchor that was kept elsewhere; @file reads it'
      + ' from a file, - from standard input'),
    json: toggle('--json', 'print what was found as JSON'),
  },
  example: 'gatehouse audit verify --anchor @/mnt/elsewhere/anchor',
  async run({ client, terminal }, { anchor, json }) {
    const found = await verification(client,
      anchor === undefined ? {} : { anchor: (await textGiven(anchor)).trim() });
    if (json) printJsonLine(terminal, found);
    else linesTo(terminal)(wordsOf(found));
    return found.ok ? EXIT.ok : EXIT.failed;
  },
});

const anchor = adminCommand('anchor', {
  summary: 'print the newest anchor, to be kept elsewhere',
  description: 'Verifies the audit log, and prints its newest anchor. Keep it where the owner of '
    + 'the database cannot change it.',
  notes: 'Exit codes: 0 printed, 1 broken, or there is no anchor, 2 the service did not say, or'
    + ' wrong usage.',
  example: 'gatehouse audit anchor >/mnt/elsewhere/anchor',
  async run({ client, terminal }) {
    const found = await verification(client, {});
    if (found.ok && found.latest_anchor !== null) {
      terminal.out(`${found.latest_anchor}\n`);
      return EXIT.ok;
    }
    terminal.err(found.ok ? 'There is no anchor yet, or this node has no master key: one that has'
      + ' it anchors once a minute.\n' : wordsOf(found));
    return EXIT.failed;
  },
});

/** Whoever watches over the log by exit codes must not take silence for a finding. */
async function verification(
  client: Client, query: QueryOf<typeof VERIFICATION>): Promise<Schemas['AuditLogVerification']> {
  try {
    return await client.request('GET', VERIFICATION, { query, limit_ms: LONG_ANSWER_MS });
  } catch (error) {
    throw new Failure((error as Error).message, EXIT.usage, error);
  }
}

function wordsOf(found: Schemas['AuditLogVerification']): string {
  const { ok, entries, head, anchors, latest_anchor, anchor_ok, problems } = found;
  if (ok) {
    const last = head === null ? '' : `, the last hash is ${head}`;
    const kept = anchor_ok === null ? '' : ' It holds what the given anchor says.';
    const unopened = anchors > 0 && latest_anchor === null
      ? ' (not opened: this node has no master key)' : '';
    const anchored = `${anchors} anchor${anchors === 1 ? '' : 's'}${unopened}`;
    return `The audit log is whole: ${entries} entries, ${anchored}${last}.${kept}\n`;
  }
  return problems.map((words) =>
    `The audit log is broken: ${words[0]!.toLowerCase()}${words.slice(1)}\n`).join('');
}

export const addAuditCommands = group('audit', {
  summary: 'show, export and verify the audit log',
  description: 'Shows, exports and verifies the audit log, with an admin token.',
  example: 'gatehouse audit tail',
}, [tail, exported, verify, anchor]);

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
  const what = outcome === 'ok' ? outcome : style('red', safeText(outcome));
  const facts = [String(sequence_number), created_at, event, target ?? '-'].map(safeText);
  return `${facts.join('  ')}  ${what}  by ${safeText(who)}`
    + `${reason === null ? '' : `: ${oneLine(reason, 120)}`}\n`;
}
