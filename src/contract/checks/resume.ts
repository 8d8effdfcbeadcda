import type { Check } from '../check.ts';
import { holds, same } from '../expect.ts';
import { endsRun, type RunEvent } from '../follower.ts';
import type { Ground } from '../ground.ts';

async function endedRun(ground: Ground): Promise<{ run_id: string; log: RunEvent[] }> {
  const run = await ground.finish(await ground.session(), ground.shortRun());
  return { run_id: run.id, log: await ground.log(run.id) };
}

export const resumeChecks: Check[] = [{
  name: 'resume.from_any_number',
  shows: 'a stream goes on after the number that it is given, in either way',
  async run(ground) {
    const { run_id, log } = await endedRun(ground);
    await Promise.all(log.map(async (_, after) => {
      for (const stream of [await ground.follow(run_id, after),
        await ground.follow(run_id, undefined, { 'last-event-id': String(after) })]) {
        same(await stream.toEnd(), log.slice(after), `the stream after ${after}`);
      }
    }));
  },
}, {
  name: 'resume.larger_counts',
  shows: 'of starting_after and Last-Event-ID the larger counts',
  async run(ground) {
    const { run_id, log } = await endedRun(ground);
    for (const [starting_after, header] of [[1, 3], [3, 1]] as const) {
      const stream = await ground.follow(run_id, starting_after,
        { 'last-event-id': String(header) });
      same(await stream.toEnd(), log.slice(3),
        `the stream with starting_after=${starting_after} and Last-Event-ID: ${header}`);
    }
  },
}, {
  name: 'resume.beyond_the_end',
  shows: 'after the last event the stream is empty and closes, and what is beyond is refused',
  async run(ground) {
    const { run_id, log } = await endedRun(ground);
    const stream = await ground.follow(run_id, log.length);
    same(await stream.next(), null, `what comes after ${log.length} of ${log.length}`);
    await ground.wire.refused(410, 'events_expired', 'streamRunEvents',
      { path: { run_id }, query: { starting_after: log.length + 7 } },
      'a number that the run has not come to');
    for (const after of [log.length, log.length + 7]) {
      // Whoever sends Last-Event-ID reconnects by itself: 204, and nothing else, stops it.
      const { status, text } = await readStream(ground, run_id, { 'last-event-id': `${after}` });
      holds(status === 204, `Last-Event-ID: ${after} of ${log.length} is answered ${status}`
        + ` ${text.slice(0, 200)} where 204 is expected`);
    }
  },
}, {
  name: 'resume.cut_connections',
  shows: 'whoever loses the connection and takes it up again misses nothing and gets nothing twice',
  needs: 'offline',
  async run(ground) {
    const { id } = await ground.queue(await ground.session(), '@rehearsal words=24 delay_ms=5');
    const seen: RunEvent[] = [];
    for (let connections = 0; !seen.some(endsRun); connections++) {
      const last = seen.length;
      const stream = connections % 2 === 0 ? await ground.follow(id, last)
        : await ground.follow(id, undefined, { 'last-event-id': String(last) });
      for (let i = 0; i < 5 && !seen.some(endsRun); i++) {
        const event = await stream.next();
        holds(event !== null, `the stream ends after ${seen.length}, before the run does`);
        seen.push(event);
      }
      stream.close();
    }
    same(seen, await ground.log(id), 'the events of all connections together');
  },
}, {
  name: 'resume.closing_cancels_nothing',
  shows: 'a run goes on when nobody listens, and can be followed again',
  needs: 'offline',
  async run(ground) {
    const run = await ground.endless(await ground.session());
    const first = await ground.follow(run.id);
    await first.until('run.started');
    first.close();
    const second = await ground.follow(run.id, 2);
    same((await ground.getRun(run.id)).status, 'running', 'the run');
    await ground.cancel(run.id);
    const events = await second.toEnd();
    same([...(await ground.log(run.id)).slice(2)], events, 'the stream after 2');
  },
}, {
  name: 'resume.pages',
  shows: 'the log in pages begins after any number, too',
  async run(ground) {
    const { wire } = ground;
    const { run_id, log } = await endedRun(ground);
    for (let after = 0; after <= log.length; after++) {
      const page = await wire.expect(200, 'streamRunEvents',
        { path: { run_id }, query: { starting_after: after, limit: 2 } });
      const data = log.slice(after, after + 2);
      const last = data.at(-1)?.sequence_number.toString() ?? null;
      same(page, { object: 'list', data, has_more: after + 2 < log.length, next_cursor: last },
        `the page after ${after}`);
    }
  },
}];

async function readStream(ground: Ground, run_id: string, headers: Record<string, string>) {
  const response = await ground.wire.fetch(`/runs/${run_id}/events`,
    { headers: { accept: 'text/event-stream', ...headers } });
  return { status: response.status, text: await response.text() };
}
