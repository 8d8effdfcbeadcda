/** What a call is known to be by its names alone. */

/**
 * The integrations of Gatehouse's own actions (BUILTIN_SLUGS of the service). They have actions and
 * grants as others, but nobody adds, connects or deletes them, and the API has no document of them.
 */
export const OWN_SLUGS: ReadonlySet<string> = new Set(['gatehouse', 'gateway']);

/** By what way a call came that has to be approved. Direct calls of applications only read. */
export function askerOf(
  { run_id, effect }: { run_id: string | null; effect: string }): string {
  if (run_id !== null) return 'a run';
  return effect === 'read' ? 'a direct call or an MCP client' : 'an MCP client';
}
