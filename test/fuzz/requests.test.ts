/**
 * Every operation is asked in ways that nobody has thought of. `FUZZ_SEED` and `FUZZ_REQUESTS` take
 * others; what failed is printed with its seed.
 */
import t from 'tap';
import { operations, type OperationId } from '../../generated/operations.ts';
import { connectLab, createLab } from '../support/lab.ts';
import { testServer } from '../support/server.ts';
import { fuzz } from './fuzz.ts';
import { fuzzGround } from './ground.ts';

/** One that passes; the long search takes others each time. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_122);
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1_500);
const TIME_LIMIT_MS = 90_000;

t.test('no request brings the service to a 5xx or an undeclared answer', async (t) => {
  const lab = createLab();
  const { client, sql, workspace_id } = await testServer(t, { sources: [lab.source],
    config: { action_timeout_ms: 2_000 } });
  await connectLab(sql, workspace_id);
  const ground = await fuzzGround(t, client, workspace_id);
  const { sent, asked, succeeded } = await fuzz({
    ...ground, seed: SEED, requests: REQUESTS, time_limit_ms: TIME_LIMIT_MS });
  const ids = Object.keys(operations) as OperationId[];
  const never = ids.filter((id) => !succeeded.has(id));
  const successes = [...succeeded.values()].reduce((sum, one) => sum + one, 0);
  t.comment(`${sent} requests, ${successes} successes; never: ${never.join(' ') || 'none'}`);
  t.comment([...asked].map(([id, n]) => `${id} ${succeeded.get(id) ?? 0}/${n}`).join(', '));
  t.ok(successes > sent / 5, 'requests get past the first look');
  t.ok(succeeded.size > ids.length / 2, 'most operations succeed at times');
  const { data } = await client.expect(200, 'listWorkspaces');
  t.ok(data.length > 0, 'and the service still serves');
  t.equal((await client.expect(200, 'verifyAuditLog')).ok, true, 'the audit log is whole');
});
