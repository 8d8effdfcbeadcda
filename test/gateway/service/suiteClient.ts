/** What the conformance suite starts as a client: it has the service of the test be that. */
const { GATEHOUSE_SUITE_CONTROL, MCP_CONFORMANCE_CONTEXT = '{}' } = process.env;
const { ok } = await fetch(GATEHOUSE_SUITE_CONTROL!, {
  method: 'POST',
  body: JSON.stringify({ ...JSON.parse(MCP_CONFORMANCE_CONTEXT), url: process.argv.at(-1) }),
});
// Nothing else says to the suite that its scenario was played to the end.
process.exitCode = ok ? 0 : 1;
export {};
