import { setTimeout as delay } from 'node:timers/promises';
import type { Check } from '../check.ts';
import { holds, same, sameFields } from '../expect.ts';
import type { Ground, ContractRun } from '../ground.ts';
import { GET_SESSION, LIST_CONNECTIONS, need } from '../need.ts';

/** What a run was made with does not change. */
const GIVEN = ['id', 'object', 'session_id', 'source', 'model', 'input', 'metadata', 'created_at',
  'instructions', 'max_steps', 'timeout_s', 'max_total_tokens'];

function given(run: ContractRun): Record<string, unknown> {
  return Object.fromEntries(GIVEN.map((name) => [name, run[name as keyof ContractRun]]));
}

function checkTimesOf({ created_at, started_at, finished_at, updated_at }: ContractRun): void {
  const times = [created_at, started_at, finished_at, updated_at].filter((time) => time !== null);
  same(times, times.toSorted(), 'created_at, started_at, finished_at and updated_at');
}

async function lastEvent(ground: Ground, run_id: string) {
  return (await ground.log(run_id)).at(-1)!;
}

export const runChecks: Check[] = [{
  name: 'runs.completed',
  shows: 'a run is queued, then running, then completed, and keeps what it was made with',
  async run(ground) {
    const { wire } = ground;
    const session_id = await ground.session();
    const told = { metadata: { ticket: '4711' }, instructions: 'Answer in one word.' };
    const body = ground.shortRun(told);
    const queued = await wire.expect(202, 'createRun', { path: { session_id }, body });
    sameFields(queued, { object: 'run', session_id, source: 'api', input: body.input,
      tool_calls: [], error: null, ...told,
      ...(body.model && { model: body.model }) }, 'the new run');
    // The answer shows the run as it stands: on a busy machine it may have ended by then.
    const is_over = queued.status === 'completed';
    holds(is_over || ['queued', 'running'].includes(queued.status),
      `a new run is ${queued.status}`);
    if (!is_over) sameFields(queued, { output: [], finished_at: null }, 'the new run');
    const ended = await ground.ended(queued.id);
    same(given(ended), given(queued), 'what the run was made with');
    sameFields(ended, { status: 'completed', error: null }, 'the run at its end');
    holds(ended.started_at !== null && ended.finished_at !== null, 'a time of the run is missing');
    checkTimesOf(ended);
    const { input_tokens, output_tokens, total_tokens } = ended.usage!;
    same(total_tokens, input_tokens + output_tokens, 'total_tokens');
    const text = ended.output.flatMap(({ content }) => content.map((part) => part.text)).join('');
    holds(text.trim() !== '', 'the run has completed, and says nothing');
    sameFields(await lastEvent(ground, queued.id),
      { type: 'run.completed', data: { output: ended.output, usage: ended.usage } },
      'the last event');
    same(await ground.getRun(queued.id), ended, 'the run, asked for once more');
  },
}, {
  name: 'runs.failed',
  shows: 'a run that cannot go on has failed, and says why',
  needs: 'offline',
  async run(ground) {
    await need(ground.wire, LIST_CONNECTIONS);
    const session_id = await ground.session();
    const { id } = await ground.queue(session_id, '@rehearsal fail=model_error');
    const failed = await ground.ended(id);
    sameFields(failed, { status: 'failed', output: [], tool_calls: [] }, 'the run');
    sameFields(failed.error ?? {}, { code: 'model_error' }, 'its error');
    checkTimesOf(failed);
    sameFields(await lastEvent(ground, id),
      { type: 'run.failed', data: { error: failed.error, usage: failed.usage } }, 'the last event');
    const stepped = await ground.complete(session_id, '@rehearsal steps=3', { max_steps: 2 });
    sameFields(stepped, { status: 'failed' }, 'a run of 3 steps that may take 2');
    sameFields(stepped.error ?? {}, { code: 'max_steps_exceeded' }, 'its error');
    same(stepped.tool_calls.map(({ status }) => status), ['completed', 'completed'],
      'the calls that it had made');
  },
}, {
  name: 'runs.limits',
  shows: 'a run gets no more time and tokens than it asks for, and says which were too few',
  needs: 'offline',
  async run(ground) {
    await need(ground.wire, LIST_CONNECTIONS);
    const session_id = await ground.session();
    const spent = await ground.complete(session_id, '@rehearsal steps=3', { max_total_tokens: 1 });
    sameFields(spent.error ?? {}, { code: 'budget_exceeded' },
      'the error of a run of 3 steps that may use 1 token');
    // The step that comes to the limit is still made.
    same(spent.tool_calls.map(({ status }) => status), ['completed'], 'the calls that it had made');
    const { id } = await ground.queue(session_id, '@rehearsal words=9 delay_ms=60000',
      { timeout_s: 1 });
    // So long it may take; a shorter patience begins then.
    await delay(1_000);
    const late = await ground.ended(id);
    sameFields(late.error ?? {}, { code: 'timeout' }, 'the error of a run that may take 1 second');
  },
}, {
  name: 'runs.in_order',
  shows: 'runs of a session come one after the other, and a busy one can be told',
  needs: 'offline',
  async run(ground) {
    const { wire } = ground;
    const session_id = await ground.session();
    const blocker = await ground.endless(session_id);
    const waiting = [];
    for (let i = 0; i < 3; i++) {
      waiting.push(await ground.queue(session_id, '@rehearsal words=1'));
    }
    for (const { id } of waiting) {
      sameFields(await ground.getRun(id),
        { status: 'queued', started_at: null, finished_at: null, output: [] }, 'a run that waits');
    }
    await wire.refused(409, 'session_busy', 'createRun', { path: { session_id },
      body: ground.shortRun({ concurrency: 'reject' }) }, 'concurrency: reject');
    await ground.cancel(blocker.id);
    let before = await ground.getRun(blocker.id);
    for (const { id } of waiting) {
      const run = await ground.ended(id);
      same(run.status, 'completed', 'the run that has waited');
      holds(before.finished_at! <= run.started_at!, 'a run has begun before another has ended');
      before = run;
    }
  },
}, {
  name: 'runs.interrupt',
  shows: 'a new run may take the place of the one that is going on',
  needs: 'offline',
  async run(ground) {
    const session_id = await ground.session();
    const running = await ground.endless(session_id);
    const waiting = await ground.queue(session_id, '@rehearsal words=1');
    const next = await ground.queue(session_id, '@rehearsal words=1', { concurrency: 'interrupt' });
    for (const { id } of [running, waiting]) {
      sameFields(await ground.getRun(id), { status: 'cancelled' }, 'the run before it');
    }
    sameFields(await lastEvent(ground, running.id), { type: 'run.cancelled',
      data: { previous_status: 'running', reason: 'interrupted' } }, 'its last event');
    same((await ground.ended(next.id)).status, 'completed', 'the new run');
  },
}, {
  name: 'runs.tool_calls',
  shows: 'what a run has called is in the run, its log and the list of invocations alike',
  needs: 'offline',
  async run(ground) {
    const { wire } = ground;
    await need(wire, LIST_CONNECTIONS, GET_SESSION);
    const session_id = await ground.session();
    const run = await ground.complete(session_id,
      'call gateway.connections.list\ncall gatehouse.sessions.get'
      + ` {"path": {"session_id": "${session_id}"}}\ncall gatehouse.nothing.here`);
    same(run.tool_calls.map(({ name, status }) => [name, status]), [
      ['gateway.connections.list', 'completed'], ['gatehouse.sessions.get', 'completed'],
      ['gatehouse.nothing.here', 'failed']], 'the calls of the run');
    same(await ground.getRun(run.id), run, 'the run, asked for');
    const log = await ground.log(run.id);
    for (const call of run.tool_calls) {
      const events = log.filter(({ data }) =>
        'tool_call_id' in data && data.tool_call_id === call.tool_call_id);
      const end = events.at(-1)!;
      same(end.type, `tool_call.${call.status}`, `the end of ${call.name}`);
      sameFields(end.data, { name: call.name, invocation_id: call.invocation_id }, 'that event');
      if (end.type === 'tool_call.completed') {
        same(end.data.arguments, call.arguments, 'the arguments in the event');
      }
    }
    const invocations = await wire.expect(200, 'listActionInvocations',
      { query: { run_id: run.id, order: 'asc' } });
    same(invocations.data.map(({ invocation_id, action, status, source, run_id }) =>
      ({ invocation_id, action, status, source, run_id })),
    run.tool_calls.map(({ invocation_id, name, status }) =>
      ({ invocation_id, action: name, status, source: 'run', run_id: run.id })),
    'the invocations of the run');
  },
}, {
  name: 'runs.memory',
  shows: 'a run knows what the runs before it in the session have seen',
  needs: 'offline',
  async run(ground) {
    await need(ground.wire, GET_SESSION);
    const session_id = await ground.session();
    await ground.complete(session_id,
      `call gatehouse.sessions.get {"path": {"session_id": "${session_id}"}}`);
    const second = await ground.complete(session_id,
      'call gatehouse.sessions.get {"path": {"session_id": "$last.id"}}');
    const [call] = second.tool_calls;
    same(call?.arguments, { action: 'gatehouse.sessions.get', input: { path: { session_id } } },
      'what the second run has called');
  },
}];
