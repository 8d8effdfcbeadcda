/**
 * A run's stream as the readers see it that others use: each gets the events of the log, in order,
 * once, and nothing else. The events hold whatever has ever ended a line somewhere, bytes come one
 * by one, connections break within a character and within a heartbeat, and the run pauses.
 */
import { isDeepStrictEqual } from 'node:util';
import { EventSource } from 'eventsource';
import { createParser } from 'eventsource-parser';
import t from 'tap';
import { Client as CommandLine } from '../../src/cli/client.ts';
import { followEvents } from '../../src/cli/follow.ts';
import { readDocument } from '../../scripts/document.ts';
import { NO_CHROMIUM } from '../support/chromium.ts';
import { collect, type RunEvent } from '../support/client.ts';
import { connectLab, createLab } from '../support/lab.ts';
import { newSession, OFFLINE, queueRun } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { readBy, readByNode, ReadingPage, type Message } from './eventSource.ts';
import * as others from './otherLanguages.ts';
import { openRoughWay, type RoughWay } from './roughWay.ts';

const FETCH = process.env.FETCH_READERS === '1';
const KINDS = Object.keys((readDocument().components!.schemas!.RunEvent as
  { discriminator: { mapping: Record<string, string> } }).discriminator.mapping);
/** Several times what a reader takes at once; some copy all of a line for each piece of it. */
const LONG = 2 ** 18;
const OWL = '\u{1f989}';
const CUTS = '\v\f\r\n\r\n\n\x1c\x1d\x1e\x85\u2028\u2029';
const TEXT = `<${CUTS}>\ufeff: comment${CUTS}data: x${CUTS}id: 99${CUTS}`;

const lab = createLab();
const { client, sql, service, workspace_id } =
  await testServer(t, { sources: [lab.source], config: { heartbeat_ms: 50 } });
await connectLab(sql, workspace_id);
const call = `call lab.echo.get ${JSON.stringify({ text: TEXT })}`;
const run = await queueRun(client, await newSession(client),
  `call lab.gate.hold\n${call}`, { ...OFFLINE, metadata: { text: TEXT } });
await lab.held;
await addDeltas();

/** Adds what no model has said so far. It belongs to no message, so that it counts for nothing. */
async function addDeltas(): Promise<void> {
  const deltas = ['', TEXT, '\0', '\ud800', '\ufeff', ' ',
    ...Array<string>(3).fill(`${OWL}${TEXT}`), 'x'.repeat(LONG), `\u2028${'é'.repeat(LONG / 4)}`];
  const data = deltas.map((delta) => JSON.stringify({ message_id: 'msg_void', delta }));
  await sql`
    with taken as (
      update runs set last_seq = last_seq + ${data.length} where id = ${run.id} returning last_seq)
    insert into run_events (workspace_id, run_id, seq, type, data)
    select ${workspace_id}, ${run.id}, last_seq - ${data.length} + e.place,
      'message.output.delta', e.data::json
    from taken, unnest(${data}::text[]) with ordinality as e (data, place)`;
}

/** The whole log, by the pages of the list. */
async function log(): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for (let more = true; more;) {
    const { data, has_more } = await client.expect(200, 'streamRunEvents',
      { path: { run_id: run.id }, query: { starting_after: events.length } });
    events.push(...data);
    more = has_more;
  }
  return events;
}

interface Reader {
  name: string;
  /** What it was answered: twice it is cut off, and at the end told to come no more. */
  statuses: number[];
  way: RoughWay;
  messages: Promise<Message[]>;
}

const path = `/v1/runs/${run.id}/events`;
const RESUMED = [200, 200, 200];
const STOPPED = [...RESUMED, 204];
const readers: Reader[] = [];
const missing: { name: string; why: string }[] = [];

async function start(
  name: string, statuses: number[], read: (url: string) => Promise<Message[]>,
  page?: ReadingPage): Promise<void> {
  const way = await openRoughWay(t, { base_url: service.base_url, api_key: client.api_key!,
    cut_within: Buffer.from(OWL), ...(page && { onOther: page.answer }) });
  const messages = read(way.url);
  messages.catch(() => undefined); // its own test tells
  readers.push({ name, statuses, way, messages });
}

