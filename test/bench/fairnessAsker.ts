/**
 * Somebody who asks much, of test/bench/fairness.ts, in a process of its own: the same requests
 * again and again, so many a second or so many at once, until it is told to stop.
 */
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

export interface Asked {
  port: number;
  api_key: string;
  method: string;
  /** In turn. */
  paths: string[];
  /** In turn; `%` stands for `chars` characters of text. */
  bodies?: string[];
  chars?: number;
  /** Event streams: each of `at_once` asks for one, and holds it. */
  holds?: boolean;
  /** Sends them one behind the other, without a key, and waits for no answer. */
  pipelined?: boolean;
  /** Requests a second, whether or not they are answered; without, each of `at_once` waits. */
  per_second?: number;
  at_once: number;
}

/** How many answers of each status there were; 0 stands for none at all. */
export type Answers = Record<number, number>;

const answers: Answers = {};
let stopping = false;

// Real ones are on other machines, and what they cost is not to be had from the node's share.
setPriority(10);
process.once('message', async (asked: Asked) => {
  const agent = new Agent({ keepAlive: true, maxSockets: asked.at_once });
  const bodies = asked.bodies?.map((body) => body.replace('%', 'x'.repeat(asked.chars ?? 0)));
  let sent = 0;
  const one = async () => {
    const nth = sent++;
    const path = asked.paths[nth % asked.paths.length]!;
    const status = await ask(agent, asked, path, bodies?.[nth % bodies.length]);
    answers[status] = (answers[status] ?? 0) + 1;
  };
  process.once('message', () => {
    stopping = true;
    agent.destroy();
    process.send!(answers);
  });
  process.send!('begins');
  if (asked.pipelined) {
    for (let i = 0; i < asked.at_once; i++) flood(asked);
  } else if (asked.per_second !== undefined) {
    const began_ms = performance.now();
    while (!stopping) {
      const due = (performance.now() - began_ms) / 1_000 * asked.per_second;
      while (sent < due) void one();
      await delay(10);
    }
  } else {
    await Promise.all(Array.from({ length: asked.at_once }, async () => {
      do await one();
      while (!stopping && !asked.holds);
    }));
  }
});
process.on('disconnect', () => process.exit(0));

/** Batches of requests over one connection after the other, as fast as they are taken. */
function flood(asked: Asked): void {
  const batch = asked.paths.map((path) =>
    `${asked.method} ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join('').repeat(200);
  const socket = connect(asked.port, '127.0.0.1');
  const more = () => {
    while (!stopping && socket.write(batch));
    if (stopping) socket.destroy();
  };
  socket.on('connect', more).on('drain', more).on('error', () => {});
  socket.on('data', (data) => {
    for (const [, status] of data.toString('latin1').matchAll(/^HTTP\/1\.1 (\d+)/gm)) {
      answers[Number(status)] = (answers[Number(status)] ?? 0) + 1;
    }
  });
  socket.once('close', () => stopping || flood(asked));
}

function ask(
  agent: Agent, { port, api_key, method, holds }: Asked, path: string, body: string | undefined,
) {
  return new Promise<number>((resolve) => {
    const req = request({
      agent, port, host: '127.0.0.1', method, path,
      headers: {
        authorization: `Bearer ${api_key}`,
        ...(holds && { accept: 'text/event-stream' }),
        ...(body !== undefined && {
          'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      },
    }, (res) => {
      if (holds) resolve(res.statusCode!);
      res.on('end', () => resolve(res.statusCode!)).on('error', () => resolve(0)).resume();
    });
    req.on('error', () => resolve(0)).end(body);
  });
}
