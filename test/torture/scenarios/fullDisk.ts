/** The disk of the database is full, for a while (G12). */
import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ownFolder } from '../../../scripts/leftovers.ts';
import type { Lab, Owner } from '../lab.ts';
import { Load } from '../load.ts';
import { expectReady, measureHealing } from '../outage.ts';
import { openOnOwnServer } from '../ownServer.ts';
import type { Random } from '../random.ts';
import type { Scenario } from '../scenario.ts';

const execute = promisify(execFile);
const SIZE_MIB = 160;
const CHUNK = Buffer.alloc(65_536, 1);
const ROW = Buffer.alloc(4_096, 1);

export const fullDisk: Scenario = {
  name: 'fullDisk',
  says: 'the disk of the database is full for a while',
  async impossible() {
    const undo: (() => unknown)[] = [];
    try {
      await smallDisk({ teardown: (work: () => unknown) => void undo.unshift(work) } as Owner);
      return null;
    } catch (error) {
      return `a small tmpfs cannot be mounted here: ${(error as Error).message.trim()}`;
    } finally {
      for (const work of undo) await work();
    }
  },
  async run(lab, random) {
    lab.database_is_disturbed = true;
    const disk = await smallDisk(lab.owner);
    const { env } = await openOnOwnServer(lab, join(disk, 'data'));
    await lab.addNodes(2, { env, database_url: '' });
    for (let round = 1; round <= lab.amount(1, 4); round++) {
      const load = new Load(lab, random.fork(`load ${round}`));
      await load.more(15);
      const ballast = join(disk, 'ballast');
      await fill(ballast);
      lab.journal.count('times the disk was full');
      await beFull(lab, random);
      await rm(ballast);
      await Promise.all(lab.nodes.map((node) => measureHealing(lab, node)));
      await load.finish();
    }
  },
};

/** Mounts one, which everybody may pass through; Linux, and root, alone can. */
async function smallDisk(owner: Owner): Promise<string> {
  const disk = await mkdtemp(ownFolder('disk-'));
  owner.teardown(() => rmdir(disk));
  await execute('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MIB}m,mode=0711`, 'gatehouse', disk]);
  // Lazily: whatever still has a file open there must not keep it.
  owner.teardown(() => execute('umount', ['-l', disk]));
  return disk;
}

/** Takes what is left on the disk. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (const piece of [CHUNK, ROW]) {
      try {
        for (;;) await file.write(piece);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  } finally {
    await file.close();
  }
}

/** Waits until somebody was told, and has the write-ahead log run out of space, too, sometimes. */
async function beFull(lab: Lab, random: Random): Promise<void> {
  const told = () => lab.journal.figures.get('503 answers')?.samples.length ?? 0;
  const before = told();
  if (random.chance(0.5)) {
    lab.journal.count('times the write-ahead log had no space');
    // It begins a new segment, for which there is no room: the server crashes, and cannot start.
    await lab.sql`create table wants_space as select repeat('x', 1000) as text`.catch(() => {});
    await lab.sql`select pg_switch_wal()`.catch(() => {});
    await lab.sql`create table wants_more as select repeat('x', 1000) as text`.catch(() => {});
  }
  if (!await lab.eventually(15_000, async () => told() > before)) {
    lab.journal.say('nobody noticed that the disk was full');
  }
  await Promise.all(lab.nodes.map((node) => expectReady(lab, node)));
  await delay(random.between(500, 3_000));
}
