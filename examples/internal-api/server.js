/**
 * A company's own API, as small as one can be: tickets, kept in memory, for who has the token.
 * Usage: node examples/internal-api/server.js [port]. Needs nothing but Node.js.
 */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const TOKEN = 'example-token';
const port = Number(process.argv[2] ?? 4020);

const tickets = new Map([
  { id: 1, title: 'The printer is on fire', status: 'open' },
  { id: 2, title: 'Coffee machine descaled', status: 'closed' },
].map((ticket) => [ticket.id, ticket]));

/** Answers with a status and what becomes the JSON of the body. */
async function answer(request) {
  if (request.headers.authorization !== `Bearer ${TOKEN}`) {
    return [401, { message: 'The token is wrong.' }];
  }
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  const [, collection, id, ...rest] = pathname.split('/');
  if (collection !== 'tickets' || rest.length > 0) return [404, { message: 'No such path.' }];
  if (id === undefined) return await answerList(request, searchParams.get('status'));
  const ticket = tickets.get(Number(id));
  if (ticket === undefined) return [404, { message: `There is no ticket ${id}.` }];
  if (request.method === 'DELETE') tickets.delete(ticket.id);
  return request.method === 'DELETE' ? [204, null] : [200, ticket];
}

async function answerList(request, status) {
  if (request.method === 'POST') {
    const { title } = JSON.parse(await text(request));
    const ticket = { id: Math.max(0, ...tickets.keys()) + 1, title, status: 'open' };
    tickets.set(ticket.id, ticket);
    return [201, ticket];
  }
  return [200, [...tickets.values()].filter((one) => status === null || one.status === status)];
}

const server = createServer(async (request, response) => {
  const [status, body] = await answer(request)
    .catch((error) => [400, { message: error.message }]);
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(body === null ? undefined : JSON.stringify(body));
});
server.listen(port, '127.0.0.1', () => console.log(`Listening on http://127.0.0.1:${port}`));
