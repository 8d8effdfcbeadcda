/** Requests of which the end of the body comes when a test says so. */
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Test } from 'tap';
import { untilSeen } from './until.ts';

/** For so long a credential that was good still is. */
const KNOWN_MS = 100;

/**
 * Begins a request, by its first line and the fields that say who asks, of which all but the last
 * character comes. The function sends that, and answers the status.
 */
export async function heldRequest(
  t: Pick<Test, 'teardown'>, base_url: string, head: string, body: object,
): Promise<() => Promise<number>> {
  const text = JSON.stringify(body);
  const { host, port } = new URL(base_url);
  const socket = connect(Number(port), '127.0.0.1');
  t.teardown(() => socket.destroy());
  let answer = '';
  socket.setEncoding('utf8').on('data', (data) => { answer += data; });
  // Asked for so, the service says that it has read the head, and whom it is of.
  socket.write(`${head}\r\nHost: ${host}\r\nConnection: close\r\nExpect: 100-continue\r\n`
    + `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n`);
  await untilSeen('the word to go on', () => answer, (seen) => seen.includes('100 Continue'));
  socket.write(text.slice(0, -1));
  const began_ms = performance.now();
  return async () => {
    while (performance.now() - began_ms < KNOWN_MS + 1) await turn();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(text.slice(-1));
    await closed;
    return Number(/HTTP\/1\.1 (?!100)(\d{3})/.exec(answer)?.[1]);
  };
}
