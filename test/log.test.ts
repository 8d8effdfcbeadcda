/** What the log leaves out of its entries. */
import t from 'tap';
import { Scrubber } from '../src/gateway/vault/scrubber.ts';
import { createLog } from '../src/log.ts';
import { soundness } from './support/soundness.ts';

soundness(t, 'a secret in a text');

function logged(secrets: string[] = []) {
  const lines: string[] = [];
  const scrubber = new Scrubber(secrets);
  const log = createLog('info', {
    scrub: (value) => scrubber.scrub(value),
    destination: { write: (line: string) => void lines.push(line) },
  });
  return { log, lines };
}

t.test('an authorization is not logged, however deep it is', async (t) => {
  const { log, lines } = logged();
  const authorization = 'Bearer of-someone';
  log.info({ authorization, kept: 1 }, 'told');
  log.child({ authorization }).info({ req: { headers: { authorization }, method: 'GET' } }, 'told');
  log.info({ deep: [{ er: { authorization: { scheme: authorization } } }] }, 'told');
  t.equal(lines.length, 3);
  t.notMatch(lines.join(''), 'of-someone');
  for (const line of lines) {
    t.match(line, /^\{.*\}\n$/, 'one line each');
    t.match(JSON.parse(line), { level: 'info', time: String, msg: 'told' });
  }
  t.match(JSON.parse(lines[0]!), { authorization: '[Redacted]', kept: 1 });
  t.match(JSON.parse(lines[1]!), { req: { headers: { authorization: '[Redacted]' } } });
  const words = 'the header "authorization": was missing';
  log.info({ authorization_url: 'https://a.test' }, words);
  t.match(JSON.parse(lines[3]!), { authorization_url: 'https://a.test', msg: words });
});

t.test('a secret is scrubbed: escaped, as a number, in both of two fields', async (t) => {
  const secret = 'a"quoted\\one';
  const { log, lines } = logged([secret, 'of-a-connection', '1234567890123']);
  log.info({ plain: 'the of-a-connection', escaped: secret }, 'told');
  log.info({ twice: JSON.stringify({ body: secret }) }, 'told');
  log.info({ number: 1_234_567_890_123 }, 'told');
  log.child({ field: 'of-a-connection' }).info({ field: 'nothing' }, 'told');
  const [both, quoted, number, fields] = lines.map((line) => JSON.parse(line) as object);
  t.match(both, { plain: 'the [secret]', escaped: '[secret]' });
  t.notMatch(JSON.stringify(quoted), 'quoted');
  t.match(number, { number: '[secret]', msg: 'told' });
  t.match(fields, { field: 'nothing' });
  t.notMatch(lines.join(''), 'of-a-connection');
  const before = lines.length;
  log.info({ nothing: 'secret', line: 'one\ntwo' }, 'told');
  t.match(JSON.parse(lines[before]!), { nothing: 'secret', line: 'one\ntwo' }, 'left as it is');
});
