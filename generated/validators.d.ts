// Generated from openapi.yaml by scripts/generate.ts. Do not edit.
import type { ErrorObject } from 'ajv';
import type { components, operations } from './types.ts';
/** True if `data` is a T; otherwise `errors` holds why, until the next call. */
export interface Validate<T> {
  (data: unknown): data is T;
  errors?: ErrorObject[] | null;
}
export declare const CreateSessionRequest: Validate<components['schemas']['CreateSessionRequest']>;
export declare const UpdateSessionRequest: Validate<components['schemas']['UpdateSessionRequest']>;
export declare const CreateRunRequest: Validate<components['schemas']['CreateRunRequest']>;
export declare const SearchActionsRequest: Validate<components['schemas']['SearchActionsRequest']>;
export declare const CreateActionInvocationRequest: Validate<components['schemas']['CreateActionInvocationRequest']>;
export declare const CreateWorkspaceRequest: Validate<components['schemas']['CreateWorkspaceRequest']>;
export declare const UpdateWorkspaceRequest: Validate<components['schemas']['UpdateWorkspaceRequest']>;
export declare const CreateApiKeyRequest: Validate<components['schemas']['CreateApiKeyRequest']>;
export declare const UpdateApiKeyRequest: Validate<components['schemas']['UpdateApiKeyRequest']>;
export declare const CreateDashboardSessionRequest: Validate<components['schemas']['CreateDashboardSessionRequest']>;
export declare const CreateAdminTokenRequest: Validate<components['schemas']['CreateAdminTokenRequest']>;
export declare const CreateIntegrationRequest: Validate<components['schemas']['CreateIntegrationRequest']>;
export declare const UpdateIntegrationRequest: Validate<components['schemas']['UpdateIntegrationRequest']>;
export declare const RefreshIntegrationRequest: Validate<components['schemas']['RefreshIntegrationRequest']>;
export declare const CreateConnectionRequest: Validate<components['schemas']['CreateConnectionRequest']>;
export declare const UpdateConnectionRequest: Validate<components['schemas']['UpdateConnectionRequest']>;
export declare const CreateGrantRequest: Validate<components['schemas']['CreateGrantRequest']>;
export declare const PreviewGrantRequest: Validate<components['schemas']['PreviewGrantRequest']>;
export declare const DecideApprovalRequest: Validate<components['schemas']['DecideApprovalRequest']>;
