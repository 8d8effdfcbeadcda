/** The pages keep what they promise: their examples run, their links lead somewhere. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import t, { type Test } from 'tap';
import { AUDIT_EVENTS } from '../src/cli/auditEvents.ts';
import { unknownVariables } from '../src/config.ts';
import { fullName, GAUGES, METRICS, type MetricName } from '../src/telemetry/metrics.ts';
import type { Schemas } from './support/client.ts';
import {
  comparable, examplesOf, outputPattern, runExamples, type Example,
} from './support/examples.ts';
import { fakeGithub, GITHUB_TOKEN, installNpm } from './support/fakeGithub.ts';
import {
  anchorsOf, fencesOf, fileNamesOf, linksOf, pages, proseOf, tableOf,
} from './support/markdown.ts';
import { testServer } from './support/server.ts';
import { settingsTable } from './support/settingsTable.ts';
import { filesBelow, read, ROOT } from './support/sourceTree.ts';

// The command is started many times, and a slow machine takes seconds for each.
t.setTimeout(600_000);

/** Made by starting the service, in its data directory. */
const MADE_AT_RUN_TIME = new Set(['credentials.json', '.gatehouse/credentials.json']);

/** Pages whose examples go on from those of another page, as they say, behind that one. */
const STORIES = [['gateway', 'integrations', 'connections'], ['gateway', 'grants', 'calls'],
  ['gateway', 'grants', 'audit-log'], ['clients', 'client-programs'],
].map((names) => names.map((name) => `docs/${name}.md`));

/** What the examples use of a checkout. */
const SHOWN = ['examples', 'node_modules', 'arazzo.yaml', 'openapi.yaml', 'redocly.yaml'];

t.test('every fenced block says what language it is', async (t) => {
  t.strictSame(pages().flatMap((page) => fencesOf(page)
    .filter(({ language }) => language === '').map(({ line }) => `${page}:${line}`)), []);
});

t.test('a row of a table is one line, with as many cells as its head', async (t) => {
  const cellsOf = (row: string) => row.replaceAll(/\\\||`[^`]*`/g, '').split('|').length;
  t.strictSame(pages().flatMap((page) =>
    [...proseOf(page).matchAll(/^( *)\|.*\n(?:\1\|.*\n)+(.*)/gm)].flatMap(([table, , after]) => {
      const rows = table.trimEnd().split('\n').slice(0, after === '' ? undefined : -1);
      return [...rows.filter((row) => cellsOf(row) !== cellsOf(rows[0]!)),
        ...(after === '' ? [] : [`then: ${after}`])].map((row) => `${page}: ${row}`);
    })), []);
});

t.test('every relative link leads somewhere', async (t) => {
  const broken = pages().flatMap((page) => linksOf(page)
    .filter(({ path, anchor }) => !existsSync(join(ROOT, path))
      || (anchor !== '' && path.endsWith('.md') && !anchorsOf(path).includes(anchor)))
    .map(({ path, anchor }) => `${page} links to ${path}#${anchor}`));
  t.strictSame(broken, []);
});

t.test('every file that is mentioned exists', async (t) => {
  const names = new Set(filesBelow('').map((path) => basename(path)));
  const exists = (name: string) => MADE_AT_RUN_TIME.has(name)
    || (name.includes('/') ? existsSync(join(ROOT, name)) : names.has(name));
  t.strictSame(pages().flatMap((page) => fileNamesOf(page)
    .filter((name) => !exists(name)).map((name) => `${page} mentions ${name}`)), []);
});

t.test('docs/README.md leads to every page', async (t) => {
  const listed = new Set(linksOf('docs/README.md').map(({ path }) => path));
  t.strictSame(filesBelow('docs', '.md').filter((page) => page !== 'docs/README.md')
    .filter((page) => !listed.has(page)), []);
});

t.test('docs/configuration.md has every setting', async (t) => {
  const [table] = /^\| variable .*\n(\|.*\n)*/m.exec(read('docs/configuration.md')) ?? [];
  t.equal(table, settingsTable());
});

t.test('what pages and examples set is a setting: doctor warns of others', async (t) => {
  // What is gone stays in the changelog.
  const written = pages().filter((page) => page !== 'CHANGELOG.md');
  for (const file of [...written, ...filesBelow('examples'), 'src/dashboard/runs/RunFile.tsx']) {
    const named = read(file).match(/\bGATEHOUSE_[A-Z0-9_]+/g) ?? [];
    t.strictSame(unknownVariables(Object.fromEntries(named.map((name) => [name, 'x']))), [], file);
  }
});

t.test('docs/monitoring.md has every metric, as the code describes it', async (t) => {
  const told = tableOf('docs/monitoring.md', ['metric', 'kind', 'labels', 'what it says']);
  t.strictSame(told, Object.entries({ ...GAUGES, ...METRICS }).map(([name, metric]) => ({
    metric: `\`${fullName(name as MetricName)}\``,
    kind: name.endsWith('_total') ? 'counter' : metric.kind,
    labels: metric.labels.map((label) => `\`${label}\``).join(', '),
    'what it says': metric.says,
  })));
});

