import { createOnce } from './idempotency.ts';
import type { Operation } from './operation.ts';
import { signedInOf } from './operator.ts';
import { presentSession } from './present.ts';

/** POST /sessions */
export const createSession: Operation<'createSession'> = async (context) => {
  const { caller: { workspace_id }, body = {}, services: { sessions } } = context;
  const by = signedInOf(context);
  return await createOnce(context, ['createSession', body], 'sessions', async (tx) =>
    presentSession(await sessions.create(tx, workspace_id, body, by)));
};
