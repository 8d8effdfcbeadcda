/** The official Python client, over HTTP and by the bridge, in both eras of the protocol. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { ownFolder } from '../../scripts/leftovers.ts';
import { GATEHOUSE, killWhenSilent } from '../cli/support.ts';
import { json } from '../gateway/egress/support.ts';
import { grantTo, notesService } from '../gateway/service/support.ts';
import { doorOf, ERAS } from './support.ts';

const PACKAGE = 'mcp==2.3.0';
const FETCH = process.env.FETCH_READERS === '1';
const PROGRAM = fileURLToPath(new URL('python/client.py', import.meta.url));
const WAYS = ['http', 'stdio'] as const;

type Steps = Record<string, unknown>;
type Value = Record<string, unknown> & { missing?: { approval_id?: string }[] };

const execute = promisify(execFile);
const python = await pythonWithClient();
const skip = 'skip' in python ? python.skip : false;

/** A Python that has the client; `make readers` fetches it. */
async function pythonWithClient(): Promise<{ command: string } | { skip: string }> {
  let command = process.env.TEST_PYTHON ?? 'python3';
  try {
    if (FETCH) {
      const folder = await mkdtemp(ownFolder('mcp-python-'));
      t.teardown(() => rm(folder, { recursive: true, force: true }));
      await execute(command, ['-m', 'venv', folder]);
      command = join(folder, 'bin/python');
      await execute(command, ['-m', 'pip', 'install', '--quiet', PACKAGE]);
    }
    await execute(command, ['-c', 'from mcp import Client']);
    return { command };
  } catch (error) {
    if (FETCH) throw error;
    return { skip: 'there is no Python with its official MCP client; make readers fetches it' };
  }
}

async function stepsOf(
  t: Test, args: string[], env: Record<string, string>,
  answers: Record<string, (value: Value) => Promise<unknown>>): Promise<Steps> {
  const child = spawn((python as { command: string }).command, [PROGRAM, ...args],
    { env: { PATH: process.env.PATH, ...env } });
  const enough = killWhenSilent(child);
  t.teardown(() => void child.kill('SIGKILL'));
  const closed = once(child, 'close');
  const said = text(child.stderr);
  const steps: Steps = {};
  for await (const line of createInterface({ input: child.stdout })) {
    const { step, value } = JSON.parse(line) as { step: string; value: Value };
    steps[step] = value;
    const answer = answers[step];
    if (answer === undefined) continue;
    await answer(value);
    child.stdin.write('\n');
  }
  const [code] = await closed as [number | null];
  enough();
  t.equal(code, 0, await said);
  return steps;
}

t.test('the official Python client', { skip }, async (t) => {
  let held = Promise.withResolvers<{ gone: Promise<unknown> }>();
  const { server } = await notesService(t, ({ method, target }, response) => {
    if (target === '/notes/held') held.resolve({ gone: once(response, 'close') });
    else json(response, { method });
  });
  const { client, workspace_id, service } = server;
  await grantTo(server, 'require_approval', 'acme.notes.create');
  const approve = (approval_id: string) => client.expect(200, 'decideApproval',
    { path: { approval_id }, body: { decision: 'approve' } });

  for (const [mode, way] of ERAS.flatMap((mode) => WAYS.map((way) => [mode, way] as const))) {
    await t.test(`of ${mode}, over ${way}`, async (t) => {
      held = Promise.withResolvers();
      const { api_key, id: api_key_id } = await client.expect(201, 'createApiKey',
        { body: { workspace_id, name: `${mode} ${way}` } });
      const env = { GATEHOUSE, GATEHOUSE_API_KEY: api_key, DOOR: doorOf(server).href,
        GATEHOUSE_BASE_URL: service.base_url };
      const is_current = mode === 'auto';
      const steps = await stepsOf(t, [mode, way], env, {
        approval: ({ missing }) => approve(missing![0]!.approval_id!),
        asked: (url) => approve(String(url).split('/').at(-1)!),
        holding: () => held.promise,
        // Only what hangs up cancels where there are no sessions; others leave the call to its end.
        after: async () => {
          if (is_current || way === 'stdio') await (await held.promise).gone;
        },
        revoke: () => client.expect(204, 'revokeApiKey', { path: { api_key_id } }),
      });
      t.match(steps, {
        'wrong key': { passed: undefined, error: String },
        version: is_current ? '2026-07-28' : '2025-11-25',
        tools: ['search_actions', 'describe_action', 'call_action'],
        resources: { passed: undefined, error: 'MCPError', message: /Method not found/ },
        search: { ok: true, result: { data: [{ name: 'acme.notes.list' }] } },
        describe: { ok: true, result: { name: 'acme.notes.create', effect: 'write' } },
        read: { is_error: false, ok: true, result: { method: 'GET' } },
        refused: { is_error: true, ok: false, code: 'not_permitted' },
        approval: { is_error: true, code: 'approval_required', approval_url: String },
        approved: { is_error: false, ok: true, result: { method: 'POST' } },
        cancelled: { error: 'CancelledError' },
        after: { ok: true },
        opened: is_current ? { ok: true } : { code: 'approval_required' },
        revoked: { passed: undefined, error: String },
      });
      t.strictSame(steps.capabilities, { tools: {} });
    });
  }
});
