/** `/metrics`, beside the API or on a port of its own. */
import { hash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { originOf } from '../origin.ts';
import { answerClientError } from './clientError.ts';
import { requestId } from './exchange.ts';
import { sendPage, shared, type PageMaker } from './pages.ts';
import { NosniffResponse } from './response.ts';

const TEXT_TYPE = 'text/plain; charset=utf-8';
/** The text format of Prometheus, which all scrapers understand. */
const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Between the end of one text and the making of the next. To make one takes about 3 ms, and more
 * with more labels: a hundred connections that ask all the time had the loop for themselves.
 */
const APART_MS = 100;

export interface OpenMetrics {
  /** The page, if it belongs beside the API. */
  beside?: PageMaker;
  /** The address of the page, if it has a port of its own. */
  own_url?: string;
  stop(): Promise<void>;
}

/**
 * The page with the text of `metricsText`, on its own port if one is configured. Rejects if that
 * port cannot be had.
 */
export async function openMetrics(
  { config, log }: { config: Config; log: Log }, metricsText: () => Promise<string>,
): Promise<OpenMetrics> {
  const page = guarded(metricsPage(seldom(metricsText), log), config.metrics_token);
  if (config.metrics_port === null) return { beside: page, stop: async () => {} };
  const server = serverOf(page);
  const { host } = config;
  await listen(server, host, config.metrics_port);
  const { port } = server.address() as AddressInfo;
  return {
    own_url: `${originOf(host, port)}/metrics`,
    async stop() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The page for those alone who send the token; for everybody if there is none. */
function guarded(page: PageMaker, token: string | null): PageMaker {
  if (token === null) return page;
  const expected = digest(token);
  return async (request) => {
    const [, given = ''] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (timingSafeEqual(digest(given), expected)) return await page(request);
    return {
      status: 401, type: TEXT_TYPE, headers: { 'WWW-Authenticate': 'Bearer' },
      content: 'Send the token of GATEHOUSE_METRICS_TOKEN as "Authorization: Bearer …".\n',
    };
  };
}

/** Of one length whatever the token, so that comparing tells nothing of it. */
function digest(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/**
 * All who ask meanwhile wait for one text. (One that is kept for a while instead would tell those
 * who look after they have done something of the time before it.)
 */
function seldom(metricsText: () => Promise<string>): () => Promise<string> {
  let ended_ms = -Infinity;
  return shared(async () => {
    const early_ms = ended_ms + APART_MS - performance.now();
    // A timer leaves out parts of a millisecond.
    if (early_ms > 0) await delay(Math.ceil(early_ms));
    try {
      return await metricsText();
    } finally {
      ended_ms = performance.now();
    }
  });
}

function metricsPage(metricsText: () => Promise<string>, log: Log): PageMaker {
  return async () => {
    try {
      return { status: 200, type: PROMETHEUS_TYPE, content: await metricsText() };
    } catch (error) {
      log.error({ err: error }, 'the metrics could not be read');
      return { status: 500, type: TEXT_TYPE, content: 'The metrics could not be read.\n' };
    }
  };
}

/** Serves the page, and nothing else. */
function serverOf(page: PageMaker): Server {
  const server = createServer({ ServerResponse: NosniffResponse }, async (req, res) => {
    const [path] = req.url!.split('?');
    const known = path === '/metrics' && (req.method === 'GET' || req.method === 'HEAD');
    const found = known ? await page(
      { method: req.method!, path, query: '', headers: req.headers })
      : { status: 404, type: TEXT_TYPE, content: 'Here is only GET /metrics.\n' };
    sendPage(req, res, found, requestId(req.headers));
  });
  server.on('clientError', (error, socket) => answerClientError(error, socket, undefined));
  return server;
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  await once(server.listen(port, host), 'listening').catch((cause: Error) => {
    throw new Error(
      `GATEHOUSE_METRICS_PORT ${port} cannot be had on ${host}: ${cause.message}`, { cause });
  });
}
