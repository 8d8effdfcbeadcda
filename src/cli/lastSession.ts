/** Which session a person was in last, by service and key: `run --continue` goes on in it. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { objectOf, parseJson, textOf } from '../json.ts';
import { alone } from './fileLock.ts';
import { replaceFile } from './profileStore.ts';
import { secretFor, type Profile } from './profile.ts';

/** So many services and keys are remembered. */
const KEPT = 100;

export interface LastSession {
  /** Null if none is known. */
  read(): string | null;
  /** Does nothing where nothing can be written: that is no reason for a run to fail. */
  keep(session_id: string): Promise<void>;
}

/** `config_dir`: null where nobody has a home; then nothing is remembered. */
export function lastSession(config_dir: string | null, profile: Profile): LastSession {
  const file = config_dir === null ? null : join(config_dir, 'sessions.json');
  // A key is not written down; its hash tells the workspaces of a service apart.
  const name = () => `${profile.base_url} ${createHash('sha256')
    .update(secretFor(profile, 'api_key')).digest('hex').slice(0, 16)}`;
  return {
    read: () => textOf(readAll(file)[name()]) ?? null,
    async keep(session_id) {
      if (file === null) return;
      await alone(file, async () => {
        const { [name()]: _before, ...others } = readAll(file);
        const kept = [...Object.entries(others), [name(), session_id]].slice(-KEPT);
        await replaceFile(file, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
      }).catch(() => {});
    },
  };
}

function readAll(file: string | null): Record<string, unknown> {
  try {
    return file === null ? {} : objectOf(parseJson(readFileSync(file, 'utf8')));
  } catch {
    return {}; // There is none yet, or it cannot be read: then none is known.
  }
}
