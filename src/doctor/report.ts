/** What the checks found, in the order they were made. */
import type { Config } from '../config.ts';
import { within } from '../deadline.ts';

/** What the checks look at. */
export interface CheckContext {
  config: Config;
  now: () => number;
  /** These are the settings of a service that runs, not those of a shell beside it. */
  is_service?: boolean;
}

/** `skipped`: the check could not be made, and `found` says why. */
export type Status = 'ok' | 'warning' | 'failed' | 'skipped';

export interface Finding {
  /** A short name, such as `database`. */
  check: string;
  status: Status;
  /** One line for a person. */
  found: string;
  /** What to do about it, a line each. */
  advice?: string;
}

export type CheckOutcome = Omit<Finding, 'check'>;

/** An outcome, and a value that later checks need; without it they are skipped. */
export interface CheckAnswer<T> {
  outcome: CheckOutcome;
  gives?: T;
}

export const ok = (found: string): CheckOutcome => ({ status: 'ok', found });
export const warning = (found: string, ...advice: string[]): CheckOutcome =>
  ({ status: 'warning', found, advice: advice.join('\n') });
export const failed = (found: string, ...advice: string[]): CheckOutcome =>
  ({ status: 'failed', found, advice: advice.join('\n') });

/** Several outcomes as one, which is as bad as the worst of them. */
export function together(outcomes: readonly CheckOutcome[]): CheckOutcome {
  const found = outcomes.map((one) => one.found).join('; ');
  const advice = outcomes.flatMap((one) => one.advice ?? []);
  const isOne = (status: Status) => outcomes.some((one) => one.status === status);
  return isOne('failed') ? failed(found, ...advice)
    : isOne('warning') ? warning(found, ...advice) : ok(found);
}

export const skipped = (because: string): CheckOutcome =>
  ({ status: 'skipped', found: `not checked: ${because}` });

/** A check that takes longer has failed: the person who asked is waiting. Questions take less. */
const CHECK_MS = 7_000;

interface ReportOptions {
  /** Takes secrets out of a finding. */
  clean: (finding: Finding) => Finding;
  /** Told each finding as it is made. */
  onFinding: (finding: Finding) => void;
}

/** Makes checks one after the other, each within its time, whatever the others do. */
export class DoctorReport {
  readonly findings: Finding[] = [];
  readonly #options: ReportOptions;

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  /** Makes a check whose value others need; undefined if there is none. */
  async need<T>(
    check: string, make: () => Promise<CheckAnswer<T>>, limit_ms = CHECK_MS,
  ): Promise<T | undefined> {
    try {
      const { outcome, gives } = await within(limit_ms, make(), () => {
        throw new Error(`There was no answer within ${limit_ms / 1_000} seconds.`);
      });
      this.#add({ check, ...outcome });
      return gives;
    } catch (error) {
      this.#add({ check, ...failed((error as Error).message, TELL) });
      return undefined;
    }
  }

  async make(check: string, make: () => Promise<CheckOutcome>, limit_ms = CHECK_MS): Promise<void> {
    await this.need(check, async () => ({ outcome: await make() }), limit_ms);
  }

  #add(finding: Finding): void {
    const clean = this.#options.clean(finding);
    this.findings.push(clean);
    this.#options.onFinding(clean);
  }
}

const TELL = 'This check met something that it does not know. Try again; if it stays, report it'
  + ' with the output of `gatehouse doctor --json`.';

/** `1 key`, `2 keys`. */
export function count(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? '' : 's'}`;
}

/** Secrets of a configuration, for a scrubber. */
export function secretsOf(config: Config): string[] {
  const passwords = [config.database_url ?? '', config.database_direct_url ?? ''].flatMap((url) => {
    const [, password] = /^\w+:\/\/[^/?#]*?:([^/?#]*)@/.exec(url) ?? [];
    const asked = [...url.matchAll(/[?&](?:ssl)?password=([^&]*)/g)].map(([, text]) => text);
    return [password, ...asked].flatMap((text) => (text ? [text, decoded(text)] : []));
  });
  const keys = (config.master_keys ?? '').split(/[,\n]/)
    .map((entry) => entry.slice(entry.indexOf(':') + 1).trim());
  const {
    admin_token, metrics_token, oidc_client_secret, openai_api_key, anthropic_api_key,
    google_api_key, compatible_api_key, embedding_api_key,
  } = config;
  return [...passwords, ...keys, admin_token, metrics_token, oidc_client_secret, openai_api_key,
    anthropic_api_key, google_api_key, compatible_api_key, embedding_api_key]
    .flatMap((secret) => secret || []);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
