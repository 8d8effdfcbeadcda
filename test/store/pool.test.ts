import t from 'tap';
import { Patience } from '../../src/patience.ts';
import { connect, isInDoubt, isShareUsedUp, isUnavailable } from '../../src/store/database.ts';
import type { ConnectionOpener, DatabaseConnection } from '../../src/store/driver/connection.ts';
import { Pool } from '../../src/store/driver/pool.ts';
import { testDatabase } from '../support/database.ts';
import { openTransaction } from '../support/openTransaction.ts';
import { startProxy } from '../support/proxy.ts';
import { untilSeen } from '../support/until.ts';
import { watchTime } from '../support/watchTime.ts';

const { sql: admin, url } = await testDatabase(t);
const errorOf = (work: Promise<unknown>) => work.then(() => null, (error: unknown) => error);
await admin`create table kept (n integer primary key)`;

t.test('no query falls into the transaction of another', async (t) => {
  const sql = connect(url, { max: 2 });
  t.teardown(() => sql.end());
  // Far more clients than connections, each with one request after the other, as in a service.
  const kept: number[] = [];
  await Promise.all(Array.from({ length: 20 }, async (_, client) => {
    for (let n = client * 1_000; n < client * 1_000 + 60; n++) {
      if (n % 3 !== 0) await sql`insert into kept values (${n})`;
      else {
        await sql.begin(async (tx) => {
          await tx`insert into kept values (${n})`;
          if (n % 2 === 0) throw new Error('rolled back');
        }).catch((error: Error) => { if (error.message !== 'rolled back') throw error; });
      }
      if (n % 6 !== 0) kept.push(n);
    }
  }));
  const rows = await admin<{ n: number }[]>`select n from kept order by n`;
  t.same(rows.map((row) => row.n), kept.toSorted((a, b) => a - b),
    'what was acknowledged is there');
});

t.test('what finds no connection free waits its turn', async (t) => {
  const sql = connect(url, { max: 1 });
  t.teardown(() => sql.end());
  const order: number[] = [];
  await Promise.all([1, 2, 3, 4].map((n) => (n % 2 === 0
    ? sql`select ${n}::int`.then(() => { order.push(n); })
    : sql.begin(async (tx) => {
      await tx`select 1`;
      order.push(n);
    }))));
  t.same(order, [1, 2, 3, 4]);
  const [row] = await admin<{ n: number }[]>`
    select count(*)::int as n from pg_stat_activity where datname = current_database()
      and application_name = 'gatehouse'`;
  t.equal(row!.n, 1, 'on no more connections than it may have');
});

t.test('of several workspaces, the one that has had least is next', async (t) => {
  const sql = connect(url, { max: 1 });
  t.teardown(() => sql.end());
  const order: string[] = [];
  const ask = (share: string, work_s: number) => {
    const patience = new Patience('test');
    patience.share = share;
    return patience.during(() =>
      sql`select pg_sleep(${work_s})`.then(() => { order.push(share); }));
  };
  // What it has had is far more than what the others get by answers that are read late.
  const much = [2, 0, 0].map((work_s) => ask('much', work_s));
  const little = [ask('little', 0), ask('little', 0)];
  await Promise.all([...much, ...little]);
  t.same(order.slice(0, 4), ['much', 'little', 'little', 'much'], 'whoever began is not stopped');
  t.equal(order.length, 5);
});

t.test('while others ask as well, one has half of the connections', async (t) => {
  const sql = connect(url, { max: 6 });
  t.teardown(() => sql.end());
  let end = Promise.withResolvers<void>();
  const under_way: Record<string, number> = { much: 0, little: 0, quick: 0, nobody: 0 };
  // Of six connections two are the reserve.
  const ask = (share: string, until: Promise<void> = end.promise) => {
    const patience = new Patience(share);
    patience.share = share === 'nobody' ? undefined : share;
    return patience.during(() => openTransaction(sql, async () => {
      under_way[share]! += 1;
      await until;
      under_way[share]! -= 1;
    }));
  };
  const much = Array.from({ length: 9 }, () => ask('much'));
  await untilSeen('its connections', () => under_way.much, (count) => count === 4);
  await ask('little', Promise.resolve());
  t.same(under_way, { much: 4, little: 0, quick: 0, nobody: 0 }, 'what it has goes on');
  end.resolve();
  await Promise.all(much);
  end = Promise.withResolvers();
  const other = ask('little');
  await untilSeen('the other one', () => under_way.little, (count) => count === 1);
  const later = [...Array.from({ length: 9 }, () => ask('much')), ask('nobody'), ask('nobody')];
  await untilSeen('what is nobody\'s', () => under_way.nobody, (count) => count! > 0);
  await untilSeen('half of them', () => under_way.much, (count) => count === 2);
  await ask('quick', Promise.resolve());
  t.match(under_way, { much: 2, little: 1 });
  end.resolve();
  await Promise.all([other, ...later]);
});

