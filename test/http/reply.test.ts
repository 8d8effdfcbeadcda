/** Answers that are written together, at the end of a turn of the event loop. */
import type { ServerResponse } from 'node:http';
import t from 'tap';
import { sendText } from '../../src/http/reply.ts';
import { Patience, patience } from '../../src/patience.ts';

const written: string[] = [];
/** A response that notes what is written by it. */
function response({ refuses = false } = {}) {
  return {
    destroyed: false,
    writeHead() {
      if (refuses) throw new TypeError('Invalid character in header content');
    },
    end: (text: string) => written.push(`${text}${patience() ? ' with a patience' : ''}`),
  };
}
const send = (res: object, text: string) =>
  sendText(res as ServerResponse, 200, text, 'req_1', undefined);
const turn = () => new Promise((resolve) => setImmediate(resolve));

t.test('the answers of a turn are written at its end, in their order', async (t) => {
  // What one of them waits for is not what all are written under.
  new Patience('of the first').during(() => send(response(), 'a'));
  await Promise.resolve();
  send(response(), 'b');
  t.strictSame(written, [], 'not yet');
  await turn();
  t.strictSame(written.splice(0), ['a', 'b']);
  send(response(), 'c');
  await turn();
  t.strictSame(written.splice(0), ['c'], 'and so are those of the next');
});

t.test('one that cannot be written keeps no other from it', async (t) => {
  const gone = response();
  send(gone, 'to nobody');
  t.throws(() => send(response({ refuses: true }), 'never'), TypeError, 'who sends it is told');
  send(response(), 'd');
  gone.destroyed = true;
  await turn();
  t.strictSame(written.splice(0), ['d']);
});
