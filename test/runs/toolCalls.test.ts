import t from 'tap';
import { openToolCalls, summariseToolCalls } from '../../src/runs/toolCalls.ts';
import type { MessageRow } from '../../src/store/messages.ts';
import type { ToolCallEventRow } from '../../src/store/runEvents.ts';

const at = (second: number) => `2026-11-21T09:00:0${second}.000Z`;
const row = (
  seq: number, type: ToolCallEventRow['type'], id: string, more: Record<string, unknown> = {},
): ToolCallEventRow =>
  ({ seq, type, created_at: at(seq), data: { tool_call_id: id, name: `a.${id}`, ...more } });

const events = [
  row(1, 'tool_call.started', 'done'),
  row(2, 'tool_call.started', 'bad'),
  row(3, 'tool_call.completed', 'done', { invocation_id: 'inv_1' }),
  row(4, 'tool_call.failed', 'bad', { error: { code: 'not_permitted', message: 'No.' } }),
  row(5, 'tool_call.started', 'stopped'),
  row(6, 'tool_call.failed', 'stopped', { error: { code: 'cancelled', message: 'Stopped.' } }),
  row(7, 'tool_call.started', 'open'),
];

t.test('summaries follow from the log and the committed calls', async (t) => {
  const message = {
    content: [{ type: 'output_text', text: 'x' },
      { type: 'tool_call', tool_call_id: 'done', name: 'a.done', arguments: { action: 'a.done' } }],
  } as unknown as MessageRow;
  const summaries = summariseToolCalls(events, [message]);
  t.same(summaries.map((call) => [call.tool_call_id, call.status]),
    [['done', 'completed'], ['bad', 'failed'], ['stopped', 'cancelled'], ['open', 'running']]);
  t.same(summaries[0], {
    tool_call_id: 'done', name: 'a.done', status: 'completed', arguments: { action: 'a.done' },
    error: null, invocation_id: 'inv_1', started_at: at(1), finished_at: at(3) });
  t.same(summaries[1]!.error, { code: 'not_permitted', message: 'No.' });
  t.equal(summaries[1]!.arguments, null);
  t.equal(summaries[3]!.finished_at, null);
});

t.test('a call without an end is open', async (t) => {
  t.same([...openToolCalls(events)], [['open', 'a.open']]);
});
