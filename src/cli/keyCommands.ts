import { adminCommand, FOR_WORKSPACE, group } from './command.ts';
import { refuseBoth, refuseEmpty } from './failure.ts';
import { argument, flag, like, needed, pointInTime, repeated, toggle } from './inputs.ts';
import { minute, listCommand, remove } from './output.ts';
import { refuseSecret } from './refuseSecret.ts';
import { addRotateCommand } from './rotateCommand.ts';
import { oneLine } from './terminal.ts';

const IDENTITY = like(/^(sub:.+|group:.+|[^@:\s]*@[^@\s]+)$/,
  'It must be such as ada@example.com, @example.com, group:name or sub:id.');

const create = adminCommand('create', {
  summary: 'create an api key and print it, this once',
  description: 'Creates an api key and prints it: the only time that it can be seen.',
  inputs: {
    name: needed(flag('--name <name>', 'what the key is for')),
    workspace_id: FOR_WORKSPACE,
    expires_at: flag('--expires <time>', 'when it ceases to be valid, ISO 8601', pointInTime),
    identities: repeated('--identity <entry>',
      'for whom it stands at the identity provider, such as ada@example.com; may be repeated',
      IDENTITY),
  },
  example: 'gatehouse keys create --name backend --expires 2027-01-31',
  async run({ client, terminal, workspaceFor }, { workspace_id, ...wanted }) {
    const key = await client.request('POST', '/admin/api_keys',
      { body: { ...wanted, workspace_id: workspaceFor('key', workspace_id) } });
    const until = key.expires_at === null ? '' : `, valid until ${key.expires_at}`;
    terminal.err(`${key.id} for ${key.workspace_id}${until}. The key is shown this once:\n`);
    terminal.out(`${key.api_key}\n`); // alone, so that a script can take it
  },
});

const list = listCommand('keys', '/admin/api_keys', {
  summary: 'list api keys, without the keys themselves',
  description: 'Lists api keys, the newest first, without the keys themselves.',
  inputs: { workspace_id: flag('-w, --workspace <id>', 'only keys of this workspace') },
  nothing: 'api keys',
  headings: ['ID', 'NAME', 'ENDS IN', 'STATUS', 'WORKSPACE', 'LAST USED', 'EXPIRES', 'STANDS FOR'],
  row: (key) => [key.id, oneLine(key.name, 40), key.hint, key.status, key.workspace_id,
    minute(key.last_used_at), minute(key.expires_at),
    oneLine(key.identities.join(', ') || '-', 60)],
});

const update = adminCommand('update', {
  summary: 'change the name of an api key, or for whom it stands',
  description: 'Changes what is given of an api key. Whom an identity names reaches /mcp with an'
    + ' access token of the identity provider in place of the key. The key itself stays as it is.',
  inputs: {
    id: argument('<key_id>', 'the id of the key, as `keys list` shows it'),
    name: flag('--name <name>', 'what the key is for'),
    identities: repeated('--identity <entry>', 'for whom it stands, in place of those before:'
      + ' ada@example.com, @example.com, group:name or sub:id; may be repeated', IDENTITY),
    nobody: toggle('--nobody', 'it stands for nobody any more'),
  },
  example: 'gatehouse keys update key_01kagz3y0c2d4e6f8g0h2j4k6m --identity ada@example.com',
  async run(workplace, { id, nobody, ...change }) {
    const { client, terminal } = workplace;
    await refuseSecret(workplace, 'key_', id);
    refuseBoth(['--identity', change.identities], ['--nobody', nobody]);
    const body = { ...change, ...(nobody && { identities: [] }) };
    refuseEmpty(body);
    const key = await client.request('PATCH', '/admin/api_keys/{api_key_id}', { id, body });
    const whom = key.identities.length === 0 ? 'nobody besides who has it'
      : key.identities.map((one) => oneLine(one, 80)).join(', ');
    terminal.out(`${key.id} (${oneLine(key.name, 40)}) stands for ${whom}.\n`);
  },
});

const revoke = adminCommand('revoke', {
  summary: 'revoke an api key',
  description: 'Revokes an api key: it is refused from then on, and what runs in its name ends.',
  inputs: { id: argument('<key_id>', 'the id of the key, as `keys list` shows it') },
  example: 'gatehouse keys revoke key_01kagz3y0c2d4e6f8g0h2j4k6m',
  async run(workplace, { id }) {
    await refuseSecret(workplace, 'key_', id);
    await remove(workplace, '/admin/api_keys/{api_key_id}', id, 'revoked');
  },
});

export const addKeyCommands = group('keys', {
  summary: 'create, list, change and revoke api keys; rotate master keys',
  description: 'Creates, lists, changes and revokes api keys, with the admin token; rotates master'
    + ' keys.',
  example: 'gatehouse keys create --name backend',
}, [create, list, update, revoke, addRotateCommand]);
