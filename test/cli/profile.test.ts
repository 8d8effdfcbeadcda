import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { normaliseBaseUrl, resolveProfile } from '../../src/cli/profile.ts';
import { readClientEnvironment } from '../../src/config.ts';
import { soundness } from '../support/soundness.ts';

soundness(t, 'a secret in a text');

const KEPT = {
  base_url: 'http://127.0.0.1:4100/v1', workspace_id: 'wsp_1', api_key: 'gth_kept',
  admin_token: 'gta_kept',
};

function dataDir(test: Test, content?: string): string {
  const data_dir = test.testdir({});
  if (content !== undefined) writeFileSync(join(data_dir, 'credentials.json'), content);
  return data_dir;
}

function environment(data_dir: string, variables: Record<string, string> = {}) {
  return readClientEnvironment({ GATEHOUSE_DATA_DIR: data_dir, ...variables });
}

t.test('without anything: the usual address and no secrets', async (t) => {
  const data_dir = dataDir(t);
  t.same(resolveProfile({}, environment(data_dir)), {
    base_url: 'http://127.0.0.1:3000/v1', workspace_id: null, api_key: null, admin_token: null,
    file: join(data_dir, 'credentials.json'), address_from: null, withheld_for: null,
    withheld: {},
  });
});

t.test('credentials.json alone says everything', async (t) => {
  const data_dir = dataDir(t, JSON.stringify(KEPT));
  t.match(resolveProfile({}, environment(data_dir)), { ...KEPT, withheld_for: null,
    address_from: join(data_dir, 'credentials.json') });
});

t.test('the environment wins over the file, flags over the environment', async (t) => {
  const surroundings = environment(dataDir(t, JSON.stringify(KEPT)), {
    GATEHOUSE_API_KEY: 'gth_environment', GATEHOUSE_ADMIN_TOKEN: 'gta_environment',
  });
  t.match(resolveProfile({}, surroundings),
    { api_key: 'gth_environment', admin_token: 'gta_environment', base_url: KEPT.base_url });
  t.match(resolveProfile({ api_key: 'gth_flag', base_url: 'https://example.com' }, surroundings),
    { api_key: 'gth_flag', admin_token: 'gta_environment', base_url: 'https://example.com/v1' });
});

t.test('secrets of the file go to the service it names and to no other', async (t) => {
  const surroundings = environment(dataDir(t, JSON.stringify(KEPT)));
  for (const base_url of ['http://127.0.0.1:4101/v1', 'https://127.0.0.1:4100/v1',
    'http://127.0.0.1.example.com:4100/v1', 'http://example.com:4100']) {
    t.match(resolveProfile({ base_url }, surroundings), {
      api_key: null, admin_token: null, workspace_id: null, withheld_for: KEPT.base_url,
    }, base_url);
  }
  t.match(resolveProfile({ base_url: 'http://localhost:4100' }, surroundings),
    { api_key: 'gth_kept', withheld_for: null }, 'another name of the same machine');
});

t.test('other secrets go to no service that only a file of the current folder names', async (t) => {
  const file = JSON.stringify({ ...KEPT, base_url: 'https://evil.example/v1' });
  const given = { GATEHOUSE_API_KEY: 'gth_mine', GATEHOUSE_ADMIN_TOKEN: 'gta_mine' };
  const here = { ...environment(dataDir(t, file), given), names_data_dir: false };
  t.match(resolveProfile({}, here), {
    base_url: 'https://evil.example/v1', api_key: null, admin_token: null,
    withheld: { api_key: 'GATEHOUSE_API_KEY', admin_token: 'GATEHOUSE_ADMIN_TOKEN' },
  });
  t.match(resolveProfile({ api_key: 'gth_flag', admin_token: 'gta_flag' }, here),
    { api_key: null, withheld: { api_key: '--api-key', admin_token: '--admin-token' } });
  const mine = { api_key: 'gth_mine', admin_token: 'gta_mine', withheld: {} };
  t.match(resolveProfile({ base_url: 'https://evil.example' }, here), mine, 'a flag names it');
  t.match(resolveProfile({}, { ...here, base_url: 'http://other.example' }),
    { ...mine, base_url: 'http://other.example/v1' }, 'the environment names another');
  t.match(resolveProfile({}, { ...here, names_data_dir: true }), mine, 'or the folder of the file');
  t.match(resolveProfile({}, { ...here, api_key: null, admin_token: null }),
    { api_key: KEPT.api_key, admin_token: KEPT.admin_token, withheld: {} }, "the file's own");
  t.match(resolveProfile({}, { ...here, api_key: KEPT.api_key, admin_token: null }),
    { api_key: KEPT.api_key, withheld: {} }, 'which the file holds anyway');
  const usual = dataDir(t, JSON.stringify({ ...KEPT, base_url: 'http://localhost:3000/v1' }));
  t.match(resolveProfile({}, { ...environment(usual, given), names_data_dir: false }), mine,
    'it would be looked for there without a file');
});

