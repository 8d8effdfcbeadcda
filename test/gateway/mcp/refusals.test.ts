/** What is told of a server over HTTP that refuses by a status, and to whom. */
import t from 'tap';
import type { ActionFailure } from '../../../src/gateway/action/failure.ts';
import { firstWords } from '../../../src/gateway/mcp/http.ts';
import { fakeServer } from './httpServer.ts';
import { connect, integrationOf, lab } from './support.ts';

const SECRET = 'sk-0123456789abcdef';

t.test('why a server refuses by a status is told to the operator alone', async (t) => {
  const fake = await fakeServer(t);
  const { call } = await connect(t, integrationOf({ url: fake.url }), lab());
  const told = async (status: number, text: string) => {
    fake.answers['tools/call'] = (_message, response) => void response.writeHead(status).end(text);
    const { message, for_operator } = await call('act', {}, { secrets: [SECRET] })
      .then(() => { throw new Error('it was taken'); }, (error: unknown) => error as ActionFailure);
    t.notMatch(message, 'localhost');
    return for_operator;
  };
  const only = 'Access is only allowed at localhost:8931';
  t.equal(await told(403, only), `It says: ${only}`, 'Playwright MCP, at another host name');
  t.equal(await told(421, `Invalid Host ${SECRET}`), 'It says: Invalid Host [secret]', 'FastMCP');
  const error = { code: -32_000, message: 'Invalid Host: localhost' };
  t.equal(await told(403, JSON.stringify({ jsonrpc: '2.0', id: null, error })),
    'It says: Invalid Host: localhost', 'the TypeScript SDK');
  t.equal(await told(403, ' <html>localhost</html>'), null);
  t.equal(await told(403, ''), null);
  t.equal(await told(500, 'at line 7 of localhost'), null);
  fake.answers['tools/call'] = (_message, response) =>
    void response.writeHead(403).write(`Not ${SECRET.slice(0, 9)}`);
  t.match(await call('act').catch((error: unknown) => error), { for_operator: 'It says: Not' },
    'of a text without an end, but for what may be half a secret');
});

t.test('the text of a refusal is read to its end, in whatever parts it comes', async (t) => {
  const inParts = (...parts: string[]) =>
    new Response(ReadableStream.from(parts).pipeThrough(new TextEncoderStream())).body;
  t.equal(await firstWords(inParts('No: sk-', '0123')), 'No: sk-0123');
  t.equal(await firstWords(inParts('No: ', 'x'.repeat(5_000), ' y')), 'No: ');
  t.equal(await firstWords(null), '');
});
