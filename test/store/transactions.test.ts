import t from 'tap';
import { connect } from '../../src/store/database.ts';
import { testDatabase } from '../support/database.ts';

const { sql: admin, url } = await testDatabase(t);
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

t.test('transactions beyond the connections wait their turn', async (t) => {
  const sql = connect(url, { max: 2 }); // one connection for transactions
  t.teardown(() => sql.end());
  const order: number[] = [];
  await Promise.all([1, 2, 3, 4].map((n) => sql.begin(async (tx) => {
    await tx`select 1`;
    order.push(n);
  })));
  t.same(order, [1, 2, 3, 4]);
  t.same([...await sql`select 1 as one`], [{ one: 1 }]);
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
