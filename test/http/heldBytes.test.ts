/** Bodies share the memory of a process: each holds as much as it leaves to others. */
import t from 'tap';
import { HeldBytes } from '../../src/http/heldBytes.ts';

const refused = { code: 'rate_limited', retry_after_s: 1 };

t.test('one alone may hold half, and others find room beside it', async (t) => {
  const held = new HeldBytes(100);
  const bodies = Array.from({ length: 5 }, () => held.begin('a'));
  for (const body of bodies) body.add(10);
  t.throws(() => held.begin('a').add(1), refused);
  const other = held.begin('b');
  other.add(25);
  t.throws(() => held.begin('b').add(1), refused, 'two hold a third each, or what is left');
  bodies[0]!.release();
  bodies[0]!.release();
  held.begin('b').add(1);
  t.throws(() => held.begin('a').add(10), refused, 'given back once');
});

t.test('the first body of a share is not refused, however large', async (t) => {
  const held = new HeldBytes(100);
  const document = held.begin('operator');
  for (let part = 0; part < 50; part++) document.add(10);
  t.throws(() => held.begin('operator').add(1), refused);
  held.begin('a').add(10);
  document.release();
  for (let part = 0; part < 4; part++) held.begin('a').add(10);
});
