import t from 'tap';
import { carryOut, type Scenario } from './scenario.ts';

/** One that passes; `SEED` takes another. A short run is no search for rare faults. */
const SEED = 20_261_121;

/** The short version of a scenario, as the test of its file. */
export async function shortTest(scenario: Scenario): Promise<void> {
  const seed = Number(process.env.SEED ?? SEED);
  const impossible = await scenario.impossible?.() ?? false;
  // A scenario is so many kills and so many runs, however long they take; it ends by itself when
  // nothing moves any more, which is long before the timeout of the file.
  t.test(scenario.says, { skip: impossible }, async (t) => {
    const { violations, figures, runs } = await carryOut(scenario, seed, {
      scale: 'short', owner: t, write: (line) => t.comment(line),
    });
    for (const line of figures) t.comment(line);
    t.ok(runs > 0, 'runs were acknowledged');
    t.strictSame(violations, [], `no violation (SEED=${seed})`,
      { soundness: 'a promise to who reads or writes' });
  });
}
