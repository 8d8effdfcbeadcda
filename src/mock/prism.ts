/**
 * Prism, which answers with the document's examples. It is a development tool and not installed
 * with the service: it is looked for when it is first needed.
 *
 * It is asked within the process, and its own server stays unused: that looks after no promise, so
 * that one request for which Prism throws would end the mock.
 */
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { OperationEntry } from '../../generated/operations.ts';
import type { Config } from '../config.ts';
import { GatehouseError } from '../errors.ts';
import { notAcceptable, weighAccept } from '../http/accept.ts';
import { readRequestBody, requireJson } from '../http/body.ts';
import { UNCOUNTED } from '../http/heldBytes.ts';
import { parseBody, type JsonLimits } from '../http/json.ts';
import { decodeText, parseQuery, splitTarget } from '../http/query.ts';
import { API_ROOT } from '../http/routes.ts';
import { readPreferences, type ExampleChoice } from './prefer.ts';
import { publicRouteAt } from './publicRoutes.ts';

const DOCUMENT = new URL('../../generated/openapi.json', import.meta.url);
const PACKAGE = '@stoplight/prism-cli';
const INSTALL = `Run \`npm install --save-dev --save-exact ${PACKAGE}@5.16.0\` beside gatehouse,`
  + ' and start the mock again.';
const require = createRequire(import.meta.url);
/** Most clients read heads of up to 16 KiB. */
const VIOLATIONS_CHARS = 4_096;
const BODY_HEADERS = ['content-type', 'content-length', 'transfer-encoding'];
/** A stream where there is one. Without JSON, Prism would put it in place of an error as well. */
const STREAM_OR_JSON = 'text/event-stream, application/json;q=0.5';

interface PrismInput {
  method: string;
  url: { path: string; query: Record<string, string> };
  headers: IncomingHttpHeaders;
  /** The JSON value; null if there is none. */
  body: unknown;
}

interface PrismViolation { path?: readonly string[]; message: string }
interface Output {
  statusCode: number;
  headers?: Record<string, string | number | null>;
  body?: unknown;
}
type PrismAnswer =
  { _tag: 'Left'; left: Error }
  | { _tag: 'Right'; right: { output: Output; validations: { input: PrismViolation[] } } };

/** As much as is used of the packages that Prism's command is made of. */
interface Libraries {
  getHttpOperationsFromSpec(document: object): Promise<object[]>;
  createLogger(name: string, options: object): object;
  createInstance(config: object, components: object): {
    request(input: PrismInput, operations: object[], config: object): () => Promise<PrismAnswer>;
  };
  ProblemJsonError: { toProblemJson(error: Error): { status: number } };
}

interface Example { status: number; headers: Record<string, string | number>; text: string }

/** Answers a request with an example. Throws what Prism throws. */
type Prism = (input: PrismInput, choice: ExampleChoice) => Promise<Example>;

/** Throws an Error that says what to do if Prism is not installed. */
async function loadPrism(): Promise<Prism> {
  const { getHttpOperationsFromSpec, createInstance, createLogger, ProblemJsonError } = load();
  // Prism ignores the path of the document's server, but clients have it in their base address.
  const { paths, ...rest } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as { paths: object };
  const rooted = Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [API_ROOT + path, item]));
  const operations = await getHttpOperationsFromSpec({ ...rest, paths: rooted });
  const prism = createInstance({
    isProxy: false, validateRequest: true, validateResponse: false, checkSecurity: true,
    errors: false, upstreamProxy: undefined,
  }, { logger: createLogger('mock', { level: 'silent' }) });
  return async (input, { code, example: exampleKey, dynamic, seed }) => {
    const mock = { code, exampleKey, dynamic, seed };
    const outcome = await prism.request(input, operations, { mock })();
    if (outcome._tag === 'Right') return exampleOf(outcome.right.output, outcome.right.validations);
    const problem = ProblemJsonError.toProblemJson(outcome.left);
    return { status: problem.status, text: JSON.stringify(problem),
      headers: { 'Content-Type': 'application/problem+json' } };
  };
}

