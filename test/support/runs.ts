/** Sessions and runs for tests, through the API alone. */
import { prompt, type Client, type RunEvent, type Schemas } from './client.ts';

export type Run = Schemas['Run'];
export type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

/** A new session's id. */
export async function newSession(client: Client, title?: string): Promise<string> {
  return (await client.expect(201, 'createSession', { body: title ? { title } : {} })).id;
}

/** Queues a run; answers it as the 202 does. */
export async function queueRun(
  client: Client, session_id: string, text: string,
  rest: Partial<Schemas['CreateRunRequest']> = {}): Promise<Run> {
  return await client.expect(202, 'createRun',
    { path: { session_id }, body: prompt(text, rest) });
}

/** Runs a prompt to its end. */
export async function completeRun(
  client: Client, session_id: string, text: string,
  rest: Partial<Schemas['CreateRunRequest']> = {}): Promise<Run> {
  return await client.expect(200, 'createRun',
    { path: { session_id }, body: prompt(text, { ...rest, wait: true }) });
}

/** Follows a run until an event of this type, and leaves the stream there. */
export async function untilEvent<T extends RunEvent['type']>(
  client: Client, run_id: string, type: T): Promise<EventOf<T>> {
  for await (const event of client.events('streamRunEvents', { path: { run_id } })) {
    if (event.type === type) return event as EventOf<T>;
  }
  throw new Error(`${run_id} has ended without ${type}`);
}

/** All events of a run, to its end. */
export async function eventsOf(
  client: Client, run_id: string, starting_after = 0): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  const query = { starting_after };
  for await (const event of client.events('streamRunEvents', { path: { run_id }, query })) {
    events.push(event);
  }
  return events;
}

/** The model that understands `@rehearsal` and `call`, whatever the service's default is. */
export const OFFLINE = { model: 'rehearsal' };

/** A prompt whose run goes on until it is cancelled: each word takes a minute. */
export const ENDLESS = '@rehearsal words=1000 delay_ms=60000';

/** A run that has started and goes on until it is cancelled. */
export async function endlessRun(client: Client, session_id: string): Promise<Run> {
  const run = await queueRun(client, session_id, ENDLESS, OFFLINE);
  await untilEvent(client, run.id, 'run.started');
  return run;
}

/** What the run said. */
export function outputText(run: Run): string {
  return run.output.flatMap((item) => item.content).map((part) => part.text).join('');
}
