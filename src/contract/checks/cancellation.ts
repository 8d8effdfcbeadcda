import type { Check } from '../check.ts';
import { holds, same, sameFields } from '../expect.ts';
import type { Ground } from '../ground.ts';

/** A run that was cancelled is so wherever one looks, at once and for good. */
async function checkCancelled(
  ground: Ground, run_id: string, previous_status: 'queued' | 'running'): Promise<void> {
  const run = await ground.cancel(run_id);
  sameFields(run, { id: run_id, status: 'cancelled', output: [] }, 'the answer of cancelRun');
  holds(run.finished_at !== null, 'the cancelled run has no finished_at');
  // The status is committed before the reply, the event with it.
  same(await ground.getRun(run_id), run, 'the run right after it');
  const log = await ground.log(run_id);
  sameFields(log.at(-1)!, { type: 'run.cancelled', data: { previous_status, reason: 'requested' } },
    'the last event');
  same(log.filter(({ type }) => type === 'run.cancelled').length, 1, 'the number of run.cancelled');
  same(await ground.cancel(run_id), run, 'the answer of cancelRun, repeated');
  same(await ground.log(run_id), log, 'the log, read again');
}

export const cancellationChecks: Check[] = [{
  name: 'cancellation.running',
  shows: 'a run that is executed ends by cancelRun, before the reply, and its session is free',
  needs: 'offline',
  async run(ground) {
    const session_id = await ground.session();
    const run = await ground.endless(session_id);
    await checkCancelled(ground, run.id, 'running');
    const next = await ground.complete(session_id, '@rehearsal words=1', { concurrency: 'reject' });
    same(next.status, 'completed', 'the next run of the session');
  },
}, {
  name: 'cancellation.queued',
  shows: 'a run that waits ends by cancelRun, and those around it do not',
  needs: 'offline',
  async run(ground) {
    const session_id = await ground.session();
    const blocker = await ground.endless(session_id);
    const first = await ground.queue(session_id, '@rehearsal words=1');
    const second = await ground.queue(session_id, '@rehearsal words=1');
    await checkCancelled(ground, first.id, 'queued');
    same((await ground.getRun(blocker.id)).status, 'running', 'the run before it');
    same((await ground.getRun(second.id)).status, 'queued', 'the run after it');
    await ground.cancel(blocker.id);
    same((await ground.ended(second.id)).status, 'completed', 'the run after it, in the end');
    same((await ground.getRun(first.id)).started_at, null, 'started_at of the cancelled run');
  },
}, {
  name: 'cancellation.ended',
  shows: 'a run that has ended stays as it is',
  async run(ground) {
    const run = await ground.finish(await ground.session(), ground.shortRun());
    const log = await ground.log(run.id);
    same(await ground.cancel(run.id), run, 'the answer of cancelRun');
    same(await ground.getRun(run.id), run, 'the run');
    same(await ground.log(run.id), log, 'its log');
  },
}, {
  name: 'cancellation.at_once',
  shows: 'who cancels at the same moment gets the same answer, and there is one event',
  needs: 'offline',
  async run(ground) {
    const run = await ground.endless(await ground.session());
    const answers = await Promise.all(Array.from({ length: 5 }, () => ground.cancel(run.id)));
    for (const answer of answers) same(answer, answers[0], 'an answer of cancelRun');
    const kinds = (await ground.log(run.id)).map(({ type }) => type);
    same(kinds.filter((kind) => kind === 'run.cancelled').length, 1, 'the number of run.cancelled');
  },
}];
