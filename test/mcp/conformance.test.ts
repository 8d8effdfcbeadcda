/** The official conformance suite, all that it has for servers, by every version of its wire. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { EXPECTED, VERSIONS } from './expectedFailures.ts';
import { serviceOfSuite, wayOfSuite } from './suite.ts';
import { mcpClient } from './support.ts';

interface Check { id: string; status: string; errorMessage?: string }

const run = promisify(execFile);
const SUITE = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/conformance/dist/index.js');
const server = await serviceOfSuite(t);
const url = await wayOfSuite(t, server);

/** Of each scenario, the checks that failed, or would rather have it otherwise. */
async function failuresOf(version: string, folder: string): Promise<Record<string, Check[]>> {
  await run(process.execPath, [SUITE, 'server', '--url', url, '--suite', 'all',
    '--spec-version', version, '-o', folder]).catch((error: { code?: unknown }) => {
    // It exits with 1 as well when a check fails.
    if (error.code !== 1) throw error;
  });
  const failures: Record<string, Check[]> = {};
  for (const name of await readdir(folder)) {
    const checks = JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')) as Check[];
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
    failures[scenario] = checks.filter(({ status }) => /^(FAILURE|WARNING)$/.test(status));
  }
  return failures;
}

function expectedOf(scenario: string, version: string): string[] {
  return EXPECTED.flatMap(({ versions = VERSIONS, scenarios }) => {
    const checks = versions.includes(version) ? scenarios[scenario] : undefined;
    return checks?.length === 0 ? [scenario] : checks ?? [];
  });
}

for (const version of VERSIONS) {
  t.test(`all scenarios of ${version}`, async (t) => {
    const { stdout } = await run(process.execPath,
      [SUITE, 'list', '--server', '--spec-version', version]);
    const listed = [...stdout.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name!);
    t.ok(listed.length > 20, 'it has scenarios');
    const failures = await failuresOf(version, t.testdir());
    t.strictSame(Object.keys(failures).toSorted(), listed.toSorted(), 'each has run');
    for (const scenario of listed) {
      const expected = expectedOf(scenario, version);
      const failed = failures[scenario]!;
      t.strictSame(failed.filter(({ id }) => !expected.includes(id)), [],
        `${scenario}: nothing else fails`);
      t.strictSame(expected.filter((id) => !failed.some((one) => one.id === id)), [],
        `${scenario}: what passes is not expected to fail any more`);
    }
    const named = EXPECTED.filter(({ versions = VERSIONS }) => versions.includes(version))
      .flatMap(({ scenarios }) => Object.keys(scenarios));
    t.strictSame(named.filter((one) => !listed.includes(one)), [], 'no other is expected to fail');
  });
}

t.test('what a schema has at its top, every maker of models takes', async (t) => {
  const mcp = await mcpClient(t, server, { search: '?actions=tools.tools.*' });
  const { tools } = await mcp.listTools();
  const { inputSchema } = tools.find(({ name }) => name.endsWith('json_schema_2020_12_tool'))!;
  t.strictSame(Object.keys(inputSchema), ['type', 'properties']);
  t.match(inputSchema.properties, { name: { type: 'string' },
    address: { properties: { city: { type: 'string' } } } });
});
