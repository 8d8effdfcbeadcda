/**
 * The contract, black box: it knows an address, a key and openapi.yaml. Shapes hold everywhere;
 * what a service does beyond them, the checks of the contract kit look at.
 */
import type { Test } from 'tap';
import { topicOf, TOPICS, type CheckTopic } from '../../src/contract/check.ts';
import { runKit, selectChecks, type Result } from '../../src/contract/kit.ts';
import { shapes } from './shapes.ts';
import { MOCK_CANNOT, subject, type Limitation, type Target } from './target.ts';

interface KitTarget extends Target {
  /** Of another workspace there. */
  other_api_key?: string | undefined;
  /** Checks of the kit that this target cannot pass, each with its reason. */
  except?: Readonly<Record<string, string>>;
}

/** Why a check of the kit is not made on the mock: by its name, else by its topic. */
const ROWS: Partial<Record<string, Limitation>> & Partial<Record<CheckTopic, Limitation>> = {
  'errors.unknown_address': 'say 404 for an unknown address',
  'errors.unknown_method': 'say 405 for another method',
  'errors.not_acceptable': 'say 406 unasked',
  'errors.no_json': 'refuse a body that is not JSON',
  'errors.too_large': 'refuse a body that is too large',
  'errors.unknown_parameter': 'refuse unknown query parameters',
  headers: 'send its own headers', streams: 'order events', resume: 'order events',
  idempotency: 'remember idempotency keys', paging: 'walk through pages',
  actions: 'perform actions',
};

/** Adds the suite's tests to `t`. */
export function contractSuite(t: Pick<Test, 'test'>, target: KitTarget): void {
  const part = subject(t, target);
  shapes(part);
  for (const check of selectChecks()) {
    part.named.add(ROWS[check.name] ?? ROWS[topicOf(check)] ?? 'keep state');
  }
  if (target.kind === 'service') t.test('the contract kit', (t) => kitTests(t, target));
  t.test('whatever is left out on the mock has its reason', async (t) => {
    t.strictSame([...part.named].sort(), Object.keys(MOCK_CANNOT).sort());
  });
}

/** All checks of the kit, as tests by their topics. */
async function kitTests(
  t: Test, { base_url, api_key, other_api_key, except = {} }: KitTarget): Promise<void> {
  const only = selectChecks().map(({ name }) => name).filter((name) => !(name in except));
  // A machine may be slow: an answer or an event that takes so long does not come.
  const report = await runKit(
    { base_url, api_key, other_api_key, only, patience_ms: 60_000, parallel: 8 });
  for (const topic of Object.keys(TOPICS) as CheckTopic[]) {
    const results = report.results.filter(({ check }) => topicOf(check) === topic);
    if (results.length > 0) await t.test(topic, async (t) => showResults(t, results));
  }
  t.strictSame(report.left, [], 'nothing is left behind');
}

function showResults(t: Test, results: readonly Result[]): void {
  for (const { check, status, reason } of results) {
    const words = `${check.name}: ${check.shows}`;
    if (status === 'skipped') t.pass(words, { skip: reason });
    else t.equal(status === 'failed' ? reason : '', '', words);
  }
}
