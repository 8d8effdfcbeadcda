/**
 * Machines on one switch, each a network namespace of Linux: cutting a link is what a pulled cable
 * is, which no firewall rule on the loopback could say as well. Needs root and iproute2.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { openSync } from 'node:fs';
import { promisify } from 'node:util';

const execFile_ = promisify(execFile);
const PREFIX = 'gatehouse-';
const SWITCH = 'switch';
const SUBNET = '10.213.7';
/** Our own place on the switch, by the name that `unplug` takes. */
export const OWN = 'own';
const OWN_LINK = 'gatehouse0';
const OWN_ADDRESS = `${SUBNET}.254`;
export const NETWORK: string = `${SUBNET}.0/24`;

/** Runs a program to its end; answers what it wrote. Throws if it fails. */
export async function run(command: string, ...args: string[]): Promise<string> {
  return (await execFile_(command, args)).stdout;
}

/** The address of a machine, by its place. */
export function addressOf(place: number): string {
  return `${SUBNET}.${place}`;
}

/** Makes the switch and connects us to it. Removes first what an interrupted trial has left. */
export async function createNetwork(): Promise<void> {
  await removeNetwork();
  await run('ip', 'netns', 'add', PREFIX + SWITCH);
  await inNetwork('link', 'add', 'br0', 'type', 'bridge');
  await inNetwork('link', 'set', 'br0', 'up');
  await run('ip', 'link', 'add', OWN_LINK, 'type', 'veth',
    'peer', 'name', OWN, 'netns', PREFIX + SWITCH);
  await run('ip', 'address', 'add', `${OWN_ADDRESS}/24`, 'dev', OWN_LINK);
  await run('ip', 'link', 'set', OWN_LINK, 'up');
  await plugIn(OWN);
}

/** Adds a machine with this name and place, and its cable. */
export async function addMachine(name: string, place: number): Promise<void> {
  const namespace = PREFIX + name;
  await run('ip', 'netns', 'add', namespace);
  await run('ip', '-netns', namespace, 'link', 'set', 'lo', 'up');
  await run('ip', 'link', 'add', 'eth0', 'netns', namespace, 'type', 'veth',
    'peer', 'name', name, 'netns', PREFIX + SWITCH);
  await run('ip', '-netns', namespace, 'address', 'add', `${addressOf(place)}/24`, 'dev', 'eth0');
  await run('ip', '-netns', namespace, 'link', 'set', 'eth0', 'up');
  await plugIn(name);
}

/** Pulls the cable of a machine: packets to and from it vanish without a word. */
export async function unplug(name: string): Promise<void> {
  await inNetwork('link', 'set', name, 'down');
}

export async function plugBackIn(name: string): Promise<void> {
  await inNetwork('link', 'set', name, 'up');
}

async function plugIn(name: string): Promise<void> {
  await inNetwork('link', 'set', name, 'master', 'br0');
  await inNetwork('link', 'set', name, 'up');
}

function inNetwork(...args: string[]): Promise<string> {
  return run('ip', '-netns', PREFIX + SWITCH, ...args);
}

/** Starts a program on a machine, as this user; what it writes goes to a file. */
export function startOn(
  machine: string, user: string, log_file: string, command: string[]): ChildProcess {
  const log = openSync(log_file, 'a');
  const child = spawn('ip', ['netns', 'exec', PREFIX + machine, 'setpriv', `--reuid=${user}`,
    `--regid=${user}`, '--clear-groups', '--', ...command], { stdio: ['ignore', log, log] });
  child.on('error', () => {}); // Whoever waits for the program to answer will notice.
  return child;
}

/** Kills all that runs on a machine, as a power cut does. */
export async function killMachine(name: string): Promise<void> {
  // Again, for what was just being started by one that was killed.
  for (let round = 0; round < 3; round++) {
    const pids = await run('ip', 'netns', 'pids', PREFIX + name).catch(() => '');
    for (const pid of pids.split('\n').filter(Boolean).map(Number)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch { /* it has ended meanwhile */ }
    }
  }
}

/** Removes switch and machines, and whatever runs on them. */
export async function removeNetwork(): Promise<void> {
  const listed = await run('ip', 'netns', 'list');
  const names = [...listed.matchAll(new RegExp(`^${PREFIX}(\\S+)`, 'gm'))].map(([, name]) => name!);
  for (const name of names) await killMachine(name);
  for (const name of names) await run('ip', 'netns', 'delete', PREFIX + name);
  await run('ip', 'link', 'delete', OWN_LINK).catch(() => ''); // It may be gone with the switch.
}