t.test('docs/events.md describes each kind as openapi.yaml does', async (t) => {
  interface Schema { properties: Record<string, Schema>; required: string[]; const?: string }
  const { schemas } = JSON.parse(read('generated/openapi.json')).components as
    { schemas: Record<string, Schema & { discriminator: { mapping: Record<string, string> } }> };
  const declared = Object.entries(schemas.RunEvent!.discriminator.mapping).map(([kind, ref]) => {
    const { properties, required } = schemas[basename(ref)]!.properties.data!;
    const fields = Object.keys(properties).map((name) =>
      `\`${name}\`${required.includes(name) ? '' : '?'}`);
    return { kind: `\`${kind}\``, data: fields.join(', ') };
  });
  const told = tableOf('docs/events.md', ['kind', 'data', 'when']);
  t.strictSame(told.map(({ kind, data }) => ({ kind, data })), declared);
  const envelope = tableOf('docs/events.md', ['field', 'what it is'])
    .flatMap(({ field }) => field!.replaceAll('`', '').split(', '));
  const fields: (keyof Schemas['RunEvent'])[] =
    ['id', 'type', 'run_id', 'session_id', 'sequence_number', 'created_at', 'data'];
  t.strictSame(envelope, fields);
});

t.test('docs/audit-log.md has every kind of entry', async (t) => {
  const told = tableOf('docs/audit-log.md', ['`event`', 'what an entry of it tells of'])
    .flatMap((row) => row['`event`']!.replaceAll('`', '').split(', '));
  t.strictSame(told.toSorted(), AUDIT_EVENTS);
});

t.test('an example that is not run says why', async (t) => {
  t.strictSame(pages().flatMap(examplesOf)
    .filter(({ norun }) => norun !== '' && norun.length < 10).map(({ at }) => at), []);
});

t.test('the examples run, and print what the page says', async (t) => {
  const alone = pages().filter((page) => !STORIES.flat().includes(page)).map((page) => [page]);
  for (const together of [...STORIES, ...alone]) {
    const examples = together.flatMap(examplesOf);
    if (examples.every(({ norun }) => norun !== '')) continue;
    await t.test(together.join(', '), (t) => checkExamples(t, examples));
  }
});

async function checkExamples(t: Test, examples: Example[]): Promise<void> {
  const needsCurl = examples.some(({ text, norun }) => norun === '' && /\bcurl\b/.test(text));
  if (needsCurl && !hasCurl()) {
    t.pass('the examples run', { skip: 'they need curl, and there is none here' });
    return;
  }
  const folder = await checkout(t);
  const outcomes = await runExamples(examples, folder, { GITHUB_TOKEN });
  for (const { at, printed, errors, expected } of outcomes) {
    if (printed === undefined) {
      t.fail(`${at} does not end with 0`, { errors });
      return;
    }
    t.pass(`${at} ends with 0`);
    if (!expected) continue;
    t.match(comparable(printed, expected), outputPattern(expected), `${at} prints that`);
  }
}

/**
 * A folder that looks like a checkout in which the service was started. There is no way to the real
 * GitHub: its document leads to a fake, at an address that has to be allowed.
 */
async function checkout(t: Test): Promise<string> {
  const memory = join(t.testdirName, 'node_modules', '.bin', 'mcp-server-memory');
  const mcp_stdio = JSON.stringify([['MEMORY_FILE_PATH=', memory]]);
  const { client, workspace_id, url, config } = await testServer(t, { config: { mcp_stdio } });
  const { base_url, api_key, admin_token } = client;
  const { allow, document } = await fakeGithub(t);
  const folder = t.testdir({
    '.gatehouse': {
      'credentials.json': JSON.stringify({ base_url, workspace_id, api_key, admin_token }),
    },
    bin: {},
    path: {},
    ...Object.fromEntries(SHOWN.map((name) => [name, t.fixture('symlink', join(ROOT, name))])),
  });
  await writeFile(join(folder, 'bin', 'gatehouse'), `#!/bin/sh
[ "$1 $2" = 'integrations add' ] && set -- "$@" --allow ${allow}
[ "$1" = doctor ] && export DATABASE_URL='${url}' GATEHOUSE_MASTER_KEYS='${config.master_keys}'
exec '${join(ROOT, 'bin', 'gatehouse')}' "$@"
`, { mode: 0o755 });
  // As the service makes them, whatever the umask is here.
  await chmod(join(folder, '.gatehouse'), 0o700);
  await chmod(join(folder, '.gatehouse', 'credentials.json'), 0o600);
  installNpm(join(folder, 'path'), document);
  return folder;
}

function hasCurl(): boolean {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
