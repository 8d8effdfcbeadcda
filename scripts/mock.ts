/**
 * `make mock`: a server that answers as openapi.yaml says, with its examples, for teams that write
 * clients before or without the service. It keeps no state. PORT chooses the port (4010).
 */
import { parseArgs } from 'node:util';
import { createLogger } from '@stoplight/prism-core';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';
import { publicDocument, readDocument, type OpenapiDocument } from './document.ts';

const API_ROOT = '/v1';

export interface Mock { base_url: string; close(): Promise<void> }

/**
 * Starts the mock of the public operations on 127.0.0.1; port 0 takes any free one. `base_url` ends
 * in /v1.
 */
export async function startMock(document: OpenapiDocument, port: number): Promise<Mock> {
  // Prism ignores the path of the document's server, but clients have it in their base address.
  const { paths, ...rest } = publicDocument(document);
  const rooted = Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [API_ROOT + path, item]));
  const operations = await getHttpOperationsFromSpec({ ...rest, paths: rooted });
  const server = createServer(operations, {
    cors: false,
    components: { logger: createLogger('mock', { level: 'silent' }) },
    config: {
      isProxy: false, validateRequest: true, validateResponse: true, checkSecurity: true,
      errors: false, upstreamProxy: undefined, mock: { dynamic: false },
    },
  });
  const address = await server.listen(port, '127.0.0.1');
  return { base_url: address + API_ROOT, close: () => server.close() };
}

const HELP = (base_url: string) => `Mock of the public API, from openapi.yaml. Base address:

  ${base_url}

  curl -H 'Authorization: Bearer any' ${base_url}/runs

Any token is accepted, requests are validated, nothing is stored. The header Prefer chooses:
  Prefer: code=404                  another declared status
  Prefer: example=failed            a named example of that status
  Prefer: dynamic=true              made-up values instead of examples
An event stream needs the header Accept: text/event-stream (with "stream": true in the body of
createRun it needs both here; the service itself asks for the body's field alone). Stop with ^C.
`;

if (import.meta.main) {
  const { values } = parseArgs({ options: { document: { type: 'string' } } });
  const port = Number(process.env.PORT || 4010);
  const mock = await startMock(readDocument(values.document), port).catch((error: unknown) => {
    // Prism throws its message alone, which is no Error.
    if (!String(error).includes('EADDRINUSE')) throw error;
    process.stderr.write(`Port ${port} is in use, perhaps by another mock. Stop that, or take`
      + ` another port: make mock PORT=${port + 1}\n`);
    process.exit(1);
  });
  process.stdout.write(HELP(mock.base_url));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void mock.close().then(() => process.exit(0)));
  }
}
