/** What `serve` and `mock` say without being started. */
import t from 'tap';
import { portInUse } from '../../src/cli/serveCommand.ts';

t.test('a port that is in use: there is another one beside it', async (t) => {
  const saidOf = (port: number) => portInUse('serve', 'gatehouse', '127.0.0.1', port).message;
  t.match(saidOf(3000), / --port 3001 \(0: any free one\)\.$/);
  t.match(saidOf(65_535), ' --port 65534 ');
});
