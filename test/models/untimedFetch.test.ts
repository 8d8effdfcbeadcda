import t from 'tap';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { MODELS, providerServer, type Answer } from './providerServer.ts';
import { run } from './support.ts';
import { payloadsOf } from './wireStreams.ts';

/** What `fetch` gives up after in this process, in place of 300 s. */
const LIMIT_MS = 100;

const usual = getGlobalDispatcher();
const hurried = new Agent({ headersTimeout: LIMIT_MS, bodyTimeout: LIMIT_MS });
setGlobalDispatcher(hurried);
t.teardown(async () => {
  setGlobalDispatcher(usual);
  await hurried.destroy();
});

for (const key of MODELS) {
  t.test(`${key}: no limit of fetch ends a step`, async (t) => {
    const asked = Promise.withResolvers<void>();
    const begin = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const held: Answer = async (response) => {
      asked.resolve();
      await begin.promise;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': slow\n\n', () => begun.resolve());
      await end.promise;
      const lines = payloadsOf(key, { text: ['At last.'] }).map((line) => `data: ${line}\n\n`);
      response.end(lines.join(''));
    };
    const mute: Answer = () => {};
    const halting: Answer = (response) => { response.writeHead(200).write('half'); };
    const server = await providerServer(t, held, mute, halting);
    const ask = async () =>
      await (await fetch(server.origin, { method: 'POST', body: '{}' })).text();

    const step = run(server.models().resolve(key));
    step.catch(() => {}); // looked at below
    await asked.promise;
    // A request that begins later and is given up tells that the step would have been.
    await t.rejects(ask(), { cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } });
    begin.resolve();
    await begun.promise;
    await t.rejects(ask(), { cause: { code: /^UND_ERR_(BODY|HEADERS)_TIMEOUT$/ } });
    end.resolve();
    t.match((await step).result.content, [{ text: 'At last.' }]);
  });
}
