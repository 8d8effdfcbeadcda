/**
 * What the rest of the service may take of the gateway. Nothing outside imports past it
 * (test/house.test.ts).
 */
export { settleApproval } from './access/approvals.ts';
export { addGrant, removeGrant } from './access/grants.ts';
export {
  openIfThere, type ActionDefinition, type ActionSource, type ActionSummary, type Effect,
} from './action/action.ts';
export { failure, rateLimited } from './action/failure.ts';
export { errorOfMissing, ofInputAlone } from './action/missing.ts';
export type { ActionCall, ActionOutcome, CallContext, Missing } from './action/outcome.ts';
export { PatternTree } from './action/patterns.ts';
export { describeForModel } from './builtin/describe.ts';
export { createSelfSource, readSelfActions } from './builtin/self.ts';
export { toToolError, toToolResult } from './calls/toolResult.ts';
export { describeTool } from './catalogue/tool.ts';
export type { VisibleAction, VisibleActions } from './catalogue/visibility.ts';
export { AuthorizationFailed, FLOW_LIFETIME_S } from './credentials/flows.ts';
export { BUILTIN_SLUGS, type Gateway } from './gateway.ts';
export type { Actor, Administration } from './integrations/administration.ts';
export {
  OAUTH_CALLBACK_PATH, OAUTH_CLIENT_PATH, OAUTH_START_PATH, type ConnectionAdministration,
  type SetUp,
} from './integrations/connections.ts';
export { AllowedCommands } from './mcp/allowedCommands.ts';
export { clientMetadata } from './mcp/clientMetadata.ts';
export { openGateway, type OpenedGateway } from './open.ts';
export { HOW_TO_MAKE_ONE, tryDataKeys } from './vault/dataKeys.ts';
export {
  findMasterKeys, fingerprints, openMasterKeys, type ConfiguredKeys,
} from './vault/masterKeys.ts';
export { rewrapDataKeys, type Rotation } from './vault/rotation.ts';
export { Scrubber } from './vault/scrubber.ts';
