import { connect as connectTo, createServer } from 'node:net';
import t, { type Test } from 'tap';
import { databaseTarget } from '../../src/store/driver/databaseTarget.ts';
import { TYPES } from '../../src/store/driver/types.ts';
import { checkServer, connect, isUnavailable } from '../../src/store/database.ts';
import { testDatabase } from '../support/database.ts';
import { freePort } from '../support/freePort.ts';
import { listen } from '../support/listen.ts';
import { untilSeen } from '../support/until.ts';

t.test('what comes back', async (t) => {
  const { sql } = await testDatabase(t);
  const [row] = await sql`
    select 9007199254740991::int8 as big, -5::int8 as negative, count(*) as count,
      1.10::numeric as numeric, 0.1::float8 as float,
      '2026-11-21 04:41:58.123987+01'::timestamptz as at,
      '2026-11-21 03:41:58+00'::timestamptz as second,
      '2026-11-21 03:41:58.5+00'::timestamptz as tenth,
      'infinity'::timestamptz as never, '0044-03-15 12:00:00+00 BC'::timestamptz as ides,
      '2026-11-21'::date as date, '2026-11-21 03:41:58'::timestamp as local,
      '{"n": 0.1, "text": "\\u00e4", "list": [1, null]}'::json as json,
      '"text"'::json as json_text, null::json as json_null, 'null'::json as null_json,
      array[1, 2]::int8[] as bigs, array['a', null, 'NULL', '', '"', E'\\\\', '{', 'b, c']::text[]
        as texts,
      '{}'::text[] as empty, array[array[1,2],array[3,null]] as nested, array[true, null] as flags,
      array['{"a": ["x"]}'::json] as jsons, array['\\xff00'::bytea] as byteas,
      array[1.5, 2] as prices,
      '[0:1]={1,2}'::int[] as shifted,
      array['2026-11-21 03:41:58+00']::timestamptz[] as times`;
  t.same(row, {
    big: Number.MAX_SAFE_INTEGER, negative: -5, count: 1, numeric: '1.10', float: 0.1,
    at: '2026-11-21T03:41:58.123Z', second: '2026-11-21T03:41:58.000Z',
    tenth: '2026-11-21T03:41:58.500Z', never: 'infinity',
    ides: '0044-03-15 12:00:00+00 BC', date: '2026-11-21', local: '2026-11-21 03:41:58',
    json: { n: 0.1, text: 'ä', list: [1, null] }, json_text: 'text', json_null: null,
    null_json: null, bigs: [1, 2], texts: ['a', null, 'NULL', '', '"', '\\', '{', 'b, c'],
    empty: [], nested: [[1, 2], [3, null]], flags: [true, null], jsons: [{ a: ['x'] }],
    byteas: [Buffer.from('ff00', 'hex')], prices: ['1.5', '2'], shifted: [1, 2],
    times: ['2026-11-21T03:41:58.000Z'],
  });
});

t.test('an integer that a number cannot hold fails, and the connection goes on', async (t) => {
  const { url } = await testDatabase(t);
  const sql = connect(url, { max: 1 });
  t.teardown(() => sql.end());
  for (const parameter of [1, 2, 3]) {
    await t.rejects(sql`select ${parameter}::int as a, 9007199254740993::int8 as b`,
      { message: /9007199254740993 is beyond/ });
    t.same([...await sql`select ${parameter}::int as a`], [{ a: parameter }]);
  }
});

t.test('what goes in', async (t) => {
  const { sql } = await testDatabase(t);
  const value = { text: 'a "quoted" \\ ä \u0001', nested: [{ n: 1e21 }], '__proto__x': null };
  const time = '2026-11-21T03:41:58.123Z';
  const [row] = await sql`
    select ${JSON.stringify(value)}::text::json as json, ${JSON.stringify('s')}::text::json as text,
      (${['{"a":1}', null]}::text[])[2] as none,
      ${['{"a":1}', '"', '\\', 'ä', null]}::text[] as texts,
      ${['x']}::text[] = '{x}' as same, ${[3, null]}::int[] as ints, ${['t', 'f']}::bool[] as flags,
      ${[]}::text[] as empty, cardinality(${[[1, 2], [3, 4]]}::int[]) as nested,
      ${time}::timestamptz as at,
      ${new Date(time)}::timestamptz as date, ${2 ** 40}::int8 as big`;
  t.same(row, { json: value, text: 's', none: null, texts: ['{"a":1}', '"', '\\', 'ä', null],
    same: true, ints: [3, null], flags: [true, false], empty: [], nested: 4, at: time, date: time,
    big: 2 ** 40 });
});

