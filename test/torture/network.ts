/**
 * A network between a node and its database that can be made bad: slow, cut, silent, or losing the
 * answers to what the database has done.
 */
import { connect, createServer, type Socket } from 'node:net';
import { databaseTarget, type Address } from '../../src/store/driver/databaseTarget.ts';
import { listen } from '../support/listen.ts';
import type { Owner } from './lab.ts';
import type { Random } from './random.ts';

type State = 'open' | 'closed' | 'silent';

interface Link {
  client: Socket;
  database: Socket;
}

export class Network {
  /** The database, by way of this network. */
  url = '';
  /** Connections that were broken. */
  broken = 0;
  readonly #address: Address;
  readonly #links = new Set<Link>();
  #state: State = 'open';
  #delay_ms = 0;
  #lose: { share: number; random: Random } | undefined;

  private constructor(url: string) {
    this.#address = databaseTarget(url).addresses[0]!;
  }

  /** Stands between `url` and whoever uses the network's own address. */
  static async open(owner: Owner, url: string): Promise<Network> {
    const network = new Network(url);
    const server = createServer((client) => network.#join(client));
    const through = new URL(url);
    through.searchParams.delete('host');
    through.host = `127.0.0.1:${await listen(owner, server)}`;
    network.url = through.href;
    owner.teardown(() => network.cut());
    return network;
  }

  /** Breaks the connections there are; new ones are taken unless it is closed. */
  cut(share = 1, random?: Random): void {
    for (const link of this.#links) {
      if (share < 1 && !random!.chance(share)) continue;
      this.broken += 1;
      link.client.destroy();
      link.database.destroy();
    }
  }

  /** Breaks every connection, and breaks new ones at once. */
  close(): void {
    this.#state = 'closed';
    this.cut();
  }

  /** Takes connections and bytes, and passes nothing on: what a lost host or a full queue does. */
  silence(): void {
    this.#state = 'silent';
    for (const { client, database } of this.#links) {
      client.pause();
      database.pause();
    }
  }

  /** Each piece of data arrives so much later. */
  delay(delay_ms: number): void {
    this.#delay_ms = delay_ms;
  }

  /**
   * From now on, this share of what is sent to the database gets there, and its answer is lost
   * with the connection: whoever asked cannot know whether it was done.
   */
  loseAnswers(share: number, random: Random): void {
    this.#lose = share === 0 ? undefined : { share, random };
  }

  /**
   * All is well again. What was held back by a silence arrives late, or (`late: false`) is lost
   * with its connections.
   */
  heal({ late = true } = {}): void {
    const was = this.#state;
    this.#state = 'open';
    this.#delay_ms = 0;
    this.#lose = undefined;
    if (was === 'silent' && !late) this.cut();
    for (const { client, database } of this.#links) {
      client.resume();
      database.resume();
    }
  }

  #join(client: Socket): void {
    if (this.#state === 'closed') return void client.destroy();
    const database = connect(this.#address);
    const link: Link = { client, database };
    this.#links.add(link);
    const end = () => {
      this.#links.delete(link);
      client.destroy();
      database.destroy();
    };
    client.on('error', () => {}).on('close', () => {
      // Half closed: what was sent is done, whoever asked is gone.
      database.end();
      this.#links.delete(link);
    });
    database.on('error', () => {}).on('close', end);
    client.on('data', (chunk: Buffer) => this.#toDatabase(link, chunk));
    database.on('data', (chunk: Buffer) => this.#pass(client, chunk));
    if (this.#state === 'silent') {
      client.pause();
      database.pause();
    }
  }

  #toDatabase({ client, database }: Link, chunk: Buffer): void {
    this.#pass(database, chunk);
    if (!this.#lose?.random.chance(this.#lose.share)) return;
    this.broken += 1;
    database.removeAllListeners('data').resume();
    client.destroy();
  }

  /** No backpressure: a laboratory's data fits into memory. */
  #pass(to: Socket, chunk: Buffer): void {
    const write = () => { if (!to.destroyed && !to.writableEnded) to.write(chunk); };
    if (this.#delay_ms === 0) write();
    else setTimeout(write, this.#delay_ms);
  }
}
