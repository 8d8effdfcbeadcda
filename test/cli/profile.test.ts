import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { normaliseBaseUrl, resolveProfile } from '../../src/cli/profile.ts';
import { readClientEnvironment } from '../../src/config.ts';

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
    file: join(data_dir, 'credentials.json'), withheld_for: null,
  });
});

t.test('credentials.json alone says everything', async (t) => {
  const data_dir = dataDir(t, JSON.stringify(KEPT));
  t.match(resolveProfile({}, environment(data_dir)), { ...KEPT, withheld_for: null });
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

t.test('an empty variable is none', async (t) => {
  const data_dir = dataDir(t, JSON.stringify(KEPT));
  t.match(resolveProfile({}, environment(data_dir, { GATEHOUSE_API_KEY: '' })),
    { api_key: 'gth_kept' });
});

t.test('a file that holds something else', async (t) => {
  for (const content of ['', '{', '[]', 'null', '{"base_url": 1}']) {
    t.throws(() => resolveProfile({}, environment(dataDir(t, content))),
      { message: /credentials\.json does not hold credentials/, exit_code: 2 }, content);
  }
});

t.test('addresses', async (t) => {
  t.equal(normaliseBaseUrl('http://127.0.0.1:3000'), 'http://127.0.0.1:3000/v1');
  t.equal(normaliseBaseUrl('http://127.0.0.1:3000/v1/'), 'http://127.0.0.1:3000/v1');
  t.equal(normaliseBaseUrl('https://example.com/agents/v1'), 'https://example.com/agents/v1');
  for (const wrong of ['', '127.0.0.1:3000', 'ftp://example.com', 'example']) {
    t.throws(() => normaliseBaseUrl(wrong), { message: /is not the address of a service/ }, wrong);
  }
});