t.test('a session speaks UTC and keeps quiet', async (t) => {
  const { url, sql: admin } = await testDatabase(t);
  const name = new URL(url).pathname.slice(1);
  await admin.unsafe(`alter database ${name} set timezone = 'Asia/Kathmandu'`);
  await admin.unsafe(`alter database ${name} set datestyle = 'German'`);
  const printed = t.capture(console, 'log');
  const sql = connect(url, { max: 1, application_name: 'gatehouse worker' });
  t.teardown(() => sql.end());
  t.same([...await sql`select '2026-11-21 03:41:58+00'::timestamptz as at,
    current_setting('application_name') as name`],
  [{ at: '2026-11-21T03:41:58.000Z', name: 'gatehouse worker' }]);
  await sql`drop table if exists nothing`;
  t.same(printed(), [], 'a notice of the server is not printed');
  await checkServer(sql);
});

t.test('what a database sets for its sessions changes nothing', async (t) => {
  const { url, sql: admin } = await testDatabase(t);
  const name = new URL(url).pathname.slice(1);
  for (const setting of ["bytea_output = 'escape'", 'array_nulls = off', 'extra_float_digits = -5',
    "idle_session_timeout = '1h'", 'jit = on']) {
    await admin.unsafe(`alter database ${name} set ${setting}`);
  }
  const sql = connect(url, { max: 1 });
  t.teardown(() => sql.end());
  const [row] = await sql`
    select '\\x00ff'::bytea as bytes, ${['a', null]}::text[] as texts, 1234567.25::float8 as float,
      current_setting('idle_session_timeout') as idle, current_setting('jit') as jit`;
  t.same(row, { bytes: Buffer.from([0, 255]), texts: ['a', null], float: 1234567.25,
    idle: '0', jit: 'off' });
});

t.test('behind a pooler nothing is prepared, unless the URL has it', async (t) => {
  const { url } = await testDatabase(t);
  const pooled = await startPooler(t, url);
  const cases: [string, string | null, number][] = [
    [url, null, 1], [pooled, null, 0], [pooled, 'true', 1], [url, 'false', 0],
  ];
  for (const [place, prepare, expected] of cases) {
    const asked = new URL(place);
    if (prepare !== null) asked.searchParams.set('prepare', prepare);
    const sql = connect(asked.href, { max: 1 });
    t.teardown(() => sql.end());
    const [row] = await sql`select count(*)::int as count from pg_prepared_statements`;
    t.equal(row!.count, expected, `${place} prepare=${prepare}`);
  }
});

t.test('nor by connections that are opened at the same moment', async (t) => {
  const { url } = await testDatabase(t);
  const sql = connect(await startPooler(t, url), { max: 4 });
  t.teardown(() => sql.end());
  const answers = await Promise.all(Array.from({ length: 4 }, () => sql<[Prepared]>`
    select pg_backend_pid() as pid, count(*)::int as count
    from pg_prepared_statements, pg_sleep(0.3)`));
  t.ok(new Set(answers.map(([{ pid }]) => pid)).size > 1, 'of several connections');
  t.strictSame(answers.map(([{ count }]) => count), [0, 0, 0, 0]);
});

interface Prepared {
  pid: number;
  count: number;
}

/** A way to the database that tells a process of its own, as poolers do. */
async function startPooler(t: Test, url: string): Promise<string> {
  const [address] = databaseTarget(url).addresses;
  const server = createServer((client) => {
    const database = connectTo(address!);
    client.pipe(database);
    database.on('data', (chunk) => {
      const at = chunk.indexOf(Buffer.from([0x4b, 0, 0, 0, 12])); // BackendKeyData
      if (at >= 0) chunk.writeUInt32BE(7, at + 5);
      client.write(chunk);
    });
    client.on('error', () => {}).on('close', () => database.destroy());
    database.on('error', () => {}).on('close', () => client.destroy());
  });
  const through = new URL(url);
  through.searchParams.delete('host');
  through.host = `127.0.0.1:${await listen(t, server)}`;
  return through.href;
}

