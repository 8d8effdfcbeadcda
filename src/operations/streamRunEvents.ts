import type { Schemas } from '../../generated/types.ts';
import { isTerminal } from '../runs/runStatus.ts';
import { followRun } from './followRun.ts';
import type { Operation } from './operation.ts';

/** GET /runs/{run_id}/events */
export const streamRunEvents: Operation<'streamRunEvents'> = async (context) => {
  const { caller, scope, params, services, accepts } = context;
  const { run_id } = params.path;
  const { starting_after = 0, limit } = params.query;
  const last_event_id = params.headers['last-event-id'] ?? 0;
  const after = Math.max(starting_after, last_event_id);
  const run = await services.runs.find(scope, run_id);
  const reference = { workspace_id: caller.workspace_id, session_id: run.session_id, run_id };
  if (accepts.event_stream) {
    // A browser's EventSource connects again whenever a stream has ended, until it is told 204.
    if (isTerminal(run.status) && last_event_id >= run.last_seq) return { status: 204 };
    // An error has a status only before the stream has begun, and that does not wait for long.
    await services.runs.reader.page(reference, after, 1);
    const events = followRun(services, caller, reference, after, context.signal);
    return { status: 200, events };
  }
  const { frames, has_more } = await services.runs.reader.page(reference, after, limit);
  return {
    status: 200,
    body: {
      object: 'list',
      data: frames.map((frame) => JSON.parse(frame.json) as Schemas['RunEvent']),
      has_more,
      next_cursor: frames.length === 0 ? null : String(frames.at(-1)!.sequence_number),
    },
  };
};
