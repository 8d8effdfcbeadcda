/** The official conformance suite of MCP, and what is expected to fail in it. */
import { execFile } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';

interface Check { id: string; status: string; errorMessage?: string }

/** Of each scenario, the checks that failed, or would rather have it otherwise. */
export type Failures = Record<string, Check[]>;

const run = promisify(execFile);
const SUITE = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/conformance/dist/index.js');

/** Runs `server` or `client` of the suite with these arguments. */
export async function failuresOf(
  t: Test, role: 'server' | 'client', args: readonly string[], env = {}): Promise<Failures> {
  const folder = t.testdir();
  await run(process.execPath, [SUITE, role, ...args, '-o', folder],
    { env: { ...process.env, ...env } }).catch((error: { code?: unknown }) => {
    // It exits with 1 as well when a check fails.
    if (error.code !== 1) throw error;
  });
  const failures: Failures = {};
  for await (const file of glob('**/checks.json', { cwd: folder })) {
    const checks = JSON.parse(await readFile(join(folder, file), 'utf8')) as Check[];
    const scenario = dirname(file).replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
    failures[scenario] = checks.filter(({ status }) => /^(FAILURE|WARNING)$/.test(status));
  }
  return failures;
}

/** The scenarios that the suite has, by its arguments for a list. */
export async function listedScenarios(args: readonly string[]): Promise<string[]> {
  const { stdout } = await run(process.execPath, [SUITE, 'list', ...args]);
  return [...stdout.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name!);
}

/**
 * Whether all scenarios have run, and exactly those checks failed that are expected to, by
 * scenario; if none are named for one, the check that is called as it is.
 */
export function holdsToExpected(
  t: Test, listed: readonly string[], failures: Failures,
  expected: Readonly<Record<string, readonly string[]>>): void {
  t.ok(listed.length > 20, 'it has scenarios');
  t.strictSame(Object.keys(failures).toSorted(), listed.toSorted(), 'each has run');
  t.strictSame(Object.keys(expected).filter((one) => !listed.includes(one)), [],
    'no other is expected to fail');
  for (const scenario of listed) {
    const named = expected[scenario];
    const ids = named?.length === 0 ? [scenario] : named ?? [];
    const failed = failures[scenario]!;
    t.strictSame(failed.filter(({ id }) => !ids.includes(id)), [],
      `${scenario}: nothing else fails`);
    t.strictSame(ids.filter((id) => !failed.some((one) => one.id === id)), [],
      `${scenario}: what passes is not expected to fail any more`);
  }
}