t.test('an array without an end fails, and hangs nothing', (t) => {
  for (const text of ['', 'a', '{a', '{"a', '{a,"b}', '{{a}', '{"\\"}']) {
    t.throws(() => TYPES.texts!.parse(text), RangeError, text);
  }
  t.end();
});

t.test('a database whose transactions would fail by each other is refused', async (t) => {
  const { url, sql: admin } = await testDatabase(t);
  const name = new URL(url).pathname.slice(1);
  await admin.unsafe(`alter database ${name} set default_transaction_isolation = 'serializable'`);
  const sql = connect(url, { max: 1 });
  t.teardown(() => sql.end());
  await t.rejects(checkServer(sql),
    { message: /are serializable; read committed is needed\. Set it with `alter role \S+ set / });
});

t.test('unavailable: refused, absent, closed without a word', async (t) => {
  const port = await listen(t, createServer((socket) => socket.resume().end()));
  for (const [url, code] of [
    ['postgres://a@127.0.0.1:1/b', 'ECONNREFUSED'],
    ['postgres://a@localhost:1/b', 'ECONNREFUSED'],
    ['postgres://a@localhost/b?host=/nonexistent', 'ENOENT'],
    [`postgres://a@127.0.0.1:${port}/b`, 'CONNECTION_CLOSED'],
  ] as const) {
    const sql = connect(url, { max: 1 });
    // Twice: the pool must be usable after a failure.
    for (const _ of [1, 2]) {
      const error = await sql`select 1`.then(() => null, (error: unknown) => error);
      t.match(error, { code }, url);
      t.equal(isUnavailable(error), true, url);
    }
    await sql.end();
  }
});

t.test('unavailable: a server that does not let the service in', async (t) => {
  const { sql: admin, url } = await testDatabase(t);
  const { pathname, search } = new URL(url);
  const role = `kept_out_of_${pathname.slice(1)}`;
  await admin.unsafe(`create role ${role}`);
  t.teardown(() => admin.unsafe(`drop role ${role}`));
  const { username } = new URL(url);
  for (const [name, database, code] of [
    [role, pathname, '28000'], [username, '/no_such_database', '3D000'],
  ] as const) {
    const sql = connect(`postgres://${name}@localhost${database}${search}`, { max: 1 });
    t.teardown(() => sql.end());
    const error = await sql`select 1`.then(() => null, (error: unknown) => error);
    t.match(error, { code });
    t.equal(isUnavailable(error), true, code);
  }
});

t.test('unavailable: a server that says nothing, within five seconds', async (t) => {
  const port = await listen(t, createServer());
  const sql = connect(`postgres://a@127.0.0.1:${port}/b?connect_timeout=1`, { max: 1 });
  t.teardown(() => sql.end({ timeout_ms: 0 }));
  const error = await sql`select 1`.then(() => null, (error: unknown) => error);
  t.match(error, { code: 'CONNECT_TIMEOUT' });
  t.equal(isUnavailable(error), true);
  
});

t.test('unavailable: a connection that is terminated; healed at once', async (t) => {
  const { sql: admin, url } = await testDatabase(t);
  const sql = connect(url, { max: 1 });
  t.teardown(() => sql.end());
  for (const _ of [1, 2, 3]) {
    const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const waiting = sql`select pg_sleep(60)`.then(() => null, (error: unknown) => error);
    const [ended] = await admin<{ ended: boolean }[]>`
      select pg_terminate_backend(${backend!.pid}, 5000) as ended`;
    t.ok(ended!.ended);
    const error = await waiting;
    // The server's last word, or the reset that came with it.
    t.match(error, { code: /^(57P01|ECONNRESET|CONNECTION_CLOSED)$/ });
    t.equal(isUnavailable(error), true);
    t.same([...await sql`select 1 as one`], [{ one: 1 }]);
  }
});

