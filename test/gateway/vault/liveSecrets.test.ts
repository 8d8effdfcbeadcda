import t from 'tap';
import { LiveSecrets } from '../../../src/gateway/vault/liveSecrets.ts';
import { Scrubber } from '../../../src/gateway/vault/scrubber.ts';

const key = (at: number) => ({ workspace_id: 'wsp_1', connection_id: `con_${at}` });
const secret = (at: number) => `the-secret-of-${at}-alone`;

t.test('the log knows the secrets of connections in use, and not of all there ever were', (t) => {
  const scrubber = new Scrubber();
  const live = new LiveSecrets(scrubber);
  live.hold(key(0), 'one', [secret(0)]);
  live.hold(key(0), 'two', ['another-secret']);
  t.equal(scrubber.scrub(`${secret(0)} another-secret`), '[secret] [secret]',
    'also what a call under way still uses');
  for (let at = 1; at <= 1_000; at++) live.hold(key(at), 'one', [secret(at)]);
  t.equal(scrubber.scrub(secret(1_000)), '[secret]');
  t.equal(scrubber.scrub(secret(0)), secret(0));
  t.equal(scrubber.scrub('another-secret'), 'another-secret');
  live.forget(key(1_000));
  t.equal(scrubber.scrub(secret(1_000)), secret(1_000));
  t.end();
});
