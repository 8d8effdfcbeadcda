import { adminCommand, group } from './command.ts';
import { EXIT, Failure } from './failure.ts';
import { argument, flag, needed, pointInTime, toggle } from './inputs.ts';
import { listCommand, minute, remove } from './output.ts';
import { refuseSecret } from './refuseSecret.ts';
import { oneLine } from './terminal.ts';
import type { Workplace } from './workplace.ts';

const create = adminCommand('create', {
  summary: 'create an admin token and print it, this once',
  description: 'Creates an admin token and prints it: the only time that it can be seen.',
  inputs: {
    name: needed(flag('--name <name>', 'who or what the token is for')),
    expires_at: flag('--expires <time>', 'when it ceases to be valid, ISO 8601', pointInTime),
  },
  example: 'gatehouse admin-tokens create --name deployment --expires 2027-01-31',
  async run({ client, terminal }, body) {
    const token = await client.request('POST', '/admin/admin_tokens', { body });
    const until = token.expires_at === null ? '' : `, valid until ${token.expires_at}`;
    terminal.err(`${token.id}${until}. The token is shown this once:\n`);
    terminal.out(`${token.admin_token}\n`); // alone, so that a script can take it
  },
});

const list = listCommand('admin-tokens', '/admin/admin_tokens', {
  summary: 'list admin tokens, without the tokens themselves',
  description: 'Lists admin tokens, the newest first, without the tokens themselves. That of '
    + 'GATEHOUSE_ADMIN_TOKEN is not among them: it is part of a configuration.',
  nothing: 'admin tokens',
  headings: ['ID', 'NAME', 'ENDS IN', 'STATUS', 'LAST USED', 'EXPIRES'],
  row: (token) => [token.id, oneLine(token.name, 40), token.hint ?? '-', token.status,
    minute(token.last_used_at), minute(token.expires_at)],
});

const revoke = adminCommand('revoke', {
  summary: 'revoke an admin token',
  description: 'Revokes an admin token, which may be the one that this command uses; it is '
    + 'refused from then on. One that is the last and revokes itself needs --last.',
  inputs: {
    id: argument('<token_id>', 'its id, as `admin-tokens list` shows it'),
    last: toggle('--last', 'also if it leaves nobody who may be an operator'),
  },
  example: 'gatehouse admin-tokens revoke adm_01kagz3y0c2d4e6f8g0h2j4k6m',
  async run(workplace, { id, last }) {
    await refuseSecret(workplace, 'adm_', id);
    if (!last) await requireAnother(workplace, id);
    await remove(workplace, '/admin/admin_tokens/{admin_token_id}', id, 'revoked');
  },
});

/**
 * Throws Failure if the token is the one of this command, and no other is good. The service cannot
 * be asked whether it has one of its configuration, but then that is the one to use here.
 */
async function requireAnother({ client, endsIn }: Workplace, given: string): Promise<void> {
  const id = await client.wholeId('admin_token_id', given);
  const good = (await Array.fromAsync(client.list('/admin/admin_tokens', {})))
    .filter(({ status }) => status === 'active');
  const [own, ...others] = good;
  if (own?.id !== id || others.length > 0 || (own.hint !== null && !endsIn(own.hint))) return;
  throw new Failure(`${id} is the token of this command, and the last one: after it nobody can be`
    + ' an operator. First make another with `gatehouse admin-tokens create`, and use that. With'
    + ' --last it is revoked all the same; the way back then is to start the service with a token'
    + ' of your own as GATEHOUSE_ADMIN_TOKEN.', EXIT.usage);
}

export const addAdminTokenCommands = group('admin-tokens', {
  summary: 'create, list and revoke admin tokens',
  description: 'Creates, lists and revokes admin tokens, with an admin token.',
  example: 'gatehouse admin-tokens create --name deployment',
}, [create, list, revoke]);
