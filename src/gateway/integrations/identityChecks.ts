/** A second question, before one refused call counts against a whole connection. */
import { deadline, untilAborted } from '../../deadline.ts';
import { unhurried } from '../../patience.ts';
import { getConnectionRow } from '../../store/connections.ts';
import type { Sql } from '../../store/database.ts';
import type { ActionDefinition } from '../action/action.ts';
import { ActionFailure } from '../action/failure.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Identities, Issued, RefusedTarget } from '../credentials/connectionCredentials.ts';
import { NeedsReconnect } from '../credentials/credentialStore.ts';
import type { CredentialSource } from '../credentials/withCredentials.ts';
import { actionsToCheckBy, firstToAnswer, tellsWhose } from './connectionCheck.ts';
import { actionsBehind, callWithoutInput } from './ownCalls.ts';

export interface IdentityChecksOptions {
  sql: Sql;
  catalogue: () => Pick<Catalogue, 'visible'>;
}

/** The calls that were refused wait for it. */
const LIMIT_MS = 10_000;

/**
 * Uses credentials that one call was refused with where a check of the connection would: once for
 * all calls that wait for it. The action that tells whose account it is accepts them if it answers;
 * a list may be open to everybody, so it has to refuse whoever comes without any.
 */
export class IdentityChecks implements Identities {
  readonly #options: IdentityChecksOptions;
  readonly #running = new Map<string, Promise<boolean>>();
  readonly #closing = new AbortController();

  constructor(options: IdentityChecksOptions) {
    this.#options = options;
  }

  /** False, too, if there is no other action to ask. */
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

  async #ask({ connection_id, action }: RefusedTarget, issued: Issued): Promise<boolean> {
    const row = await getConnectionRow(this.#options.sql, connection_id);
    if (!row) return false;
    const others = (await actionsBehind(row, this.#options.catalogue()))
      .filter(({ definition }) => definition.name !== action);
    const limit = deadline(LIMIT_MS, this.#closing.signal);
    const call = async (one: ActionDefinition, given: Issued) => {
      await untilAborted(callWithoutInput(
        only(given), one, others[0]!.integration, row, limit.signal), limit.signal);
      return one;
    };
    try {
      const probe = await firstToAnswer(
        actionsToCheckBy(others.map(({ definition }) => definition)), (one) => call(one, issued));
      return probe !== undefined && (tellsWhose(probe) || await call(
        probe, { ...issued, credentials: { type: 'none' } }).then(() => false, isRefusal));
    } catch (error) {
      if (error instanceof ActionFailure || limit.is_over) return false;
      throw error;
    } finally {
      limit.end();
    }
  }
}

/** Throws what says nothing of the credentials. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof ActionFailure)) throw error;
  const { outcome } = error;
  const { code } = outcome.status === 'failed' ? outcome.error : outcome.missing[0]!;
  return code === 'needs_reconnect' || code === 'upstream_forbidden';
}

/** These credentials and no others: what is refused here is neither renewed nor asked about. */
function only(issued: Issued): CredentialSource {
  return {
    for: async () => issued,
    refused: async () => { throw new NeedsReconnect('They are refused.'); },
  };
}
