import type { Check } from '../check.ts';
import { actionChecks } from './actions.ts';
import { authChecks } from './auth.ts';
import { cancellationChecks } from './cancellation.ts';
import { documentChecks } from './document.ts';
import { errorChecks } from './errors.ts';
import { headerChecks } from './headers.ts';
import { idempotencyChecks } from './idempotency.ts';
import { isolationChecks } from './isolation.ts';
import { pagingChecks } from './paging.ts';
import { resumeChecks } from './resume.ts';
import { runChecks } from './runs.ts';
import { sessionChecks } from './sessions.ts';
import { streamChecks } from './streams.ts';
import { waitChecks } from './wait.ts';

/** All checks, in the order of the report. */
export const CHECKS: readonly Check[] = [
  ...documentChecks, ...authChecks, ...headerChecks, ...errorChecks, ...sessionChecks,
  ...runChecks, ...waitChecks, ...streamChecks, ...resumeChecks, ...cancellationChecks,
  ...idempotencyChecks, ...pagingChecks, ...actionChecks, ...isolationChecks,
];
