/** Applies the overrides that the source of an import has not applied itself. */
import type { Draft, Import } from './imports.ts';

/** Hides tools and names misprints; the importer of documents hides operations itself. */
export function overridden(draft: Draft, made: Import): Import {
  const { kind, overrides } = draft;
  const isHidden = ({ source_key }: { source_key: string }) =>
    Object.hasOwn(overrides, source_key) && overrides[source_key]!.hidden === true;
  const rows = made.rows.filter((row) => !isHidden(row));
  const hidden = made.rows.filter(isHidden)
    .map(({ source_key }) => ({ source_key, reason: 'hidden' }));
  const { operations, imported, skipped } = made.report;
  const all = [...hidden, ...skipped];
  const known = new Set([...rows, ...all].map(({ source_key }) => source_key));
  if (kind === 'openapi') known.add('*');
  // If the report does not name all that was left out, a key may belong to something unnamed.
  const unmatched = imported + skipped.length < operations ? []
    : Object.keys(overrides).filter((key) => !known.has(key));
  return {
    ...made, rows,
    report: {
      ...made.report, imported: imported - hidden.length, skipped: all,
      warnings: [...unmatched.map((key) => `The override of ${JSON.stringify(key)} changes nothing:`
        + ` no ${kind === 'mcp' ? 'tool' : 'operation'} is called that.`), ...made.report.warnings],
    },
  };
}
