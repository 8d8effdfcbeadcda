import { prompt } from '../calls.ts';
import type { Check } from '../check.ts';
import { holds, same, sameFields } from '../expect.ts';

export const waitChecks: Check[] = [{
  name: 'wait.to_the_end',
  shows: 'the answer is the run as it has ended, however it did',
  async run(ground) {
    const session_id = await ground.session();
    const run = await ground.finish(session_id, ground.shortRun());
    same(run.status, 'completed', 'the run');
    same(await ground.getRun(run.id), run, 'the run, asked for');
    same((await ground.log(run.id)).at(-1)?.type, 'run.completed', 'the last event');
  },
}, {
  name: 'wait.slow_run',
  shows: 'a wait lasts as long as the run, and no longer',
  needs: 'offline',
  async run(ground) {
    const session_id = await ground.session();
    // Four words, each after 60 ms.
    const run = await ground.complete(session_id, '@rehearsal words=4 delay_ms=60');
    same(run.status, 'completed', 'the run');
    holds(run.output.length === 1 && run.finished_at !== null, 'the run has no output or no end');
    const failed = await ground.complete(session_id, '@rehearsal fail=model_error');
    sameFields(failed, { status: 'failed', output: [] }, 'the run that fails');
  },
}, {
  name: 'wait.runs_out',
  shows: 'when the wait is over first, the answer is the run as it is then, with Retry-After',
  needs: 'offline',
  async run(ground) {
    const { wire } = ground;
    const path = { session_id: await ground.session() };
    const begun_ms = performance.now();
    const { headers, body } = await wire.expectAnswer(202, 'createRun', { path, extra_ms: 1_000,
      body: prompt('@rehearsal words=9 delay_ms=60000',
        { ...ground.offline, wait: true, wait_timeout_s: 1 }) });
    // A timer of another clock may be a little early.
    holds(performance.now() - begun_ms > 900, 'the answer came before the wait was over');
    holds(['queued', 'running'].includes(body.status), `the run is ${body.status}`);
    holds(/^\d+$/.test(headers.get('retry-after') ?? ''), '202 after a wait has no Retry-After');
    same((await ground.cancel(body.id)).status, 'cancelled', 'the run, cancelled');
  },
}, {
  name: 'wait.cancelled',
  shows: 'a wait ends when the run is cancelled',
  needs: 'offline',
  async run(ground) {
    const { wire } = ground;
    const session_id = await ground.session();
    const waited = ground.finish(session_id,
      prompt('@rehearsal words=9 delay_ms=60000', ground.offline));
    // Whatever it throws is looked at below.
    waited.catch(() => undefined);
    let run_id: string | undefined;
    const begun_ms = performance.now();
    while (run_id === undefined) {
      holds(performance.now() - begun_ms < wire.patience_ms, 'the run does not appear in the list');
      const { data } = await wire.expect(200, 'listRuns', { query: { session_id } });
      run_id = data[0]?.id;
    }
    const cancelled = await ground.cancel(run_id);
    same(await waited, cancelled, 'what the wait answers');
  },
}, {
  name: 'wait.not_with_stream',
  shows: 'wait and stream exclude each other',
  async run(ground) {
    const path = { session_id: await ground.session() };
    await ground.wire.refused(400, 'invalid_request', 'createRun',
      { path, body: ground.shortRun({ wait: true, stream: true }) }, 'wait and stream');
    same((await ground.wire.expect(200, 'listRuns', { query: path })).data, [], 'runs after it');
  },
}];
