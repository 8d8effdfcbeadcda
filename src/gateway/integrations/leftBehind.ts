/**
 * What an import leaves behind: actions that their source no longer has (vanished), and grants
 * that name no action any more (dangling). If an operator has restricted such an action (denied or
 * hidden it, set its parameters, said that it writes, or wanted to approve its calls), the source
 * may offer the same thing again by another name. So new actions wait until an operator has
 * accepted that the old one is gone.
 */
import type { Grant } from '../../store/grants.ts';
import type { ImportReport, StoredAction } from '../../store/integrations.ts';
import { OverrideRules } from '../action/overrideRules.ts';
import { byPattern } from '../action/patterns.ts';
import type { Draft } from './draft.ts';

export interface LeftBehind {
  /** Whether an action is gone that an operator has restricted. */
  is_restricted: boolean;
  /** All actions that an operator has restricted, whether they are gone or not. */
  restricted: readonly Former[];
  report: Pick<ImportReport,
    'vanished' | 'vanished_total' | 'dangling_grants' | 'dangling_grants_total'>;
}

const SHOWN = 50;

/** What there was, as far as it matters here. */
export type Former =
  Pick<StoredAction, 'name' | 'source_key' | 'hidden' | 'removed_at' | 'missing_since'>
  & Partial<Pick<StoredAction, 'former_keys'>>;

/** `offered`: the names of what the import has; `hidden`: of what the operator hides. */
export function leftBehind(
  { slug, kind, overrides }: Pick<Draft, 'slug' | 'kind' | 'overrides'>,
  grants: readonly Grant[], stored: readonly Former[],
  present: { offered: readonly string[], hidden: readonly string[] }): LeftBehind {
  const everything = new Set(['*', '*.*', '*.*.*', `${slug}.*`, `${slug}.*.*`,
    ...(kind === 'mcp' ? [`${slug}.tools.*`, '*.tools.*'] : [])]);
  const here = new Set([...present.offered, ...present.hidden]);
  const rules = new OverrideRules(overrides);
  const granted = byPattern(grants, ({ actions }) => actions);
  const isRestricted = (one: Former) => {
    const { override, keys } = rules.of({ name: one.name, source_keys: [one.source_key] });
    const { effect, hidden, hidden_parameters = [], parameters = {} } = override;
    return one.hidden
      || granted.matching(one.name).some((alike) => !everything.has(alike[0]!.actions)
        && alike.some(({ decision }) => decision !== 'allow'))
      || keys.some((key) => !everything.has(key))
        && (hidden === true || hidden_parameters.length > 0 || Object.keys(parameters).length > 0
          || (effect !== undefined && effect !== 'read'));
  };
  const gone = stored.filter((one) => isAwaited(one) && !here.has(one.name))
    .map((one) => ({ ...one, restricted: isRestricted(one) }));
  const matched = new Set(present.offered.flatMap((name) =>
    granted.matching(name).map(([one]) => one!.actions)));
  const dangling = grants.filter(({ actions }) =>
    actions.startsWith(`${slug}.`) && !matched.has(actions));
  const is_restricted = gone.some(({ restricted }) => restricted);
  return { is_restricted, restricted: stored.filter(isRestricted), report: {
    ...(gone.length > 0 && { vanished_total: gone.length,
      vanished: [...gone].sort((a, b) => Number(b.restricted) - Number(a.restricted))
        .slice(0, SHOWN).map(({ name, source_key, restricted }) =>
          ({ action: name, source_key, restricted })) }),
    ...(dangling.length > 0 && { dangling_grants_total: dangling.length,
      dangling_grants: dangling.slice(0, SHOWN).map(({ id, workspace_id, actions, decision }) =>
        ({ grant_id: id, workspace_id, actions, decision })) }),
  } };
}

/** Whether an action should be there: it was at the last import, or nobody accepted its end. */
function isAwaited({ removed_at, hidden, missing_since }: Former): boolean {
  return removed_at === null || hidden || missing_since !== null;
}
