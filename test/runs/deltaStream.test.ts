import t from 'tap';
import type { StepPart } from '../../src/models/model.ts';
import { DeltaStream } from '../../src/runs/deltaStream.ts';
import { soundness } from '../support/soundness.ts';

soundness(t, 'an event lost, twice or out of order');

const text = (delta: string, message_id = 'msg_1'): StepPart =>
  ({ type: 'message.output.delta', message_id, delta });

t.test('the first delta goes at once, the others of the window together', async (t) => {
  const out: StepPart[] = [];
  const stream = new DeltaStream((part) => out.push(part));
  for (const delta of ['a', 'b', 'c']) stream.push(text(delta));
  t.same(out, [text('a')]);
  stream.end();
  t.same(out, [text('a'), text('bc')]);
});

t.test('the window ends by itself', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const out: StepPart[] = [];
  const stream = new DeltaStream((part) => {
    out.push(part);
    if (out.length === 2) resolve();
  });
  stream.push(text('a'));
  stream.push(text('b'));
  await promise;
  t.same(out, [text('a'), text('b')]);
  stream.end();
});

t.test('a large delta does not wait', async (t) => {
  const out: StepPart[] = [];
  const stream = new DeltaStream((part) => out.push(part));
  stream.push(text('a'));
  stream.push(text('x'.repeat(399)));
  t.equal(out.length, 1);
  stream.push(text('y'));
  t.same(out, [text('a'), text(`${'x'.repeat(399)}y`)]);
  stream.end();
});

t.test('items are not joined with one another, and their order is kept', async (t) => {
  const out: StepPart[] = [];
  const stream = new DeltaStream((part) => out.push(part));
  const parts: StepPart[] = [
    { type: 'reasoning.summary.delta', item_id: 'r', delta: '1' },
    { type: 'reasoning.summary.delta', item_id: 'r', delta: '2' },
    text('3'), text('4', 'msg_2'), text('5', 'msg_2'),
    { type: 'tool_call.started', tool_call_id: 'c', name: 'a.b.c' },
    { type: 'tool_call.arguments.delta', tool_call_id: 'c', delta: '6' },
    { type: 'tool_call.arguments.delta', tool_call_id: 'c', delta: '7' },
  ];
  for (const part of parts) stream.push(part);
  stream.end();
  t.same(out.map((part) => ('delta' in part ? part.delta : part.name)),
    ['1', '2', '3', '45', 'a.b.c', '67']);
});
