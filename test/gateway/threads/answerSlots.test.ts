/** Of the large answers of other systems so many are taken in at once, whoever asks for them. */
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { readResponseBody } from '../../../src/gateway/egress/responseBody.ts';
import { AnswerSlots, type AnswerSlot } from '../../../src/gateway/threads/answerSlots.ts';

const { signal: never } = new AbortController();

/** Asks for a slot, and notes in `begun` that it has it. */
function asker(slots: AnswerSlots) {
  const begun: string[] = [];
  const ask = (share: string, signal = never): AnswerSlot & { done: Promise<void> } => {
    const slot = slots.for(share, signal);
    return { ...slot, done: slot.take().then(() => void begun.push(share)) };
  };
  return { begun, ask };
}

t.test('one share has half of them, and another one does not wait for it', async (t) => {
  const { begun, ask } = asker(new AnswerSlots(6));
  const held = Array.from({ length: 10 }, () => ask('a'));
  await turn();
  t.strictSame(begun, ['a', 'a', 'a']);
  const other = ask('b');
  await other.done;
  t.strictSame(begun, ['a', 'a', 'a', 'b'], 'the first of a share comes at once');
  held[0]!.release();
  held[0]!.release();
  await turn();
  t.strictSame(begun.length, 4, 'what is left is kept for others');
  other.release();
  await turn();
  t.strictSame(begun, ['a', 'a', 'a', 'b', 'a']);
  for (const one of held) {
    one.release();
    await one.done;
    one.release();
  }
  t.equal(begun.length, 11, 'each had its turn');
});

t.test('however many shares there are, the first of each comes at once', async (t) => {
  const { begun, ask } = asker(new AnswerSlots(2));
  for (const share of ['a', 'b', 'c', 'd']) await ask(share).done;
  t.strictSame(begun, ['a', 'b', 'c', 'd']);
});

t.test('who does not wait any more leaves its turn to the next', async (t) => {
  const { begun, ask } = asker(new AnswerSlots(2));
  const first = ask('a');
  await first.done;
  const leaving = new AbortController();
  const second = ask('a', leaving.signal);
  const third = ask('a');
  leaving.abort(new Error('gone'));
  await t.rejects(second.done, { message: 'gone' });
  second.release();
  first.release();
  await third.done;
  t.strictSame(begun, ['a', 'a']);
  await t.rejects(slotsFull().take(), { message: 'gone already' });

  function slotsFull(): AnswerSlot {
    const slots = new AnswerSlots(2);
    void slots.for('a', never).take();
    return slots.for('a', AbortSignal.abort(new Error('gone already')));
  }
});

t.test('no more of a body is read before it may be a large one', async (t) => {
  let read = 0;
  const body = Readable.from((function* () {
    for (; read < 100; read++) yield Buffer.alloc(1_000);
  })(), { highWaterMark: 1 });
  const room = Promise.withResolvers<void>();
  const whole = readResponseBody(body, undefined, 1_000_000, null,
    { from_bytes: 10_000, begin: () => room.promise });
  for (let i = 0; i < 50; i++) await turn();
  t.ok(read >= 10 && read < 20, `${read} of 100 pieces`);
  room.resolve();
  t.equal((await whole).body.length, 100_000);

  const small = await readResponseBody(Readable.from([Buffer.alloc(10_000)]), undefined, 1_000_000,
    null, { from_bytes: 10_000, begin: () => Promise.reject(new Error('it is a small one')) });
  t.equal(small.body.length, 10_000);
});
