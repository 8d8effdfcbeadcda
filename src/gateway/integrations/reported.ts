/** What an operator is told of an import. */
import type { ImportReport, ImportedRow } from '../../store/integrations.ts';
import type { Ruling } from '../action/overrideRules.ts';
import { reportOf } from './changes.ts';
import type { Draft, Import } from './draft.ts';
import { READ_RESOURCE } from '../mcp/resources.ts';
import type { LeftBehind } from './leftBehind.ts';

/** An import before the report on its overrides and on what is left behind. */
export interface MadeImport extends Omit<Import, 'report'> {
  report: Pick<ImportReport,
    'operations' | 'imported' | 'has_resources' | 'skipped' | 'errors' | 'warnings'
    | 'security_schemes' | 'security_alternatives'>;
  left: LeftBehind;
  /** What holds of each action, those that are hidden among them. */
  rulings: readonly Pick<Ruling<object>, 'keys'>[];
}

const SHOWN = 50;
const SKIPPED_SHOWN = 100;
const WAITING_FOR_RESTRICTED = 'What is new is set aside: an action that you denied, hid or want to'
  + ' approve is gone (vanished), and may be back under another name. Look at what is new, deny or'
  + ' hide what has to be, and then accept.';

/** Counts what is hidden, names misprints, and tells what waits and what is left behind. */
export function reportImport(draft: Draft, made: MadeImport): Import {
  const { kind, overrides } = draft;
  const { left, rulings, ...rest } = made;
  const { waiting, rows } = made;
  const { operations, imported, has_resources, errors = [], warnings, ...report } = made.report;
  const skipped = report.skipped.slice(0, SKIPPED_SHOWN);
  const hidden = kind === 'openapi' ? [] : rows.filter((row) => row.hidden)
    .map(({ source_key }) => ({ source_key, reason: 'hidden' }));
  const hiddenTools = hidden.filter(({ source_key }) => source_key !== READ_RESOURCE);
  const all = [...hidden, ...skipped];
  const used = new Set([...rulings.flatMap(({ keys }) => keys),
    ...all.map(({ source_key }) => source_key)]);
  // If the report does not name all that was left out, a key may belong to something unnamed.
  const unmatched = imported + skipped.length < operations ? []
    : Object.keys(overrides).filter((key) => !used.has(key));
  return {
    ...rest,
    report: {
      ...report, operations, imported: imported - hiddenTools.length,
      ...(has_resources && { has_resources }), ...(errors.length > 0 && { errors }),
      ...reportOf(waiting), ...left.report, ...movedReport(rows), ...made.renames?.report,
      ...rulesReport(rulings), skipped: all,
      warnings: [...unmatched.map((key) => `The override of ${JSON.stringify(key)} changes nothing:`
        + ` no ${kind === 'mcp' ? 'tool' : 'operation'} is called that.`),
      ...(left.is_restricted ? [WAITING_FOR_RESTRICTED] : []), ...warnings],
    },
  };
}

/** What goes on under its name although the source calls it otherwise. */
function movedReport(rows: readonly ImportedRow[]): Pick<ImportReport, 'moved' | 'moved_total'> {
  const moved = rows.filter(({ known_key, source_key }) =>
    known_key !== null && known_key !== source_key);
  return moved.length === 0 ? {} : {
    moved_total: moved.length,
    moved: moved.slice(0, SHOWN).map(({ name, known_key, source_key }) =>
      ({ action: name, before: known_key!, after: source_key })),
  };
}

/** Of the overrides by pattern: how many actions each one matches, and for how many it wins. */
function rulesReport(rulings: MadeImport['rulings']): Pick<ImportReport, 'patterns'> {
  const counts = new Map<string, { matches: number, decides: number }>();
  for (const { keys } of rulings) {
    for (const key of keys) {
      const count = counts.get(key) ?? { matches: 0, decides: 0 };
      count.matches += 1;
      count.decides += Number(key === keys.at(-1));
      counts.set(key, count);
    }
  }
  const patterns = [...counts].filter(([key]) => /(^|\.)\*(\.|$)/.test(key) && !key.includes(' '));
  return patterns.length === 0 ? {} : {
    patterns: patterns.slice(0, SHOWN).map(([pattern, count]) => ({ pattern, ...count })),
  };
}
