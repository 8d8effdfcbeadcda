/** The file of the first credentials. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { renewProfile, writeProfile } from '../../src/accounts/profile.ts';

const kept = { base_url: 'http://127.0.0.1:1/v1', api_key: 'gth_1' };
const elsewhere = 'http://127.0.0.1:2/v1';

t.test('it is the owner\'s alone, and follows the service that leads', async (t) => {
  const data_dir = join(t.testdir({}), 'data');
  const file = join(data_dir, 'credentials.json');
  const read = () => JSON.parse(readFileSync(file, 'utf8')) as typeof kept;
  t.equal(await renewProfile(data_dir, elsewhere, true), null, 'there is none yet');
  await writeProfile(data_dir, kept);
  t.same(read(), kept);
  t.equal(statSync(file).mode & 0o777, 0o600);
  t.equal(await renewProfile(data_dir, elsewhere, false), file);
  t.same(read(), kept);
  t.equal(await renewProfile(data_dir, elsewhere, true), file);
  t.same(read(), { ...kept, base_url: elsewhere });
});

t.test('one that is damaged stays as it is, and names no credentials', async (t) => {
  for (const text of ['', '{"base_url":', 'null', '[]']) {
    const data_dir = t.testdir({ 'credentials.json': text });
    t.equal(await renewProfile(data_dir, elsewhere, true), null, JSON.stringify(text));
    t.equal(readFileSync(join(data_dir, 'credentials.json'), 'utf8'), text);
  }
});
