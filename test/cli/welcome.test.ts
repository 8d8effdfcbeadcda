/** What the first start says: credentials on a terminal, and nowhere else. */
import { stripVTControlCharacters } from 'node:util';
import t from 'tap';
import { COLOURED, PLAIN } from '../../src/cli/style.ts';
import { welcome } from '../../src/cli/welcome.ts';
import { readConfig } from '../../src/config.ts';

const secrets = { api_key: 'gth_canary', admin_token: 'gta_canary' };
const started = {
  base_url: 'http://127.0.0.1:3000/v1', credentials: { workspace_id: 'wsp_1', ...secrets },
  credentials_file: '/data/credentials.json', master_key_file: null, embedded: true,
};
const said = (interactive: boolean, link: string | null = null, columns = 0, style = PLAIN) =>
  welcome(started, readConfig({}), { style, interactive,
    screen: columns === 0 ? null : { columns, rows: 40, back() {} } }, link);

t.test('a person sees them this once', async (t) => {
  for (const secret of Object.values(secrets)) t.match(said(true), secret);
  t.match(said(true), 'shown this once, and kept in /data/credentials.json');
});

t.test('a log does not keep them', async (t) => {
  for (const secret of Object.values(secrets)) t.notMatch(said(false), secret);
  t.match(said(false), 'Credentials  /data/credentials.json\n');
  t.match(said(false), "KEY=$(sed -n 's/", 'what is to be pasted reads the file');
});

t.test('where no file has the first ones, it is said how to make others', async (t) => {
  const lost = welcome({ ...started, credentials: null, credentials_file: null }, readConfig({}),
    { style: PLAIN, interactive: true, screen: null });
  t.notMatch(lost, 'Credentials  ');
  t.match(lost, /as GATEHOUSE_ADMIN_TOKEN, .*\n\n.* workspaces list\n.* keys create --name NAME /);
  t.match(lost, 'KEY=YOUR_API_KEY');
});

t.test('the dashboard: a link that signs in, or where it is', async (t) => {
  const link = 'http://127.0.0.1:3000/dashboard/#ticket=gtk_canary';
  t.match(said(true, link), `Dashboard    ${link}\n`);
  t.match(said(true, link),
    /signs in once, within ten minutes; for another: \S*gatehouse dashboard/);
  t.match(said(false), 'Dashboard    http://127.0.0.1:3000/dashboard\n');
  t.match(said(false), /for a link that signs in: \S*gatehouse dashboard\n/);
});

t.test('on a narrow screen no line ends within a word, and commands stay whole', async (t) => {
  const link = `http://127.0.0.1:3000/dashboard/#ticket=gtk_${'x'.repeat(60)}`;
  const [before] = said(true, link, 60).split('Try it in another');
  const long = before!.split('\n').filter((line) => line.length > 60);
  t.strictSame(long, [`    ${link}`]);
  t.match(before, /for another:\n +\S*gatehouse dashboard\n/);
  t.equal(said(true, link, 400), said(true, link));
  t.equal(stripVTControlCharacters(said(true, link, 60, COLOURED)), said(true, link, 60),
    'colours change nothing else');
});
