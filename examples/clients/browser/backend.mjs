// A page's own backend: it keeps the api key, starts runs and passes their streams on. Node.js 20 or
// newer, without a library.
//
// Usage: GATEHOUSE_BASE_URL=http://127.0.0.1:3000/v1 GATEHOUSE_API_KEY=… PORT=8080 node backend.mjs
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const {
  GATEHOUSE_BASE_URL = 'http://127.0.0.1:3000/v1', GATEHOUSE_API_KEY, PORT = '8080',
} = process.env;
const PROMPT_BYTES = 20_000;
const TRIES = 5;

/** Whose run it is: a visitor reads no other's. An application has its users and a database. */
const visitors = new Map();

/** Repeats what may do better later; a POST is done once, by its key. */
async function gatehouse(method, path, { body, headers, signal } = {}) {
  const idempotency_key = randomUUID();
  for (let tries = 1; ; tries++) {
    const response = await fetch(GATEHOUSE_BASE_URL + path, {
      method, signal, body: body && JSON.stringify(body),
      headers: { authorization: `Bearer ${GATEHOUSE_API_KEY}`, ...headers,
        ...(body && { 'content-type': 'application/json', 'idempotency-key': idempotency_key }) },
    }).catch((error) => {
      if (signal?.aborted || tries === TRIES) throw error;
    });
    const passes = !response || response.status === 429 || response.status >= 500
      || response.status === 409 && /"idempotency_in_progress"/.test(await response.clone().text());
    if (!passes || tries === TRIES) return response;
    const wait_s = Number(response?.headers.get('retry-after')) || 2 ** tries / 2;
    await new Promise((resolve) => { setTimeout(resolve, wait_s * 1_000); });
  }
}

async function post(path, body) {
  const response = await gatehouse('POST', path, { body });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${answer.code}: ${answer.error} (${answer.request_id})`);
  return answer;
}

async function startRun(request) {
  const { host, origin } = request.headers;
  // Another site's page may send a form here, with the visitor's cookie.
  if (origin && new URL(origin).host !== host) throw new Error('another site');
  let prompt = '';
  for await (const text of request.setEncoding('utf8')) {
    prompt += text;
    if (prompt.length > PROMPT_BYTES) throw new Error('the prompt is too long');
  }
  const session = await post('/sessions', {});
  return await post(`/sessions/${session.id}/runs`,
    { input: [{ role: 'user', content: [{ type: 'input_text', text: prompt }] }] });
}

/** With the number that the page has and the status: so it resumes by itself, and stops at the end. */
async function passStream(request, response, run_id) {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const { 'last-event-id': last = '0' } = request.headers;
  const stream = await gatehouse('GET', `/runs/${run_id}/events`, { signal: gone.signal,
    headers: { accept: 'text/event-stream', 'last-event-id': last } });
  const type = stream.headers.get('content-type');
  response.writeHead(stream.status, { ...(type && { 'content-type': type }),
    'cache-control': 'no-store', 'x-accel-buffering': 'no' });
  if (!stream.body) return void response.end();
  response.flushHeaders();
  await pipeline(Readable.fromWeb(stream.body), response);
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://backend');
  const [, known] = /\bvisitor=([\w-]{36})/.exec(request.headers.cookie ?? '') ?? [];
  const visitor = known ?? randomUUID();
  try {
    if (request.method === 'GET' && pathname === '/') {
      response.setHeader('set-cookie', `visitor=${visitor}; HttpOnly; SameSite=Strict; Path=/`);
      response.setHeader('content-type', 'text/html; charset=utf-8');
      return void response.end(await readFile(new URL('index.html', import.meta.url)));
    }
    if (request.method === 'POST' && pathname === '/runs') {
      const { id } = await startRun(request);
      visitors.set(visitor, [...visitors.get(visitor) ?? [], id]);
      return void response.end(id);
    }
    const [, run_id] = /^\/runs\/(\w+)\/events$/.exec(pathname) ?? [];
    if (!visitors.get(visitor)?.includes(run_id)) return void response.writeHead(404).end();
    await passStream(request, response, run_id);
  } catch (error) {
    // What went wrong is the operator's to know.
    if (!response.closed) console.error(error.message);
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end('Something went wrong. Try again later.');
  }
});
server.listen(Number(PORT), '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${server.address().port}`));
