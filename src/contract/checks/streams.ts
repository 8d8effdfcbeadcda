import { prompt } from '../calls.ts';
import type { Check } from '../check.ts';
import { holds, same, sameFields } from '../expect.ts';
import type { RunEvent } from '../follower.ts';
import type { Ground } from '../ground.ts';
import { LIST_CONNECTIONS, need } from '../need.ts';

/** A step with two calls at once, one that fails, and an answer in words. */
const RICH = 'call gateway.connections.list & call gatehouse.nothing.here\n'
  + 'call gateway.connections.list';

async function start(ground: Ground, text: string) {
  return await ground.wire.follow('createRun', { path: { session_id: await ground.session() },
    body: prompt(text, { ...ground.offline, stream: true }) });
}

export const streamChecks: Check[] = [{
  name: 'streams.short',
  shows: 'the stream of a new run has all its events, once and in order, and ends with the run',
  async run(ground) {
    const { wire } = ground;
    const session_id = await ground.session();
    const stream = await wire.follow('createRun',
      { path: { session_id }, body: ground.shortRun({ stream: true }) });
    const events = await stream.toEnd();
    await checkAgreement(ground, events);
  },
}, {
  name: 'streams.whole',
  shows: 'stream, log, replay and run tell the same of calls and words; pieces make up the whole',
  needs: 'offline',
  async run(ground) {
    await need(ground.wire, LIST_CONNECTIONS);
    const events = await (await start(ground, RICH)).toEnd();
    await checkAgreement(ground, events);
    checkPieces(events);
    same(events.filter(({ type }) => type.startsWith('tool_call.') && !type.endsWith('.delta'))
      .map(({ type, data }) => `${type} ${'name' in data ? data.name : ''}`).sort(), [
      'tool_call.completed gateway.connections.list',
      'tool_call.completed gateway.connections.list',
      'tool_call.failed gatehouse.nothing.here',
      'tool_call.started gatehouse.nothing.here',
      'tool_call.started gateway.connections.list',
      'tool_call.started gateway.connections.list'], 'the calls in the log');
  },
}, {
  name: 'streams.as_they_happen',
  shows: 'events come while the run goes on, to whoever listens from its start or joins later',
  needs: 'offline',
  async run(ground) {
    const stream = await start(ground, '@rehearsal words=9 delay_ms=60000');
    const { run_id } = await stream.until('run.started');
    same((await ground.getRun(run_id)).status, 'running', 'the run whose start was told');
    const readers = [stream, await ground.follow(run_id), await ground.follow(run_id, 1)];
    const log = await ground.log(run_id);
    for (const reader of readers) {
      // What is in the log has to be told, though nothing follows it for long.
      while ((reader.events.at(-1)?.sequence_number ?? 0) < log.length) {
        holds(await reader.next() !== null, 'a stream ends while its run goes on');
      }
    }
    const cancelled = await ground.cancel(run_id);
    const [whole, again, later] = await Promise.all(readers.map((reader) => reader.toEnd()));
    sameFields(whole!.at(-1)!,
      { type: 'run.cancelled', data: { previous_status: 'running', reason: 'requested' } },
      'the last event');
    same(again, whole, 'what the second reader got');
    same(later, whole!.slice(1), 'what the reader after event 1 got');
    same(cancelled.status, 'cancelled', 'the run');
  },
}, {
  name: 'streams.words',
  shows: 'every letter arrives as it was sent, and none ends a line anywhere',
  needs: 'offline',
  async run(ground) {
    const text = '@rehearsal words=2\nñ 漢 🙂 \u0085 \u2028 \u2029 "\\" \t end';
    const events = await (await start(ground, text)).toEnd();
    sameFields(events[0]!.data, prompt(text), 'the input in event 1');
    same((await ground.getRun(events[0]!.run_id)).input, prompt(text).input, 'that of the run');
  },
}, {
  name: 'streams.many_events',
  shows: 'a run of many events loses none and repeats none',
  needs: 'offline',
  async run(ground) {
    const stream = await start(ground, '@rehearsal words=300');
    const events = await stream.toEnd();
    holds(events.length > 300, `300 words came in ${events.length} events`);
    checkPieces(events);
    same(await ground.log(events[0]!.run_id), events, 'the log');
  },
}, {
  name: 'streams.failed_run',
  shows: 'the stream of a run that fails ends with run.failed',
  needs: 'offline',
  async run(ground) {
    const events = await (await start(ground, '@rehearsal fail=model_error')).toEnd();
    same(events.at(-1)!.type, 'run.failed', 'the last event');
    same(await ground.log(events[0]!.run_id), events, 'the log');
  },
}];

/** What is told of a run that has ended is the same wherever one looks, and stays so. */
async function checkAgreement(ground: Ground, events: RunEvent[]): Promise<void> {
  const { run_id } = events[0]!;
  const log = await ground.log(run_id);
  same(log, events, 'the log');
  same(await (await ground.follow(run_id)).toEnd(), events, 'the stream, replayed');
  const run = await ground.getRun(run_id);
  const last = events.at(-1)!;
  same(last.type, `run.${run.status}`, 'the last event');
  if (last.type === 'run.completed') {
    sameFields(run, last.data, 'output and usage of the run');
  }
  sameFields(events[0]!.data, { status: 'queued', input: run.input, metadata: run.metadata },
    'event 1');
  same(await ground.log(run_id), log, 'the log, read again');
}

/** Deltas joined are what their item became; every call that was begun has ended. */
function checkPieces(events: RunEvent[]): void {
  const pieces = new Map<string, string>();
  const open = new Set<string>();
  for (const { type, data } of events) {
    if (type === 'message.output.delta' || type === 'tool_call.arguments.delta') {
      const id = 'message_id' in data ? data.message_id : data.tool_call_id;
      pieces.set(id, (pieces.get(id) ?? '') + data.delta);
      holds('message_id' in data || open.has(id), 'a piece of arguments is of no open call');
    } else if (type === 'message.output.completed') {
      const text = data.message.content.map((part) => part.text).join('');
      same(pieces.get(data.message_id), text, 'the pieces of a message, joined');
    } else if (type === 'tool_call.started') {
      open.add(data.tool_call_id);
    } else if (type === 'tool_call.completed' || type === 'tool_call.failed') {
      holds(open.delete(data.tool_call_id), `${type} is of no call that was started`);
      if (type === 'tool_call.completed') {
        same(JSON.parse(pieces.get(data.tool_call_id) ?? '""'), data.arguments,
          'the pieces of arguments, joined');
      }
    }
  }
  same([...open], [], 'calls without an end');
  holds(pieces.size > 0, 'there are no pieces');
}
