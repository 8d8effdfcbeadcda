import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import type { OpenSource } from '../../../src/gateway/action/action.ts';
import { Registry } from '../../../src/gateway/integrations/registry.ts';
import { createLog } from '../../../src/log.ts';
import { integrationsVersion, touchIntegrations } from '../../../src/store/integrations.ts';
import { testDatabase } from '../../support/database.ts';
import { untilSeen } from '../../support/until.ts';
import { definition } from '../support.ts';

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

t.test('what is removed ends also where nobody calls', async (t) => {
  const { sql } = await testDatabase(t);
  const ended = Promise.withResolvers<string>();
  const registry = new Registry({
    sql, log: createLog('silent'), fixed: [], look_ms: 5,
    build: async ({ slug }) => ({ integration: { slug, title: slug }, actions: [],
      close: async () => ended.resolve(`${slug} ended`) }),
  });
  t.teardown(() => registry.close());
  await sql`insert into integrations (slug, id, kind, title, report, mcp)
    values ('first', 'int_first', 'mcp', 'first', '{}', '{}')`;
  await sql.begin(touchIntegrations);
  await registry.warm();
  await sql.begin(async (tx) => {
    await tx`delete from integrations`;
    await touchIntegrations(tx);
  });
  t.equal(await ended.promise, 'first ended');
});

t.test('a version that a failover has lost is not waited for', async (t) => {
  const { sql } = await testDatabase(t);
  const registry = new Registry({ sql, log: createLog('silent'), fixed: [],
    build: async ({ slug }) => ({ integration: { slug, title: slug }, actions: [] }) });
  const read = await integrationsVersion(sql) + 1;
  t.equal(await Promise.race([registry.at(read).then(() => 'answered'),
    delay(5_000, 'asks again and again', { ref: false })]), 'answered');
  await registry.close();
});

t.test('what cannot be made is tried again, ever later, and told once', async (t) => {
  const { sql } = await testDatabase(t);
  const told: string[] = [];
  const log = createLog('error', { destination: { write: (line) => void told.push(line) } });
  const closed: string[] = [];
  const befores: (string | undefined)[] = [];
  let fault: string | undefined;
  let now_ms = 0;
  const registry = new Registry({
    sql, log, fixed: [], clock: () => now_ms,
    async build({ slug, revision }, _, before): Promise<OpenSource> {
      befores.push(before?.integration.title);
      if (fault !== undefined) throw new Error(fault);
      const title = `${slug} ${revision}`;
      return { integration: { slug, title }, actions: [definition({ name: `${slug}.a.b` })],
        drain: async () => void closed.push(title),
        close: async () => void closed.push(`${title} at the end`) };
    },
  });
  const load = async () => {
    const [row] = await sql<{ version: number }[]>`
      update integrations_version set version = version + 1 returning version`;
    return await registry.at(row!.version);
  };
  const change = () => sql`update integrations set revision = revision + 1`;
  await sql`insert into integrations (slug, id, kind, title, report, mcp)
    values ('first', 'int_first', 'mcp', 'first', '{}', '{}')`;
  t.equal((await load()).sources[0]?.actions.length, 1);
  await change();
  fault = 'away';
  t.equal((await load()).sources[0]?.actions.length, 0, 'the revision before is not offered');
  const waits_s: number[] = [];
  for (let second = 0; second < 3_600; second++) {
    const tries = befores.length;
    await load();
    if (befores.length > tries) waits_s.push(now_ms / 1_000);
    now_ms += 1_000;
    if (waits_s.length === 3) break;
  }
  t.same(waits_s, [5, 15, 35]);
  t.equal(told.length, 1, 'the same fault is told once');
  fault = 'otherwise';
  now_ms += 600_000;
  await load();
  t.equal(told.length, 2);
  now_ms += 600_000;
  fault = undefined;
  const version = await sql<{ version: number }[]>`select version from integrations_version`;
  const at = async () => (await registry.at(version[0]!.version)).sources[0]!;
  t.equal((await at()).actions.length, 0, 'who asks does not wait for what is tried again');
  const source = await untilSeen('the integration', at, ({ actions }) => actions.length === 1);
  t.equal(source.integration.title, 'first 2');
  t.same(new Set(befores.slice(1)), new Set(['first 1']), 'each goes on with what was open');
  t.same(closed, ['first 1']);
  await registry.close();
  t.same(closed, ['first 1', 'first 2 at the end']);
});

t.test('what a failover lost is not held; its numbers may mean something else', async (t) => {
  const { sql } = await testDatabase(t);
  const registry = new Registry({
    sql, log: createLog('silent'), fixed: [],
    build: async ({ slug, title }) => ({ integration: { slug, title }, actions: [] }),
  });
  const setTitle = async (title: string, revision: number, version: number) => {
    await sql`update integrations set title = ${title}, revision = ${revision}, updated_at = now()`;
    await sql`update integrations_version set version = ${version}`;
  };
  const seen = async () => {
    const { sources } = await registry.at(await integrationsVersion(sql));
    return sources.map(({ integration }) => integration.title);
  };
  await sql`insert into integrations (slug, id, kind, title, report, mcp)
    values ('first', 'int_first', 'mcp', 'first', '{}', '{}')`;
  await setTitle('lost', 2, 8);
  t.strictSame(await seen(), ['lost']);
  await setTitle('kept', 1, 7);
  t.strictSame(await seen(), ['kept'], 'the database is as it was before');
  await setTitle('lost again', 2, 9);
  t.strictSame(await seen(), ['lost again']);
  await setTitle('changed', 2, 7);
  t.strictSame(await seen(), ['changed'], 'another change has the number of the lost one');
  await sql.begin(touchIntegrations);
  const first = await integrationsVersion(sql);
  await sql`update integrations_version set version = 7`;
  await sql.begin(touchIntegrations);
  t.ok(await integrationsVersion(sql) > first, 'no number is given twice');
  await registry.close();
});
