/** What a running service finds by its own settings, for a shell that lacks some of them. */
import { listOf, objectOf, textOf } from '../json.ts';
import { ask } from './machine.ts';
import type { CheckOutcome, Status } from './report.ts';

/** By the names of checks. */
export type Told = ReadonlyMap<string, CheckOutcome>;

const STATUSES: readonly string[] = ['ok', 'warning', 'failed', 'skipped'] satisfies Status[];

/**
 * Asks the service for its findings; there are none if it does not answer as it should. `workers`
 * are those of a database: a service that tells of none of them has another one, and its findings
 * do not count.
 */
export async function askFindings(
  address: string, admin_token: string, workers?: readonly (string | null)[]): Promise<Told> {
  const answer = await ask(`${address}/v1/admin/overview?hours=1`, { key: admin_token });
  const body = answer instanceof Error ? {} : answer.body ?? {};
  const seen = listOf(body.workers).map((one) => textOf(objectOf(one).id) ?? '');
  if (workers && !seen.some((id) => workers.includes(id))) return new Map();
  return new Map(listOf(body.findings).flatMap((finding): [string, CheckOutcome][] => {
    const { check, status, found, advice } = objectOf(finding);
    return typeof check !== 'string' || !STATUSES.includes(String(status)) ? []
      : [[check, { status: status as Status, found: `${String(found)} (as the service finds)`,
        ...(textOf(advice) && { advice: String(advice) }) }]];
  }));
}
