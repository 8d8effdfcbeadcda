/** `dashboard` on a desktop: which addresses it has opened. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import t from 'tap';
import { untilSeen } from '../support/until.ts';
import { fakeService, GATEHOUSE, json } from './support.ts';

const skip = process.platform !== 'linux' ? 'desktops of other systems have other openers'
  : spawnSync('script', ['--version']).status === 0 ? false : 'there is no `script` here';

t.test('a page is opened, and nothing else that a service may say', { skip }, async (t) => {
  let url = 'file:///usr/share/applications/x.desktop';
  const { base_url } = await fakeService(t, (_request, response) =>
    json(response, 201, { url, expires_at: '2026-11-23T03:42:10.993Z' }));
  const cwd = t.testdir({ 'xdg-open': '#!/bin/sh\necho "$1" >>opened\n' });
  chmodSync(join(cwd, 'xdg-open'), 0o755);
  const call = async () => {
    const child = spawn('script', ['-qec', `'${GATEHOUSE}' dashboard`, '/dev/null'], {
      cwd, stdio: ['ignore', 'pipe', 'ignore'], env: {
        PATH: `${cwd}${delimiter}${process.env.PATH}`, SHELL: '/bin/sh', DISPLAY: ':0',
        GATEHOUSE_BASE_URL: base_url, GATEHOUSE_ADMIN_TOKEN: 'gta_test' } });
    child.stdout.resume();
    const [code] = await once(child, 'close');
    t.equal(code, 0);
  };
  await call();
  url = 'http://127.0.0.1:1/dashboard/#ticket=gtk_test';
  await call();
  const opened = join(cwd, 'opened');
  await untilSeen('the page', async () => existsSync(opened) ? readFileSync(opened, 'utf8') : '',
    (text) => text.includes('gtk_test'));
  t.equal(readFileSync(opened, 'utf8'), `${url}\n`);
});
