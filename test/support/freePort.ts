import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give to whoever asks for any: nobody gets one of these by chance. */
const FIRST_PORT = 12_000;
const PORTS = 18_000;
/** Processes begin at different places: those that run at the same time are far apart. */
const PROCESS_PORTS = 6_875;

let next = process.pid * PROCESS_PORTS;

/**
 * A port that nobody listens on, for a program that cannot be told to take any. Not one that the
 * system gives: once that is closed, the system may give it to another server before the program
 * has it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + next++ % PORTS;
    const server = createServer();
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue;
      throw error;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
