/** By what way a call came that has to be approved. Direct calls of applications only read. */
export function askerOf(
  { run_id, effect }: { run_id: string | null; effect: string }): string {
  if (run_id !== null) return 'a run';
  return effect === 'read' ? 'a direct call or an MCP client' : 'an MCP client';
}
