import { GatehouseError, notFound } from '../errors.ts';
import { newId } from '../ids.ts';
import { resolveModel } from '../models/model.ts';
import { insertAdminToken, insertApiKey, type ApiKeyRow } from '../store/apiKeys.ts';
import { createBuiltinConnections } from '../store/connections.ts';
import type { Sql, Transaction } from '../store/database.ts';
import * as store from '../store/workspaces.ts';
import { hashToken, hintOf, newToken } from './token.ts';

export type WorkspaceRequest =
  Pick<store.NewWorkspace, 'name'> & Partial<Omit<store.NewWorkspace, 'id' | 'name'>>;

/**
 * Creates a workspace, connected to the built-in integrations (`slugs`). Throws invalid_request for
 * a model that there is not.
 */
export async function createWorkspace(
  tx: Transaction, request: WorkspaceRequest, slugs: readonly string[],
): Promise<store.WorkspaceRow> {
  if (typeof request.model === 'string') resolveModel(request.model);
  const workspace = await store.insertWorkspace(tx, {
    id: newId('wsp'), name: request.name, model: request.model ?? null,
    instructions: request.instructions ?? null, limits: request.limits ?? {},
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
 * unknown workspace, invalid_request for an expiry that is over.
 */
export async function createApiKey(
  sql: Sql | Transaction, request: ApiKeyRequest): Promise<ApiKeyRow & { api_key: string }> {
  const expires_at = request.expires_at ?? null;
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) {
    throw new GatehouseError('invalid_request',
      'expires_at is in the past. Give a later time, or leave it out.', { param: '/expires_at' });
  }
  const api_key = newToken('gth');
  const row = await insertApiKey(sql, {
    id: newId('key'), workspace_id: request.workspace_id, name: request.name,
    hint: hintOf(api_key), sha256: hashToken(api_key), expires_at,
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

/** The first workspace with a key, and an admin token: all of it, or nothing. */
export async function createFirstCredentials(
  sql: Sql, slugs: readonly string[]): Promise<FirstCredentials> {
  return await sql.begin(async (tx) => {
    const workspace = await createWorkspace(tx, { name: 'Default' }, slugs);
    const { api_key } = await createApiKey(tx, { workspace_id: workspace.id, name: 'first key' });
    const admin_token = newToken('gta');
    await insertAdminToken(tx, hashToken(admin_token));
    return { workspace_id: workspace.id, api_key, admin_token };
  }) as FirstCredentials;
}
