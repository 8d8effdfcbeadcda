/** What an agent may ask of the service itself while no grant covers it. */
import type { OperationId, operations } from '../../generated/operations.ts';

type PublicOperationId = {
  [O in OperationId]: (typeof operations)[O] extends { internal: true } ? never : O
}[OperationId];

/**
 * True for an operation that reads by the `scope` of its context, or that knows nothing of
 * sessions: to an agent it answers for its own session alone. Any other needs a grant. An operation
 * that is not named here does not compile, and is refused.
 */
export const FOR_CONFINED_AGENTS: Readonly<Record<PublicOperationId, boolean>> = {
  createSession: false,
  listSessions: true,
  getSession: true,
  listSessionMessages: true,
  updateSession: false,
  deleteSession: false,
  createRun: false,
  listRuns: true,
  getRun: true,
  cancelRun: false,
  streamRunEvents: true,
  listActions: true,
  searchActions: true,
  getAction: true,
  createActionInvocation: false,
  listActionInvocations: true,
  getActionInvocation: true,
  getOpenapiDocument: true,
};
