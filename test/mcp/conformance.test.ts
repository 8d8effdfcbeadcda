/** The official conformance suite, all that it has for servers, by every version of its wire. */
import t from 'tap';
import { failuresOf, holdsToExpected, listedScenarios } from '../support/conformance.ts';
import { EXPECTED, VERSIONS } from './expectedFailures.ts';
import { serviceOfSuite, wayOfSuite } from './suite.ts';
import { mcpClient } from './support.ts';

const server = await serviceOfSuite(t);
const url = await wayOfSuite(t, server);

for (const version of VERSIONS) {
  t.test(`all scenarios of ${version}`, async (t) => {
    const of = ['--spec-version', version];
    const expected = EXPECTED.filter(({ versions = VERSIONS }) => versions.includes(version));
    holdsToExpected(t, await listedScenarios(['--server', ...of]),
      await failuresOf(t, 'server', ['--url', url, '--suite', 'all', ...of]),
      Object.fromEntries(expected.flatMap(({ scenarios }) => Object.entries(scenarios))));
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
