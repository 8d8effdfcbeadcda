/** What a scenario is, and how one is carried out: the same way in tests and in the long run. */
import { checkEverything } from './checker.ts';
import { Lab, type Owner, type Scale } from './lab.ts';
import { Random } from './random.ts';

export interface Scenario {
  name: string;
  /** What is done to the service, in a few words. */
  says: string;
  /** Why it cannot be carried out here, or null. */
  impossible?(): Promise<string | null>;
  /**
   * Brings the service into distress and helps it out again. What the lab's ledger knows is
   * checked afterwards, by whoever carries it out.
   */
  run(lab: Lab, random: Random): Promise<void>;
  /** It makes runs that the ledger knows nothing of, and judges by itself what it sees. */
  without_ledger?: true;
}

export interface Outcome {
  violations: string[];
  /** Lines about what was measured. */
  figures: string[];
  runs: number;
}

/** Carries a scenario out, checks everything, and ends what it has started when the owner does. */
export async function carryOut(
  scenario: Scenario, seed: number,
  options: { scale: Scale; owner: Owner; write: (line: string) => void }): Promise<Outcome> {
  const lab = new Lab(options);
  const random = new Random(seed).fork(scenario.name);
  try {
    await lab.patience.watch(scenario.run(lab, random));
    if (!scenario.without_ledger) {
      await lab.patience.watch(checkEverything(lab, random.fork('checker')));
    }
  } catch (error) {
    lab.journal.violation(`the scenario broke off: ${(error as Error).stack}`);
  } finally {
    await lab.end();
  }
  const { violations } = lab.journal;
  return { violations, figures: lab.journal.summary(), runs: lab.ledger.runs.size };
}
