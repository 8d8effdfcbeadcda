/**
 * Whose account a connection is, as the other service says it: in the identity token that came with
 * its tokens, at its UserInfo endpoint, or by a reading action that the operator names. It is for
 * people and agents to tell accounts apart, and nothing is decided by it.
 */
import { deadline } from '../../deadline.ts';
import { follow, fromSegment, objectOf, parseJson, type JsonObject } from '../../json.ts';
import { plainJson } from '../../jsonText.ts';
import { sanitizeText } from '../../sanitize.ts';
import { setFoundLabel, type ConnectionRow } from '../../store/connections.ts';
import type { Sql } from '../../store/database.ts';
import type { IntegrationRow } from '../../store/integrations.ts';
import { openIfThere } from '../action/action.ts';
import { OverrideRules } from '../action/overrideRules.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { ConnectionCredentials } from '../credentials/connectionCredentials.ts';
import { secretsIn, type OAuth2Client, type OAuth2Tokens } from '../credentials/credentials.ts';
import { withoutSecrets } from '../credentials/withoutSecrets.ts';
import { reachOf } from '../egress/egress.ts';
import { actionsBehind, callWithoutInput } from './ownCalls.ts';

export interface LabelDependencies {
  sql: Sql;
  catalogue: Pick<Catalogue, 'visible'>;
  credentials: ConnectionCredentials;
  fetchFor(options: { egress_allow: readonly string[] }): typeof fetch;
}

/** For all of it: a person waits, whose browser has come back. */
const LIMIT_MS = 5_000;
const LABEL_CHARS = 120;
/** Of OpenID Connect Core, 5.1; the first that is there. */
const CLAIMS = ['email', 'preferred_username', 'name', 'sub'];

/**
 * Labels a connection anew whose account may be another one now. A label that a person has written
 * stays. Never throws: without a label the connection goes on.
 */
export async function labelAccount(
  deps: LabelDependencies, row: ConnectionRow, integration: IntegrationRow,
  id_token: string | null): Promise<void> {
  const limit = deadline(LIMIT_MS);
  const key = { workspace_id: row.workspace_id, connection_id: row.id };
  try {
    // The former label is removed first: it may be that of another account.
    await setFoundLabel(deps.sql, key, null);
    const client = await deps.credentials.oauthClient(key);
    const secrets = client === null ? [] : secretsIn(client);
    const label = await withoutSecrets(secrets, async () =>
      (client && labelOf(claimsIn(id_token, client)))
      ?? (client && await fromUserInfo(deps, integration, client, limit.signal))
      ?? await fromAction(deps, integration, row, limit.signal));
    await setFoundLabel(deps.sql, key, label);
  } catch {
    // A connection without a label works as well.
  } finally {
    limit.end();
  }
}

/** It came from the token endpoint itself, so that nobody else can have written it. */
function claimsIn(id_token: string | null, { client_id, issuer }: OAuth2Client): JsonObject {
  const [, payload = ''] = id_token?.split('.') ?? [];
  const claims = objectOf(parseJson(Buffer.from(payload, 'base64url').toString()));
  const is_ours = [claims.aud].flat().includes(client_id)
    && (issuer === undefined || claims.iss === issuer);
  return is_ours ? claims : {};
}

async function fromUserInfo(
  { fetchFor }: LabelDependencies, integration: IntegrationRow,
  client: OAuth2Client & OAuth2Tokens, signal: AbortSignal): Promise<string | null> {
  const { userinfo_url, access_token } = client;
  if (userinfo_url === undefined || access_token === null) return null;
  const answer = await fetchFor({ egress_allow: reachOf(integration) })(userinfo_url, {
    headers: { accept: 'application/json', authorization: `Bearer ${access_token}` },
    redirect: 'manual', signal,
  });
  return answer.ok ? labelOf(objectOf(parseJson(await answer.text()))) : null;
}

function labelOf(claims: JsonObject): string | null {
  return CLAIMS.map((name) => shown(claims[name])).find((label) => label !== null) ?? null;
}

/** No grants are asked: the operator has said that it is to be called. */
async function fromAction(
  { catalogue, credentials }: LabelDependencies, { overrides }: IntegrationRow,
  row: ConnectionRow, signal: AbortSignal): Promise<string | null> {
  const isNamed = Object.values(overrides).some((one) => one.account_label !== undefined);
  if (!isNamed) return null;
  const rules = new OverrideRules(overrides);
  for (const { definition, integration } of await actionsBehind(row, catalogue)) {
    if (definition.effect !== 'read') continue;
    const { name, source_key } = definition;
    const pointer = rules.of({ name, source_keys: [source_key] }).override.account_label;
    if (pointer === undefined) continue;
    const opened = await openIfThere(definition);
    if (opened === undefined) return null;
    const { result } = await callWithoutInput(credentials, opened, integration, row, signal);
    return shown(follow(plainJson(result), pointer.split('/').slice(1).map(fromSegment)));
  }
  return null;
}

/** On one line, and nothing that cannot be seen: whoever owns the account has written it. */
function shown(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = sanitizeText(String(value).slice(0, 10 * LABEL_CHARS)).replace(/\s+/g, ' ')
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '').trim();
  return text === '' ? null : [...text].slice(0, LABEL_CHARS).join('');
}
