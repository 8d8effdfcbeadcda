/** What the tests of the doctor have in common. */
import type { Test } from 'tap';
import type { Environment } from '../../src/config.ts';
import { examine, type ExamineOptions } from '../../src/doctor/doctor.ts';
import type { Finding } from '../../src/doctor/report.ts';
import type { Sql } from '../../src/store/database.ts';

/** What is found, by check; the data directory is an empty one. */
export async function found(
  t: Test, environment: Environment, options: Omit<ExamineOptions, 'environment'> = {},
): Promise<Record<string, Finding>> {
  const findings = await examine({
    environment: { GATEHOUSE_DATA_DIR: t.testdirName, PORT: '1', ...environment }, ...options,
  });
  return Object.fromEntries(findings.map((finding) => [finding.check, finding]));
}

export async function addIntegration(sql: Sql, slug: string, warnings: string[]): Promise<void> {
  const report = { operations: 1, imported: 1, skipped: [], warnings };
  await sql`insert into integrations (slug, id, kind, title, mcp, report)
    values (${slug}, ${`int_${slug}`}, 'mcp', ${slug}, '{"url":"https://example.com"}',
      ${JSON.stringify(report)}::text::json)`;
}
