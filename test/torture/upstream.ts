/** A service that agents write to, which notes every call that arrives. */
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '../support/listen.ts';
import { CarefulClient } from './carefulClient.ts';
import type { Lab } from './lab.ts';
import type { Random } from './random.ts';

/** The longest that it takes for an answer: long enough for a write to be caught in flight. */
const ANSWER_LIMIT_MS = 60;
const SLUG = 'ward';

const answer = { responses: { 200: { description: 'Noted.' } } };
const DOCUMENT = {
  openapi: '3.1.0', info: { title: 'Ward', version: '1' },
  paths: { '/marks': {
    post: { operationId: 'marks/create', summary: 'Leave a mark', ...answer,
      requestBody: { content: { 'application/json': { schema: { type: 'object' } } } } },
  } },
};

/** A line of a prompt that writes; `key` is that of the request which makes the run. */
export function writeCall(key: string): string {
  return `call ${SLUG}.marks.create {"body": {"key": "${key}"}}`;
}

/** A call that has arrived. */
export interface Arrival {
  /** Of the request that made the run. */
  key: string;
  at_ms: number;
}

export class Upstream {
  /** What arrived, by the Idempotency-Key: the tool call's id. */
  readonly arrivals = new Map<string, Arrival[]>();

  /** Starts it, and lets every agent of the lab write to it. */
  static async open(lab: Lab, random: Random): Promise<Upstream> {
    const upstream = new Upstream();
    const server = createServer(async (request, response) => {
      const at_ms = Date.now();
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
      const call = String(request.headers['idempotency-key']);
      const { key } = JSON.parse(body) as { key: string };
      upstream.arrivals.set(call, [...upstream.arrivals.get(call) ?? [], { key, at_ms }]);
      await delay(random.between(0, ANSWER_LIMIT_MS));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"noted":true}');
    });
    await offer(lab, random, await listen(lab.owner, server));
    return upstream;
  }
}

async function offer(lab: Lab, random: Random, port: number): Promise<void> {
  const client = new CarefulClient(lab, random);
  const { workspace_id } = lab.credentials;
  // 409: an answer was lost, and it is there.
  await client.ask([201, 409], 'createIntegration', { body: {
    slug: SLUG, kind: 'openapi', document: JSON.stringify(DOCUMENT),
    base_url: `http://127.0.0.1:${port}`, egress_allow: [`127.0.0.1/32:${port}`] } });
  await client.ask([201, 409], 'createConnection', { body: {
    workspace_id, integration: SLUG, name: SLUG, credentials: { type: 'none' } } });
  await client.ask([201, 409], 'createGrant', { body: {
    workspace_id, actions: `${SLUG}.*`, decision: 'allow' } });
}
