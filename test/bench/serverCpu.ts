/** The CPU time of the PostgreSQL that a bench has started, by /proc. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Sql } from '../../src/store/database.ts';
import { only } from '../../src/store/rows.ts';

/** Of a second; so on every Linux that Node.js runs on. */
const TICKS = 100;

/**
 * Milliseconds so far of all processes of the server, those that have ended included; NaN where
 * there is no /proc.
 */
export async function serverCpu_ms(sql: Sql): Promise<number> {
  const { pid } = await only(sql<{ pid: number }[]>`select pg_backend_pid() as pid`);
  try {
    const postmaster = statOf(pid).parent;
    const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((name) => {
      try {
        return [{ pid: Number(name), ...statOf(Number(name)) }];
      } catch {
        return []; // it has ended meanwhile
      }
    });
    return processes.reduce((sum, process) => {
      if (process.pid === postmaster) return sum + process.own + process.ended_children;
      return process.parent === postmaster ? sum + process.own : sum;
    }, 0) / TICKS * 1_000;
  } catch {
    return NaN;
  }
}

/** proc_pid_stat(5): after the name, which may hold anything, come state, parent, and so on. */
function statOf(pid: number): { parent: number; own: number; ended_children: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ').map(Number);
  return {
    parent: fields[1]!, own: fields[11]! + fields[12]!, ended_children: fields[13]! + fields[14]! };
}
