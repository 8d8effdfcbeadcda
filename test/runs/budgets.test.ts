/** How the tokens of a workspace's day are added up. */
import { mock } from 'node:test';
import t from 'tap';
import { correctTimeOfDay, timeOf } from '../../src/ids.ts';
import { WorkspaceTokens } from '../../src/runs/budgets.ts';
import type { Sql } from '../../src/store/database.ts';
import { tokensToday } from '../../src/store/tokens.ts';

t.test('runs that ask together share one sum, and one that fails is not kept', async (t) => {
  const asked: PromiseWithResolvers<{ tokens: number }[]>[] = [];
  const sql = (([text]: TemplateStringsArray) => {
    if (!/^\s*select/.test(text!)) return text; // a part of the statement
    asked.push(Promise.withResolvers());
    return asked.at(-1)!.promise;
  }) as unknown as Sql;
  const tokens = new WorkspaceTokens(sql);
  const all = () => Promise.all(['wsp_1', 'wsp_1', 'wsp_2'].map((id) => tokens.usedToday(id)));

  const refused = t.rejects(all(), /is away/);
  t.equal(asked.length, 2, 'one for each workspace');
  asked[0]!.reject(new Error('the database is away'));
  asked[1]!.resolve([{ tokens: 5 }]);
  await refused;

  const sums = all();
  t.equal(asked.length, 3, 'that of the other is known');
  asked[2]!.resolve([{ tokens: 7 }]);
  t.same(await sums, [7, 7, 5]);
  tokens.add('wsp_1', 3);
  t.same(await all(), [10, 10, 5], 'and a step of this process is added');
});

t.test('a node whose clock is days ahead leaves no run of the day out', async (t) => {
  const right_ms = Date.now();
  const ahead_ms = 3 * 24 * 3_600_000;
  mock.timers.enable({ apis: ['Date'], now: right_ms + ahead_ms });
  correctTimeOfDay(ahead_ms);
  t.teardown(() => {
    correctTimeOfDay(0);
    mock.timers.reset();
  });
  let earliest = '';
  const sql = ((_text: TemplateStringsArray, ...values: unknown[]) => {
    earliest = values.find((value): value is string => /^run_/.test(String(value))) ?? earliest;
    return [{ tokens: 0 }];
  }) as unknown as Sql;
  await tokensToday(sql, 'wsp_1');
  t.match(earliest, /^run_/);
  t.ok(timeOf(earliest) < right_ms, 'ids of now are those of runs of the day');
});
