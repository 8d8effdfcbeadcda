/** What somebody who asks much of the gateway asks for, in test/bench/fairness.ts. */
import { readFileSync } from 'node:fs';
import { PACKAGES, packedFiles, Unreachable } from '../support/packedFile.ts';
import type { Bench } from './bench.ts';
import { nextMessage, startProcess } from './processes.ts';
import type { Asked } from './fairnessAsker.ts';
import { send, type Target } from './requests.ts';

type Attack = Omit<Asked, 'port' | 'api_key'>;

const INVOCATIONS = '/v1/action_invocations';
const EIGHT_CALLS = Array.from({ length: 8 }, () => 'call lab.wide.get').join(' & ');
const MUCH = { per_second: 100, at_once: 200 };
/** It takes longer to be prepared than a schema may. */
const SLOW_SCHEMA = { type: 'object', unevaluatedProperties: false,
  allOf: Array.from({ length: 4_400 }, (_, i) => ({ properties: { [`a${i}`]: {} } })) };

function labDocument() {
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema: {} } } } };
  const reading = (name: string) => [`/${name.toLowerCase()}`,
    { get: { operationId: `get${name}`, responses } }] as const;
  return {
    openapi: '3.1.0', info: { title: 'Lab', version: '1' },
    paths: {
      ...Object.fromEntries(['Large', 'Wide', 'Small'].map(reading)),
      '/slow': { get: { operationId: 'getSlow', responses, parameters: [
        { name: 'filter', in: 'query', style: 'deepObject', schema: SLOW_SCHEMA }] } },
    },
  };
}

/** Adds integrations for the workspace of who asks much; answers the attacks by their names. */
export async function gatewayAttacks(
  bench: Bench, operator: Target, workspace_id: string, hostile: Target,
  sessions: readonly string[],
): Promise<Record<string, Attack>> {
  const port = await nextMessage<number>(
    startProcess(bench, new URL('fairnessUpstream.ts', import.meta.url)));
  const made = async (path: string, body: object) => {
    const text = await send(operator, 'POST', `/v1/admin/${path}`, JSON.stringify(body));
    if ('code' in JSON.parse(text)) throw new Error(`${path}: ${text.slice(0, 1_000)}`);
  };
  const add = async (integration: string, document: unknown) => {
    await made('integrations', { slug: integration, kind: 'openapi', document,
      base_url: `http://127.0.0.1:${port}`, egress_allow: [`127.0.0.0/8:${port}`],
      insecure_http: true });
    await made('connections', { workspace_id, integration, name: integration,
      credentials: integration === 'lab' ? { type: 'none' } : { type: 'bearer', token: 'x' } });
  };
  await add('lab', labDocument());
  const kept = JSON.parse(await send(hostile, 'POST', INVOCATIONS,
    JSON.stringify({ action: 'lab.wide.get' }))) as { invocation_id: string; code?: string };
  if (kept.code) throw new Error(`no wide result: ${kept.code}`);
  const attacks: Record<string, Attack> = {
    'answers of 7 MB': calls([{ action: 'lab.large.get' }]),
    'answers of 93,000 members': calls([{ action: 'lab.wide.get' }]),
    'answers of 25,000 members': calls([{ action: 'lab.small.get' }]),
    'a wide result, read again': { ...MUCH, method: 'GET',
      paths: [`${INVOCATIONS}/${kept.invocation_id}`] },
    'runs with 8 wide answers': { method: 'POST', at_once: 20,
      paths: sessions.map((id) => `/v1/sessions/${id}/runs`),
      bodies: [JSON.stringify({ wait: true, concurrency: 'enqueue', input: [{ role: 'user',
        content: [{ type: 'input_text', text: EIGHT_CALLS }] }] })] },
    'a schema that takes long': calls([{ action: 'lab.slow.get', input: { query: {} } }]),
  };
  const stripe = await stripeDocument(bench);
  if (stripe === null) return attacks;
  await add('stripe', stripe);
  const names = await readingActions(hostile);
  bench.say(`  ${names.length} reading actions of Stripe`);
  return {
    ...attacks,
    "searches of Stripe's actions": { ...MUCH, method: 'POST', paths: ['/v1/actions/search'],
      bodies: ['create an invoice for a customer', 'list all charges that were refunded',
        'how much is on the account'].map((query) => JSON.stringify({ query })) },
    "Stripe's reading actions in turn": calls(names.map((action) => ({ action, input: {} }))),
  };
}

const calls = (bodies: object[]): Attack => ({ ...MUCH, method: 'POST', paths: [INVOCATIONS],
  bodies: bodies.map((body) => JSON.stringify(body)) });

async function stripeDocument(bench: Bench): Promise<unknown> {
  try {
    const [file] = await packedFiles(PACKAGES.directory, ['package/api/stripe.com.json']);
    return JSON.parse(readFileSync(file!, 'utf8'));
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    bench.say(`  SKIPPED, what asks for Stripe's actions: ${error.message}`);
    return null;
  }
}

async function readingActions(hostile: Target): Promise<string[]> {
  const names: string[] = [];
  for (let cursor = ''; ;) {
    const page = JSON.parse(await send(hostile, 'GET',
      `/v1/actions?integration=stripe&read_only=true&limit=100${cursor}`)) as
      { data: { name: string }[]; next_cursor: string | null };
    names.push(...page.data.map(({ name }) => name));
    if (page.next_cursor === null) return names;
    cursor = `&cursor=${page.next_cursor}`;
  }
}
