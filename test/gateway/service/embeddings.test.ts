/** Search by meaning, through the running service; and by words alone while that cannot be had. */
import t from 'tap';
import { inspect } from '../../../src/doctor/doctor.ts';
import { createServiceLog } from '../../../src/service.ts';
import type { Client } from '../../support/client.ts';
import { API_KEY, embeddingServer, refuse } from '../../support/embeddingServer.ts';
import { otherWorkspace, type TestServer } from '../../support/server.ts';
import { soundness } from '../../support/soundness.ts';
import { untilSeen } from '../../support/until.ts';
import { json } from '../egress/support.ts';
import { agent, grantTo, line, notesService, secondNode } from './support.ts';

const QUERY = 'terminate something';
const DELETE = 'acme.notes.delete';

const found = async (client: Client, query = QUERY) =>
  (await client.expect(200, 'searchActions', { body: { query } })).data.map(({ name }) => name);

const counted = async ({ service }: TestServer, outcome: string) => {
  const text = await (await fetch(service.metrics_url)).text();
  const [, number = '0'] = new RegExp(
    `^gatehouse_embedding_searches_total\\{outcome="${outcome}"\\} (\\d+)`, 'm').exec(text) ?? [];
  return Number(number);
};

t.test('search by meaning', async (t) => {
  const provider = await embeddingServer(t);
  const lines: string[] = [];
  const { server } = await notesService(t, (_, response) => json(response, {}), {
    config: provider.config,
    log: createServiceLog('debug', {
      destination: { write: (line) => { lines.push(line); } } }),
  });
  const { client, sql, config } = server;
  await untilSeen('what means the same', () => found(client), (names) => names[0] === DELETE);
  t.ok(await counted(server, 'blended') > 0);
  const metrics = async () => await (await fetch(server.service.metrics_url)).text();
  await untilSeen('vectors of all', metrics, (text) =>
    /^gatehouse_embedding_texts\{state="pending"\} 0$/m.test(text));
  t.match(await inspect(sql, config).then((all) => all.find(({ check }) =>
    check === 'embeddings')), { status: 'ok',
    found: /^compatible\/words: (\d+) of \1 actions have their vector$/ });
  const { ends: [end] } = await agent(client, line('gateway.actions.search', { query: QUERY }));
  t.match(JSON.stringify(end), new RegExp(`"${DELETE}"`), 'an agent finds it, too');

  await t.test('finds nothing that a caller may not see', async (t) => {
    soundness(t, 'a permission exceeded');
    const other = await otherWorkspace(server);
    t.notOk((await found(other)).includes(DELETE), 'it is not connected there');
    await grantTo(server, 'deny', DELETE);
    t.notOk((await found(client)).includes(DELETE), 'it is denied here');
  });

  await t.test('nothing fits, nothing is found', async (t) => {
    t.same(await found(client, 'xyzzy'), []);
  });

  await t.test('goes by words while the provider fails, and says so', async (t) => {
    provider.answer((_, response) => refuse(response, 500, `out of ${API_KEY}`));
    const before = await counted(server, 'failed');
    const rested = await counted(server, 'resting');
    t.equal((await found(client, 'list notes'))[0], 'acme.notes.list');
    t.equal(await counted(server, 'failed'), before + 1);
    t.ok((await found(client, 'create notes')).includes('acme.notes.create'));
    t.equal(await counted(server, 'resting'), rested + 1, 'it is not asked again at once');
    t.ok(lines.some((line) => line.includes('searches go by words alone')));
    t.notMatch(lines.join(''), API_KEY);
  });

  await t.test('a node without the setting goes by words', async (t) => {
    const plain = await secondNode(t, server);
    t.notOk((await found(plain.client)).includes(DELETE));
    t.equal((await found(plain.client, 'list notes'))[0], 'acme.notes.list');
    t.notMatch(await (await fetch(plain.service.metrics_url)).text(),
      /^gatehouse_embedding_texts\{/m);
  });
});
