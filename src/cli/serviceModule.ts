/**
 * What `serve`, `setup`, `doctor`, `mock` and `keys rotate-master` need of the service. main.ts
 * hands it in, and the compiler holds it to this, so that the command line stays a client that
 * knows no room of the service.
 */
import type { Config } from '../config.ts';
import type { Log, LogScrubber } from '../log.ts';

export interface StartCredentials {
  workspace_id: string;
  api_key: string;
  admin_token: string;
}

export interface RunningService {
  base_url: string;
  /** Those that this start has made, to be shown once; null if there were some. */
  credentials: StartCredentials | null;
  /** The credentials.json of the data directory, if what it holds is of this database. */
  credentials_file: string | null;
  /** The file with the master key, if this start has made one. */
  master_key_file: string | null;
  embedded: boolean;
  stop(): Promise<void>;
}

/** A log, and what keeps the service's secrets from it. */
export interface ServiceLog {
  log: Log;
  log_scrubber: LogScrubber;
}

/** What a check of `doctor` has found. */
export interface DoctorFinding {
  check: string;
  status: 'ok' | 'warning' | 'failed' | 'skipped';
  found: string;
  /** What to do: each line is one piece of advice. */
  advice?: string;
}

export interface ServiceModule {
  startService(options: ServiceLog & {
    config: Config; owns_process: boolean; onProgress: (message: string) => void;
  }): Promise<RunningService>;
  /** What is wrong with settings beyond what `readSettings` sees, a line each. */
  settingFaults(config: Config): Promise<string[]>;
  createServiceLog(
    level: string, options?: { destination?: { write(line: string): void } }): ServiceLog;
  setUp(options: { config: Config; log: Log }): Promise<StartCredentials>;
  rotateMasterKeys(options: {
    config: Config; log: Log; onProgress: (message: string) => void;
  }): Promise<{
    rewrapped: number; master_key_id: string; others: string[]; sealing_otherwise: string[];
  }>;
  examine(options: {
    overrides: Partial<Config>; model: string | boolean;
    onFinding: (finding: DoctorFinding) => void;
  }): Promise<DoctorFinding[]>;
}

export interface RunningMock {
  base_url: string;
  is_service: boolean;
  has_examples: boolean;
  close(): Promise<void>;
}

export interface MockModule {
  startMock(options: {
    host: string; port: number; pace_ms: number; seed: string | null; log_level: string;
    onExamplesOnly: (reason: string) => void;
  }): Promise<RunningMock>;
}

/** Loads the service only for the commands that need it. */
export type LoadService = () => Promise<ServiceModule>;
export type LoadMock = () => Promise<MockModule>;
