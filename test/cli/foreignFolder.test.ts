/** A folder of somebody else, and a service that leads elsewhere: neither gets a secret. */
import { join } from 'node:path';
import t from 'tap';
import { gatehouse } from './oneProcess.ts';
import { fakeService, json } from './support.ts';

const SECRETS = {
  GATEHOUSE_API_KEY: 'gth_canary', GATEHOUSE_ADMIN_TOKEN: `gta_canary${'y'.repeat(32)}`,
};
const EMPTY = { object: 'list', data: [], has_more: false, next_cursor: null };
const COMMANDS = [['run', 'x'], ['actions', 'list'], ['workspaces', 'list'], ['doctor']];

t.test('a folder with credentials that name a service gets no others', async (t) => {
  const theirs = await fakeService(t, (_request, response) => json(response, 200,
    { ...EMPTY, status: 'ok' }));
  const cwd = t.testdir({ '.gatehouse': {
    'credentials.json': JSON.stringify({ base_url: theirs.base_url, workspace_id: 'wsp_1' }) } });
  const seen = () => theirs.requests.map(({ headers }) => headers.authorization ?? '');
  for (const args of COMMANDS) {
    const { code, out, err } = await gatehouse(args, { cwd, env: SECRETS });
    if (args[0] !== 'doctor') t.equal(code, 2, args.join(' '));
    t.match(out + err, /is not sent to http:\/\/127\.0\.0\.1:\d+/);
    t.match(out + err, /GATEHOUSE_BASE_URL/, 'what to do');
    t.notMatch(out + err, /canary/);
  }
  const { err } = await gatehouse(['run', 'x', '--api-key', 'gth_canary'], { cwd });
  t.match(err, /^The api key of --api-key is not sent to/);
  t.strictSame(seen().filter((value) => value !== ''), []);

  const named = [
    { ...SECRETS, GATEHOUSE_BASE_URL: theirs.base_url },
    { ...SECRETS, GATEHOUSE_DATA_DIR: join(cwd, '.gatehouse') },
  ];
  for (const env of named) {
    t.match(await gatehouse(['actions', 'list'], { cwd, env }), { code: 0 });
    t.equal(seen().at(-1), 'Bearer gth_canary', 'a service that is named gets it');
  }
});

t.test('an address that a folder names stays one word of what is offered to paste', async (t) => {
  const theirs = await fakeService(t, (_request, response) => json(response, 200,
    { ...EMPTY, status: 'ok' }));
  const address = theirs.base_url.replace(/v1$/, "$(touch;it's)/v1");
  const cwd = t.testdir({ '.gatehouse': {
    'credentials.json': JSON.stringify({ base_url: address }) } });
  for (const args of [['actions', 'list'], ['doctor']]) {
    const { out, err } = await gatehouse(args, { cwd, env: SECRETS });
    t.match(out + err,
      `GATEHOUSE_BASE_URL='${address.replace("'", "'\\''")}'`, args.join(' '));
  }
});

t.test('answers that lead elsewhere are not followed', async (t) => {
  const elsewhere = await fakeService(t, (_request, response) => json(response, 200, EMPTY));
  for (const status of [301, 302, 303, 307, 308]) {
    const leading = await fakeService(t, (request, response) => json(response, status, {},
      { Location: new URL(request.path, elsewhere.base_url).href }));
    const { code, err } = await gatehouse(['actions', 'list'],
      { cwd: t.testdir({}), env: { ...SECRETS, GATEHOUSE_BASE_URL: leading.base_url } });
    t.equal(code, 1);
    t.match(err, `leads to ${elsewhere.base_url}`);
    t.equal(leading.requests.length, 1);
  }
  t.strictSame(elsewhere.requests, []);
});
