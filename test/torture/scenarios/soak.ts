/**
 * Everything mixed for MINUTES at a low rate, while two nodes are left alone: what these hold must
 * not grow. Their memory, their open files, the connections of the database and what it keeps for
 * each run are looked at all the time; what matters is the line through the second half of it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Lab } from '../lab.ts';
import { Load } from '../load.ts';
import type { Random } from '../random.ts';
import type { Scenario } from '../scenario.ts';

const { MINUTES = 'so many' } = process.env;
const minutes = Number(MINUTES);
const SAMPLE_MS = 5_000;
/** The third node's place: it is killed, stopped and frozen. */
const VICTIM = 2;
const CALM_MS = [3_000, 10_000] as const;
const TROUBLES_IN_ROUND = 4;
/** With room to spare V8 lets memory grow for long before it collects what is no longer held. */
const NODE = { node_options: ['--max-old-space-size=128'] };

/** What is looked at, and how much more of it there may be at the end of the second half. */
const GROWTH = {
  'memory of the two nodes': { unit: 'MiB', may_grow: 40 },
  'open files of the two nodes': { unit: 'files', may_grow: 10 },
  'connections to the database': { unit: 'connections', may_grow: 5 },
  'size of the database for each run': { unit: 'kB', may_grow: 4 },
};
type Kind = keyof typeof GROWTH;
type Sample = { at_ms: number } & Record<Kind, number | null>;

export const soak: Scenario = {
  name: 'soak',
  says: `kills, stops, freezes and lost connections, all mixed, for ${MINUTES} minutes`,
  async impossible() {
    return minutes > 0 ? null : 'MINUTES does not say for how long';
  },
  async run(lab, random) {
    await lab.open();
    lab.database_is_disturbed = true;
    await lab.addNodes(3, NODE);
    const samples: Sample[] = [];
    const timer = setInterval(() => void sample(lab).then((one) => samples.push(one))
      .catch((error: unknown) => lab.journal.say(`no sample: ${String(error)}`)), SAMPLE_MS);
    lab.owner.teardown(() => clearInterval(timer));
    const end_ms = performance.now() + minutes * 60_000;
    for (let round = 1; performance.now() < end_ms; round++) {
      // Sessions of its own in each round: a transcript that grows for an hour is another test.
      const load = new Load(lab, random.fork(`round ${round}`), { clients: 2, sessions: 4 });
      for (let trouble = 1; trouble <= TROUBLES_IN_ROUND; trouble++) {
        await delay(random.between(...CALM_MS));
        await load.more(2);
        await random.pick(TROUBLES)(lab, random);
      }
      await load.finish();
    }
    clearInterval(timer);
    for (const kind of Object.keys(GROWTH) as Kind[]) judge(lab, kind, samples);
  },
};

type Trouble = (lab: Lab, random: Random) => Promise<unknown>;

const TROUBLES: Trouble[] = [
  async function kill(lab) {
    await lab.nodes[VICTIM]!.kill();
    await lab.replace(lab.nodes[VICTIM]!, NODE);
  },
  async function stop(lab) {
    const node = lab.nodes[VICTIM]!;
    await lab.replace(node, NODE);
    const { code, signal } = await node.terminate();
    if (code !== 0) lab.journal.violation(`SIGTERM: ${signal ?? code}\n${node.logTail()}`);
  },
  async function freeze(lab, random) {
    const node = lab.nodes[VICTIM]!;
    node.freeze();
    await delay(random.between(500, 5_000));
    node.thaw();
  },
  async function terminateConnections(lab, random) {
    await lab.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name <> 'gatehouse test'
        and backend_type = 'client backend' and random() < ${random.next()}`;
  },
];

async function sample(lab: Lab): Promise<Sample> {
  const steady = lab.nodes.slice(0, VICTIM);
  const [row] = await lab.sql<{ connections: number; kb: number; runs: number }[]>`
    select (select count(*)::int from pg_stat_activity where datname = current_database())
        as connections,
      pg_database_size(current_database())::float8 / 1024 as kb,
      (select count(*)::int from runs) as runs`;
  return {
    at_ms: performance.now(),
    'memory of the two nodes': sum(await Promise.all(steady.map((node) => node.memory_mib()))),
    'open files of the two nodes':
      sum(await Promise.all(steady.map((node) => node.descriptors()))),
    'connections to the database': row!.connections,
    'size of the database for each run': row!.runs === 0 ? null : row!.kb / row!.runs,
  };
}

function sum(numbers: (number | null)[]): number | null {
  return numbers.includes(null) ? null : numbers.reduce<number>((all, one) => all + one!, 0);
}

/** Holds the growth along the line through the second half against what may be. */
function judge(lab: Lab, kind: Kind, samples: Sample[]): void {
  const { unit, may_grow } = GROWTH[kind];
  const points = samples.slice(Math.floor(samples.length / 2))
    .flatMap((one) => one[kind] === null ? [] : [{ x: one.at_ms, y: one[kind] }]);
  if (points.length < 2) return lab.journal.say(`${kind}: not to be seen here`);
  const mean = (of: 'x' | 'y') => points.reduce((all, point) => all + point[of], 0) / points.length;
  const [x, y] = [mean('x'), mean('y')];
  const slope = points.reduce((all, point) => all + (point.x - x) * (point.y - y), 0)
    / points.reduce((all, point) => all + (point.x - x) ** 2, 0);
  const grown = slope * (points.at(-1)!.x - points[0]!.x);
  const says = `${kind}: ${y.toFixed(1)} ${unit} on average of the second half of the time, in`
    + ` which it changed by ${grown.toFixed(1)}`;
  lab.journal.say(says);
  if (grown > may_grow) lab.journal.violation(`${says}; ${may_grow} may be`);
}
