/**
 * `make torture`: the scenarios of test/torture/ in their long version, one after the other, round
 * by round, with real processes on a PostgreSQL of their own. Prints what it does, what it measured
 * and one last line, and exits with 1 if a promise was broken.
 *
 * Environment: SEED (any whole number; printed, so that it can be given again), ROUNDS (1), ONLY
 * (names of scenarios, separated by commas), SCALE=short for what `make test` does; FROM, for
 * `upgrade`, is the folder of an earlier version with its packages, and MINUTES is for `soak`.
 * TEST_DATABASE_URL takes a server of your own: a superuser, and nothing else on it.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createLog } from '../src/log.ts';
import { startEmbedded } from '../src/store/embedded.ts';
import { carryOut, type Outcome, type Scenario } from '../test/torture/scenario.ts';
import { SCENARIOS } from '../test/torture/scenarios/index.ts';
import { ownFolder } from './leftovers.ts';

const seed = wholeNumber('SEED', randomInt(1, 2 ** 31));
const rounds = wholeNumber('ROUNDS', 1);
const scale = process.env.SCALE === 'short' ? 'short' : 'long';
const begun_ms = performance.now();

let interrupted = false;
/** What has been started, to be ended in the opposite order. */
const undo: (() => unknown)[] = [];
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (interrupted) process.exit(1);
    interrupted = true;
    void endAll(0).finally(() => {
      process.stdout.write(`torture: interrupted by ${signal}, SEED=${seed}\n`);
      process.exit(1);
    });
  });
}
process.exitCode = await main(chosen());

async function main(scenarios: Scenario[]): Promise<number> {
  say(`SEED=${seed} ROUNDS=${rounds}, ${scenarios.map(({ name }) => name).join(', ')}`);
  const totals = { scenarios: 0, skipped: 0, runs: 0, violations: 0 };
  await startDatabase();
  for (let round = 1; round <= rounds; round++) {
    for (const scenario of scenarios) {
      const outcome = await one(scenario, round);
      if (outcome === null) totals.skipped += 1;
      else {
        totals.scenarios += 1;
        totals.runs += outcome.runs;
        totals.violations += outcome.violations.length;
      }
    }
  }
  await endAll(0);
  const { violations, skipped } = totals;
  say(`torture: SEED=${seed}, ${totals.scenarios} scenarios, ${totals.runs} runs checked, `
    + `${violations} violations${skipped > 0 ? `, ${skipped} SKIPPED` : ''}`);
  return violations > 0 || totals.scenarios === 0 ? 1 : 0;
}

async function startDatabase(): Promise<void> {
  if (process.env.TEST_DATABASE_URL) {
    process.env.GATEHOUSE_TEST_DATABASE_URL = process.env.TEST_DATABASE_URL;
    return;
  }
  // So named that scripts/test.ts removes it, should this be killed.
  const data_dir = ownFolder(randomBytes(4).toString('hex'));
  undo.unshift(() => rm(data_dir, { recursive: true, force: true }));
  const server = await startEmbedded({ data_dir, log: createLog('warn') });
  undo.unshift(() => server.stop());
  process.env.GATEHOUSE_TEST_DATABASE_URL = server.url;
}

/** Carries one scenario out, with a seed of its round; null if it cannot be done here. */
async function one(scenario: Scenario, round: number): Promise<Outcome | null> {
  say(`── ${scenario.name} (round ${round} of ${rounds}): ${scenario.says}`);
  const reason = await scenario.impossible?.() ?? null;
  if (reason !== null) {
    say(`   SKIPPED: ${reason}`);
    return null;
  }
  const before = undo.length;
  const started_ms = performance.now();
  const outcome = await carryOut(scenario, seed + round - 1, {
    scale, owner: { teardown: (work: () => unknown) => void undo.unshift(work) } as never,
    write: (line) => { if (!interrupted) say(`   ${line}`); },
  });
  if (interrupted) await new Promise(() => {}); // the process ends when all is ended
  await endAll(before);
  for (const line of outcome.figures) say(`   ${line}`);
  say(`   ${outcome.violations.length === 0 ? 'ok' : 'NOT OK'},`
    + ` ${Math.round((performance.now() - started_ms) / 1_000)} s`);
  return outcome;
}

/** Undoes what was done since so much was there. */
async function endAll(left: number): Promise<void> {
  while (undo.length > left) await undo.shift()!();
}

function chosen(): Scenario[] {
  const names = process.env.ONLY?.split(',').filter(Boolean);
  if (!names?.length) return SCENARIOS;
  return names.map((name) => {
    const scenario = SCENARIOS.find((candidate) => candidate.name === name);
    if (!scenario) {
      throw new Error(`ONLY: there is no scenario ${name}, but `
        + SCENARIOS.map((candidate) => candidate.name).join(', '));
    }
    return scenario;
  });
}

function wholeNumber(variable: string, fallback: number): number {
  const text = process.env[variable];
  const value = text ? Number(text) : fallback;
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new Error(`${variable} is ${text}; it must be a whole number from 1 on.`);
  }
  return value;
}

function say(line: string): void {
  const elapsed_s = ((performance.now() - begun_ms) / 1_000).toFixed(1).padStart(7);
  process.stdout.write(`${elapsed_s} ${line}\n`);
}
