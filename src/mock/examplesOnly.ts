/** The mock where no PostgreSQL can run: the document's examples, by Prism, and nothing else. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readConfig } from '../config.ts';
import { answerClientError, refuseTunnel } from '../http/clientError.ts';
import { toErrorReply } from '../http/dispatch.ts';
import { requestId } from '../http/exchange.ts';
import { headFault } from '../http/headFault.ts';
import { sendText, sendTextAndClose } from '../http/reply.ts';
import { NosniffResponse } from '../http/response.ts';
import { API_ROOT } from '../http/routes.ts';
import { createLog } from '../log.ts';
import { originOf } from '../origin.ts';
import { Examples } from './prism.ts';
import type { Mock, MockOptions } from './staged.ts';

/**
 * Throws an Error with the code EADDRINUSE, or one that says what to do if Prism is not installed.
 */
export async function startExamplesOnly(
  { host, port, log_level }: Pick<MockOptions, 'host' | 'port' | 'log_level'>): Promise<Mock> {
  const examples = new Examples(readConfig({}, {}));
  await examples.open();
  const server = createServer({ ServerResponse: NosniffResponse, requireHostHeader: false });
  const log = createLog(log_level);
  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    const fault = headFault(req);
    if (fault !== undefined) throw fault;
    await examples.answer(req, res);
  };
  const onRequest = (req: IncomingMessage, res: ServerResponse) => void answer(req, res)
    .catch((error: unknown) => {
      if (res.headersSent) return void res.destroy();
      const request_id = requestId(req.headers);
      const { status, headers, body } = toErrorReply(
        error, request_id, { log, isUnavailable: () => false, isShareUsedUp: () => false });
      const send = status === 413 ? sendTextAndClose.bind(null, req) : sendText;
      send(res, status, JSON.stringify(body), request_id, headers);
    });
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, onRequest);
  server.on('connect', (_, socket) => refuseTunnel(socket, undefined));
  server.on('clientError', (error, socket) => answerClientError(error, socket, undefined));
  await once(server.listen(port, host), 'listening');
  return {
    base_url: originOf(host, (server.address() as AddressInfo).port) + API_ROOT,
    is_service: false, has_examples: true,
    async close() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}
