/** What a provider says of tokens may be nonsense: nothing overflows, and no run fails for it. */
import t from 'tap';
import { completeRun, newSession } from '../support/runs.ts';
import { MODELS } from '../models/providerServer.ts';
import { modelServer, says } from './modelServer.ts';

const { client, provider } = await modelServer(t);
const session_id = await newSession(client);

const MOST = 100_000_000;
/** Two numbers as a provider says them, and as they count. */
const CASES: [what: string, said: [number, number], counted: [number, number]][] = [
  ['less than nothing', [-5, -1], [0, 0]],
  ['parts of tokens', [5.4, 2.6], [5, 3]],
  ['more than an integer of the database holds', [2 ** 31, 2 ** 53], [MOST, MOST]],
  ['more than there is', [1e308, 1e308], [MOST, MOST]],
];

for (const model of MODELS) {
  t.test(model, async (t) => {
    for (const [what, said, [input_tokens, output_tokens]] of CASES) {
      provider.script(says({ text: ['Hello.'], usage: said }, model));
      const run = await completeRun(client, session_id, 'hello', { model });
      t.match(run, { status: 'completed', output: [{ content: [{ text: 'Hello.' }] }],
        usage: { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens } },
      `${what}: ${JSON.stringify(run.error)}`);
    }
  });
}