t.test('of two connections none is kept from who has one', async (t) => {
  const sql = connect(url, { max: 2 });
  t.teardown(() => sql.end());
  const end = Promise.withResolvers<void>();
  const ask = (share: string, work: number | Promise<void>) => {
    const patience = new Patience(share);
    patience.share = share;
    return patience.during(() => openTransaction(sql, async (tx) => {
      if (typeof work === 'number') await tx`select pg_sleep(${work})`;
      else await work;
    }));
  };
  await ask('b', 0.1);
  const held = ask('a', end.promise);
  await ask('a', 0);
  end.resolve();
  await held;
});

t.test('whose own share is used up is told so', async (t) => {
  const sql = connect(url, { max: 1 });
  t.teardown(() => sql.end());
  const ask = async (share: string) => {
    const patience = new Patience('test');
    patience.share = share;
    return await patience.during(() => errorOf(sql`select pg_sleep(0.9)`.then(() => {})));
  };
  const errors = await Promise.all(Array.from({ length: 8 }, () => ask('much')));
  t.ok(errors.some((error) => error === null));
  const refused = errors.filter((error) => error !== null);
  t.ok(refused.length > 0 && refused.every(isUnavailable));
  t.ok(refused.some(isShareUsedUp), 'what its own statements kept waiting');
});

t.test('a statement is executed once, when it is awaited; as a part, never', async (t) => {
  const sql = connect(url, { max: 2 });
  t.teardown(() => sql.end());
  await sql`create sequence counted`;
  const statement = sql`select nextval('counted')::int as n`;
  const [one] = await statement;
  const [same] = await statement;
  const [two] = await sql`select t.n from (${sql`select nextval('counted')::int as n`}) t`;
  t.same([one, same, two], [{ n: 1 }, { n: 1 }, { n: 2 }]);
  let done = 0;
  await sql`select 1`.finally(() => { done += 1; });
  await t.rejects(sql`select 1/0`.finally(() => { done += 1; }), { code: '22012' });
  t.equal(done, 2);
});

t.test('a transaction of which a statement failed is not told as committed', async (t) => {
  const sql = connect(url, { max: 1 });
  t.teardown(() => sql.end());
  const error = await errorOf(sql.begin(async (tx) => {
    await tx`insert into kept values (-1)`;
    await tx`select 1/0`.catch(() => {});
  }));
  t.match(error, { message: /rolled back/ });
  t.notOk(isUnavailable(error) || isInDoubt(error));
  t.same([...await sql`select n from kept where n < 0`], []);
});

t.test('a lost connection fails its transaction, and the next one has another', async (t) => {
  const sql = connect(url, { max: 2 });
  t.teardown(() => sql.end());
  await t.rejects(sql.begin(async (tx) => {
    const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await admin`select pg_terminate_backend(${row!.pid}, 5000)`;
    await tx`select 1`;
  }));
  t.equal(await sql.begin(async (tx) => (await tx`select 1 as one`)[0]!.one), 1);
});

t.test('a database that falls silent: unavailable in time, and healed with it', async (t) => {
  const proxy = await startProxy(url);
  const sql = connect(proxy.url, { max: 2 });
  t.teardown(async () => {
    await sql.end({ timeout_ms: 0 });
    await proxy.close();
  });
  await Promise.all([sql`select 1`, sql`select 1`]);
  proxy.freeze();
  const isLate = watchTime(5_000);
  // Two that have a connection, one that waits for it, and a transaction.
  const errors = await Promise.all([
    ...[1, 2, 3].map(() => sql`select 1`.then(() => null, (error: unknown) => error)),
    sql.begin((tx) => tx`select 1`).then(() => null, (error: unknown) => error)]);
  t.ok(errors.every(isUnavailable));
  t.notOk(isLate(), 'a request has its 503 within five seconds');
  proxy.thaw();
  t.same([...await sql`select 1 as one`], [{ one: 1 }], 'at once: no connection of before is used');
});

t.test('what nobody waits for any more does not go on in the server', async (t) => {
  const sql = connect(url, { max: 1, application_name: 'impatient' });
  t.teardown(() => sql.end());
  await t.rejects(sql`select pg_sleep(30)`, { code: /^(57014|STATEMENT_TIMEOUT)$/ });
  await untilSeen('the end of the statement in the server', async () => await admin`
    select pid, state, query from pg_stat_activity where application_name = 'impatient'
      and datname = current_database()`,
  (activities) => activities.every(({ state }) => state !== 'active'));
  const slept = await sql.begin(async (tx) => (await tx`
    select current_setting('statement_timeout') as limit_`)[0]!, { limit_ms: 20_000 });
  t.same(slept, { limit_: '20s' }, 'unless it was given more time');
});