t.test('what meets a connection that has just ended is not taken for done', async (t) => {
  const { sql: admin, url } = await testDatabase(t);
  await admin`create table kept (n integer)`;
  const sql = connect(url, { max: 1, application_name: 'idle' });
  t.teardown(() => sql.end());
  let acknowledged = 0;
  for (let n = 0; n < 150; n++) {
    const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`.catch(() => []);
    if (backend === undefined) continue; // it met the end of the connection before
    // Without waiting for its end: the statement meets a connection that is about to close.
    await admin`select pg_terminate_backend(${backend!.pid})`;
    await sql`insert into kept values (${n})`.then(({ count }) => {
      t.equal(count, 1, 'a statement that resolves was executed');
      acknowledged += 1;
    }, (error: unknown) => t.equal(isUnavailable(error), true));
  }
  // One that was rejected may have been executed; one that was acknowledged must have been.
  const [row] = await admin<{ n: number }[]>`select count(*)::int as n from kept`;
  t.ok(row!.n >= acknowledged, `${row!.n} rows, ${acknowledged} acknowledged`);
});

t.test('unavailable: the database refuses connections or is gone', async (t) => {
  const { sql: admin, url } = await testDatabase(t);
  const name = new URL(url).pathname.slice(1);
  await admin.unsafe(`create role limited login connection limit 0`).catch(() => {});
  await admin.unsafe(`alter database ${name} connection limit 0`);
  const limited = connect(`${url}&user=limited`.replace(/^([^?]*)&/, '$1?'), { max: 1 });
  t.teardown(() => limited.end());
  const error = await limited`select 1`.then(() => null, (error: unknown) => error);
  t.match(error, { code: '53300' });
  t.equal(isUnavailable(error), true);
});

t.test('not unavailable: what the statement did wrong', async (t) => {
  const { sql } = await testDatabase(t);
  for (const [statement, code] of [
    ['select 1/0', '22012'], ['select * from nothing', '42P01'], ['selec', '42601'],
  ] as const) {
    const error = await sql.unsafe(statement).then(() => null, (error: unknown) => error);
    t.match(error, { code });
    t.equal(isUnavailable(error), false, code);
  }
  const not_there = Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' });
  for (const other of [new Error('x'), null, undefined, 'ECONNREFUSED', not_there]) {
    t.equal(isUnavailable(other), false);
  }
  const elsewhere = await fetch(`http://127.0.0.1:${await freePort()}`)
    .then(() => null, (error: unknown) => error);
  t.match(elsewhere, { cause: { code: 'ECONNREFUSED' } });
  t.equal(isUnavailable(elsewhere), false, 'another server');
  const wrapped = new Error('x', { cause: Object.assign(new Error('full'), { code: '53100' }) });
  t.equal(isUnavailable(wrapped), true, 'a cause counts');
  const replaced = new Error('cache lookup failed for function 16645');
  t.equal(isUnavailable(replaced), false, 'the words alone');
  t.equal(isUnavailable(Object.assign(replaced, { code: 'XX000' })), true, 'an upgrade');
});

t.test('a URL means what it means to psql', async (t) => {
  const cases: [string, object][] = [
    ['postgres://u:p@h/d', {
      addresses: [{ host: 'h', port: 5432 }], url: 'postgres://u:p@localhost/d',
    }],
    ['postgresql://u@[::1]:6000/d', { addresses: [{ host: '::1', port: 6000 }] }],
    ['postgres://u@localhost/d?host=/var/my%20run&port=6543&sslmode=disable', {
      addresses: [{ path: '/var/my run/.s.PGSQL.6543' }], tls: 'disable',
      url: 'postgres://u@localhost/d',
    }],
    ['postgres://u@%2Fvar%2Frun/d', {
      addresses: [{ path: '/var/run/.s.PGSQL.5432' }], url: 'postgres://u@localhost/d',
    }],
    ['postgresql:///d', { addresses: [{ host: 'localhost', port: 5432 }], database: 'd' }],
    ['postgres://u@h/Odd%20Db%2F%C3%A9?prepare=false', { database: 'Odd Db/é', prepare: false }],
    ['postgres://h/?user=u&password=p&dbname=d&connect_timeout=7', {
      user: 'u', password: 'p', database: 'd', connect_timeout_s: 7, url: 'postgres://localhost/',
    }],
    ['postgres://u@h/d?channel_binding=prefer&sslmode=require&keepalives_idle=30', {
      tls: 'require', url: 'postgres://u@localhost/d',
    }],
    ['postgres://u@h/d?channel_binding=require&sslmode=require', {
      tls: 'verify-full', url: 'postgres://u@localhost/d',
    }],
    ['postgres://u@h/d?channel_binding=require&sslrootcert=/ca', {
      tls: 'verify-full', ca_path: '/ca',
    }],
    ['postgres://u@h/d?channel_binding=require&sslmode=verify-ca&sslrootcert=/ca', {
      tls: 'verify-ca', ca_path: '/ca',
    }],
    ['postgres://u@h/d?sslmode=require&sslcert=/c&sslkey=/k&sslpassword=p&sslnegotiation=direct', {
      client: { cert_path: '/c', key_path: '/k', passphrase: 'p' },
      url: 'postgres://u@localhost/d',
    }],
    // As libpq: a + stands for itself.
    ['postgres://h/d?password=a+b&sslmode=verify-ca&sslrootcert=/c++/ca&application_name=a%20b+', {
      password: 'a+b', ca_path: '/c++/ca', url: 'postgres://localhost/d?application_name=a+b%2B',
    }],
    ['postgres://u@a:1,b:2/d?target_session_attrs=primary', {
      addresses: [{ host: 'a', port: 1 }, { host: 'b', port: 2 }], primary_only: true,
      url: 'postgres://u@localhost/d',
    }],
    ['postgres://u@x/d?host=a,/run&port=1,2&sslmode=verify-full', {
      addresses: [{ host: 'a', port: 1 }, { path: '/run/.s.PGSQL.2' }], tls: 'verify-full',
    }],
  ];
  for (const [url, expected] of cases) t.match(databaseTarget(url), expected, url);
  t.throws(() => databaseTarget('mysql://u:secret@h/d'), { message: /DATABASE_URL/ });
  t.throws(() => databaseTarget('postgres://u@h/d?sslcert=/c'), { message: /go together/ });
  const unreadable = () => databaseTarget('postgres://u:pass/word@h:x/d');
  t.throws(unreadable, { message: /percent-encoded: postgres:\/\/user/ });
  t.throws(unreadable, { message: /^(?!.*word@h)/ }, 'and the password is not repeated');
  t.throws(() => databaseTarget('postgres://u:p@100%/d'), { message: /cannot be read/ });
});

t.test('a storm of terminations settles every query and leaves the pool whole', async (t) => {
  const { sql: admin, url } = await testDatabase(t);
  const sql = connect(url, { max: 4, application_name: 'storm' });
  t.teardown(() => sql.end());
  // Long enough to be written at once, not in the next tick.
  const padding = 'x'.repeat(2_000);
  let unavailable = 0;
  const codes = new Set<string>();
  const ask = async () => {
    try {
      await sql`select pg_sleep(0.002), ${padding}::text`;
    } catch (error) {
      unavailable++;
      codes.add(isUnavailable(error) ? 'unavailable' : String(error));
    }
  };
  let storming = true;
  const storm = (async () => {
    for (let round = 0; round < 30; round++) {
      await Promise.all(Array.from({ length: 3 }, ask));
      await admin`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'storm' and datname = current_database()`;
    }
    storming = false;
  })();
  const clients = Array.from({ length: 20 }, async () => { while (storming) await ask(); });
  await Promise.all([storm, ...clients]);
  t.ok(unavailable > 0);
  t.same([...codes], ['unavailable']);
  const after = await Promise.allSettled(Array.from({ length: 12 }, () => sql`select 1`));
  t.ok(after.every(({ status }) => status === 'fulfilled'), 'not one failure afterwards');
});

t.test('a channel that cannot be listened to leaves no connection', async (t) => {
  const { sql } = await testDatabase(t);
  await t.rejects(sql.listen('no channel', { onPayload() {}, onConnected() {}, onError() {} }),
    { code: '42601' });
  const listeners = () => sql`select pid from pg_stat_activity
    where datname = current_database() and application_name = 'gatehouse listener'`;
  t.same(await untilSeen('no listener', async () => [...await listeners()],
    (all) => all.length === 0), []);
});
