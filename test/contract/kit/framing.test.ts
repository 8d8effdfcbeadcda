/** Where the kit sees the end of an event, whatever pieces and line ends a stream comes in. */
import t from 'tap';
import { Framing } from '../../../src/contract/framing.ts';

const SOUND = 'retry: 1000\n: hi\nid: 1\ndata: {}\n\ndata\n\n: bye\n';
const FAULTY = ['\n', ': hi\n\n', 'id: 1\nevent: x\n\n', 'data: {}\n\n\n', 'database: x\n\n'];

for (const [name, end] of [['LF', '\n'], ['CRLF', '\r\n'], ['CR', '\r']] as const) {
  const feed = (text: string, size: number) => {
    const framing = new Framing();
    const whole = text.replaceAll('\n', end);
    for (let at = 0; at < whole.length; at += size) framing.feed(whole.slice(at, at + size));
    framing.feed('x'); // a last CR is a line's end once it is seen that no LF follows
  };
  t.test(name, async (t) => {
    for (const size of [1, 2, 3, 1_000]) {
      t.doesNotThrow(() => feed(SOUND, size), `sound, by ${size}`);
      for (const text of FAULTY) {
        t.throws(() => feed(text, size), { message: /no event ends/ },
          `${JSON.stringify(text)} by ${size}`);
      }
    }
  });
}
