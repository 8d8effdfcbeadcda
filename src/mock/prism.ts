/**
 * Prism, which answers with the document's examples. It is a development tool and not installed
 * with the service: it is looked for when it is first needed.
 */
import { readFileSync } from 'node:fs';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { Config } from '../config.ts';
import { GatehouseError } from '../errors.ts';
import { readRequestBody } from '../http/body.ts';
import { UNCOUNTED } from '../http/heldBytes.ts';
import { parseBody, type JsonLimits } from '../http/json.ts';
import { API_ROOT } from '../http/routes.ts';

const DOCUMENT = new URL('../../generated/openapi.json', import.meta.url);
const PACKAGE = '@stoplight/prism-cli';
const require = createRequire(import.meta.url);

interface PrismServer {
  listen(port: number, host: string): Promise<string>;
  close(): Promise<void>;
}

/** As much as is used of the packages that Prism's command is made of. */
interface Libraries {
  getHttpOperationsFromSpec(document: object): Promise<object[]>;
  createServer(operations: object[], options: object): PrismServer;
  createLogger(name: string, options: object): object;
}

interface Prism { origin: string; close(): Promise<void> }

/** Starts Prism on a free port. Throws an Error that says what to do if it is not installed. */
async function startPrism(): Promise<Prism> {
  const { getHttpOperationsFromSpec, createServer, createLogger } = load();
  // Prism ignores the path of the document's server, but clients have it in their base address.
  const { paths, ...rest } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as { paths: object };
  const rooted = Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [API_ROOT + path, item]));
  const server = createServer(await getHttpOperationsFromSpec({ ...rest, paths: rooted }), {
    cors: false,
    components: { logger: createLogger('mock', { level: 'silent' }) },
    config: {
      isProxy: false, validateRequest: true, validateResponse: true, checkSecurity: true,
      errors: false, upstreamProxy: undefined, mock: { dynamic: false },
    },
  });
  return { origin: await server.listen(0, '127.0.0.1'), close: () => server.close() };
}

function load(): Libraries {
  const entry = entryOf();
  if (entry === null) {
    throw new Error(`${PACKAGE} is not installed. Run \`npm install --save-dev --save-exact`
      + ` ${PACKAGE}@5.16.0\` beside gatehouse.`);
  }
  const part = createRequire(entry);
  return ['http', 'http-server', 'core'].reduce(
    (all, name) => ({ ...all, ...part(`@stoplight/prism-${name}`) as object }), {}) as Libraries;
}

function entryOf(): string | null {
  try {
    return require.resolve('@stoplight/prism-cli/package.json');
  } catch {
    return null;
  }
}

/** Answers requests that ask for an example of the document. */
export class Examples {
  readonly is_installed = entryOf() !== null;
  readonly #limits: Pick<Config, 'body_limit_bytes'> & JsonLimits;
  #prism: Promise<Prism> | undefined;

  constructor(limits: Pick<Config, 'body_limit_bytes'> & JsonLimits) {
    this.#limits = limits;
  }

  /** Starts Prism unless it runs. Throws an Error that says what to do if it cannot. */
  open(): Promise<Prism> {
    const starting = this.#prism ??= startPrism();
    starting.catch(() => {
      if (this.#prism === starting) this.#prism = undefined;
    });
    return starting;
  }

  /** Has Prism answer. Throws invalid_request if it is not installed, or what the body is not. */
  async answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (!this.is_installed) {
      throw new GatehouseError('invalid_request', 'Prefer: code, example and dynamic are answered'
        + ` by Prism, and ${PACKAGE} is not installed beside this mock. A scenario needs none.`,
      { param: 'prefer' });
    }
    const body = await readRequestBody(req, res, this.#limits.body_limit_bytes, UNCOUNTED);
    // Prism would never answer to what is no JSON.
    if (body.length > 0) parseBody(body, this.#limits);
    const { origin } = await this.open();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const headers = { ...req.headers, 'content-length': String(body.length) };
    delete (headers as IncomingMessage['headers'])['transfer-encoding'];
    const asked = request(origin + req.url!, { method: req.method, headers }, (answer) => {
      res.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(res).once('close', resolve);
    });
    asked.once('error', reject);
    asked.end(body);
    await promise;
  }

  async close(): Promise<void> {
    const prism = await this.#prism?.catch(() => undefined);
    await prism?.close();
  }
}
