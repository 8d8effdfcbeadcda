/** What is told of a server over HTTP that refuses by a status, and to whom. */
import t from 'tap';
import type { ActionFailure } from '../../../src/gateway/action/failure.ts';
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
  fake.answers['tools/call'] = (_message, response) => void response.writeHead(403)
    .write(`No: ${SECRET.slice(0, 9)}`, () => void response.end(SECRET.slice(9)));
  t.match(await call('act', {}, { secrets: [SECRET] }).catch((error: unknown) => error),
    { for_operator: 'It says: No: [secret]' }, 'of a text in parts');
  fake.answers['tools/call'] = (_message, response) => void response.writeHead(403).write('No');
  t.match(await call('act').catch((error: unknown) => error), { for_operator: 'It says: No' },
    'of a text without an end');
});