t.test('the statements of a request share its time', async (t) => {
  const sql = connect(url, { max: 1 });
  t.teardown(() => sql.end());
  const patience = new Patience('test');
  const isLate = watchTime(5_000);
  // One that has the only connection, and then the request: it waits for it, and for itself.
  const other = sql`select pg_sleep(2)`.then(() => {});
  await patience.during(async () => {
    await sql`select pg_sleep(1)`;
    const error = await errorOf(sql`select pg_sleep(3)`.then(() => {}));
    t.ok(isUnavailable(error), String(error));
    t.equal(patience.left_ms, 0);
    t.ok(isUnavailable(await errorOf(sql`insert into kept values (-1)`.then(() => {}))));
  });
  t.notOk(isLate(), 'within five seconds in all');
  await other;
  patience.end();
  await patience.during(() => sql`select 1`);
  t.same([...await admin`select n from kept where n = -1`], [], 'nothing begins after it');
});

t.test('a transaction that nobody waits for is not committed', async (t) => {
  const sql = connect(url, { max: 1 });
  t.teardown(() => sql.end());
  const ended = Promise.withResolvers<void>();
  const patience = new Patience('test');
  const error = await errorOf(patience.during(() => sql.begin(async (tx) => {
    await tx`insert into kept values (-2)`;
    await tx`select pg_sleep(2.5)`;
    await tx`select pg_sleep(2.5)`.finally(() => ended.resolve());
  })));
  t.ok(isUnavailable(error));
  t.notOk(isInDoubt(error), 'it will not have taken effect');
  await ended.promise;
  t.same([...await sql`select n from kept where n = -2`], [], 'and its connection is well');
});

t.test('what is slow leaves connections to the others', async (t) => {
  const sql = connect(url, { max: 4 });
  t.teardown(() => sql.end({ timeout_ms: 0 }));
  // Connections take their time to open: not that in which the first to wait for a lock gives up.
  await Promise.all(Array.from({ length: 4 }, () => sql`select pg_sleep(0.05)`));
  await untilSeen('all connections at rest', () => sql.load().in_use, (count) => count === 0);
  await openTransaction(admin, async (tx) => {
    await tx`lock table kept in access exclusive mode`;
    const stuck = () => Array.from({ length: 4 }, () => errorOf(sql`select n from kept`.then()));
    const first = stuck();
    t.same([...await sql`select 1 as one`], [{ one: 1 }]);
    t.same(sql.load(), { in_use: 3, waiting: 1 }, 'the last connection is not for the fourth');
    const refused = await Promise.all(first);
    t.match(refused, Array(4).fill({ code: '55P03' }));
    t.notOk(refused.some(isInDoubt), 'what the server has rolled back is in no doubt');
    // More come, and one in a transaction, which is of another kind.
    const more = stuck();
    const other = errorOf(sql.begin((tx) => tx`select n from kept`));
    t.same([...await sql`select 2 as two`], [{ two: 2 }]);
    t.match(await Promise.all([...more, other]), Array(5).fill({ code: '55P03' }));
  });
  t.equal((await sql`select 1 from kept limit 1`).length, 1, 'when it is free they are served');
});

t.test('what was slow once has its turn among the others', async (t) => {
  const sql = connect(url, { max: 4 });
  t.teardown(() => sql.end({ timeout_ms: 0 }));
  const slow = (seconds: number) => sql`select pg_sleep(${seconds})`.then();
  await slow(1.1); // From here on its kind counts as slow, for longer than anybody waits.
  let answered = 0;
  let goes_on = true;
  // More kinds than connections, so that another one waits whenever a connection is free.
  const others = Array.from({ length: 12 }, async (_, n) => {
    while (goes_on) {
      await sql.together((one) => one`select 1`, { writes: `kind ${n}` });
      answered += 1;
    }
  });
  await untilSeen('an answer to the others', () => answered);
  const before = answered;
  t.equal(await errorOf(slow(0)), null);
  // To starve is to see many thousands pass, or the error after 4.5 s. How many pass otherwise
  // depends on how late its own answer is read.
  t.ok(answered - before < 2_000, `${answered - before} that came later were answered before it`);
  goes_on = false;
  await Promise.all(others);
});

