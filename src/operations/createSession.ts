import { createSession as makeSession } from '../runs/sessions.ts';
import { createOnce } from './idempotency.ts';
import type { Operation } from './operation.ts';
import { presentSession } from './present.ts';

/** POST /sessions */
export const createSession: Operation<'createSession'> = async (context) => {
  const { caller: { workspace_id }, body = {} } = context;
  return await createOnce(context, ['createSession', body], 'sessions', async (tx) =>
    presentSession(await makeSession(tx, workspace_id, body)));
};
