/**
 * What pgbench does with `-M prepared`: one connection, one statement prepared once, then bind,
 * describe, execute and sync in one write, and the next one when the server is ready. Nothing but
 * the socket is in between, so that it is a measure for the server and not for a driver. It knows
 * the embedded PostgreSQL alone: a Unix socket that lets in whoever may open it.
 */
import { connect, type Socket } from 'node:net';

const READY = Buffer.from('5a00000005', 'hex');
const READY_BYTES = READY.length + 1;

export class RawClient {
  readonly #socket: Socket;
  #tail: Buffer = Buffer.alloc(0);
  #settle: { resolve(): void; reject(error: Error): void } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', (error) => this.#settle?.reject(error));
    socket.on('close', () => this.#settle?.reject(new Error('the server closed the connection')));
  }

  /** Connects, and prepares the statement. */
  static async open(url: string, statement: string): Promise<RawClient> {
    const { username, pathname, searchParams } = new URL(url);
    const client = new RawClient(connect(`${searchParams.get('host')}/.s.PGSQL.5432`));
    const greeting = Buffer.concat([
      Buffer.from('00030000', 'hex'),
      ...['user', username, 'database', pathname.slice(1), ''].map(text),
    ]);
    await client.#ask(Buffer.concat([length(greeting), greeting]));
    await client.#ask(Buffer.concat([
      message('P', [text('raw'), text(statement), int16(0)]), message('S', []),
    ]));
    return client;
  }

  /** Executes the statement once; resolves when it is committed. */
  execute(values: readonly string[]): Promise<void> {
    const bind = [text(''), text('raw'), int16(0), int16(values.length)];
    for (const value of values) {
      const bytes = Buffer.from(value);
      const size = Buffer.alloc(4);
      size.writeInt32BE(bytes.length);
      bind.push(size, bytes);
    }
    bind.push(int16(0));
    return this.#ask(Buffer.concat([
      message('B', bind), message('D', [Buffer.from('P'), text('')]),
      message('E', [text(''), Buffer.alloc(4)]), message('S', []),
    ]));
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.end(message('X', []));
  }

  #ask(bytes: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(bytes);
    });
  }

  #read(chunk: Buffer): void {
    if (chunk[0] === 0x45) this.#settle?.reject(new Error(chunk.toString('latin1')));
    this.#tail = Buffer.concat([this.#tail, chunk]).subarray(-READY_BYTES);
    if (this.#tail.length < READY_BYTES || !this.#tail.subarray(0, -1).equals(READY)) return;
    this.#tail = Buffer.alloc(0);
    this.#settle?.resolve();
  }
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`);
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

/** The length of a message counts itself. */
function length(body: Buffer): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(body.length + 4);
  return bytes;
}

function message(type: string, parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), length(body), body]);
}
