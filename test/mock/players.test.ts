/** Whatever ends a step that is played, the model's own ends too. */
import t from 'tap';
import { playing } from '../../src/mock/players.ts';
import type { Model, StepRequest } from '../../src/models/model.ts';

for (const whole_words of [false, true]) {
  t.test(`a step that is broken off, whole words: ${whole_words}`, async (t) => {
    let ended = 0;
    const endless = { async *step() {
      try {
        for (;;) yield { type: 'message.output.delta', delta: 'x ' };
      } finally {
        ended++;
      }
    } } as unknown as Model;
    const model = playing(endless, { pace_ms: 0, whole_words, planOf: () => undefined,
      services: () => { throw new Error('not needed'); } });
    const stop = new AbortController();
    const request = { signal: stop.signal, transcript: [{ role: 'user', run_id: 'run_1' }] };
    const begin = () => model.step(request as unknown as StepRequest);

    const left = begin();
    t.equal((await left.next()).done, false);
    await left.return(undefined as never);
    t.equal(ended, 1, 'its reader goes away');

    const aborted = begin();
    await aborted.next();
    stop.abort();
    await t.rejects(aborted.next(), { name: 'AbortError' });
    t.equal(ended, 2, 'its run is stopped');
  });
}
