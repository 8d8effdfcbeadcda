import fc from 'fast-check';
import t from 'tap';
import { fillInput } from '../../src/models/rehearsalInput.ts';
import { renderCall } from '../../src/models/rehearsalText.ts';
import { joined, rehearsal, request, run } from './support.ts';
import { conversation, ok } from './conversation.ts';

const user = (text: string) => request({ transcript: [
  { role: 'user', run_id: 'run_1', content: [{ type: 'input_text', text }] }] });

t.test('any text is answered, and what is shown is what is kept', async (t) => {
  const token = fc.oneof(
    fc.constantFrom('call ', 'a.b', ' {', '}', '"', '\\', '\n', '&', '@rehearsal ', 'steps=2', ' ',
      '$1.a', '$last', '😀', '\0', '\ud83d', '__proto__', '=', '`', '[', '\r\n', 'fields=a'),
    fc.string({ maxLength: 5, unit: 'binary' }));
  const text = fc.array(token, { maxLength: 25 }).map((tokens) => tokens.join(''));
  await fc.assert(fc.asyncProperty(text, async (asked) => {
    const { parts, result } = await run(rehearsal, user(asked));
    t.strictSame(result.invalid_arguments, {});
    const [part] = result.content;
    if (part!.type === 'output_text') {
      t.equal(joined(parts, 'message.output.delta').msg_1, part!.text);
    } else {
      t.strictSame(
        JSON.parse(joined(parts, 'tool_call.arguments.delta').call_1!), part!.arguments);
    }
  }), { numRuns: 500 });
});

// A megabyte takes some ten milliseconds where the work is linear, and minutes where it is not.
t.test('a megabyte of anything is answered at once', async (t) => {
  const size = 1_000_000;
  for (const unit of ['a', ' ', '\n', '{', '[', '"', '\\', 'call a.b {', 'call a.b {"x":"', 'a=',
    '@rehearsal ', 'call a.', 'call a.b & ', 'call a.b {}\n', '😀', 'a.', '/', '-', '\t', '$1.', '`',
    'call a.b {"x":[', '@rehearsal words=1 ']) {
    // What others do on this machine meanwhile is not counted.
    const before = process.threadCpuUsage();
    await run(rehearsal, user(unit.repeat(size / unit.length)));
    await run(rehearsal, user(`call a.b {"x": ${JSON.stringify(unit.repeat(10_000))}}`));
    fillInput({ properties: { x: { type: 'string' } }, required: ['x'] }, unit.repeat(size));
    const used = process.threadCpuUsage(before);
    t.ok(used.user + used.system < 5_000_000, JSON.stringify(unit));
  }
});

t.test('results of any shape are told', async (t) => {
  let deep: unknown = 'x';
  for (let level = 0; level < 50_000; level++) deep = level % 2 ? [deep] : { a: deep };
  const values = [deep, [deep], { data: [deep] }, { id: 1, a: deep }, null, '', 0, false, [], {},
    'x'.repeat(1_000_000), Array.from({ length: 100_000 }, (_, id) => ({ id })),
    Object.fromEntries(Array.from({ length: 1_000 }, (_, nth) => [`k${nth}`, nth]))];
  for (const value of values) {
    const text = renderCall(
      { action: 'a.b', outcome: { kind: 'result', value, truncated: false } });
    t.match(text, /^`a.b` returned /);
    t.ok(text.length < 5_000);
    t.match((await conversation(() => ok(value)).say('call a.b')).text, /^`a.b` returned /);
  }
});

t.test('any JSON as the outcome of a call is told', async (t) => {
  await fc.assert(fc.asyncProperty(fc.jsonValue(), fc.boolean(), async (value, failed) => {
    const { say } = conversation(() => (failed ? { error: value } : { result: value }));
    t.match((await say('call a.b')).text, /^`a.b` /);
    t.type((await say('show something')).text, 'string');
  }), { numRuns: 200 });
});
