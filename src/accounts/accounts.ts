import { AuditLog } from '../audit/audit.ts';
import { notFound } from '../errors.ts';
import { newId } from '../ids.ts';
import { insertAdminToken, insertApiKey, type ApiKeyRow } from '../store/apiKeys.ts';
import { createBuiltinConnections } from '../store/connections.ts';
import type { Sql, Transaction } from '../store/database.ts';
import * as store from '../store/workspaces.ts';
import { hashToken, hintOf, newToken } from './token.ts';

export type WorkspaceRequest =
  Pick<store.NewWorkspace, 'name'> & Partial<Omit<store.NewWorkspace, 'id' | 'name'>>;

/** Creates a workspace, connected to the built-in integrations (`slugs`). */
export async function createWorkspace(
  tx: Transaction, request: WorkspaceRequest, slugs: readonly string[],
): Promise<store.WorkspaceRow> {
  const workspace = await store.insertWorkspace(tx, {
    id: newId('wsp'), name: request.name, model: request.model ?? null,
    instructions: request.instructions ?? null, limits: request.limits ?? {},
    allowed_models: request.allowed_models ?? null,
  });
  await createBuiltinConnections(tx, workspace.id, slugs);
  return workspace;
}

export interface ApiKeyRequest {
  workspace_id: string;
  name: string;
  expires_at?: string | null;
}

/**
 * Creates an api key and answers it this once; only its hash is kept. Throws not_found for an
 * unknown workspace.
 */
export async function createApiKey(
  sql: Sql | Transaction, request: ApiKeyRequest): Promise<ApiKeyRow & { api_key: string }> {
  const api_key = newToken('gth');
  const row = await insertApiKey(sql, {
    id: newId('key'), workspace_id: request.workspace_id, name: request.name,
    hint: hintOf(api_key), sha256: hashToken(api_key), expires_at: request.expires_at ?? null,
  });
  if (!row) throw notFound('workspace', request.workspace_id);
  return { ...row, api_key };
}

/** What a new database's first client needs. */
export interface FirstCredentials {
  workspace_id: string;
  api_key: string;
  admin_token: string;
}

/** The first workspace with a key, and an admin token: all of it, with its record, or nothing. */
export async function createFirstCredentials(
  sql: Sql, slugs: readonly string[]): Promise<FirstCredentials> {
  return await sql.begin(async (tx) => {
    const { id: workspace_id, name } = await createWorkspace(tx, { name: 'Default' }, slugs);
    const { api_key, ...key } = await createApiKey(tx, { workspace_id, name: 'first key' });
    const admin_token = newToken('gta');
    await insertAdminToken(tx, hashToken(admin_token));
    const bySetup = { workspace_id, actor: { type: 'system', id: null } } as const;
    await AuditLog.within(tx, { ...bySetup, event: 'workspace.created', target: workspace_id,
      details: { name } });
    await AuditLog.within(tx, { ...bySetup, event: 'api_key.created', target: key.id,
      details: { name: key.name, hint: key.hint, expires_at: null } });
    await AuditLog.within(tx, { ...bySetup, event: 'admin_token.created', workspace_id: null,
      details: { hint: hintOf(admin_token) } });
    return { workspace_id, api_key, admin_token };
  }) as FirstCredentials;
}
