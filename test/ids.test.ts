import t from 'tap';
import { eventId, lowestId, newId, timeOf } from '../src/ids.ts';

t.test('ids are of one form, all different, and in the order of their time', async (t) => {
  const ids = Array.from({ length: 2_000 }, () => newId('run'));
  t.ok(ids.every((id) => /^run_[0-9a-hjkmnp-tv-z]{26}$/.test(id)));
  t.equal(new Set(ids).size, ids.length);
  const ordered = Array.from({ length: 500 }, (_, index) => newId('ses', 1_000 * index * index));
  t.same(ordered.toSorted(), ordered);
  t.same(ids.toSorted(), ids, 'those of one millisecond too');
});

t.test('every random character occurs, and none stands out', async (t) => {
  const counts = new Map<string, number>();
  for (let i = 0; i < 4_000; i++) {
    for (const character of newId('run').slice(-13)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  t.equal(counts.size, 32);
  // 1,625 expected of each; ten standard deviations either way.
  t.ok([...counts.values()].every((count) => count > 1_225 && count < 2_025));
});

t.test('the lowest id of a time bounds all of it', async (t) => {
  const now_ms = Date.UTC(2026, 10, 21);
  t.ok(lowestId('run', now_ms) <= newId('run', now_ms));
  t.ok(newId('run', now_ms - 1) < lowestId('run', now_ms));
});

t.test('an id tells when it was made', async (t) => {
  for (const now_ms of [0, 1, Date.UTC(2026, 10, 21), 2 ** 48 - 1]) {
    t.equal(timeOf(newId('call', now_ms)), now_ms);
  }
});

t.test('an event is named by its run and number', async (t) => {
  t.equal(eventId('run_01abc', 7), 'evt_01abc_7');
});
