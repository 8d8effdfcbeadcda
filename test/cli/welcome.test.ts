/** What the first start says: credentials on a terminal, and nowhere else. */
import t from 'tap';
import { PLAIN } from '../../src/cli/terminal.ts';
import { welcome } from '../../src/cli/welcome.ts';
import { readConfig } from '../../src/config.ts';

const secrets = { api_key: 'gth_canary', admin_token: 'gta_canary' };
const started = {
  base_url: 'http://127.0.0.1:3000/v1', credentials: { workspace_id: 'wsp_1', ...secrets },
  credentials_file: '/data/credentials.json', master_key_file: null, embedded: true,
};
const said = (interactive: boolean) =>
  welcome(started, readConfig({}), { style: PLAIN, interactive });

t.test('a person sees them this once', async (t) => {
  for (const secret of Object.values(secrets)) t.match(said(true), secret);
  t.match(said(true), 'shown this once, and kept in /data/credentials.json');
});

t.test('a log does not keep them', async (t) => {
  for (const secret of Object.values(secrets)) t.notMatch(said(false), secret);
  t.match(said(false), 'Credentials  /data/credentials.json\n');
  t.match(said(false), "KEY=$(sed -n 's/", 'what is to be pasted reads the file');
});
