/** Secrets that must be seen nowhere, the upstream that repeats them everywhere, and the search. */
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { OperationId } from '../../../generated/operations.ts';
import type { Sql } from '../../../src/store/database.ts';
import { Client, type CallOptions } from '../../support/client.ts';
import type { Handler, Received } from '../egress/support.ts';

/** The forms that a secret is looked for in, made here and not by what is tested. */
export function forms(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64');
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  return [...new Set([
    secret, html, base64.replace(/=+$/, ''), Buffer.from(secret).toString('base64url'),
    encodeURIComponent(secret), encodeURIComponent(secret).toLowerCase(),
    new URLSearchParams({ x: secret }).toString().slice(2), JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('hex'),
  ])];
}

/** Which secrets stand in the text, by their names, each with what is around it. */
export function found(secrets: Record<string, string>, text: string): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) => forms(secret).flatMap((form) => {
    const at = text.indexOf(form);
    return at < 0 ? [] : [`${name}: ${text.slice(Math.max(0, at - 80), at + form.length + 20)}`];
  }));
}

/** A client that keeps the text of every answer, headers and all. */
export class RecordingClient extends Client {
  readonly #texts: Promise<string>[] = [];

  override async fetch(id: OperationId, options: CallOptions = {}): Promise<Response> {
    const response = await super.fetch(id, options);
    const headers = JSON.stringify([...response.headers]);
    this.#texts.push(response.clone().text().then((text) => `${id} ${headers}\n${text}`));
    return response;
  }

  /** All that was answered so far. */
  async answers(): Promise<string> {
    return (await Promise.all(this.#texts)).join('\n');
  }
}

/** Every column of every row of every table, as text. */
export async function dump(sql: Sql): Promise<string> {
  const columns = await sql<{ table_name: string; column_name: string }[]>`
    select table_name, column_name from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const texts: string[] = [];
  for (const [table, of] of Map.groupBy(columns, ({ table_name }) => table_name)) {
    const names = of.map(({ column_name }) => `"${column_name}"::text`).join(', ');
    for (const row of await sql.unsafe<Record<string, string | null>[]>(
      `select ${names} from "${table}"`)) texts.push(...Object.values(row).map(String));
  }
  return texts.join('\n');
}

/** The secret that a request came with, wherever it stands. */
export function secretOf({ target, headers }: Pick<Received, 'target' | 'headers'>): string {
  const { authorization = '', cookie = '', 'x-api-key': key = '' } = headers;
  const [, basic] = /^Basic (.*)/.exec(authorization) ?? [];
  const pair = basic === undefined ? '' : Buffer.from(basic, 'base64').toString();
  const query = new URL(target, 'http://x').searchParams.get('api_key') ?? '';
  return [pair.slice(pair.indexOf(':') + 1), authorization.replace(/^Bearer /, ''),
    cookie.replace(/^session=/, ''), String(key), query].find((one) => one !== '') ?? '';
}

/** What came in, with its secret in every form that one meets. */
function repeated({ target, headers, body }: Received) {
  const secret = secretOf({ target, headers });
  const base64 = Buffer.from(secret).toString('base64');
  return {
    secret, target, headers, body: body.toString(),
    base64, base64url: Buffer.from(secret).toString('base64url'),
    within: [0, 1, 2].map((pad) => Buffer.from('x'.repeat(pad) + secret + 'y').toString('base64')),
    url: encodeURIComponent(secret), json: JSON.stringify({ deep: JSON.stringify({ secret }) }),
    html: secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
    hex: Buffer.from(secret).toString('hex'), [secret]: 'as a name', list: [[{ secret }]],
    number: /^\d+$/.test(secret) ? Number(secret) : null,
  };
}

type Habit = (echo: ReturnType<typeof repeated>, response: ServerResponse) => void;

const json = (status: number, headers: (secret: string) => Record<string, string> = () => ({})) =>
  (echo: ReturnType<typeof repeated>, response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers(echo.secret) })
      .end(JSON.stringify(echo));

/** By path: each is one way to give a secret away. */
export const HABITS: Record<string, Habit> = {
  '/json': json(200, (secret) => ({ 'x-request-id': secret,
    link: `<http://api.example/json?page=${encodeURIComponent(secret)}&cursor=${
      encodeURIComponent(secret)}>; rel="next"` })),
  '/bad': json(400, (secret) => ({ 'x-request-id': secret })),
  '/forbidden': json(403, (secret) => ({ 'x-accepted-oauth-scopes': secret,
    'x-oauth-scopes': `a, ${secret}`,
    'www-authenticate': `Bearer scope="${secret.replaceAll('"', '')}"` })),
  '/limited': json(429, (secret) => ({ 'retry-after': secret, 'x-request-id': secret })),
  '/broken': json(503, (secret) => ({ 'x-request-id': secret })),
  '/missing': (echo, response) => void response.writeHead(404, { 'content-type': 'text/html' })
    .end(`<html><h1>No ${echo.html}</h1><a href="?k=${echo.url}">${echo.base64}</a></html>`),
  '/text': (echo, response) => void response.writeHead(200, { 'content-type': 'text/plain' })
    .end(`${echo.secret}\n${echo.base64} ${echo.url} ${echo.json}`),
  '/packed': (echo, response) => void response.writeHead(200, {
    'content-type': 'application/json', 'content-encoding': 'gzip' })
    .end(gzipSync(JSON.stringify(echo))),
  '/binary': (echo, response) => void response.writeHead(200, {
    'content-type': 'application/octet-stream' }).end(`\0\0${echo.secret}\0`),
  '/large': (echo, response) => void response.writeHead(200, { 'content-type': 'text/plain' })
    .end(`${echo.secret} ${'.'.repeat(60)} `.repeat(20_000)),
  // Where a redirect leads is quoted when it may not be followed.
  '/elsewhere': (echo, response) => void response.writeHead(302, {
    location: `http://${echo.hex.slice(0, 60)}.internal:1/?${echo.url}` }).end(),
  '/inside': (echo, response) => void response.writeHead(302, {
    location: `http://10.0.0.1/${echo.url}` }).end(),
  '/nowhere': (echo, response) => void response.writeHead(302, {
    location: `ftp://${echo.url}@x/` }).end(),
  '/cut': (echo, response) => void response.writeHead(200, { 'content-length': '100000' })
    .write(echo.secret, () => response.destroy()),
  '/no-http': (echo, response) => void response.socket!.end(`HTTP/9 ${echo.secret}\r\n\r\n`),
};

export const echoing: Handler = (request, response) => {
  response.on('error', () => {});
  HABITS[request.target.split('?')[0]!]!(repeated(request), response);
};
