/** Folders of dist/, built when what they are made of has changed, and by one process at once. */
import { createHash } from 'node:crypto';
import {
  existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withFileLock } from '../src/store/embedded/fileLock.ts';
import { ROOT } from './document.ts';

const root = fileURLToPath(ROOT);
const dist = join(root, 'dist');
const LOCK_WAIT = { timeout_ms: 10 * 60_000, doing: 'building' };

interface Part {
  /** The folder in dist/. */
  name: string;
  /** Files, and folders with all that is below, from the root of the repository. */
  of: readonly string[];
  /** Makes the folder, or fills the one that is there. */
  make(folder: string): Promise<void>;
}

/** Builds, in this order, what is not up to date; answers the names. Rejects as `make` does. */
export async function buildParts(parts: readonly Part[]): Promise<string[]> {
  const isStale = ({ name, of }: Part) => stampOf(name) !== hashOf(of);
  if (!parts.some(isStale)) return [];
  mkdirSync(dist, { recursive: true });
  return await withFileLock(join(dist, '.building'), LOCK_WAIT, async () => {
    const made: string[] = [];
    for (const part of parts.filter(isStale)) {
      const hash = hashOf(part.of);
      const folder = join(dist, `.${part.name}`);
      rmSync(folder, { recursive: true, force: true });
      await part.make(folder);
      writeFileSync(join(folder, '.stamp'), hash);
      // Whoever reads meanwhile finds the former one whole, or the new one.
      rmSync(join(dist, part.name), { recursive: true, force: true });
      renameSync(folder, join(dist, part.name));
      made.push(part.name);
    }
    return made;
  });
}

function stampOf(name: string): string | null {
  const path = join(dist, name, '.stamp');
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesOf).sort()) {
    hash.update(path).update('\0').update(readFileSync(join(root, path))).update('\0');
  }
  return hash.digest('hex');
}

function filesOf(path: string): string[] {
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
    (entry.isDirectory() ? filesOf(join(path, entry.name)) : [join(path, entry.name)]));
}
