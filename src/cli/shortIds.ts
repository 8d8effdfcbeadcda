/** Ids by their beginning, which a person would rather type than all thirty characters. */
import type { paths } from '../../generated/types.ts';
import { EXIT, Failure } from './failure.ts';

/** So many candidates are named if there are several. */
const SHOWN = 5;
/** So many of the newest are looked through in a list that takes no beginning of an id. */
const LOOKED_THROUGH = 1_000;
const WHOLE_CHARACTERS = 30;

type Path = keyof paths;
/** Gives the items of a list, the newest first. */
type Read = (path: Path, query: object) => AsyncIterable<{ id?: string; invocation_id?: string }>;

/** Where ids are listed, by the name of the parameter, and what such an id begins with. */
const LISTS: Record<string, [kind: string, path: Path, filter?: 'query' | 'id_prefix']> = {
  session_id: ['ses_', '/sessions', 'query'],
  run_id: ['run_', '/runs', 'id_prefix'],
  invocation_id: ['inv_', '/action_invocations', 'id_prefix'],
  workspace_id: ['wsp_', '/admin/workspaces'],
  api_key_id: ['key_', '/admin/api_keys'],
  admin_token_id: ['adm_', '/admin/admin_tokens'],
  connection_id: ['con_', '/admin/connections'],
  grant_id: ['grt_', '/admin/grants'],
  approval_id: ['apr_', '/admin/approvals'],
};

/**
 * The whole id of what has an id that begins so, with its `run_` or without: null if there is none,
 * or if `given` can be no beginning of such an id. Throws Failure if several begin so, and names
 * them; and what `read` throws.
 */
export async function wholeId(
  read: Read, parameter: string, given: string): Promise<string | null> {
  const list = LISTS[parameter];
  if (list === undefined) return null;
  const [kind, path, filter] = list;
  const prefix = given.includes('_') ? given : `${kind}${given}`;
  const [, wrong] = /^([a-z]+_)[0-9a-z]*$/.exec(prefix) ?? [];
  if (wrong === undefined || prefix === kind || prefix.length >= WHOLE_CHARACTERS) return null;
  if (wrong !== kind) {
    throw new Failure(`${given} is no id of what is meant here: those begin with ${kind}.`,
      EXIT.usage);
  }
  const found: string[] = [];
  let looked = 0;
  for await (const item of read(path, filter ? { [filter]: prefix } : {})) {
    const id = item.id ?? item.invocation_id ?? '';
    if (id.startsWith(prefix)) found.push(id);
    if (found.length > SHOWN || ++looked === LOOKED_THROUGH) break;
  }
  if (found.length < 2) return found[0] ?? null;
  throw new Failure(`Several ids begin with ${prefix}:\n${found.slice(0, SHOWN)
    .map((id) => `  ${id}\n`).join('')}${found.length > SHOWN ? '  and more\n' : ''}`
    + 'Give more of the one that you mean.', EXIT.usage);
}
