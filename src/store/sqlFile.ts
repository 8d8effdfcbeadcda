import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface SqlFile {
  sql: string;
  sha256: string;
}

/** Reads a file of SQL. Line endings do not count: a checkout may rewrite them. */
export function readSqlFile(file: URL): SqlFile {
  const sql = readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  return { sql, sha256: createHash('sha256').update(sql).digest('hex') };
}
