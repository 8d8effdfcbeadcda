/** The log as a person sees it who started the service on a terminal. */
import t from 'tap';
import { logText } from '../../src/cli/logText.ts';
import { PLAIN } from '../../src/cli/style.ts';
import { createLog } from '../../src/log.ts';

t.test('lines of the log as text', async (t) => {
  let written = '';
  const log = createLog('debug', { destination: { write: (line) => {
    written += logText(line, PLAIN);
  } } });
  const said = () => written.split('\n').map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''));
  log.warn({ file: '/data/master.key' }, 'a master key was made');
  log.warn({ err: new Error('It is gone.'), runs: 3 }, 'runs could not be claimed');
  log.error({ err: new Error('It is gone.') }, 'a fault');
  log.warn({ words: 'x\u001b[2J\n12:00:00 warn: forged' }, 'the server has ended');
  const [made, claimed, fault, ...rest] = said();
  t.equal(made, 'warn: a master key was made (file /data/master.key)');
  t.equal(claimed, 'warn: runs could not be claimed (runs 3): It is gone.', 'without the stack');
  t.equal(fault, 'error: a fault: It is gone.');
  t.match(rest[0], /^ {4}at /);
  t.strictSame(rest.slice(-2),
    ['warn: the server has ended (words x\ufffd[2J 12:00:00 warn: forged)', '']);
  t.equal(logText('no JSON \u001b[2J\n', PLAIN), 'no JSON \ufffd[2J\n');
});
