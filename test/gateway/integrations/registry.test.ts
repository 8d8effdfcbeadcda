import t from 'tap';
import type { OpenSource } from '../../../src/gateway/action/action.ts';
import { Registry } from '../../../src/gateway/integrations/registry.ts';
import { createLog } from '../../../src/log.ts';
import { testDatabase } from '../../support/database.ts';

t.test('a load that fails halfway leaves no source of an earlier revision open', async (t) => {
  const { sql } = await testDatabase(t);
  const drained: string[] = [];
  let away = false;
  const registry = new Registry({
    sql, log: createLog('silent'), fixed: [],
    async build({ slug, revision }): Promise<OpenSource> {
      if (away && slug === 'second') throw Object.assign(new Error('away'), { code: '57P01' });
      const name = `${slug} ${revision}`;
      return {
        integration: { slug, title: slug }, actions: [],
        drain: async () => void drained.push(name),
        close: async () => void drained.push(`${name} at the end`),
      };
    },
  });
  const change = async () => {
    await sql`update integrations set revision = revision + 1`;
    const [row] = await sql<{ version: number }[]>`
      update integrations_version set version = version + 1 returning version`;
    return row!.version;
  };
  await sql`insert into integrations (slug, id, kind, title, report, mcp)
    select s, 'int_' || s, 'mcp', s, '{}', '{}' from unnest(array['first', 'second']) s`;
  await registry.at(await change());
  const version = await change();
  away = true;
  await t.rejects(registry.at(version), { code: '57P01' });
  t.strictSame(drained, [], 'calls still use it');
  away = false;
  await registry.at(version);
  t.strictSame(drained.toSorted(), ['first 2', 'second 2']);
  away = true;
  await t.rejects(registry.at(await change()), { code: '57P01' });
  await registry.close();
  t.strictSame(drained.slice(2).toSorted(),
    ['first 3 at the end', 'first 4 at the end', 'second 3 at the end']);
});
