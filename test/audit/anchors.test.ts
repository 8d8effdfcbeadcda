/** Anchors of the audit log against somebody who owns the database and has no master key. */
import t, { type Test } from 'tap';
import { AuditAnchors } from '../../src/audit/anchors.ts';
import { AuditLog } from '../../src/audit/audit.ts';
import { anchorSeal } from '../../src/gateway/vault/anchorSeal.ts';
import { rotateMaster, type MasterKeys } from '../../src/gateway/vault/dataKeys.ts';
import { createSecrets } from '../../src/gateway/vault/secrets.ts';
import { createLog } from '../../src/log.ts';
import { verifyAudit } from '../../src/store/auditEntries.ts';
import type { Sql } from '../../src/store/database.ts';
import { masterKeys } from '../gateway/vault/support.ts';
import { testDatabase } from '../support/database.ts';

const LIMIT_MS = 60_000;
const keys = masterKeys('a');

/** A process of the service, with what it logs. */
function node(sql: Sql, own: MasterKeys = keys) {
  const lines: string[] = [];
  const anchors = new AuditAnchors({
    sql,
    log: createLog('info', { destination: { write: (line: string) => void lines.push(line) } }),
    seal: own.length === 0 ? null : anchorSeal(createSecrets({ sql, keys: own }), '_service'),
  });
  return { anchors, lines, verify: (kept?: string) => anchors.verify(kept, LIMIT_MS) };
}

async function append(sql: Sql, ...targets: string[]): Promise<void> {
  const log = new AuditLog(sql);
  for (const target of targets) {
    await log.append({ workspace_id: null, actor: { type: 'admin', id: null },
      event: 'grant.created', target });
  }
}

/** A log of six entries, anchored at the second, the fourth and the last. */
async function anchored(t: Test) {
  const { sql } = await testDatabase(t);
  const one = node(sql);
  for (const pair of [['a', 'b'], ['c', 'd'], ['e', 'f']]) {
    await append(sql, ...pair);
    await one.anchors.anchor();
  }
  const found = await one.verify();
  t.match(found, { entries: 6, first_broken: null, anchors: 3, first_broken_anchor: null,
    anchor_ok: null });
  return { sql, one, kept: found.latest_anchor! };
}

/** Changes the log and its anchors as only the owner of the database can. */
async function asOwner(sql: Sql, change: string): Promise<void> {
  const trigger = (state: string) => ['audit_entries', 'audit_anchors']
    .map((table) => `alter table ${table} ${state} trigger user;`).join('');
  await sql.unsafe(`${trigger('disable')} ${change}; ${trigger('enable')}`);
}

/** Changes the second entry, and makes all hashes anew, so that the chain fits. */
const REWRITTEN = `create temp table kept as select * from audit_entries order by seq;
  update kept set target = 'z', entry = replace(entry, '"target":"b"', '"target":"z"')
    where seq = 2;
  delete from audit_entries;
  with recursive chain as (
    select k.*, encode(sha256(convert_to(chr(10) || seq || chr(10)
      || extract(epoch from created_at) || chr(10) || entry, 'UTF8')), 'hex') as made
    from kept k where seq = 1
    union all
    select k.*, encode(sha256(convert_to(c.made || chr(10) || k.seq || chr(10)
      || extract(epoch from k.created_at) || chr(10) || k.entry, 'UTF8')), 'hex')
    from kept k join chain c on k.seq = c.seq + 1)
  insert into audit_entries (seq, workspace_id, event, target, entry, hash, created_at)
    select seq, workspace_id, event, target, entry, made, created_at from chain;
  drop table kept`;
const NO_ANCHORS = 'delete from audit_anchors';

t.test('a chain that was made anew fits, and its anchors do not', async (t) => {
  const { sql, one } = await anchored(t);
  await asOwner(sql, REWRITTEN);
  t.match(await verifyAudit(sql, LIMIT_MS), { entries: 6, first_broken: null });
  t.match(await one.verify(), { first_broken: null, first_broken_anchor: 2 });
});

t.test('what the database says of its own entries is not believed', async (t) => {
  const { sql, one, kept } = await anchored(t);
  await sql.unsafe(`create function sha256(bytea) returns bytea language sql as
      $$ select decode(hash, 'hex') from audit_entries limit 1 $$`);
  await asOwner(sql, `update audit_entries set target = 'z',
    entry = replace(entry, '"target":"b"', '"target":"z"') where seq = 2`);
  t.match(await one.verify(kept), { entries: 6, first_broken: 2 }, 'its hash was left as it was');
});