/** What a reader of ours makes of one connection after the other, until the run's last event. */
async function resuming(
  url: string, read: (response: Response, onMessage: (message: Message) => void) => Promise<void>,
): Promise<Message[]> {
  const messages: Message[] = [];
  for (;;) {
    const response = await fetch(`${url}${path}?starting_after=${messages.length}`,
      { headers: { accept: 'text/event-stream' } });
    if (!response.ok) return messages;
    try {
      await read(response, (message) => messages.push(message));
    } catch { /* it was cut off */ }
    if (/^run\.(completed|failed|cancelled)$/.test(messages.at(-1)?.event ?? '')) return messages;
  }
}

await start('eventsource of npm', STOPPED, (url) => readBy(EventSource, url + path, KINDS));
await start('EventSource of Node', STOPPED, (url) => readByNode(url + path, KINDS));
await start('eventsource-parser', RESUMED, (url) => resuming(url, async ({ body }, onMessage) => {
  const parser = createParser({
    onEvent: ({ id = '', event = '', data }) => onMessage({ id, event, data }) });
  for await (const text of body!.pipeThrough(new TextDecoderStream())) parser.feed(text);
}));
await start('the command line', RESUMED, async (url) => {
  const reader = new CommandLine({ base_url: `${url}/v1`, workspace_id: null, api_key: 'any',
    admin_token: null, file: '', address_from: null, withheld_for: null, withheld: {} });
  const messages: Message[] = [];
  const { signal } = new AbortController();
  for await (const { event, json } of followEvents(reader, run.id, { starting_after: 0, signal })) {
    messages.push({ id: String(event.sequence_number), event: event.type, data: json });
  }
  return messages;
});
const page = new ReadingPage(path, KINDS);
if (NO_CHROMIUM) missing.push({ name: 'EventSource of Chromium', why: NO_CHROMIUM });
else await start('EventSource of Chromium', STOPPED, (url) => page.openIn(t, url), page);
await startOthers(await others.pythonReaders(t, FETCH), ['with_httpx_sse', 'with_sseclient',
  'with_requests_lines', 'with_requests_text_lines', 'with_httpx_lines']);
await startOthers(await others.goReaders(t, FETCH), ['scanner', 'gosse']);

async function startOthers(language: others.Command, names: string[]): Promise<void> {
  for (const name of names) {
    if ('skip' in language) missing.push({ name, why: language.skip });
    else await start(name, RESUMED, (url) => others.readBy(language.command, [name, url, run.id]));
  }
}

// Each has been cut off twice, has come again, and waits; or it has failed.
await Promise.all(readers.map(({ way, messages }) =>
  Promise.race([way.quiet, messages.catch(() => undefined)])));
lab.release();
await collect(client.events('streamRunEvents', { path: { run_id: run.id } }));
const expected = await log();

t.test('the events are as hostile as they should be', async (t) => {
  const whole = JSON.stringify(expected);
  for (const each of ['\x85', '\u2028', '\u2029', OWL, '\\u0000', '\\ud800', '"delta":""']) {
    t.ok(whole.includes(each), encodeURIComponent(each));
  }
  t.ok(whole.includes('x'.repeat(LONG)), 'a long line');
});

for (const { name, statuses, way, messages } of readers) {
  t.test(name, async (t) => {
    const read = await messages;
    t.strictSame(read.map(({ id, event }) => `${id} ${event}`),
      expected.map(({ sequence_number, type }) => `${sequence_number} ${type}`));
    // Not in one comparison: a difference would be shown with a long line around it.
    t.strictSame(read.filter(({ data }, index) => !isDeepStrictEqual(
      JSON.parse(data), expected[index])).map(({ id }) => id), []);
    t.strictSame(way.statuses, statuses, 'how often it came, and what it was answered');
  });
}

for (const { name, why } of missing) t.test(name, { skip: why }, async () => undefined);
