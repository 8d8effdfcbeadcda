/** What an operator's overrides make of an import, besides what its source has made of them. */
import type { Draft, Import } from './imports.ts';

/** Hides tools (the importer of documents has hidden operations by itself), and names misprints. */
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
  // Where not all that was left out is named, a key may be one of those.
  const unmatched = imported + skipped.length < operations ? []
    : Object.keys(overrides).filter((key) => !known.has(key));
  return {
    ...made, rows,
    report: {
      operations, imported: imported - hidden.length, skipped: all,
      warnings: [...unmatched.map((key) => `The override of ${JSON.stringify(key)} changes nothing:`
        + ` no ${kind === 'mcp' ? 'tool' : 'operation'} is called that.`), ...made.report.warnings],
    },
  };
}
