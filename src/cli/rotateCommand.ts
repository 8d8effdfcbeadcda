import { readConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { localCommand, ON_DATABASE } from './command.ts';
import { EXIT, Failure } from './failure.ts';

const HOW = 'What is stored of integrations is sealed with data keys, and these with a master key.'
  + ' To replace it:\n'
  + '  1. put the new master key behind the old one, in GATEHOUSE_MASTER_KEYS,'
  + ' in GATEHOUSE_MASTER_KEYS_FILE or, with the embedded database, in master.key, and restart'
  + ' every node: then each can open what the new one seals (a single node begins with 2);\n'
  + '  2. put it first, and restart every node again;\n'
  + '  3. call this with both: it seals the data keys with the first, and refuses'
  + ' while a node runs that does not have it;\n'
  + '  4. remove the old one, restart the nodes, and keep a copy of it for backups from before.';
const EXIT_CODES = 'Exit codes: 0 done, 1 not done, or a node still seals with another key.';

/** `keys rotate-master`: works on the database, because a service must not be asked to do it. */
export const addRotateCommand = localCommand('rotate-master', {
  summary: 'seal the data keys with the first master key',
  description: 'Seals the data keys in the database with the first of the master keys. It works on'
    + ' the database itself, beside services that run, and may be repeated.',
  inputs: ON_DATABASE,
  notes: `${HOW}\n\n${EXIT_CODES}`,
  example: 'gatehouse keys rotate-master',
  async run({ load, terminal }, settings) {
    const config = readConfig(undefined, settings, { log_level: 'warn' });
    const log = createLog(config.log_level);
    const { rotateMasterKeys } = await load();
    const { rewrapped, master_key_id, others, sealing_otherwise } = await rotateMasterKeys({
      config, log, onProgress: (message) => terminal.err(`${message} …\n`),
    }).catch((error: unknown) => {
      log.debug({ err: error }, 'the master keys were not rotated');
      throw new Failure(`The data keys could not be sealed anew: ${(error as Error).message}`);
    });
    if (rewrapped === 0) {
      terminal.out(`Every data key is sealed with ${master_key_id} already.\n`);
      if (others.length === 0) terminal.err(`There is no other master key.\n\n${HOW}\n`);
    } else {
      const keys = rewrapped === 1 ? '1 data key is' : `${rewrapped} data keys are`;
      terminal.out(`${keys} sealed with ${master_key_id} now.\n`);
    }
    if (sealing_otherwise.length > 0) {
      terminal.err(`Not every node seals with ${master_key_id}: ${sealing_otherwise.join(', ')}`
        + ` may seal with another key. Restart them with ${master_key_id} first, and call this`
        + ' again; keep the other keys until then.\n');
      return EXIT.failed;
    }
    if (others.length > 0) {
      terminal.err(`Nothing needs ${others.join(', ')} any more, but for backups of the database`
        + ' from before: keep a copy for those.\n');
    }
    return EXIT.ok;
  },
});
