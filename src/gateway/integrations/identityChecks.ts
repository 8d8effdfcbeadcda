/** A second question, before one refused call counts against a whole connection. */
import { deadline, untilAborted } from '../../deadline.ts';
import { newId } from '../../ids.ts';
import { unhurried } from '../../patience.ts';
import { getConnectionRow } from '../../store/connections.ts';
import type { Sql } from '../../store/database.ts';
import { ActionFailure } from '../action/failure.ts';
import { performAction } from '../calls/perform.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Identities, Issued, RefusedTarget } from '../credentials/connectionCredentials.ts';
import { NeedsReconnect } from '../credentials/credentialStore.ts';
import type { CredentialSource } from '../credentials/withCredentials.ts';
import { Departure } from '../egress/departure.ts';
import { identityAction } from './connectionCheck.ts';

export interface IdentityChecksOptions {
  sql: Sql;
  catalogue: () => Pick<Catalogue, 'visible'>;
}

/** The calls that were refused wait for it. */
const LIMIT_MS = 10_000;

/**
 * Asks the action that tells whose account a connection is whether it accepts credentials that one
 * call was refused with: once for all calls that wait for it. It alone is asked, because a list
 * that answers may be open to everybody.
 */
export class IdentityChecks implements Identities {
  readonly #options: IdentityChecksOptions;
  readonly #running = new Map<string, Promise<boolean>>();
  readonly #closing = new AbortController();

  constructor(options: IdentityChecksOptions) {
    this.#options = options;
  }

  /** False, too, if there is no such action, or if it is the one that was refused. */
  async accepts(target: RefusedTarget, issued: Issued, signal?: AbortSignal): Promise<boolean> {
    const name = `${target.workspace_id}|${target.connection_id}|${issued.version}`;
    let running = this.#running.get(name);
    if (running === undefined) {
      running = unhurried(() => this.#ask(target, issued))
        .finally(() => this.#running.delete(name));
      this.#running.set(name, running);
    }
    return await untilAborted(running, signal);
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#running.values());
  }

  async #ask(
    { workspace_id, connection_id, action }: RefusedTarget, issued: Issued): Promise<boolean> {
    const row = await getConnectionRow(this.#options.sql, connection_id);
    if (!row) return false;
    const caller = { workspace_id, api_key_id: '', agent: null };
    const own = [...(await this.#options.catalogue().visible(caller)).values()]
      .filter(({ integration }) => integration.slug === row.integration);
    const identity = await identityAction(own.map(({ definition }) => definition));
    if (identity === undefined || identity.name === action) return false;
    const request = { input: {}, connection: row, invocation_id: newId('inv'),
      idempotency_key: null, departure: new Departure() };
    const limit = deadline(LIMIT_MS, this.#closing.signal);
    try {
      await untilAborted(performAction(only(issued), identity, own[0]!.integration, request, caller,
        limit.signal), limit.signal);
      return true;
    } catch (error) {
      if (error instanceof ActionFailure || limit.is_over) return false;
      throw error;
    } finally {
      limit.end();
    }
  }
}

/** These credentials and no others: what is refused here is neither renewed nor asked about. */
function only(issued: Issued): CredentialSource {
  return {
    for: async () => issued,
    refused: async () => { throw new NeedsReconnect('They are refused.'); },
  };
}
