/** What findings must not hold. */
import t from 'tap';
import { readConfig, SETTINGS } from '../../src/config.ts';
import { secretsOf } from '../../src/doctor/report.ts';

t.test('every setting that is a secret is known as one', async (t) => {
  const secrets = Object.entries(SETTINGS)
    .filter(([name]) => /(_token|_api_key|_secret)$/.test(name))
    .map(([name, { variable }]) => [variable, `${name}-0123456789abcdef0123456789`] as const);
  t.ok(secrets.length > 7, 'there are some');
  const known = secretsOf(readConfig(Object.fromEntries(secrets)));
  t.strictSame(secrets.filter(([, secret]) => !known.includes(secret)).map(([name]) => name), []);
});

t.test('passwords of a database address are known, wherever they stand in it', async (t) => {
  const known = secretsOf(readConfig({ DATABASE_URL:
    'postgres://me:in%40front@there/db?sslpassword=of-the-key&password=behind' }));
  t.strictSame(['in%40front', 'in@front', 'of-the-key', 'behind']
    .filter((password) => !known.includes(password)), []);
});
