/**
 * How many of 55 calls of real documents arrive as the documents ask for them: imported, checked,
 * called and turned to their next page as the gateway does, against a recorder on loopback to which
 * all names lead. Needs the registry once, and is left out loudly without it.
 *
 * Usage: node test/bench/realCalls.ts [all]; with `all` it prints each call that is not right.
 */
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { InputValidators } from '../../src/gateway/calls/inputValidators.ts';
import { loadDocument } from '../../src/gateway/openapi/document.ts';
import { importOpenapi, type Imported } from '../../src/gateway/openapi/openapi.ts';
import { upgradeDocument } from '../../src/gateway/openapi/upgrade.ts';
import { isObject, type JsonObject } from '../../src/json.ts';
import {
  callerOf, failure, json, lookupTo, serve, type Received, type TestCall,
} from '../gateway/egress/support.ts';
import { runBench } from './bench.ts';
import { APIS, REAL_CALLS, type RealCall } from './realCallTable.ts';
import { realDocuments } from './realDocuments.ts';

/** Of the whole table; two may stay wrong. */
const AIM = 53;

await runBench(async (bench) => {
  const others = Object.entries(APIS).filter(([slug]) => slug !== 'github' && slug !== 'notion');
  const files = await realDocuments(
    Object.fromEntries(others.map(([slug, { file }]) => [slug, file])));
  let answer: unknown = {};
  const t = { teardown: (work: () => unknown) => bench.teardown(work) };
  const recorder = await serve(t, (_request, response) => json(response, answer));
  const call = callerOf(t, recorder, { lookup: lookupTo('127.0.0.1') });
  const imports = new Map([...files].map(([slug, file]) =>
    [slug, imported(slug, file, recorder.port)]));
  const validators = new InputValidators();
  const wrong: { call: RealCall, why: string }[] = [];
  for (const one of REAL_CALLS) {
    answer = one.page?.answer ?? {};
    const why = await told(one);
    if (why !== null) wrong.push({ call: one, why });
  }
  for (const { call: { slug, operation, needs }, why } of wrong) {
    const kind = needs === undefined ? '' : ` (needs ${needs})`;
    if (process.argv[2] === 'all') bench.say(`  ${slug} ${operation}${kind}: ${why}`);
  }
  const right = REAL_CALLS.length - wrong.length;
  bench.say(`  ${right} of ${REAL_CALLS.length} arrive as asked; of the others ${
    wrong.filter(({ call: { needs } }) => needs === undefined).length} need no operator's word`);
  bench.figure({ name: `calls of real documents that arrive as asked, against ${AIM} of 55`,
    value: right / AIM, unit: '×', at_least: 1 });

  /** Why it does not arrive as asked; null if it does. */
  async function told(one: RealCall): Promise<string | null> {
    const { actions, report } = imports.get(one.slug)!;
    const action = actions.find(({ source_key }) => source_key === one.operation);
    if (action === undefined) return 'it is no action';
    const { violations } = validators.check(action, one.input);
    if (violations.length > 0) return `refused: ${JSON.stringify(violations)}`;
    const base_url = report.servers.find((url) => /^https?:/.test(url))!;
    const { credentials, other_hosts = [] } = APIS[one.slug]!;
    const asked: TestCall = { input: one.input, credentials, target: { base_url,
      other_origins: other_hosts.map((host) => `http://${host}:${recorder.port}`) } };
    recorder.received.length = 0;
    try {
      const { source_cursor } = await call(action, asked);
      const first = different(one, recorder.received[0]!);
      if (first !== null || one.page === undefined) return first;
      if (source_cursor === null) return 'no next page is seen';
      await call(action, { ...asked, cursor: source_cursor });
      return different({ ...one, ...one.page }, recorder.received[1]!);
    } catch (error) {
      return (await failure(Promise.reject(error))).message;
    }
  }
});

function imported(slug: string, file: string, port: number): Imported {
  const { document } = upgradeDocument(loadDocument(readFileSync(file, 'utf8')));
  return importOpenapi(atPort(document, port) as JsonObject,
    { slug, overrides: APIS[slug]!.overrides ?? {} });
}

/** The document with its servers by plain http at this port. */
function atPort(value: unknown, port: number): unknown {
  if (Array.isArray(value)) return value.map((item) => atPort(item, port));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key,
    key === 'servers' && Array.isArray(item) ? item.map((server) => isObject(server)
      ? { ...server, url: String(server.url).replace(/^(https:)?(\/\/[^/]+)/, `http:$2:${port}`) }
      : server) : atPort(item, port)]));
}

/** What is not as asked; the order of a query's and a form's fields is nobody's matter. */
function different(one: RealCall, { method, target, headers, body }: Received): string | null {
  const [path, query = ''] = target.split('?');
  const [askedPath, askedQuery = ''] = one.to.split('?');
  const is = `${method} ${headers.host?.replace(/:\d+$/, '')}${path}`;
  if (is !== askedPath || sorted(query) !== sorted(askedQuery)) return `${is}?${query}`;
  const type = headers['content-type'];
  if (one.type !== undefined && type !== one.type) return `its Content-Type is ${type}`;
  const missed = Object.entries(one.headers ?? {}).find(([name, text]) => headers[name] !== text);
  if (missed !== undefined) return `${missed[0]} is ${String(headers[missed[0]])}`;
  const text = body.toString();
  const found = one.parts !== undefined ? partsOf(String(type), text)
    : typeof one.body !== 'string' ? JSON.parse(text || 'null')
      : one.type?.includes('form') ? sorted(text) : text;
  const asked = one.parts ?? (typeof one.body === 'string' && one.type?.includes('form')
    ? sorted(one.body) : one.body ?? null);
  return isDeepStrictEqual(found, asked) ? null : `its body is ${JSON.stringify(found)}`;
}

function sorted(pairs: string): string {
  return pairs.split('&').sort().join('&');
}

function partsOf(content_type: string, body: string): unknown {
  const [, boundary] = /^multipart\/form-data; boundary=(.+)$/.exec(content_type) ?? [];
  if (boundary === undefined) return content_type;
  return body.split(`--${boundary}`).slice(1, -1).map((part) => {
    const [head = '', ...rest] = part.slice(2, -2).split('\r\n\r\n');
    const said = (pattern: RegExp) => pattern.exec(head)?.[1] ?? null;
    return [said(/ name="([^"]*)"/), said(/ filename="([^"]*)"/), said(/Content-Type: (.*)/),
      rest.join('\r\n\r\n')];
  });
}
