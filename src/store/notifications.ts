import { steadyClock, type Clock } from '../clock.ts';
import { coalesce } from '../coalesce.ts';
import type { Sql } from './database.ts';

const CHANNEL = 'gatehouse';
// PostgreSQL refuses a payload of 8,000 bytes and more.
const PAYLOAD_LIMIT_BYTES = 7_900;

/** The kinds of news between nodes. They are hints: a reader always looks into the tables. */
export type Topic = 'events' | 'ended' | 'cancelled' | 'queue' | 'revoked';

/** One that begins to listen says hello, is welcomed by name, and says at times that it is here. */
type Presence = 'hello' | 'welcome' | 'here';

/** How often a node says that it listens. */
const BEAT_MS = 5_000;
/** A node that was heard is taken to listen for so long: three beats, and some time on the way. */
const HEARD_MS = 17_000;
/** While the connection stands no longer than this, others may not have welcomed us yet. */
const ANSWER_MS = 2_000;

export interface Notifications {
  /**
   * Tells the other nodes, if there are any; calls made while a notification is under way go out
   * together.
   */
  send(topic: Topic, ids: string[]): void;
  /** Waits until all that was told has gone out, and stops listening. */
  close(): Promise<void>;
}

interface Listening {
  sql: Sql;
  node_id: string;
  onNotification(topic: Topic, ids: string[]): void;
  onConnected(): void;
  /** The connection was lost, or no news can be sent any more: of many in a row, once. */
  onError(error: unknown): void;
  clock?: Clock;
}

/**
 * Listens on a connection of its own, which is renewed when it is lost; `onConnected` is called
 * each time it stands, since anything may have been missed before. NOTIFY goes out beside the
 * transactions that it tells of, coalesced: inside them it takes a global lock at commit (0.38× the
 * throughput at 32 clients).
 *
 * A node alone, as most are, tells nobody: NOTIFY was one of three statements of a run that writes.
 * So each says that it listens when it begins to, and then every five seconds, and nothing is told
 * while nobody else was heard. From its welcome on a new node is told all, and `onConnected` has it
 * look for what came before. A node that is not heard although it listens loses hints for as long,
 * and looks by itself meanwhile, as after any lost hint.
 */
export async function openNotifications(options: Listening): Promise<Notifications> {
  const { sql, node_id, clock = steadyClock } = options;
  const pending = new Map<Topic | Presence, Set<string>>();
  /** Until then somebody else is taken to listen. */
  let others_until_ms = -Infinity;
  const expectOthers = (for_ms: number) => {
    others_until_ms = Math.max(others_until_ms, clock() + for_ms);
  };

  let is_failing = false;
  const sending = coalesce(async () => {
    const payloads = [...pending].flatMap(([topic, ids]) =>
      payloadsOf(`${node_id} ${topic}`, [...ids]));
    pending.clear();
    try {
      await sql`select pg_notify(${CHANNEL}, payload) from unnest(${payloads}::text[]) payload`;
      is_failing = false;
    } catch (error) {
      // A lost hint costs the other nodes a poll, not an event.
      if (!is_failing) options.onError(error);
      is_failing = true;
    }
  });

  function tell(topic: Topic | Presence, ids: string[]): void {
    const waiting = pending.get(topic) ?? new Set();
    for (const id of ids) waiting.add(id);
    pending.set(topic, waiting);
    sending.request();
  }

  const listener = await sql.listen(CHANNEL, {
    onPayload: (payload) => {
      const [sender, topic, ...ids] = payload.split(' ');
      if (sender === node_id) return;
      expectOthers(HEARD_MS);
      if (topic === 'hello') tell('welcome', [sender!]);
      else if (topic === 'welcome') {
        // Those of 0.1 name nobody.
        if (ids.length === 0 || ids.includes(node_id)) options.onConnected();
      } else if (topic !== 'here') options.onNotification(topic as Topic, ids);
    },
    onConnected: () => {
      expectOthers(ANSWER_MS);
      tell('hello', []);
      options.onConnected();
    },
    onError: (error) => {
      expectOthers(HEARD_MS); // it may be we who hear nothing
      options.onError(error);
    },
  });
  const beat = setInterval(() => tell('here', []), BEAT_MS);
  beat.unref();

  return {
    send(topic, ids) {
      if (clock() < others_until_ms) tell(topic, ids);
    },
    async close() {
      clearInterval(beat);
      await sending.idle();
      await listener.stop();
    },
  };
}

function payloadsOf(head: string, ids: string[]): string[] {
  const payloads: string[] = [];
  let payload = head;
  for (const id of ids) {
    if (payload.length + 1 + id.length > PAYLOAD_LIMIT_BYTES) {
      payloads.push(payload);
      payload = head;
    }
    payload += ` ${id}`;
  }
  return [...payloads, payload];
}
