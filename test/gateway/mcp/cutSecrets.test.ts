/** A text that is cut shows no part of a secret, wherever the cut is: a canary goes across each. */
import t, { type Test } from 'tap';
import type { ActionFailure } from '../../../src/gateway/action/failure.ts';
import { scrubOf } from '../../../src/gateway/credentials/withoutSecrets.ts';
import { environmentSecrets } from '../../../src/gateway/mcp/integration.ts';
import { readTools } from '../../../src/gateway/mcp/tools.ts';
import { textsIn } from '../../../src/gateway/mcp/result.ts';
import { soundness } from '../../support/soundness.ts';
import { until } from '../../support/until.ts';
import { event, fakeServer, json, result, stream } from './httpServer.ts';
import { connect, importFrom, integrationOf, lab, misbehaving } from './support.ts';

soundness(t, 'a secret in a text');

const SECRET = 'sk-CANARY-0123456789';
const scrub = scrubOf([SECRET]);
const [FROM, TO] = [-SECRET.length - 2, 2];

/** A text with the secret `at` so many characters behind a limit, or before it. */
const across = (limit_chars: number, at: number) =>
  `${'x'.repeat(limit_chars + at)}${SECRET}${'y'.repeat(300)}`;

function nothingOf(t: Test, shown: string, at: number): void {
  t.notMatch(shown, /sk-C/, `at ${at}`);
  t.match(shown, /x{50}/, 'it is the text that was given');
}

t.test('what is cut in this thread', async (t) => {
  for (let at = FROM; at <= TO; at++) {
    nothingOf(t, textsIn({ content: [{ type: 'text', text: across(2_000, at) }] }, scrub), at);
    const inputSchema = { type: 'object' };
    const { tools, skipped } = readTools([
      { name: 'one', title: across(200, at), description: across(4_000, at), inputSchema },
      { name: across(80, at), inputSchema }], scrub);
    nothingOf(t, tools[0]!.title, at);
    nothingOf(t, tools[0]!.description, at);
    t.notMatch(skipped[0]!.source_key, /sk-C/, `a name at ${at}`);
  }
});

t.test('what a call is told', async (t) => {
  const fake = await fakeServer(t);
  const { call } = await connect(t, integrationOf({ url: fake.url }), lab());
  const told = async () => JSON.stringify(await call('act', {}, { secrets: [SECRET] })
    .then(() => null, ({ outcome }: ActionFailure) => outcome));
  const rows = 'z'.repeat(300_000);
  for (let at = FROM; at <= TO; at += 4) {
    fake.answers['tools/call'] = (message, response) => json(response, {
      jsonrpc: '2.0', id: message.id, error: { code: -32_000, message: across(500, at) } });
    nothingOf(t, await told(), at);
    fake.answers['tools/call'] = (message, response) => json(response, {
      jsonrpc: '2.0', id: message.id,
      error: { code: -32_000, message: across(2_000, at), data: rows } });
    nothingOf(t, await told(), at);
    fake.answers['tools/call'] = (message, response) => json(response, result(message,
      { isError: true, content: [{ type: 'text', text: across(2_000, at) }], rows }));
    nothingOf(t, await told(), at);
    fake.answers['tools/call'] = (message, response) => {
      stream(response);
      response.write(event({ jsonrpc: '2.0', id: 'q1', method: 'elicitation/create', params: {
        message: across(1_000, at), requestedSchema: { type: 'object',
          properties: { [across(4_096, at)]: { type: 'string' } } } } }));
      response.end(event(result(message,
        { content: [{ type: 'text', text: across(2_000, at) }] })));
    };
    nothingOf(t, await told(), at);
  }
});

t.test('what a process says on stderr', async (t) => {
  const made = lab();
  const { call } = await connect(t, misbehaving('cutting', { UPSTREAM_TOKEN: SECRET }), made);
  await call('act');
  const lines = () => made.logged.filter(({ msg }) => msg === 'the server says')
    .map(({ stderr }) => String(stderr));
  await until(async () => lines().length === 51);
  t.strictSame(lines().filter((line) => line.includes('sk-')), []);
  t.ok(lines().every((line) => line.length > 4_000 && line.length <= 4_096));
});

t.test('a secret of several lines, which comes a line at a time', async (t) => {
  const key = `-----BEGIN KEY-----\r\n${SECRET}\n${SECRET.toLowerCase()}==\n-----END KEY-----\n`;
  const made = lab();
  await t.rejects(importFrom(misbehaving('dying', { UPSTREAM_TOKEN: key }), made),
    { name: 'ActionFailure', message: 'The server ended before it answered.' });
  const said = JSON.stringify(made.logged);
  t.match(said, 'word 11');
  t.notMatch(said, /canary/i);
});

t.test('a secret of several lines, however they are said', async (t) => {
  const lines = ['-----BEGIN PRIVATE KEY-----', SECRET, `  ${SECRET.toLowerCase()}==`,
    '-----END PRIVATE KEY-----', ''];
  const account = JSON.stringify({ type: 'service_account', private_key: lines.join('\n') });
  for (const key of [lines.join('\n'), lines.join('\r\n'), lines.join('\\n'), account]) {
    const scrub = scrubOf(environmentSecrets(integrationOf({ command: 'x', env: { key } })));
    const ends = ['\n', '\r', '\r\n', ' | '].map((end) => lines.join(end));
    for (const said of [key, key.trim(), ...ends, ...lines.map((line) => line.trim())]) {
      t.notMatch(scrub(said), /canary/i, JSON.stringify([key, said]));
    }
    t.equal(scrub('no start line: -----BEGIN PRIVATE KEY-----'),
      'no start line: -----BEGIN PRIVATE KEY-----', 'which says why a server does not start');
  }
});
