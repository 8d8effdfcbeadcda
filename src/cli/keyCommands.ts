import type { Command } from 'commander';
import type { Act } from './act.ts';
import type { Schemas } from './client.ts';
import { EXIT } from './failure.ts';
import {
  openWorkplace, pointInTime, withAdminToken, workspaceOf, type ClientOptions,
} from './options.ts';
import { AS_ADMIN, minute, none } from './output.ts';
import { addRotateCommand } from './rotateCommand.ts';
import type { LoadService } from './serviceModule.ts';
import { oneLine, table } from './terminal.ts';

interface CreateKeyOptions extends ClientOptions {
  name: string;
  workspace?: string;
  expires?: string;
}

const NAME_CHARACTERS = 40;

/** `keys`: what an operator does with api keys and master keys, with the admin token. */
export function addKeyCommands(program: Command, act: Act, load: LoadService): void {
  const keys = program.command('keys')
    .summary('create, list and revoke api keys; rotate master keys')
    .description('Creates, lists and revokes api keys, with the admin token; rotates master keys.')
    .addHelpText('after', '\nExample:\n  gatehouse keys create --name backend');
  withAdminToken(keys.command('create')
    .summary('create an api key and print it, this once')
    .description('Creates an api key and prints it: the only time that it can be seen.')
    .requiredOption('--name <name>', 'what the key is for')
    .option('--workspace <id>', 'the workspace; that of credentials.json if left out')
    .option('--expires <time>', 'when it ceases to be valid, ISO 8601', pointInTime))
    .addHelpText('after', '\nExample:\n  gatehouse keys create --name backend --expires 2027-01-31')
    .action(act(createKey));
  withAdminToken(keys.command('list')
    .summary('list api keys, without the keys themselves')
    .description('Lists api keys, the newest first, without the keys themselves.')
    .option('--workspace <id>', 'only keys of this workspace'))
    .addHelpText('after', '\nExample:\n  gatehouse keys list')
    .action(act(listKeys));
  withAdminToken(keys.command('revoke')
    .summary('revoke an api key')
    .description('Revokes an api key; it is refused from then on.')
    .argument('<key_id>', 'the id of the key, as `keys list` shows it'))
    .addHelpText('after', '\nExample:\n  gatehouse keys revoke key_01kagz3y0c2d4e6f8g0h2j4k6m')
    .action(act(revokeKey));
  addRotateCommand(keys, act, load);
}

/** The key alone goes to standard output, so that a script can take it. */
async function createKey(options: CreateKeyOptions): Promise<number> {
  const { client, terminal, profile } = openWorkplace(options);
  const workspace_id = workspaceOf(options.workspace, profile, 'key');
  const body: Schemas['CreateApiKeyRequest'] = {
    workspace_id, name: options.name,
    ...(options.expires !== undefined && { expires_at: options.expires }),
  };
  const key = await client.request<Schemas['ApiKeyWithSecret']>('POST', '/admin/api_keys',
    { ...AS_ADMIN, body });
  const until = key.expires_at === null ? '' : `, valid until ${key.expires_at}`;
  terminal.err(`${key.id} for ${key.workspace_id}${until}. The key is shown this once:\n`);
  terminal.out(`${key.api_key}\n`);
  return EXIT.ok;
}

async function listKeys(options: ClientOptions & { workspace?: string }): Promise<number> {
  const { client, terminal } = openWorkplace(options);
  const { workspace } = options;
  const query: Record<string, string> = workspace === undefined ? {} : { workspace_id: workspace };
  const keys = await Array.fromAsync(
    client.list<Schemas['ApiKey']>('/admin/api_keys', { ...AS_ADMIN, query }));
  if (keys.length === 0) return none(terminal.err, 'api keys');
  terminal.out(table(['ID', 'NAME', 'ENDS IN', 'STATUS', 'WORKSPACE', 'LAST USED', 'EXPIRES'],
    keys.map((key) => [key.id, oneLine(key.name, NAME_CHARACTERS), key.hint, key.status,
      key.workspace_id, minute(key.last_used_at), minute(key.expires_at)]), terminal.style));
  return EXIT.ok;
}

async function revokeKey(key_id: string, options: ClientOptions): Promise<number> {
  const { client, terminal } = openWorkplace(options);
  await client.request('DELETE', `/admin/api_keys/${encodeURIComponent(key_id)}`, AS_ADMIN);
  terminal.out(`${key_id} is revoked.\n`);
  return EXIT.ok;
}
