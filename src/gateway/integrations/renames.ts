/**
 * Which actions get the names that today's rule would give them. A rename takes along what holds by
 * the old name and lets nothing else begin to hold: where a grant or an override by pattern says
 * otherwise of the new name, the action keeps its old one.
 */
import { isDeepStrictEqual } from 'node:util';
import { newId } from '../../ids.ts';
import type { Grant, NewGrant } from '../../store/grants.ts';
import type { ImportReport, IntegrationRow } from '../../store/integrations.ts';
import { OverrideRules } from '../action/overrideRules.ts';
import { byPattern } from '../action/patterns.ts';
import type { ImportedAction } from '../openapi/openapi.ts';

export interface Renames {
  /** The new names, by the old ones. */
  names: ReadonlyMap<string, string>;
  /** What a grant by pattern says of the old names and not of the new ones. */
  grants: NewGrant[];
  /** The ids of the grants that were looked at: with others it has to be asked again. */
  considered: ReadonlySet<string>;
  overrides: IntegrationRow['overrides'];
  report: Pick<ImportReport, 'renames' | 'renames_total'>;
}

const SHOWN = 500;
const ADDED_LIMIT = 1_000;

/** `apply`: whether they are to be taken, or only to be shown. */
export function renamesOf(
  actions: readonly ImportedAction[], overrides: IntegrationRow['overrides'],
  grants: readonly Grant[], apply: boolean): Renames {
  const wanted = actions.filter(({ name, fresh_name }) =>
    fresh_name !== null && fresh_name !== name);
  const granted = byPattern(grants, ({ actions }) => actions);
  const [names, added] = [new Map<string, string>(), [] as NewGrant[]];
  const rules = new OverrideRules(overrides);
  const renames = wanted.map(({ name: action, fresh_name, source_key }) => {
    const name = fresh_name!;
    const [before, after] = [new Set(granted.matching(action).flat()),
      new Set(granted.matching(name).flat())];
    const [begins] = after.difference(before);
    const ruled = (rules: OverrideRules<object>, name: string) =>
      rules.of({ name, source_keys: [source_key] }).override;
    const later = Object.hasOwn(overrides, action)
      ? new OverrideRules(renameKeys(overrides, new Map([[action, name]]))) : rules;
    const copied = [...before.difference(after)].filter((grant) => grant.actions !== action);
    const reason = begins !== undefined
      ? `The grant ${begins.id} of ${begins.actions} would begin to hold for it.`
      : !isDeepStrictEqual(ruled(rules, action), ruled(later, name))
        ? 'The overrides by pattern say something else of the new name.'
        : added.length + copied.length > ADDED_LIMIT
          ? `More than ${ADDED_LIMIT} grants would have to be added at once; ask again.` : null;
    if (apply && reason === null) {
      names.set(action, name);
      added.push(...copied.map((grant) => ({ ...grant, id: newId('grt'), actions: name })));
    }
    return { action, source_key, name, applied: apply && reason === null, reason };
  });
  return {
    names, grants: added, considered: new Set(grants.map(({ id }) => id)),
    overrides: renameKeys(overrides, names),
    report: { renames_total: renames.length, renames: renames.slice(0, SHOWN) },
  };
}

/** The overrides of names that are new go along (`names`: the new ones by the old ones). */
function renameKeys(
  overrides: IntegrationRow['overrides'], names: ReadonlyMap<string, string>,
): IntegrationRow['overrides'] {
  return Object.fromEntries(Object.entries(overrides).map(([key, said]) =>
    [names.get(key) ?? key, said]));
}
