/** What is found is told in words that say what to mend. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import t, { type Test } from 'tap';
import { Ground } from '../../../src/contract/ground.ts';
import { runKit } from '../../../src/contract/kit.ts';
import { Made } from '../../../src/contract/made.ts';
import { Wire, type CallOptions } from '../../../src/contract/wire.ts';
import { readDocument } from '../../../scripts/document.ts';
import { listen } from '../../support/listen.ts';
import { testServer } from '../../support/server.ts';

/** The stream of the document, whole. */
const { value: STREAM } = readDocument().components.examples!.EventStream as { value: string };

function wireTo(base_url: string, api_key: string, patience_ms = 60_000): Wire {
  return new Wire({ base_url, api_key, patience_ms, signal: new AbortController().signal,
    mark: 'kit-test', made: new Made() });
}

/** The first event of a stream that such a server answers. */
async function firstEvent(
  test: Test, answer: (response: ServerResponse) => void, options: CallOptions = {},
  patience_ms?: number): Promise<unknown> {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('x-request-id', request.headers['x-request-id'] ?? '');
    response.setHeader('content-type', 'text/event-stream; charset=utf-8');
    response.setHeader('cache-control', 'no-store, no-transform');
    answer(response);
  });
  const port = await listen(test, server);
  const wire = wireTo(`http://127.0.0.1:${port}/v1`, 'any', patience_ms);
  const stream = await wire.follow('streamRunEvents', { path: { run_id: 'run_x' }, ...options });
  return await stream.next();
}

t.test('a proxy that holds a stream back', async (t) => {
  await t.rejects(firstEvent(t, () => {}, {}, 500), {
    message: /is not answered within 0.5 s; something before the service may hold a stream back/ });
  await t.rejects(firstEvent(t, (response) => response.flushHeaders(), {}, 5_000),
    { message: /^no event comes after 0 within 5 s; .*proxy_buffering off/ });
});

t.test('a proxy that does not pass on what a stream is to begin after', async (t) => {
  const whole = (response: ServerResponse) => response.end(STREAM);
  await t.rejects(firstEvent(t, whole, { headers: { 'last-event-id': '3' } }),
    { message: 'event 1 (run.created) comes first where Last-Event-ID: 3 was sent' });
  await t.rejects(
    firstEvent(t, whole, { headers: { 'last-event-id': '1' }, query: { starting_after: 2 } }),
    { message: /where starting_after=2 and Last-Event-ID: 1 was sent$/ });
});

t.test('a service that refuses the run that a check is to look at', async (t) => {
  const { client, sql } = await testServer(t);
  await sql`update workspaces set allowed_models = '["openai/*"]'`;
  const wire = wireTo(client.base_url, client.api_key!);
  const ground = new Ground(
    { wire, other: null, offline: false, other_offline: false, mark: 'kit-test' });
  await t.rejects(ground.finish(await ground.session(), ground.shortRun()), { message:
    /^createRun with wait answers 400 \{"error":"The model .* where 200 or 202 is expected$/ });
});

t.test('a proxy that gives up on an answer after a minute is no fault', async (t) => {
  const waits: unknown[] = [];
  const wire = { call: async (_: string, { body }: { body: { wait_timeout_s: number } }) => {
    waits.push(body.wait_timeout_s);
    return { status: 200, body: {} };
  } } as unknown as Wire;
  const ground = new Ground(
    { wire, other: null, offline: true, other_offline: false, mark: 'kit-test' });
  await ground.finish('ses_x', ground.shortRun());
  t.strictSame(waits, [50], 'the service answers before it does');
});

t.test('a service that does not know by which path it is reached', async (t) => {
  const { client } = await testServer(t, { config: { public_url: 'https://here.example/at' } });
  const { results } = await runKit({ base_url: client.base_url, api_key: client.api_key!,
    patience_ms: 60_000, parallel: 1, only: ['headers.location'] });
  t.match(results, [{ status: 'failed',
    reason: /^Location is \/at\/v1\/sessions\/ses_.* GATEHOUSE_PUBLIC_URL has to be that/ }]);
});
