import type { components } from '../../generated/types.ts';
import { newId } from '../ids.ts';
import { sanitizeJson } from '../sanitize.ts';
import type { Sql, Transaction } from '../store/database.ts';
import { insertSession } from '../store/sessions.ts';
import { once, requestHash } from './idempotency.ts';
import type { Operation } from './operation.ts';
import { presentSession } from './present.ts';

type Session = components['schemas']['Session'];

/** POST /sessions */
export const createSession: Operation<'createSession'> = async ({
  caller, body = {}, params, services: { sql },
}) => {
  const { workspace_id } = caller;
  const { title = null, metadata = {} } = sanitizeJson(body);
  const make = async (db: Sql | Transaction) => presentSession(
    await insertSession(db, { workspace_id, id: newId('ses'), title, metadata }));
  const key = params.headers['idempotency-key'];
  if (key === undefined) return created(await make(sql));

  const request = { workspace_id, key, request_sha256: requestHash('createSession', body) };
  const outcome = await once(sql, request, async (tx) => {
    const session = await make(tx);
    return { resource_id: session.id, status: 201, body: session };
  });
  return created('made' in outcome ? outcome.made.body : outcome.stored.body as Session);
};

function created(body: Session) {
  return { status: 201 as const, body, headers: { Location: `/v1/sessions/${body.id}` } };
}