function exampleOf(
  { statusCode, headers = {}, body }: Output, { input }: { input: PrismViolation[] }): Example {
  const given = Object.entries(headers).filter((entry): entry is [string, string | number] =>
    entry[1] !== null);
  return {
    status: statusCode,
    headers: { ...Object.fromEntries(given), ...(input.length > 0 && {
      'sl-violations': violationsOf(input) }) },
    // Only the examples of event streams are texts.
    text: body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
  };
}

/** What is wrong with the request, as Prism's server tells it, but in letters a header can have. */
function violationsOf(violations: readonly PrismViolation[]): string {
  const told = violations.map(({ path = [], message }) =>
    ({ location: ['request', ...path], message }));
  return JSON.stringify(told).replace(/[^\x20-\x7e]/g, (letter) =>
    `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).slice(0, VIOLATIONS_CHARS);
}

function load(): Libraries {
  const entry = entryOf();
  if (entry === null) {
    throw new Error(`${PACKAGE} is not installed. ${INSTALL}`);
  }
  const part = createRequire(entry);
  return ['http', 'core'].reduce(
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

  /** Loads Prism unless it is there. Throws an Error that says what to do if it cannot. */
  open(): Promise<Prism> {
    const loading = this.#prism ??= loadPrism();
    loading.catch(() => {
      if (this.#prism === loading) this.#prism = undefined;
    });
    return loading;
  }

  /**
   * Answers with an example. Throws invalid_request if Prism is not installed, what the service
   * throws for a target, an Accept header or a body that Prism throws for, and what Prism throws.
   */
  async answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (!this.is_installed) {
      throw new GatehouseError('invalid_request', 'Prefer: code, example and dynamic are answered'
        + ` by Prism, and ${PACKAGE} is not installed beside this mock.`
        + ` ${INSTALL} A scenario needs none.`,
      { param: 'prefer' });
    }
    const { example } = readPreferences(req.headers.prefer);
    const { pathname: path, search } = splitTarget(req.url!);
    decodeText(path, 'path');
    const url = { path, query: { ...parseQuery(search.slice(1)) } };
    const entry = publicRouteAt(req.method!, path)?.entry;
    const accepts = entry && weighAccept(req.headers.accept, entry.produces);
    if (accepts?.any === false) throw notAcceptable(entry!.produces);
    const body = await this.#bodyOf(req, res, entry);
    const prism = await this.open();
    const { status, headers, text } = await prism({
      // The document declares no HEAD: it is what GET answers, without the body.
      method: req.method === 'HEAD' ? 'get' : req.method!.toLowerCase(),
      url, headers: headersFor(req.headers, body, accepts?.event_stream === true), body,
    }, example ?? {});
    const length = text === '' ? null : { 'Content-Length': Buffer.byteLength(text) };
    res.writeHead(status, { ...headers, ...length }).end(text);
  }

  /** The JSON value; null if there is none, or none that the operation reads. */
  async #bodyOf(req: IncomingMessage, res: ServerResponse,
    entry: OperationEntry | undefined): Promise<unknown> {
    const bytes = await readRequestBody(req, res, this.#limits.body_limit_bytes, UNCOUNTED);
    if (!entry?.body || (!entry.body.required && bytes.length === 0)) return null;
    requireJson(req.headers);
    return parseBody(bytes, this.#limits);
  }
}

/**
 * What Prism looks at, without what it cannot read and the service does not read. Accept is what
 * the service makes of it: that weighs it between a stream and JSON, and not for an error.
 */
function headersFor(headers: IncomingHttpHeaders, body: unknown, wants_stream: boolean) {
  const read = { ...headers };
  for (const name of BODY_HEADERS) delete read[name];
  return { ...read, accept: wants_stream ? STREAM_OR_JSON : 'application/json',
    ...(body !== null && { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }) };
}
