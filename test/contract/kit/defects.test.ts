/**
 * The kit is judged: a proxy in front of the service plants one defect after the other, and the kit
 * has to notice. Each is looked at by those checks that should notice it. CONTRACT_DEFECTS=whole
 * takes all checks for each, which lasts many minutes; CONTRACT_DEFECTS=<name>,… takes some.
 */
import t from 'tap';
import { TOPICS, type CheckTopic } from '../../../src/contract/check.ts';
import { runKit } from '../../../src/contract/kit.ts';
import { otherWorkspace, testServer } from '../../support/server.ts';
import type { Defect } from '../defects/defect.ts';
import { DEFECTS } from '../defects/index.ts';
import { startDefectProxy } from '../defects/proxy.ts';

t.setTimeout(3_600_000);

/** Far more than a slow machine needs for an answer: what takes so long does not come. */
const PATIENCE_MS = 20_000;
/**
 * So many defects are looked for at once, each by one check at a time: of several checks, the work
 * of the others would be for nothing once one has found it.
 */
const AT_ONCE = 12;
const CAUGHT_OF_100 = 98;

const chosen = process.env.CONTRACT_DEFECTS ?? '';
const server = await testServer(t, { config: {
  rate_per_key: 1_000, rate_per_workspace: 1_000, auth_failures_per_minute: 0,
  concurrency: 400, workspace_running_runs: 10_000, database_connections: 16,
} });
const other = await otherWorkspace(server);
const target = {
  base_url: server.client.base_url, api_key: server.client.api_key!,
  other_api_key: other.api_key!,
};

t.test('every defect has a name of its own', async (t) => {
  const names = DEFECTS.map(({ name }) => name);
  t.strictSame(names.filter((name, index) => names.indexOf(name) !== index), []);
  t.ok(names.length >= 100, `there are ${names.length}`);
});

t.test('the kit notices what the proxy plants, and nothing where it plants nothing', async (t) => {
  const meant = DEFECTS.filter(({ name }) => chosen === '' || chosen === 'whole'
    || chosen.split(',').includes(name));
  const missed: string[] = [];
  const judge = async (defect: Defect) => {
    const found = await lookFor(defect);
    // No comment of TAP: what a target says may hold anything.
    if (chosen !== '') console.error(`${defect.name}: ${found ?? 'not noticed'}`);
    if (found === null) missed.push(`${defect.name}: ${defect.does}`);
  };
  // Of these the time goes by in waiting.
  const silent = Promise.all(meant.filter((defect) => defect.silent).map(judge));
  const waiting = meant.filter((defect) => !defect.silent);
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let defect = waiting.shift(); defect; defect = waiting.shift()) await judge(defect);
  }));
  await silent;
  const sound: Defect =
    { name: 'none', does: 'nothing', topics: Object.keys(TOPICS) as CheckTopic[] };
  t.equal(await lookFor(sound), null, 'a proxy that plants nothing');
  const caught = 100 * (meant.length - missed.length) / meant.length;
  t.comment(`${meant.length - missed.length} of ${meant.length} were noticed`);
  t.ok(caught >= CAUGHT_OF_100, `${caught.toFixed(1)} of 100 are noticed`, { missed });
});

/** What the kit finds of a defect; null if it passes by it. */
async function lookFor(defect: Defect): Promise<string | null> {
  const proxy = await startDefectProxy(target, defect);
  try {
    const { results } = await runKit({ ...target, base_url: proxy.base_url, parallel: 1,
      patience_ms: PATIENCE_MS, bail: true, only: chosen === 'whole' ? undefined : defect.topics });
    const found = results.find(({ status }) => status === 'failed');
    // That a machine is slow is no finding, unless the defect is that something does not come.
    if (!found || (!defect.silent && / within \d+ s/.test(found.reason))) return null;
    return `${found.check.name}: ${found.reason}`;
  } finally {
    await proxy.close();
  }
}
