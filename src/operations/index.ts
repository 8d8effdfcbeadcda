import { createSession } from './createSession.ts';
import { listSessions } from './listSessions.ts';
import { getSession } from './getSession.ts';
import { updateSession } from './updateSession.ts';
import { createRun } from './createRun.ts';
import { listRuns } from './listRuns.ts';
import { getRun } from './getRun.ts';
import { cancelRun } from './cancelRun.ts';
import { streamRunEvents } from './streamRunEvents.ts';
import { listActions } from './listActions.ts';
import { searchActions } from './searchActions.ts';
import { createActionInvocation } from './createActionInvocation.ts';
import { listActionInvocations } from './listActionInvocations.ts';
import { getActionInvocation } from './getActionInvocation.ts';
import { getOpenapiDocument } from './getOpenapiDocument.ts';
import { createWorkspace } from './createWorkspace.ts';
import { listWorkspaces } from './listWorkspaces.ts';
import { getWorkspace } from './getWorkspace.ts';
import { updateWorkspace } from './updateWorkspace.ts';
import { createApiKey } from './createApiKey.ts';
import { listApiKeys } from './listApiKeys.ts';
import { revokeApiKey } from './revokeApiKey.ts';
import { createIntegration } from './createIntegration.ts';
import { listIntegrations } from './listIntegrations.ts';
import { getIntegration } from './getIntegration.ts';
import { updateIntegration } from './updateIntegration.ts';
import { deleteIntegration } from './deleteIntegration.ts';
import { refreshIntegration } from './refreshIntegration.ts';
import { createConnection } from './createConnection.ts';
import { listConnections } from './listConnections.ts';
import { getConnection } from './getConnection.ts';
import { updateConnection } from './updateConnection.ts';
import { deleteConnection } from './deleteConnection.ts';
import { checkConnection } from './checkConnection.ts';
import { createGrant } from './createGrant.ts';
import { listGrants } from './listGrants.ts';
import { deleteGrant } from './deleteGrant.ts';
import { listApprovals } from './listApprovals.ts';
import { getApproval } from './getApproval.ts';
import { decideApproval } from './decideApproval.ts';
import { listAuditEntries } from './listAuditEntries.ts';
import { verifyAuditLog } from './verifyAuditLog.ts';
import type { Operations } from './operation.ts';

/** Every operation of the document, by its operationId; a missing one does not compile. */
export const operations: Operations = {
  createSession,
  listSessions,
  getSession,
  updateSession,
  createRun,
  listRuns,
  getRun,
  cancelRun,
  streamRunEvents,
  listActions,
  searchActions,
  createActionInvocation,
  listActionInvocations,
  getActionInvocation,
  getOpenapiDocument,
  createWorkspace,
  listWorkspaces,
  getWorkspace,
  updateWorkspace,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  createIntegration,
  listIntegrations,
  getIntegration,
  updateIntegration,
  deleteIntegration,
  refreshIntegration,
  createConnection,
  listConnections,
  getConnection,
  updateConnection,
  deleteConnection,
  checkConnection,
  createGrant,
  listGrants,
  deleteGrant,
  listApprovals,
  getApproval,
  decideApproval,
  listAuditEntries,
  verifyAuditLog,
};
