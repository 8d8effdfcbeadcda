/**
 * Checks of integrations and connections. No other service is asked: `gatehouse connections check`
 * does that.
 */
import { AllowedCommands, BUILTIN_SLUGS } from '../gateway/face.ts';
import type { Sql } from '../store/database.ts';
import { brokenConnections, countConnections, type BrokenConnection } from '../store/inspection.ts';
import { allIntegrations, countActions } from '../store/integrations.ts';
import { count, ok, warning, type CheckOutcome, type CheckContext } from './report.ts';

const SHOWN = 5;
const NONE_ELSE = 'none besides the built-in ones';

/** What there is, what its last import noted, and what waits for an operator. */
export async function checkIntegrations(
  sql: Sql, { config, is_service = false }: CheckContext,
): Promise<CheckOutcome> {
  const commands = new AllowedCommands(config.mcp_stdio);
  const all = await allIntegrations(sql);
  if (all.length === 0) return ok(NONE_ELSE);
  const counts = await countActions(sql, all.map(({ slug }) => slug));
  const advice: string[] = [];
  const notes: string[] = [];
  for (const { slug, base_url, kind, mcp, report } of all) {
    const { warnings, errors = [], changes_total = 0 } = report;
    const { read = 0, write = 0, destructive = 0, quarantined = 0 } = counts.get(slug) ?? {};
    if (warnings.length > 0) {
      notes.push(`${slug} (${count(warnings.length, 'note')} at its import)`);
    }
    if (quarantined > 0) {
      advice.push(`${slug}: ${count(quarantined, 'changed tool')} quarantined; look at what`
        + ` changed, then \`gatehouse integrations refresh ${slug} --accept\``);
    } else if (changes_total > 0) {
      advice.push(`${slug}: ${count(changes_total, 'change')} set aside; \`gatehouse integrations`
        + ` refresh ${slug}\` shows what, and with --accept takes it`);
    } else if (read + write + destructive === 0) {
      advice.push(`${slug}: it has no actions; \`gatehouse integrations refresh ${slug}\` says`
        + ' why');
    }
    if (errors.length > 0) {
      advice.push(`${slug}: operations were left out at its import, which \`gatehouse integrations`
        + ` refresh ${slug}\` names: ${errors[0]}`);
    }
    const wanted = mcp?.command === undefined ? null
      : { command: mcp.command, args: mcp.args, env_names: mcp.env_names ?? [] };
    if (wanted && !commands.has(wanted)) {
      // The service may have been started with other settings than this shell's.
      advice.push(`${slug}: ${is_service ? 'its command is not started;' : 'GATEHOUSE_MCP_STDIO of'
        + ' this shell does not name its command; if the service was started without it too,'}`
        + ` let GATEHOUSE_MCP_STDIO name it: ${AllowedCommands.entryFor(wanted)}`);
    }
    if (kind === 'openapi' && base_url === null) {
      advice.push(`${slug}: nobody said where the API is; \`gatehouse integrations update ${slug}`
        + ' --api-url …`');
    }
  }
  const found = `${all.length}${notes.length > 0 ? `, of them ${notes.join(', ')}` : ''}`;
  return advice.length === 0 ? ok(found)
    : warning(found, ...firstOf(advice, advice.length, 'integrations'));
}

/**
 * Connections of all workspaces by status, but for the built-in ones, which nobody has made; those
 * that wait for a person by name.
 */
export async function checkConnections(sql: Sql): Promise<CheckOutcome> {
  const counts = await countConnections(sql, {}, BUILTIN_SLUGS);
  const found = [...counts].map(([status, number]) => `${number} ${status}`).join(', ')
    || NONE_ELSE;
  const broken = await brokenConnections(sql, SHOWN);
  if (broken.length === 0) return ok(found);
  const number = (counts.get('needs_reconnect') ?? 0) + (counts.get('pending') ?? 0);
  return warning(found, ...firstOf(broken.map(howToMend), number, 'connections'));
}

function howToMend({
  id, integration, name, status, status_reason, auth_type,
}: BrokenConnection): string {
  const reconnect = `gatehouse connections reconnect ${id}`;
  const how = {
    none: `\`${reconnect} --auth none\``,
    bearer: `\`printf %s "$TOKEN" | ${reconnect} --auth bearer\``,
    api_key: `\`printf %s "$TOKEN" | ${reconnect} --auth api_key --header …\``,
    basic: `\`printf %s "$PASSWORD" | ${reconnect} --auth basic --username …\``,
    oauth2: `\`${reconnect}\`, and open the address that it prints`,
  }[auth_type];
  const why = status_reason ?? (status === 'pending' ? 'nobody has authorized it yet' : status);
  const called = name === integration ? integration : `${integration}, ${JSON.stringify(name)}`;
  return `${id} (${called}): ${why.replace(/\.$/, '')}; ${how}`;
}

/** The first lines, and which command shows the rest of the `number` that there are. */
function firstOf(lines: string[], number: number, command: string): string[] {
  const shown = lines.slice(0, SHOWN);
  return number <= shown.length ? shown
    : [...shown, `and ${number - shown.length} more: \`gatehouse ${command} list\``];
}
