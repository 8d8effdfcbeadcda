/** The service with the mock's stage around it. */
import { randomBytes } from 'node:crypto';
import { readConfig } from '../config.ts';
import { createServiceLog, startService } from '../service.ts';
import { loadTelemetry } from '../telemetry/telemetry.ts';
import { INTEGRATIONS } from './integrations.ts';
import { Examples } from './prism.ts';
import { Repeatable } from './repeatable.ts';
import { Stage } from './stage.ts';
import type { ThrowAway } from './throwAway.ts';

/** To be loaded beforehand. */
export { loadTelemetry };

export interface MockOptions {
  host: string;
  /** 0 takes any free one. */
  port: number;
  /** Before each piece of what the model says. */
  pace_ms: number;
  /** Makes ids and times the same each time; null: they are new. */
  seed: string | null;
  log_level: string;
  /** Told that, and why, only examples are served. */
  onExamplesOnly(reason: string): void;
  /** For tests. The folder of PostgreSQL's bin, lib and share. */
  native_dir?: string;
}

export interface Mock {
  /** Ends in /v1. */
  base_url: string;
  /** What is served is the service; otherwise Prism's examples alone. */
  is_service: boolean;
  /** Whether Prism is there, which answers with examples of the document. */
  has_examples: boolean;
  /** Stops it, and removes everything that it made. */
  close(): Promise<void>;
}

/** Longer than a test asks one mock: what is queued is announced within the process. */
const SEEDED_LOOKS = { claim_poll_ms: 60_000, lease_ms: 600_000 };

/** Throws as `startService`. */
export async function startStaged(
  { host, port, pace_ms, seed, log_level }: MockOptions, database: ThrowAway,
): Promise<Pick<Mock, 'base_url' | 'has_examples'> & { stop(): Promise<void> }> {
  // Nothing of the environment: it is meant for the service.
  const config = readConfig({}, {
    host, port, log_level, database_url: database.url, data_dir: database.data_dir,
    master_keys: `mock:${randomBytes(32).toString('base64')}`, model_retry_ms: 50,
    drain_ms: 1_000,
    // With a seed a run waits until its 202 is answered: no look of the worker may come between,
    // and it looks whenever it has renewed its lease, too.
    ...(seed !== null && SEEDED_LOOKS),
  });
  const examples = new Examples(config);
  const stage = new Stage({
    config, pace_ms, examples, repeatable: seed === null ? null : new Repeatable(seed),
  });
  const service = await startService({
    config, ...createServiceLog(log_level), sources: INTEGRATIONS, disguise: stage });
  return {
    base_url: service.base_url, has_examples: examples.is_installed, stop: () => service.stop(),
  };
}
