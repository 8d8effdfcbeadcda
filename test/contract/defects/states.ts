/** Sessions and runs that do not keep what they are told; waits and cancellations that fail. */
import type { PublicId } from '../../../src/contract/calls.ts';
import { never, type Answered, type Asked, type Defect, type World } from './defect.ts';

/** These only show by an answer that does not come. */
const SILENT = new Set(['wait.never_answers', 'wait.timeout_ignored', 'runs.interrupt_ignored',
  'runs.time_unbounded']);

function asks(
  name: string, does: string, topics: Defect['topics'], id: PublicId,
  request: (asked: Asked, world: World) => void | Answered | Promise<void | Answered>): Defect {
  return { name, does, topics, silent: SILENT.has(name),
    request: (asked, world) => asked.id === id ? request(asked, world) : undefined };
}

function says(
  name: string, does: string, topics: Defect['topics'], id: PublicId,
  change: (body: any, answered: Answered, world: World, asked: Asked) => void | Promise<void>,
): Defect {
  return { name, does, topics, async answer(answered, asked, world) {
    if (asked.id === id && answered.status < 300 && answered.body) {
      await change(answered.body, answered, world, asked);
    }
  } };
}

const HEADERS = {
  'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
const answer = (asked: Asked, status: number, body: unknown): Answered => ({
  status, body, stream: false,
  headers: { ...HEADERS, 'x-request-id': asked.headers['x-request-id'] ?? 'req_1' } });

const SESSIONS: Defect[] = [
  says('sessions.title_lost', 'forgets titles', ['sessions'], 'getSession',
    (body) => { body.title = null; }),
  says('sessions.metadata_lost', 'forgets metadata', ['sessions'], 'getSession',
    (body) => { body.metadata = {}; }),
  asks('sessions.patch_not_kept', 'answers a change as done, and does not keep it', ['sessions'],
    'updateSession', async (asked, world) => {
      if (Object.keys(asked.json ?? {}).length === 0) return;
      const found = await world.ask({ ...asked, id: 'getSession', method: 'GET', text: '' });
      if (found.status !== 200) return;
      const { messages: _, messages_next_cursor: __, ...session } = found.body;
      return { ...found, body: { ...session, ...asked.json } };
    }),
  asks('sessions.patch_resets', 'resets what a change leaves out', ['sessions'], 'updateSession',
    ({ json }) => {
      if (json && Object.keys(json).length > 0) json.metadata ??= {};
    }),
  asks('sessions.metadata_merged', 'adds metadata to what was there', ['sessions'],
    'updateSession', async (asked, world) => {
      if (!asked.json?.metadata) return;
      const { body } = await world.ask({ ...asked, id: 'getSession', method: 'GET', text: '' });
      asked.json.metadata = { ...body.metadata, ...asked.json.metadata };
    }),
  says('sessions.change_not_dated', 'does not say when a session was changed', ['sessions'],
    'updateSession', (body) => { body.updated_at = body.created_at; }),
  asks('sessions.archive_ignored', 'takes archiving and stays active', ['sessions'],
    'updateSession', ({ json }) => {
      if (json?.status === 'archived') json.status = 'active';
    }),
  asks('sessions.archived_takes_runs', 'activates an archived session for a new run', ['sessions'],
    'createRun', async (asked, world) => {
      await world.ask({ ...asked, id: 'updateSession', method: 'PATCH', path:
        `/sessions/${asked.params[0]}`, json: { status: 'active' }, text: '{}', headers: {
        'content-type': 'application/json', authorization: asked.headers.authorization ?? '' } });
    }),
  asks('sessions.delete_ignored', 'answers that a session was deleted, and keeps it', ['sessions'],
    'deleteSession', async (asked, world) => {
      const found = await world.ask({ ...asked, id: 'getSession', method: 'GET' });
      return found.status === 200 ? { ...found, status: 204, body: undefined } : undefined;
    }),
  says('sessions.never_active', 'never names the run that is executed', ['sessions'], 'getSession',
    (body) => { body.active_run_id = null; }),
  says('sessions.newest_message_first', 'shows the transcript newest first', ['sessions'],
    'getSession', (body) => { body.messages.reverse(); }),
  says('sessions.no_tool_messages', 'leaves results out of the transcript', ['sessions'],
    'getSession', (body) => {
      body.messages = body.messages.filter(({ role }: any) => role !== 'tool');
    }),
  says('sessions.short_transcript', 'shows the last four messages alone', ['sessions'],
    'getSession', (body) => { body.messages = body.messages.slice(-4); }),
  says('sessions.ascii_titles', 'loses letters beyond ASCII', ['sessions'], 'createSession',
    (body) => { if (body.title) body.title = body.title.replace(/[^\x20-\x7e]/g, '?'); }),
  says('sessions.same_id', 'gives every session the id of the first', ['sessions'],
    'createSession', (body, answered, { memory }) => {
      body.id = memory.get('id') ?? body.id;
      memory.set('id', body.id);
      answered.headers.location = `/v1/sessions/${body.id}`;
    }),
];

const RUNS: Defect[] = [
  asks('runs.metadata_dropped', 'drops the metadata of a run', ['runs'], 'createRun',
    ({ json }) => { if (json) delete json.metadata; }),
  asks('runs.steps_unbounded', 'takes no notice of max_steps', ['runs'], 'createRun',
    ({ json }) => { if (json?.max_steps === 2) delete json.max_steps; }),
  asks('runs.tokens_unbounded', 'takes no notice of max_total_tokens', ['runs'], 'createRun',
    ({ json }) => { if (json) delete json.max_total_tokens; }),
  asks('runs.time_unbounded', 'takes no notice of timeout_s', ['runs'], 'createRun',
    ({ json }) => { if (json) delete json.timeout_s; }),
  asks('runs.reject_ignored', 'takes concurrency: reject for enqueue', ['runs'], 'createRun',
    ({ json }) => { if (json?.concurrency === 'reject') delete json.concurrency; }),
  asks('runs.interrupt_ignored', 'takes concurrency: interrupt for enqueue', ['runs'], 'createRun',
    ({ json }) => { if (json?.concurrency === 'interrupt') delete json.concurrency; }),
  asks('runs.always_interrupts', 'cancels what is going on for every new run', ['runs'],
    'createRun', ({ json }) => { if (json) json.concurrency ??= 'interrupt'; }),
  says('runs.stale', 'answers about a run as it was when first asked', ['runs'], 'getRun',
    (body, answered, { memory }) => {
      answered.body = memory.get(body.id) ?? body;
      memory.set(body.id, answered.body);
    }),
  says('runs.no_finish', 'never says when a run has finished', ['runs'], 'getRun',
    (body) => { body.finished_at = null; }),
  says('runs.finished_before_begun', 'finishes runs before they begin', ['runs'], 'getRun',
    (body) => { if (body.finished_at) body.finished_at = '2020-01-01T00:00:00.000Z'; }),
  says('runs.other_output', 'says more than the log', ['runs', 'streams'], 'getRun',
    (body) => { body.output?.[0]?.content.push({ type: 'output_text', text: '!' }); }),
  says('runs.no_output', 'loses the output', ['runs'], 'getRun', (body) => { body.output = []; }),
  says('runs.wrong_sum', 'adds tokens wrongly', ['runs'], 'getRun',
    (body) => { if (body.usage) body.usage.total_tokens += 1; }),
  says('runs.failed_as_completed', 'tells a failed run as completed', ['runs'], 'getRun',
    (body) => { if (body.status === 'failed') body.status = 'completed'; }),
  says('runs.other_error', 'tells another error than the log', ['runs'], 'getRun',
    (body) => { if (body.error) body.error.code = 'internal_error'; }),
  says('runs.other_input', 'changes the input', ['runs'], 'getRun',
    (body) => { body.input[0].content[0].text += ' '; }),
  says('runs.no_tool_calls', 'forgets the calls', ['runs'], 'getRun',
    (body) => { body.tool_calls = []; }),
  says('runs.failed_calls_completed', 'tells failed calls as completed', ['runs'], 'createRun',
    (body) => { for (const call of body.tool_calls) call.status = 'completed'; }),
  says('runs.invocations_lost', 'forgets the invocations of runs', ['runs'],
    'listActionInvocations', (body) => { body.data = []; }),
  says('runs.new_run_completed', 'says of a new run that it has completed', ['runs'], 'createRun',
    (body, { status }) => { if (status === 202) body.status = 'completed'; }),
  says('runs.waiting_run_running', 'says of a run that waits that it is running', ['runs'],
    'getRun', (body) => { if (body.status === 'queued') body.status = 'running'; }),
];

const WAITS: Defect[] = [
  asks('wait.ignored', 'answers at once', ['wait'], 'createRun',
    ({ json }) => { if (json) delete json.wait; }),
  asks('wait.early_success', 'answers 200 at once, with the run as it is', ['wait'], 'createRun',
    async (asked, world) => {
      if (!asked.json?.wait || asked.json.stream) return;
      delete asked.json.wait;
      const answered = await world.ask(asked);
      return { ...answered, status: answered.status === 202 ? 200 : answered.status };
    }),
  asks('wait.never_answers', 'never answers a wait', ['wait'], 'createRun',
    ({ json }) => json?.wait && !json.stream ? never() : undefined),
  asks('wait.timeout_ignored', 'waits longer than asked for', ['wait'], 'createRun',
    ({ json }) => { if (json?.wait_timeout_s === 1) json.wait_timeout_s = 60; }),
  asks('wait.too_short', 'answers before the wait is over, as if it were', ['wait'], 'createRun',
    async (asked, world) => {
      if (!asked.json?.wait || asked.json.wait_timeout_s !== 1) return;
      delete asked.json.wait;
      const answered = await world.ask(asked);
      return { ...answered, headers: { ...answered.headers, 'retry-after': '1' } };
    }),
  says('wait.no_output', 'answers a wait without output', ['wait'], 'createRun',
    (body) => { body.output = []; }),
  says('wait.other_run', 'answers a wait with a run that differs from the one that is stored',
    ['wait'], 'createRun', (body, { status }) => {
      if (status === 200) body.updated_at = '2020-01-01T00:00:00.000Z';
    }),
  says('wait.runs_out_completed', 'says of a run that goes on that it has completed', ['wait'],
    'createRun', (body, { status }) => { if (status === 202) body.status = 'completed'; }),
  asks('wait.with_stream', 'takes wait and stream together', ['wait'], 'createRun', ({ json }) => {
    if (json?.wait && json.stream) delete json.stream;
  }),
];

const PLAIN = { text: '', json: undefined, query: new URLSearchParams() };
const runOf = (asked: Asked, world: World) => world.ask({ ...asked, ...PLAIN, id: 'getRun',
  method: 'GET', path: `/runs/${asked.params[0]}` });

function cancelled(found: Answered): Answered {
  if (found.status !== 200 || found.body.finished_at !== null) return found;
  const finished_at = new Date().toISOString();
  return { ...found, body: { ...found.body, status: 'cancelled', finished_at } };
}

const CANCELLATIONS: Defect[] = [
  asks('cancel.does_nothing', 'answers a run as cancelled that goes on', ['cancellation'],
    'cancelRun', async (asked, world) => cancelled(await runOf(asked, world))),
  asks('cancel.before_commit', 'answers before the run is cancelled', ['cancellation'],
    'cancelRun', async (asked, world) => {
      const found = await runOf(asked, world);
      setTimeout(() => void world.ask(asked).catch(() => undefined), 2_000);
      return cancelled(found);
    }),
  asks('cancel.only_running', 'leaves queued runs alone', ['cancellation'], 'cancelRun',
    async (asked, world) => {
      const found = await runOf(asked, world);
      return found.body?.status === 'queued' ? cancelled(found) : undefined;
    }),
  asks('cancel.ended_is_conflict', 'refuses to cancel what has ended', ['cancellation'],
    'cancelRun', async (asked, world) => {
      const { body, headers } = await runOf(asked, world);
      if (!body?.finished_at) return;
      return { ...answer(asked, 409, { error: 'It has ended.', code: 'session_busy', param: null,
        request_id: headers['x-request-id'] }) };
    }),
  says('cancel.ended_is_cancelled', 'tells a completed run as cancelled', ['cancellation'],
    'cancelRun', (body) => { body.status = 'cancelled'; }),
  says('cancel.answers_before', 'answers with the run as it was before', ['cancellation'],
    'cancelRun', (body) => {
      if (body.status !== 'cancelled') return;
      Object.assign(body, { status: 'running', finished_at: null });
    }),
  says('cancel.no_event', 'has no event of a cancellation in the log', ['cancellation'],
    'streamRunEvents', (body) => {
      body.data = body.data.filter(({ type }: any) => type !== 'run.cancelled');
    }),
  says('cancel.two_events', 'has two events of a cancellation in the log', ['cancellation'],
    'streamRunEvents', (body) => {
      const last = body.data.at(-1);
      if (last?.type === 'run.cancelled') {
        body.data.push({ ...last, sequence_number: last.sequence_number + 1, id: `${last.id}_` });
      }
    }),
  says('cancel.log_grows', 'adds to the log of a run that was cancelled', ['cancellation'],
    'streamRunEvents', (body, _answered, { memory }) => {
      const last = body.data.at(-1);
      if (last?.type !== 'run.cancelled') return;
      const seen = (memory.get(last.run_id) ?? 0) + 1;
      memory.set(last.run_id, seen);
      if (seen > 1) {
        body.data.push({ ...last, type: 'message.output.delta', id: `${last.id}_`,
          sequence_number: last.sequence_number + 1, data: { message_id: 'msg_1', delta: 'x' } });
      }
    }),
  says('cancel.wrong_reason', 'says that a newer run has interrupted it', ['cancellation'],
    'streamRunEvents', (body) => {
      const last = body.data.at(-1);
      if (last?.type === 'run.cancelled') last.data.reason = 'interrupted';
    }),
  says('cancel.keeps_output', 'answers a cancelled run with output', ['cancellation'], 'cancelRun',
    (body) => {
      body.output = [{ type: 'message', role: 'assistant',
        content: [{ type: 'output_text', text: 'x' }] }];
    }),
];

export const STATE_DEFECTS: Defect[] = [...SESSIONS, ...RUNS, ...WAITS, ...CANCELLATIONS];