t.test('a connection that cannot be opened fails nothing while others stand', async (t) => {
  await admin.unsafe(`drop role if exists pool_limited;
    create role pool_limited login password 'pool' connection limit 2`);
  t.teardown(() => admin.unsafe('drop role pool_limited'));
  const target = new URL(url);
  target.username = 'pool_limited';
  target.password = 'pool';
  const sql = connect(target.href, { max: 4 });
  t.teardown(() => sql.end());
  await sql`select 1`;
  const errors = await Promise.all(Array.from({ length: 20 }, () =>
    errorOf(sql`select pg_sleep(0.02)`.then())));
  t.same(errors.filter((error) => error !== null), []);
  await admin.unsafe('alter role pool_limited connection limit 0');
  await sql.end();
  const refused = connect(target.href, { max: 4 });
  t.teardown(() => refused.end());
  t.match(await errorOf(refused`select 1`.then()), { code: '53300' }, 'at once, where none stands');
});

t.test('in doubt: what may have been committed when the database was lost', async (t) => {
  const sql = connect(url, { max: 1 });
  t.teardown(() => sql.end());
  const terminated = async (work: () => Promise<unknown>) => {
    const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const error = errorOf(work());
    await untilSeen('the statement', () => admin`
      select wait_event from pg_stat_activity where pid = ${row!.pid}`,
    ([activity]) => activity?.wait_event === 'PgSleep');
    await admin`select pg_terminate_backend(${row!.pid}, 5000)`;
    return await error;
  };
  const alone = await terminated(() => sql`select pg_sleep(30)`.then(() => {}));
  t.ok(isUnavailable(alone) && isInDoubt(alone), 'a statement alone');
  const within = await terminated(() => sql.begin((tx) => tx`select pg_sleep(30)`));
  t.ok(isUnavailable(within) && !isInDoubt(within), 'not a transaction before its commit');
});

t.test('end waits for what is under way, and not for ever', async (t) => {
  const sql = connect(url, { max: 1 });
  const first = sql`select 1 as one`.then((rows) => rows[0]);
  const second = sql`select 2 as two`.then((rows) => rows[0]);
  await sql.end();
  t.same(await Promise.all([first, second]), [{ one: 1 }, { two: 2 }]);
  await t.rejects(sql`select 1`, { code: 'CONNECTION_ENDED' });
  const other = connect(url, { max: 1 });
  const long = other`select pg_sleep(30)`.then(() => null, (error: unknown) => error);
  const waiting = other`select 1`.then(() => null, (error: unknown) => error);
  await other.end({ timeout_ms: 10 });
  t.match(await Promise.all([long, waiting]),
    [{ code: 'CONNECTION_ENDED' }, { code: 'CONNECTION_ENDED' }]);
});

t.test('a connection that opens once the pool has ended is closed', async (t) => {
  const opened = Promise.withResolvers<DatabaseConnection>();
  const pool = new Pool({ open: () => opened.promise } as ConnectionOpener,
    { max: 1, onClose: () => {} });
  const waiting = errorOf(pool.use({ kind: 'test', limit_ms: 60_000,
    work: async () => {}, onOver: () => undefined } as Parameters<Pool['use']>[0]));
  await pool.end(1);
  t.match(await waiting, { code: 'CONNECTION_ENDED' });
  const destroyed = Promise.withResolvers<Error>();
  const late = { loss: undefined as Error | undefined, destroy(reason: Error) {
    late.loss = reason;
    destroyed.resolve(reason);
  } };
  opened.resolve(late as unknown as DatabaseConnection);
  t.match(await destroyed.promise, { code: 'CONNECTION_ENDED' });
});

t.test('several hosts: the next one when one is away', async (t) => {
  const proxy = await startProxy(url);
  const here = new URL(proxy.url);
  const hosts = proxy.url.replace(here.host, `127.0.0.1:1,${here.host}`);
  const sql = connect(hosts, { max: 1 });
  t.teardown(async () => {
    await sql.end();
    await proxy.close();
  });
  t.same([...await sql`select 1 as one`], [{ one: 1 }]);
  const database = here.pathname.slice(1);
  await admin.unsafe(`alter database ${database} set default_transaction_read_only = on`);
  t.teardown(() => admin.begin(async (tx) => {
    await tx.unsafe('set transaction read write');
    await tx.unsafe(`alter database ${database} reset default_transaction_read_only`);
  }));
  const picky = connect(`${hosts}?target_session_attrs=primary`, { max: 1 });
  await t.rejects(picky`select 1`, {
    code: 'ECONNREFUSED',
    message: new RegExp(`^127.0.0.1:1: .*; ${here.host}: the database takes no writes, `),
  }, 'one that takes no writes will not do, and is not why there is none that does');
  await picky.end();
});
