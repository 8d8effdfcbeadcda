/** What a service says of how it prepares its database, and how it stops. */
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import t from 'tap';
import { readConfig } from '../src/config.ts';
import { setUp } from '../src/service.ts';
import { FUNCTIONS } from '../src/store/functions.ts';
import { LATEST_VERSION } from '../src/store/migrate.ts';
import { connectTo, heldAction, testSource } from './support/actions.ts';
import { emptyDatabase } from './support/database.ts';
import { newSession, queueRun } from './support/runs.ts';
import { testServer } from './support/server.ts';
import { soundLogs } from './support/log.ts';
import { hold } from './support/openTransaction.ts';

/** So long the service waits for its worker to stop. */
const STOP_MS = 4_000;

/** What was said of parts that did not stop, and why. */
const said: string[] = [];
const log = pino({ level: 'warn' }, new Writable({
  write(line: Buffer, _encoding, done) {
    const { msg, err } = JSON.parse(String(line)) as { msg: string; err?: { message: string } };
    if (msg === 'a part of the service did not stop cleanly') said.push(err!.message);
    done();
  },
}));
const [read, write] = [heldAction(), heldAction()];
const { client, service, sql, workspace_id } = await testServer(t, {
  config: { drain_ms: 120_000 }, log: { log },
  sources: [testSource('lab', { read: read.action, write: { ...write.action, effect: 'write' } })],
});
await connectTo(sql, workspace_id, 'lab');
await client.expect(201, 'createGrant',
  { body: { workspace_id, actions: 'lab.*', decision: 'allow' } });

t.test('a worker that stops slowly ends no request before its time', async (t) => {
  await queueRun(client, await newSession(client), 'call lab.test.write');
  const answer = client.call('createActionInvocation', { body: { action: 'lab.test.read' } });
  await Promise.all([read.begun, write.begun]);
  // A worker that stops hands them back.
  const release = await hold(sql, (tx) => tx`lock table runs in access exclusive mode`);
  const stopping = service.stop();
  // Set after that of the service, which is over then.
  await delay(STOP_MS + 500);
  t.strictSame(said, [], 'the service still waits for the request');
  read.release();
  t.match(await answer, { status: 201 });
  await release();
  await stopping;
  t.equal(said[0], 'did not stop within 4 seconds', 'the worker');
});

t.test('of a database that is prepared the log has one line, each step with debug', async (t) => {
  const linesAt = async (level: string) => {
    const { url } = await emptyDatabase(t);
    const lines: Record<string, unknown>[] = [];
    await setUp({
      config: readConfig({ DATABASE_URL: url }), log: pino({ level, base: null }, new Writable({
        write(line: Buffer, _encoding, done) {
          lines.push(JSON.parse(String(line)) as Record<string, unknown>);
          done();
        },
      })),
    });
    return lines;
  };
  const numbers = { migrations: LATEST_VERSION, functions: FUNCTIONS.length, partitions: 3 };
  t.match(await linesAt('info'), [{ ...numbers, msg: 'database prepared' }]);
  const all = await linesAt('debug');
  t.equal(all.length, LATEST_VERSION + FUNCTIONS.length + 3 + 1, 'a line for each step');
  t.match(all.at(-1), numbers);
});

t.test('every log in this database is sound', async (t) => await soundLogs(t, sql));
