import { spawn } from 'node:child_process';
import { readClientEnvironment, type Config } from '../config.ts';
import { Client } from './client.ts';
import { adminCommand } from './command.ts';
import { toggle } from './inputs.ts';
import { resolveProfile } from './profile.ts';
import { safeText } from './terminal.ts';

export const addDashboardCommand = adminCommand('dashboard', {
  alias: 'open',
  summary: 'sign in to the dashboard',
  description: 'Prints a link that signs in to the dashboard, once and within ten minutes, and'
    + ' opens it in a browser where there is one.',
  inputs: {
    open: toggle('--no-open', 'print the link alone, for a browser of your choice'),
  },
  example: 'gatehouse dashboard',
  async run({ client, terminal }, { open = true }) {
    const { url, expires_at } = await client.request('POST', '/admin/dashboard_tickets', {});
    terminal.err(`This link signs in once, until ${expires_at}:\n`);
    terminal.out(`${safeText(url)}\n`); // alone, so that a script can take it
    // What else a service may say is no page: a desktop also starts programs by an address.
    const is_page = /^https?:\/\//.test(url);
    if (open && terminal.interactive && is_page) openInBrowser(url);
  },
});

/**
 * A link that signs in to the dashboard of a service that has just started here, by the admin token
 * that is at hand. Null if none is, or it is not good any more.
 */
export async function dashboardLink(
  base_url: string, { data_dir, admin_token }: Pick<Config, 'data_dir' | 'admin_token'>,
): Promise<string | null> {
  try {
    const profile = resolveProfile({ base_url },
      { ...readClientEnvironment({}), admin_token, data_dir });
    const client = new Client(profile, { as: 'admin_token' });
    return (await client.request('POST', '/admin/dashboard_tickets', {})).url;
  } catch {
    return null; // The service has started; who cannot sign in is told so by `gatehouse dashboard`.
  }
}

/** Has the desktop open an address, if there is one; nobody waits for it. */
function openInBrowser(url: string): void {
  const { has_desktop } = readClientEnvironment();
  if (!has_desktop) return;
  const [command, ...args] = process.platform === 'darwin' ? ['open']
    : process.platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
  const child = spawn(command!, [...args, url], { detached: true, stdio: 'ignore' });
  child.on('error', () => {}); // The link is printed, and can be opened by hand.
  child.unref();
}
