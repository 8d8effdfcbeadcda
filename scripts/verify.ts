/**
 * `make verify`: the documents lint, openapi.yaml breaks no client of the last release unnoticed,
 * what is generated is what it says, and types agree.
 * Prints what failed and what to do about it; exits 1 if anything did.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ROOT, readDocument } from './document.ts';
import { buildDashboard } from './dashboard.ts';
import { checkChanges } from './changes/gate.ts';
import { ruleFaults } from './documentRules.ts';
import { generate } from './generate.ts';
import { portabilityFaults } from './portableYaml.ts';

interface Outcome { name: string; failure: string | null; remedy: string }

const root = fileURLToPath(ROOT);
const execute = promisify(execFile);

/** Regenerates into an empty folder and compares every file, both ways. */
async function checkGenerated(): Promise<Outcome> {
  const remedy = 'Run `make generate` and commit generated/ together with openapi.yaml.';
  const name = 'generated/ is what openapi.yaml says';
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-verify-'));
  try {
    const expected = new Set(await generate(readDocument(), folder));
    const present = new Set(readdirSync(join(root, 'generated')));
    const wrong = [
      ...[...expected].filter((file) => !present.has(file)).map((file) => `${file} is missing`),
      ...[...present].filter((file) => !expected.has(file)).map((file) => `${file} is stale`),
      ...[...expected].filter((file) => present.has(file))
        .map((file) => firstDifference(file, join(folder, file)))
        .filter((text) => text !== null),
    ];
    return { name, failure: wrong.length === 0 ? null : wrong.join('\n'), remedy };
  } catch (error) {
    return {
      name, failure: String(error), remedy: 'Correct openapi.yaml; the message names where.',
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function firstDifference(name: string, fresh: string): string | null {
  const committed = readFileSync(join(root, 'generated', name), 'utf8').split('\n');
  const generated = readFileSync(fresh, 'utf8').split('\n');
  const at = generated.findIndex((line, index) => line !== committed[index]);
  if (at === -1) return committed.length === generated.length ? null : `${name} is too long`;
  const show = (line: string | undefined) => (line ?? '(nothing)').slice(0, 120);
  return `${name}:${at + 1}\n  - ${show(committed[at])}\n  + ${show(generated[at])}`;
}

/** What a look at the document itself finds. */
function checkFaults(name: string, remedy: string, look: () => string[]): Outcome {
  try {
    return { name, remedy, failure: look().join('\n') || null };
  } catch (error) {
    return { name, remedy, failure: String(error) };
  }
}

/** Runs a tool of the project; its output is the failure unless it exits 0. */
async function checkWith(
  name: string, remedy: string, tool: string, args: string[]): Promise<Outcome> {
  const path = join(root, 'node_modules', '.bin', tool);
  const env = {
    ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    NO_COLOR: '1', FORCE_COLOR: '0',
  };
  // Run by this Node: the tool's own first line may find an older one.
  const failure = await execute(
    process.execPath, [path, ...args], { cwd: root, env, maxBuffer: Infinity },
  ).then(() => null, ({ stdout, stderr, message }: Error & { stdout: string; stderr: string }) =>
    `${stdout}${stderr}`.trim() || message);
  return { name, failure, remedy };
}

/** What tsc found the last time is looked at again only where something changed: 6 s, not 29. */
function remembering(what: string): string[] {
  return ['--pretty', 'false', '--incremental',
    '--tsBuildInfoFile', `node_modules/.cache/gatehouse/types-${what}.json`];
}

// The types of its client come from openapi.yaml as it is now.
await buildDashboard('client');
const outcomes = await Promise.all([
  checkFaults('openapi.yaml reads the same in YAML 1.1 and 1.2',
    'Quote it; scripts/portableYaml.ts says which readers would stop there.',
    () => portabilityFaults(readFileSync(new URL('openapi.yaml', ROOT), 'utf8'))),
  checkFaults('openapi.yaml is what generators of clients take',
    'Correct openapi.yaml; the rules and their reasons are in scripts/documentRules.ts.',
    () => ruleFaults(readDocument())),
  checkGenerated(),
  checkFaults('openapi.yaml breaks no client of the last release unnoticed',
    'Keep what clients rely on. Where that cannot be, add the change to'
      + ' releases/allowed-changes.yaml with its reason, and say it in CHANGELOG.md.',
    () => [checkChanges() ?? '']),
  checkWith('openapi.yaml and arazzo.yaml lint', 'Correct them; the rules are in redocly.yaml.',
    'redocly',
    ['lint', 'openapi.yaml', 'arazzo.yaml', '--format', 'stylish', '--max-problems', '50']),
  checkWith('the views of openapi.yaml lint', 'Correct scripts/views.ts, or what it reads.',
    'redocly', ['lint', 'generated/openapi.3.0.json', 'generated/openapi.3.2.json',
      'generated/openapi.codegen.json', '--format', 'stylish', '--max-problems', '50']),
  checkWith('types agree', 'Correct the code; `npx tsc --noEmit` shows the same.',
    'tsc', ['--noEmit', ...remembering('service')]),
  checkWith('types agree in the scripts of the documentation', 'Correct src/docs/browser.',
    'tsc', ['--project', 'src/docs/browser', ...remembering('docs')]),
  checkWith('types agree in the dashboard', 'Correct src/dashboard.',
    'tsc', ['--project', 'src/dashboard', ...remembering('dashboard')]),
]);
for (const { name, failure, remedy } of outcomes) {
  process.stdout.write(failure === null ? `ok      ${name}\n`
    : `FAILED  ${name}\n${failure.replaceAll(/^/gm, '        ')}\n        → ${remedy}\n`);
}
process.exitCode = outcomes.some(({ failure }) => failure !== null) ? 1 : 0;
