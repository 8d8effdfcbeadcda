/** What the nodes that run were started with: this shell may have other settings. */
import { SETTINGS, type Config } from '../config.ts';
import { fingerprints, type ConfiguredKeys } from '../gateway/face.ts';
import type { Sql } from '../store/database.ts';
import { liveNodes, nameOfNode, type NodeRow } from '../store/nodes.ts';
import type { Answering } from './machine.ts';
import { ok, warning, type CheckAnswer } from './report.ts';

/** What nodes of one service have each of their own. */
const OWN = new Set(['port', 'role', 'metrics_port']);

/**
 * Compares the nodes with the shell, and gives the settings of the first, which count. `service`:
 * the one that answers this shell, if any does.
 */
export async function checkNodes(
  sql: Sql, config: Config, keys: ConfiguredKeys | undefined, service: Answering | undefined,
): Promise<CheckAnswer<Partial<Config>>> {
  const nodes = await liveNodes(sql);
  const [first] = nodes;
  if (first === undefined && service?.ready) {
    return { outcome: warning(`${service.address} answers, and no node tells of itself in this`
      + ' database: that service has another one',
      'Set DATABASE_URL (or GATEHOUSE_DATA_DIR) as that service has it, or GATEHOUSE_BASE_URL to'
      + ' the service of this database.') };
  }
  if (first === undefined) return { outcome: ok('none runs; this shell\'s settings count') };
  const told = nodes.map((node) => {
    const apart = differences(node, config);
    return nameOfNode(node)
      + (apart.length === 0 ? ', set as this shell' : `: ${apart.join(', ')}`);
  }).join('; ');
  const other = keys && nodes.filter(({ master_keys }) =>
    !same(master_keys, fingerprints(keys.keys)));
  const gives = first.settings as Partial<Config>;
  const advice = service === undefined ? whereElse(nodes) : [];
  if (!other?.length) {
    return { gives, outcome: advice.length === 0 ? ok(told) : warning(told, ...advice) };
  }
  return { gives, outcome: warning(`${told}; other master keys than here: `
    + other.map(nameOfNode).join(', '), 'All nodes need the same master keys. Correct those of the'
    + ' node, and start it anew, or those of this shell.', ...advice) };
}

/** Of nodes that tell of themselves in the database, and do not answer where this shell looks. */
function whereElse(nodes: readonly NodeRow[]): string[] {
  const apis = nodes.filter(({ settings }) => settings.role !== 'worker');
  // With 0 each takes one that is free, which it does not tell.
  const places = apis.filter(({ settings }) => settings.port !== 0)
    .map((node) => `${nameOfNode(node)} has port ${node.settings.port}`);
  return apis.length === 0 ? [] : ['A node told of itself within the last 30 s, and none answers'
    + ' this shell: it has just died, or is elsewhere than was looked. Then set GATEHOUSE_BASE_URL'
    + `${places.length === 0 ? '' : `: ${places.join(', ')}`}.`];
}

/** `MODEL is a, here b`, for each setting that the node has told. */
function differences({ settings }: NodeRow, config: Config): string[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    const setting = SETTINGS[name as keyof typeof SETTINGS] as { variable: string } | undefined;
    const here = config[name as keyof Config];
    return setting === undefined || OWN.has(name) || here === value ? []
      : `${setting.variable} is ${value ?? 'empty'}, here ${here ?? 'empty'}`;
  });
}

function same(one: Record<string, string>, other: Record<string, string>): boolean {
  const text = (keys: object) => JSON.stringify(Object.entries(keys).sort());
  return text(one) === text(other);
}
