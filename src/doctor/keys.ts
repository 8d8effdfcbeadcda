/** Checks of the master keys: where they come from, and whether they open what is stored. */
import type { Config } from '../config.ts';
import {
  findMasterKeys, HOW_TO_MAKE_ONE, tryDataKeys, type ConfiguredKeys as Keys,
} from '../gateway/face.ts';
import { shellWord } from '../shellWord.ts';
import type { Sql } from '../store/database.ts';
import { embeddedState } from '../store/embedded.ts';
import { countKeyless } from '../store/workspaceKeys.ts';
import { isOpen } from './machine.ts';
import { count, failed, ok, warning, type CheckAnswer, type CheckOutcome } from './report.ts';

/** Gives the keys as they are configured, none if there are none. */
export async function findKeys(config: Config): Promise<CheckAnswer<Keys>> {
  let found: Keys;
  try {
    found = await findMasterKeys(config);
  } catch (error) {
    const { master_keys, master_keys_file } = config;
    return { outcome: failed((error as Error).message, master_keys === null
      && master_keys_file === null ? '`gatehouse serve` does not start without it.'
      : 'Correct GATEHOUSE_MASTER_KEYS, or the file that GATEHOUSE_MASTER_KEYS_FILE names.') };
  }
  return { gives: found, outcome: await aboutKeys(found, config) };
}

async function aboutKeys({ keys, source, file }: Keys, config: Config): Promise<CheckOutcome> {
  const [first, ...others] = keys.map(({ id }) => id);
  const embedded = config.database_url === null
    ? (await embeddedState(config.data_dir)).state : null;
  if (first === undefined) {
    if (embedded === 'absent') return ok(`none yet: a service makes ${source}`);
    if (embedded !== null) {
      return failed(`${source} is missing, though there is a database`,
        'Restore the file from its copy: without it the stored secrets of integrations are lost,'
        + ' and `gatehouse serve` refuses to start.',
        'If none was ever stored, `gatehouse serve` makes a new one.');
    }
    return warning('none: no secret of an integration can be stored',
      `${HOW_TO_MAKE_ONE} The same on all nodes; keep a copy apart from the database.`);
  }
  const open = others.length > 0 ? `, ${others.join(', ')} open` : '';
  const found = `${source}: ${first} seals${open}`;
  if (file !== null && await isOpen(file)) {
    return warning(`${found}; others may read the file`, `chmod 600 ${shellWord(file)}`);
  }
  return embedded !== 'stopped' && embedded !== 'starting' ? ok(found)
    : warning(`${found}; not compared with the database, which does not run`,
      '`gatehouse serve` refuses to start if it is another key than the database\'s, and says so.');
}

/** Whether every data key in the database opens; names master keys, and shows none. */
export async function checkStoredSecrets(sql: Sql, { keys, source }: Keys): Promise<CheckOutcome> {
  const counts = await tryDataKeys(sql, keys);
  const closed = counts.filter(({ refused }) => refused > 0);
  if (closed.length > 0) {
    const found = closed.map(({ master_key_id, refused, known }) =>
      `${count(refused, 'data key')} of workspaces ${refused === 1 ? 'is' : 'are'} sealed with the`
      + ` master key ${master_key_id}, which ${known ? 'is another one here' : 'is not at hand'}`);
    return failed(found.join('; '), ...closed.map(({ master_key_id, known }) => known
      ? `Put the right ${master_key_id} into ${source}: restore it from its copy.`
      : `Put ${master_key_id}:<its base64> back into ${source}, after the key that seals.`));
  }
  const keyless = await countKeyless(sql);
  if (keyless > 0) {
    return failed(`the data key of ${count(keyless, 'connection')} is not in the database`,
      'Put the rows of the table workspace_keys back from the backup that the connections are from,'
      + ' before a secret is stored anew in their workspace, which makes it another key.',
      'If they are lost: `gatehouse connections reconnect` each of these connections.');
  }
  if (counts.length === 0) return ok('there are none');
  const opened = counts.reduce((sum, { opened: number }) => sum + number, 0);
  const old = counts.filter(({ master_key_id }) => master_key_id !== keys[0]?.id);
  const found = `${count(opened, 'data key')} of workspaces ${opened === 1 ? 'opens' : 'open'}`;
  return old.length === 0 ? ok(found)
    : ok(`${found}; still under ${old.map(({ master_key_id }) => master_key_id).join(', ')}, until`
      + ' `gatehouse keys rotate-master`');
}
