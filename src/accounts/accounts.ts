/**
 * Workspaces and api keys, and what a new database begins with. Each change commits with its entry
 * in the audit log.
 */
import type { Schemas } from '../../generated/types.ts';
import { AuditLog, type Author } from '../audit/audit.ts';
import { GatehouseError, notFound } from '../errors.ts';
import { addGrant, BUILTIN_SLUGS } from '../gateway/face.ts';
import { newId } from '../ids.ts';
import * as keys from '../store/apiKeys.ts';
import { createBuiltinConnections } from '../store/connections.ts';
import type { Sql, Transaction } from '../store/database.ts';
import { FIRST_CREDENTIALS_LOCK } from '../store/locks.ts';
import * as store from '../store/workspaces.ts';
import { addAdminToken } from './adminTokens.ts';
import { normalIdentities } from './identities.ts';
import { hashToken, hintOf, newToken } from './token.ts';

/** Creates a workspace that is connected to the built-in integrations. */
export async function addWorkspace(
  tx: Transaction, request: Schemas['CreateWorkspaceRequest'], by: Author,
): Promise<store.WorkspaceRow> {
  const workspace = await store.insertWorkspace(tx, {
    model: null, instructions: null, limits: {}, allowed_models: null, ...request, id: newId('wsp'),
  });
  const { id, name } = workspace;
  await createBuiltinConnections(tx, id, BUILTIN_SLUGS);
  await AuditLog.within(tx,
    { ...by, workspace_id: id, event: 'workspace.created', target: id, details: { name } });
  return workspace;
}

/**
 * Changes the given fields. `checkModel` throws for a model that is not among the allowed ones.
 * Throws not_found.
 */
export async function changeWorkspace(
  sql: Sql, id: string, change: Schemas['UpdateWorkspaceRequest'], by: Author,
  checkModel: (model: string, allowed: readonly string[] | null) => void,
): Promise<store.WorkspaceRow> {
  return await sql.begin(async (tx) => {
    const changed = await store.updateWorkspaceRow(tx, id, change);
    if (!changed) throw notFound('workspace', id);
    // The model has to be an allowed one, whichever of the two was changed.
    if (changed.model !== null
      && (change.model !== undefined || change.allowed_models !== undefined)) {
      checkModel(changed.model, changed.allowed_models);
    }
    await AuditLog.within(tx, {
      ...by, workspace_id: id, event: 'workspace.changed', target: id,
      details: { fields: Object.keys(change), ...(change.status && { status: change.status }) },
    });
    return changed;
  });
}

/**
 * Creates an api key and answers it this once: only its hash is kept. Throws not_found for an
 * unknown workspace, workspace_archived for one that is archived.
 */
export async function addApiKey(
  tx: Transaction, request: Schemas['CreateApiKeyRequest'], by: Author,
): Promise<keys.ApiKeyRow & { api_key: string }> {
  const { workspace_id, name, expires_at = null } = request;
  const identities = normalIdentities(request.identities ?? []);
  const api_key = newToken('gth');
  const hint = hintOf(api_key);
  const row = await keys.insertApiKey(tx, { id: newId('key'), workspace_id, name, hint,
    sha256: hashToken(api_key), expires_at, identities });
  if (!row) {
    if (!await store.getWorkspaceRow(tx, workspace_id)) throw notFound('workspace', workspace_id);
    throw new GatehouseError('workspace_archived', 'The workspace is archived: a key of it would'
      + ' open nothing. Set its status to "active" first.', { param: '/workspace_id' });
  }
  await AuditLog.within(tx, {
    ...by, workspace_id, event: 'api_key.created', target: row.id,
    details: { name, hint, expires_at: row.expires_at,
      ...(identities.length > 0 && { identities }) },
  });
  return { ...row, api_key };
}

/** Changes the given fields of an api key, and answers it as it is listed. Throws not_found. */
export async function changeApiKey(
  sql: Sql, id: string, change: keys.ApiKeyChange, by: Author): Promise<keys.ListedApiKeyRow> {
  return await sql.begin(async (tx) => {
    const identities = change.identities && normalIdentities(change.identities);
    const changed = await keys.updateApiKeyRow(tx, id, { ...change, identities });
    if (!changed) throw notFound('api key', id);
    if (changed.dashboard && changed.identities.length > 0) {
      throw new GatehouseError('invalid_request', 'The key of the dashboard stands for nobody: who'
        + ' signs in there acts with it.', { param: '/identities' });
    }
    await AuditLog.within(tx, {
      ...by, workspace_id: changed.workspace_id, event: 'api_key.changed', target: id,
      details: { fields: Object.keys(change), ...(identities && { identities }) },
    });
    const [row] = await keys.listApiKeyRows(tx, { id }, { limit: 1, order: 'asc' });
    return row!;
  });
}

/** Revokes an api key. To revoke it again changes nothing. Throws not_found. */
export async function withdrawApiKey(sql: Sql, id: string, by: Author): Promise<void> {
  await sql.begin(async (tx) => {
    const revoked = await keys.revokeApiKeyRow(tx, id);
    if (!revoked) throw notFound('api key', id);
    const { workspace_id, name, newly } = revoked;
    if (!newly) return;
    await AuditLog.within(tx,
      { ...by, workspace_id, event: 'api_key.revoked', target: id, details: { name } });
  });
}

/** What the first client of a new database needs. */
export interface FirstCredentials {
  workspace_id: string;
  api_key: string;
  admin_token: string;
}

/**
 * What agents of the first workspace may read of the whole of it, so that a first run has something
 * to show. Agents of other workspaces see their own session until the operator grants more.
 */
const FIRST_GRANTS = ['gatehouse.*.list', 'gatehouse.*.get'];

/** A start, which waits for it, may take as long. */
const FIRST_LIMIT_MS = 60_000;

/** Creates the first workspace, a key of it and an admin token, in one transaction. */
export async function createFirstCredentials(sql: Sql): Promise<FirstCredentials> {
  return await sql.begin(addFirstCredentials);
}

/**
 * The same on a database that nobody has used yet; null on any other. Of several that ask at once
 * one creates them. `keep`: the database has only hashes of them, so they are kept elsewhere before
 * they count. If it throws, there are none.
 */
export async function createMissingCredentials(
  sql: Sql, keep: (made: FirstCredentials) => Promise<void> = async () => {},
): Promise<FirstCredentials | null> {
  return await sql.begin(async (tx) => {
    // The limits for requests are too short for those who wait, and for a slow disk.
    await tx`set local lock_timeout = 0`;
    await tx`set local idle_in_transaction_session_timeout = 0`;
    await tx`select pg_advisory_xact_lock(${FIRST_CREDENTIALS_LOCK})`;
    if (await store.hasWorkspace(tx)) return null;
    const made = await addFirstCredentials(tx);
    await keep(made);
    return made;
  }, { limit_ms: FIRST_LIMIT_MS });
}

async function addFirstCredentials(tx: Transaction): Promise<FirstCredentials> {
  const setup: Author = { actor: { type: 'system', id: null } };
  const { id: workspace_id } = await addWorkspace(tx, { name: 'Default' }, setup);
  const { api_key } = await addApiKey(tx, { workspace_id, name: 'first key' }, setup);
  for (const actions of FIRST_GRANTS) {
    await addGrant(tx, { workspace_id, actions, decision: 'allow' }, setup);
  }
  const { admin_token } = await addAdminToken(tx, { name: 'first token' }, setup);
  return { workspace_id, api_key, admin_token };
}
