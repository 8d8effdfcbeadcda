/**
 * Fastify as the service would use it, for test/bench/dispatch.ts: it does for each request what
 * the HTTP room does. It asks the same function for the caller and the same limits, checks
 * parameters and body by the same generated validators, sends the same headers, writes the same
 * line of log by the same pino, and counts in the same histogram.
 */
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyRequest } from 'fastify';
import { operations, type OperationEntry, type OperationId } from '../../generated/operations.ts';
import type { Caller } from '../../src/caller.ts';
import type { Config } from '../../src/config.ts';
import { bearerToken } from '../../src/http/authenticate.ts';
import { Limits, type Admission } from '../../src/http/limits.ts';
import { newId } from '../../src/ids.ts';
import type { Log } from '../../src/log.ts';
import type { Meters } from '../../src/telemetry/metrics.ts';

export interface FastifyOptions {
  config: Config;
  log: Log;
  meters: Meters;
  authenticate(token: string): Promise<Caller>;
  answers: Partial<Record<OperationId, (body: unknown) => { status: number; body: unknown }>>;
}

declare module 'fastify' {
  interface FastifyRequest { admission: Admission | undefined; started_ms: number }
}

/** Answers the port. */
export async function startFullFastify(
  { config, log, meters, authenticate, answers }: FastifyOptions): Promise<number> {
  const app = fastify({
    logger: false, requestIdHeader: 'x-request-id', genReqId: () => newId('req'),
    bodyLimit: config.body_limit_bytes,
  });
  const limits = new Limits(config, meters);
  app.decorateRequest('admission');
  app.decorateRequest('started_ms', 0);
  for (const [operation_id, answer] of Object.entries(answers)) {
    const entry: OperationEntry = operations[operation_id as OperationId];
    app.route({
      method: entry.method as 'GET', url: `/v1${entry.path.replace(/\{(\w+)\}/g, ':$1')}`,
      onRequest: async (request, reply) => {
        request.started_ms = performance.now();
        const caller = await authenticate(bearerToken(request.headers.authorization));
        request.admission = limits.admit(caller);
        reply.headers({
          'X-Request-Id': request.id, 'Cache-Control': 'no-store',
          'X-Content-Type-Options': 'nosniff', ...request.admission.fields,
        });
      },
      preHandler: async (request) => check(entry, request),
      handler: async (request, reply) => {
        const { status, body } = answer(request.body);
        reply.code(status);
        return body;
      },
      onResponse: async (request, reply) => {
        request.admission!.release();
        const duration_ms = performance.now() - request.started_ms;
        const status = reply.statusCode;
        meters.http_request_duration_seconds.record(
          duration_ms / 1_000, { operation: operation_id, status: String(status) });
        log.info({
          method: request.method, path: entry.path, operation_id, status,
          duration_ms: Math.round(duration_ms * 10) / 10, request_id: request.id,
        }, 'request');
      },
    });
  }
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

function check({ parameters, headers, body }: OperationEntry, request: FastifyRequest): void {
  const given = {
    path: request.params, query: request.query,
    headers: Object.fromEntries(headers.filter((name) => request.headers[name] !== undefined)
      .map((name) => [name, request.headers[name]])),
  };
  if (!parameters(given)) throw new Error('the parameters are not valid');
  if (body !== null && !body.validate(request.body)) throw new Error('the body is not valid');
}
