/** What a proxy makes of streams is told in words that say what to mend. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { Made } from '../../../src/contract/made.ts';
import { Wire, type CallOptions } from '../../../src/contract/wire.ts';
import { readDocument } from '../../../scripts/document.ts';

/** The stream of the document, whole. */
const { value: STREAM } = readDocument().components.examples!.EventStream as { value: string };

/** The first event of a stream that such a server answers. */
async function firstEvent(
  test: Test, answer: (response: ServerResponse) => void, options: CallOptions = {},
): Promise<unknown> {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('x-request-id', request.headers['x-request-id'] ?? '');
    response.setHeader('content-type', 'text/event-stream; charset=utf-8');
    response.setHeader('cache-control', 'no-store, no-transform');
    answer(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  test.teardown(async () => {
    const closed = once(server.close(), 'close');
    server.closeAllConnections();
    await closed;
  });
  const wire = new Wire({
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, api_key: 'any',
    patience_ms: 2_000, signal: new AbortController().signal, mark: 'kit-test', made: new Made() });
  const stream = await wire.follow('streamRunEvents', { path: { run_id: 'run_x' }, ...options });
  return await stream.next();
}

t.test('one that holds a stream back', async (t) => {
  await t.rejects(firstEvent(t, () => {}),
    { message: /is not answered within 2 s; something before the service may hold a stream back/ });
  await t.rejects(firstEvent(t, (response) => response.flushHeaders()),
    { message: /^no event comes after 0 within 2 s; .*proxy_buffering off/ });
});

t.test('one that passes nothing on of what a stream is to begin after', async (t) => {
  const whole = (response: ServerResponse) => response.end(STREAM);
  await t.rejects(firstEvent(t, whole, { headers: { 'last-event-id': '3' } }),
    { message: 'event 1 (run.created) comes first where Last-Event-ID: 3 was sent' });
  await t.rejects(
    firstEvent(t, whole, { headers: { 'last-event-id': '1' }, query: { starting_after: 2 } }),
    { message: /where starting_after=2 and Last-Event-ID: 1 was sent$/ });
});