t.test('a second entry of a number, at the end of a batch too, and one without any', async (t) => {
  const { sql } = await testDatabase(t);
  const text = JSON.stringify({ workspace_id: null, event: 'x', target: 'y' });
  await sql`select append_audit(array_fill(${text}::text, array[2001]))`;
  await sql`create table beside () inherits (audit_entries)`;
  for (const seq of [1, 999, 1000, 1001, 2000, 2001]) {
    await sql`insert into beside select * from only audit_entries where seq = ${seq}`;
    t.match(await verifyAudit(sql, LIMIT_MS), { first_broken: seq }, `${seq}`);
    await sql`update beside set target = 'z', entry = replace(entry, '"y"', '"z"')`;
    t.match(await verifyAudit(sql, LIMIT_MS), { first_broken: seq }, `${seq}, with other words`);
    await sql`delete from beside`;
  }
  await sql`alter table audit_entries drop constraint audit_entries_pkey`;
  await sql`alter table audit_entries alter seq drop not null`;
  await sql`insert into beside select null, workspace_id, event, target, entry, hash, created_at
    from only audit_entries where seq = 1`;
  t.match(await verifyAudit(sql, LIMIT_MS), { entries: 2001, first_broken: 0 });
});

t.test('a log of which nothing is left', async (t) => {
  const { sql } = await anchored(t);
  await asOwner(sql, `${NO_ANCHORS}; delete from audit_entries`);
  t.match(await node(sql).verify(), { entries: 0, problems: [/^There is no entry, and this/] });
});

t.test('a chain longer than a batch, and a time that is over', async (t) => {
  const { sql } = await testDatabase(t);
  const text = JSON.stringify({ workspace_id: null, event: 'x', target: 'é\u2028\n"' });
  await sql`select append_audit(array_fill(${text}::text, array[2001]))`;
  t.match(await verifyAudit(sql, LIMIT_MS), { entries: 2001, first_broken: null });
  await asOwner(sql, 'delete from audit_entries where seq = 2000');
  t.match(await verifyAudit(sql, LIMIT_MS), { entries: 2000, first_broken: 2001 });
  await t.rejects(verifyAudit(sql, 0), { code: 'unavailable' });
  await t.rejects(node(sql).anchors.verify(undefined, 0), { code: 'unavailable' });
});

t.test('anchors that were removed too: an anchor kept elsewhere tells', async (t) => {
  const { sql, one, kept } = await anchored(t);
  t.match(await one.verify(kept), { anchor_ok: true });
  await asOwner(sql, `${NO_ANCHORS}; ${REWRITTEN}`);
  const other = node(sql);
  await other.anchors.anchor();
  t.match(await other.verify(), { first_broken: null, anchors: 1, first_broken_anchor: null },
    'a node that has seen nothing of it knows no better');
  t.match(await other.verify(kept), { anchor_ok: false, problems: [/the given anchor/] });

  await append(sql, 'g');
  await one.anchors.anchor();
  t.match(one.lines.at(-1), /the audit log was rewritten/, 'one that has seen it says so');
  t.match(await one.verify(), { anchors: 1, problems: [/node has seen entry 6 with the hash/] },
    'and does not vouch for it');
});

/** As if what the service has sealed so far were of the day before. */
const A_DAY_AGO = `update workspace_keys set created_at = created_at - interval '1 day';
  update schema_migrations set applied_at = applied_at - interval '1 day'`;

t.test('all anchors gone while no node ran: none, or a late first one', async (t) => {
  const { sql } = await anchored(t);
  await asOwner(sql, `${A_DAY_AGO}; ${NO_ANCHORS}; ${REWRITTEN}`);
  const other = node(sql);
  await other.anchors.open();
  t.teardown(() => other.anchors.close());
  t.match(await other.verify(), { anchors: 0, first_broken: null, first_broken_anchor: null,
    problems: [/^There is no anchor, and this service has sealed anchors since /] });
  await other.anchors.anchor();
  t.match(await other.verify(), { anchors: 1, first_broken: null, first_broken_anchor: null,
    problems: [/^The first anchor is of entry 6, of .*, and this service has sealed anchors /] });
  await append(sql, 'g');
  await other.anchors.anchor();
  t.match(await node(sql).verify(), { anchors: 2, problems: { length: 1 } }, 'and so it stays');
});

t.test('an honest log has no problems: young, old, or left by a kill', async (t) => {
  const { sql } = await testDatabase(t);
  const verified = async () => (await node(sql).verify()).problems;
  t.strictSame(await verified(), [], 'nothing yet');
  await append(sql, 'a');
  t.strictSame(await verified(), [], 'not anchored yet');
  await node(sql).anchors.anchor();
  await append(sql, 'b');
  t.strictSame(await verified(), [], 'the last minute is not anchored');

  const { sql: killed } = await testDatabase(t);
  await append(killed, 'a');
  await asOwner(killed, "update audit_entries set created_at = created_at - interval '1 hour'");
  const next = node(killed);
  await next.anchors.open();
  t.teardown(() => next.anchors.close());
  t.match(await next.verify(), { anchors: 1, latest_anchor: /^1:/ }, 'anchored at the start');
});