t.test('the environment names a folder by an absolute path alone', async (t) => {
  const named = (GATEHOUSE_DATA_DIR: string) =>
    readClientEnvironment({ GATEHOUSE_DATA_DIR }).names_data_dir;
  t.strictSame(['', '.gatehouse', './x', '/home/me/.gatehouse'].map(named),
    [false, false, false, true]);
});

t.test('an empty variable is none', async (t) => {
  const data_dir = dataDir(t, JSON.stringify(KEPT));
  t.match(resolveProfile({}, environment(data_dir, { GATEHOUSE_API_KEY: '' })),
    { api_key: 'gth_kept' });
});

t.test('a file that holds something else', async (t) => {
  t.match(resolveProfile({}, environment(dataDir(t, ''))), { api_key: null }, 'empty: none');
  for (const content of ['{', '[]', 'null', '{"base_url": 1}']) {
    t.throws(() => resolveProfile({}, environment(dataDir(t, content))),
      { message: /credentials\.json does not hold credentials/, exit_code: 2 }, content);
  }
});

t.test('a file with what is no address, where another is given and where none is', async (t) => {
  const data_dir = dataDir(t, '{"base_url": "localhost:3000", "api_key": "gth_kept"}');
  t.throws(() => resolveProfile({}, environment(data_dir)), { exit_code: 2,
    message: /^"localhost:3000" of \S+credentials\.json is not the address of a service\./ });
  t.match(resolveProfile({ base_url: 'http://127.0.0.1:1' }, environment(data_dir)),
    { base_url: 'http://127.0.0.1:1/v1', api_key: null, withheld_for: 'localhost:3000' });
});

t.test('addresses', async (t) => {
  t.equal(normaliseBaseUrl('http://127.0.0.1:3000'), 'http://127.0.0.1:3000/v1');
  t.equal(normaliseBaseUrl('http://127.0.0.1:3000/v1/'), 'http://127.0.0.1:3000/v1');
  t.equal(normaliseBaseUrl('https://example.com/agents/v1'), 'https://example.com/agents/v1');
  for (const wrong of ['', '127.0.0.1:3000', 'ftp://example.com', 'example']) {
    t.throws(() => normaliseBaseUrl(wrong), { message: /is not the address of a service/ }, wrong);
  }
});

t.test('what an address holds that would not be sent is refused, and not repeated', async (t) => {
  for (const [given, said] of [
    ['http://ann:s3cret@127.0.0.1:4100/v1', 'a user or a password'],
    ['http://s3cret@127.0.0.1:4100/v1', 'a user or a password'],
    ['http://127.0.0.1:4100/v1?key=s3cret', 'a ? or # with something behind it'],
    ['http://127.0.0.1:4100?s3cret', 'a ? or # with something behind it'],
    ['http://127.0.0.1:4100/v1#s3cret', 'a ? or # with something behind it'],
  ] as const) {
    const message = new RegExp(`^The address of the service has ${said.replace('?', '\\?')}, which`
      + ' is not sent\\. .* Give http://127\\.0\\.0\\.1:4100/v1\\.$');
    t.throws(() => normaliseBaseUrl(given), { message, exit_code: 2 }, given);
    t.throws(() => resolveProfile({ base_url: given }, environment(dataDir(t))), { message });
    t.throws(() => resolveProfile({}, environment(dataDir(t), { GATEHOUSE_BASE_URL: given })),
      { message });
  }
});
