/** What a node says of its clock, and what it tells the others. */
import { randomUUID } from 'node:crypto';
import { mock } from 'node:test';
import t from 'tap';
import { readConfig } from '../../src/config.ts';
import { correctTimeOfDay, newId, timeOf } from '../../src/ids.ts';
import { createLog } from '../../src/log.ts';
import { NodeClock } from '../../src/overview/nodeClock.ts';
import { announce } from '../../src/overview/presence.ts';
import { announceNode, liveNodes } from '../../src/store/nodes.ts';
import { testDatabase } from '../support/database.ts';
import { untilSeen } from '../support/until.ts';

function watchedLog() {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { destination: { write: (line) => lines.push(JSON.parse(line)) } });
  return { log, lines };
}

const NOW_MS = Date.parse('2026-11-21T20:30:00.000Z');

t.test('the log says once that it is wrong, and that it is right again', async (t) => {
  const { log, lines } = watchedLog();
  const clock = new NodeClock(log);
  t.equal(clock.offset_ms, null);
  /** By a clock that is so far ahead, with an answer that took so long. */
  const measure = (ahead_ms: number, took_ms = 2) => clock.measured({
    before_ms: NOW_MS + ahead_ms, database_ms: NOW_MS + took_ms / 2,
    after_ms: NOW_MS + ahead_ms + took_ms });
  t.equal(measure(0), false);
  t.equal(clock.offset_ms, 0, 'nothing that the way does not explain');
  t.equal(measure(-3_000, 60_000), false, 'nor what a long way may explain');
  t.equal(clock.offset_ms, 0);
  t.equal(measure(-4_000), false);
  t.equal(clock.offset_ms, -3_999);
  t.strictSame(lines, []);
  t.equal(measure(3_600_000), true);
  t.equal(clock.offset_ms, 3_599_999);
  t.equal(measure(-3_600_000), false);
  t.match(lines, [{ level: 'warn', offset_s: 3_599.999, msg: /^the clock of .* is not that of/ }]);
  t.equal(measure(0), true);
  t.match(lines.slice(1), [{ level: 'info', offset_s: 0, msg: /is right again$/ }]);
});

t.test('ids keep their order while a wrong clock is measured now so, now so', (t) => {
  const clock = new NodeClock(watchedLog().log);
  mock.timers.enable({ apis: ['Date'], now: NOW_MS });
  t.teardown(() => {
    correctTimeOfDay(0);
    mock.timers.reset();
  });
  const ids: string[] = [];
  const measure = (ahead_ms: number, took_ms = 2) => {
    clock.measured({ before_ms: NOW_MS + ahead_ms, database_ms: NOW_MS + took_ms + 0.5,
      after_ms: NOW_MS + ahead_ms + took_ms });
    ids.push(newId('run'));
    return timeOf(ids.at(-1)!) - NOW_MS;
  };
  t.equal(measure(3_600_000, 400), -3_599_600);
  t.equal(measure(3_600_000), -3_599_600, 'what the way took counts for nothing');
  t.equal(measure(3_601_000), -3_599_600);
  t.equal(measure(5_100), -5_098);
  t.equal(measure(4_900), -5_098, 'it is not right yet');
  t.equal(measure(5_100, 400), -5_098);
  t.strictSame(ids.toSorted(), ids);
  t.equal(measure(2_000), 0);
  t.end();
});

t.test('its row says by how much, soon after it has found out', async (t) => {
  const { sql } = await testDatabase(t);
  const { log, lines } = watchedLog();
  const right_ms = Date.now();
  mock.timers.enable({ apis: ['Date'], now: right_ms + 3_600_000 });
  t.teardown(() => mock.timers.reset());
  const presence = await announce({ sql, config: readConfig({}), log, master_keys: {},
    seals_with: null, worker_id: null });
  const offset = async () => (await liveNodes(sql))[0]?.clock_offset_ms;
  const told = await untilSeen('the offset', offset, (seen) => typeof seen === 'number');
  t.ok(told! > 3_000_000);
  t.ok(presence.clock.offset_ms! > 3_000_000);
  t.match(lines, [{ level: 'warn' }]);
  const isByDatabase = (id: string) => timeOf(id) < right_ms + 1_800_000;
  t.ok(isByDatabase(newId('run')), 'and its ids are made by the right time');
  await presence.close();
  t.notOk(isByDatabase(newId('run')), 'until there is no database to tell it');
  t.strictSame([...await liveNodes(sql)], []);
});

t.test('who tells of itself is told the time of the database', async (t) => {
  const { sql } = await testDatabase(t);
  const clock = async () => {
    const [row] = await sql<{ now_ms: number }[]>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms`;
    return row!.now_ms;
  };
  const node = { id: randomUUID(), host: 'here', pid: 1, master_keys: {}, settings: {},
    worker_id: null, seals_with: null, clock_offset_ms: null };
  const [before, told, after] = [await clock(), await announceNode(sql, node, 3_600_000),
    await clock()];
  t.ok(before <= told && told <= after);
  await announceNode(sql, { ...node, clock_offset_ms: -2.5 }, 3_600_000);
  t.match(await liveNodes(sql), [{ id: node.id, clock_offset_ms: -2.5 }]);
});
