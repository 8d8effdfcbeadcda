/**
 * One of the servers that test/bench/dispatch.ts compares, in a process of its own. All answer the
 * same two requests with the same bytes; they differ in what they do in between.
 *
 * - bare: node:http, the body read and JSON.parsed, nothing checked. The floor.
 * - gatehouse: the HTTP room with everything on but the log: routing, key, limits, validation,
 *   request id, context, histogram.
 * - fastify: routing, key, the same schemas validated, the same request id; no more than that.
 * - gatehouse-logged: the same as gatehouse, with its line of log for each request.
 * - fastify-alike: fastify that does all of it, too; see dispatchFastify.ts.
 *
 * Lines of log go to /dev/null.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import fastify from 'fastify';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { Scrubber } from '../../src/gateway/vault/scrubber.ts';
import { newId } from '../../src/ids.ts';
import { createLog, type Log } from '../../src/log.ts';
import { createHttpServer } from '../../src/http/server.ts';
import type { Operations } from '../../src/operations/operation.ts';
import type { Services } from '../../src/operations/services.ts';
import { createTelemetry } from '../../src/telemetry/telemetry.ts';
import { portOf } from '../support/listen.ts';
import { UNREACHED } from './bench.ts';
import { startFullFastify } from './dispatchFastify.ts';
import { RUN, SESSION } from './dispatchBodies.ts';

const KEY = 'gth_bench';

async function startBare(): Promise<number> {
  const send = (res: ServerResponse, status: number, body: unknown) => {
    const text = JSON.stringify(body);
    res.writeHead(status, [
      'Content-Type', 'application/json; charset=utf-8',
      'Content-Length', String(Buffer.byteLength(text)),
    ]);
    res.end(text);
  };
  const server = createServer((req, res) => {
    if (req.method === 'GET') return send(res, 200, RUN);
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { title } = JSON.parse(Buffer.concat(chunks).toString()) as { title: string };
      send(res, 201, { ...SESSION, title });
    });
  });
  return await portOf(server);
}

const config = readConfig({}, { port: 0, ...UNREACHED });
const authenticate = async () => ({ workspace_id: 'wsp_1', api_key_id: 'key_1', agent: null });

/** As the service has it: no line may hold a secret that the process knows. */
function logAt(level: string): Log {
  const scrubber = new Scrubber(['sk-of-a-provider-of-models', 'the-token-of-a-connection']);
  return createLog(level, {
    scrub: (value) => scrubber.scrub(value),
    destination: pino.destination({ dest: '/dev/null', sync: false }),
  });
}

async function startGatehouse(level: string): Promise<number> {
  const log = logAt(level);
  const services = {
    config, log, authenticate,
    authenticateAdmin: async () => null,
    readiness: async () => [],
    isUnavailable: () => false,
    isInDoubt: () => false, isShareUsedUp: () => false,
  } as unknown as Services;
  const operations = {
    createSession: async ({ body }: { body: { title: string } }) =>
      ({ status: 201, body: { ...SESSION, title: body.title } }),
    getRun: async () => ({ status: 200, body: RUN }),
  } as unknown as Operations;
  const { meters } = await createTelemetry({ config, log });
  const server = createHttpServer({ config, services, operations, meters });
  return (await server.listen()).port;
}

async function startFastifyAlike(): Promise<number> {
  const log = logAt('info');
  const { meters } = await createTelemetry({ config, log });
  return await startFullFastify({
    config, log, meters, authenticate,
    answers: {
      createSession: (body) =>
        ({ status: 201, body: { ...SESSION, title: (body as { title: string }).title } }),
      getRun: () => ({ status: 200, body: RUN }),
    },
  });
}

async function startFastify(): Promise<number> {
  const app = fastify({
    logger: false, requestIdHeader: 'x-request-id', genReqId: () => newId('req'),
  });
  const { components } = JSON.parse(
    readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8'));
  const { title, metadata } = components.schemas.CreateSessionRequest.properties;
  const { properties, ...strings } = components.schemas.Metadata;
  const body = {
    type: 'object', additionalProperties: false,
    properties: { title, metadata: metadata.$ref ? { ...strings, properties } : metadata },
  };
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.authorization !== `Bearer ${KEY}`) {
      return reply.code(401).send({ error: 'no key' });
    }
    reply.header('X-Request-Id', request.id);
    reply.header('Cache-Control', 'no-store');
  });
  const querystring = { type: 'object', properties: {}, additionalProperties: false };
  app.post('/v1/sessions', { schema: { body, querystring } }, async (request, reply) => {
    reply.code(201);
    return { ...SESSION, title: (request.body as { title: string }).title };
  });
  const params = {
    type: 'object', properties: { run_id: { type: 'string', minLength: 1, maxLength: 128 } },
  };
  app.get('/v1/runs/:run_id', { schema: { params, querystring } }, async () => RUN);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

const starters: Record<string, () => Promise<number>> = {
  'bare': startBare, 'fastify': startFastify, 'fastify-alike': startFastifyAlike,
  'gatehouse': () => startGatehouse('silent'),
  'gatehouse-logged': () => startGatehouse('info'),
};
process.send!({ port: await starters[process.argv[2]!]!() });
// Asked for anything, it says how much CPU time it has used so far.
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send!({ user, cpu_us: user + system });
});
process.on('disconnect', () => process.exit(0));