t.test('an end that was cut off', async (t) => {
  const { sql, one, kept } = await anchored(t);
  await asOwner(sql, 'delete from audit_entries where seq > 4');
  t.match(await one.verify(), { entries: 4, first_broken: null, first_broken_anchor: 6,
    latest_anchor: null });
  await asOwner(sql, 'delete from audit_anchors where seq > 4');
  t.match(await one.verify(kept), { entries: 4, first_broken_anchor: null, anchor_ok: false });
});

t.test('an anchor cannot be moved, taken out or made without the key', async (t) => {
  const { sql, one } = await anchored(t);
  const { sql: elsewhere } = await testDatabase(t);
  const forger = anchorSeal(
    createSecrets({ sql: elsewhere, keys: masterKeys('a') }), '_service');
  const [entry] = await sql<{ hash: string }[]>`select hash from audit_entries where seq = 4`;
  const forged = await forger.seal(4, { hash: entry!.hash, previous: 2 });
  for (const [change, broken] of [
    ['delete from audit_anchors where seq = 2', 4], ['delete from audit_anchors where seq = 4', 6],
    ['update audit_anchors set seq = 5 where seq = 4', 5],
    [`update audit_anchors set sealed = '${forged}' where seq = 4`, 4],
    [`update audit_anchors set sealed = 'nothing' where seq = 2`, 2],
  ] as const) {
    await asOwner(sql, `create table anchors_kept as select * from audit_anchors; ${change}`);
    t.match(await one.verify(), { first_broken: null, first_broken_anchor: broken }, change);
    await asOwner(sql, `${NO_ANCHORS}; insert into audit_anchors select * from anchors_kept;
      drop table anchors_kept`);
  }
  t.match(await one.verify(), { first_broken_anchor: null });
  await t.rejects(sql`delete from audit_anchors`, /only appended to/);
});

t.test('many nodes make one row of anchors, and none without need', async (t) => {
  const { sql } = await testDatabase(t);
  const nodes = Array.from({ length: 4 }, () => node(sql));
  for (let round = 0; round < 5; round++) {
    await append(sql, `${round}`);
    await Promise.all([...nodes.map(({ anchors }) => anchors.anchor()), append(sql, 'meanwhile')]);
  }
  await Promise.all(nodes.map(({ anchors }) => anchors.close()));
  const found = await nodes[0]!.verify();
  t.match(found, { entries: 10, first_broken: null, first_broken_anchor: null });
  await nodes[1]!.anchors.anchor();
  t.strictSame(await nodes[1]!.verify(), found);
  t.notOk(nodes.some(({ lines }) => lines.some((line) => /could not|rewritten/.test(line))));
});

t.test('of many nodes one anchors in an interval', async (t) => {
  const { sql } = await testDatabase(t);
  const nodes = Array.from({ length: 3 }, () => node(sql).anchors);
  const made = async (beating: AuditAnchors[]) => {
    const count = async () => (await sql`select from audit_anchors`).length;
    const before = await count();
    for (const one of beating) {
      await append(sql, 'x');
      await one.beat();
    }
    return await count() - before;
  };
  await made(nodes);
  t.equal(await made(nodes), 1);
  t.equal(await made(nodes), 1);
  await made(nodes.slice(0, 2));
  t.equal(await made(nodes.slice(0, 2)), 1, 'also if the one that did is gone');
  await asOwner(sql, "update audit_anchors set created_at = now() + interval '1 year'");
  t.equal(await made(nodes.slice(0, 2)), 1, 'whatever the database says of their age');
  t.match(await node(sql).verify(), { first_broken: null, first_broken_anchor: null });
});

t.test('a master key that replaces the former one verifies its anchors', async (t) => {
  const { sql, kept } = await anchored(t);
  const [fresh] = masterKeys('b');
  await rotateMaster(sql, [fresh!, ...keys]);
  const later = node(sql, [fresh!]);
  t.match(await later.verify(kept), { anchors: 3, first_broken_anchor: null, anchor_ok: true });
});

t.test('without a master key there are no anchors; what is none is refused', async (t) => {
  const { sql } = await testDatabase(t);
  await append(sql, 'a');
  const one = node(sql, []);
  await one.anchors.close();
  t.match(await one.verify(), { entries: 1, anchors: 0, first_broken_anchor: null,
    latest_anchor: null });
  for (const wrong of ['', 'x', `0:${'a'.repeat(64)}:v1`, `1:${'a'.repeat(63)}:v1`]) {
    await t.rejects(one.verify(wrong), { code: 'invalid_request' }, wrong);
  }
});

t.test('a node without a master key does not judge the anchors of others', async (t) => {
  const { sql, kept } = await anchored(t);
  const one = node(sql, []);
  t.match(await one.verify(), { entries: 6, first_broken: null, anchors: 3,
    first_broken_anchor: null, latest_anchor: null });
  await t.rejects(one.verify(kept), { code: 'unavailable', message: /has no master key/ });
});
