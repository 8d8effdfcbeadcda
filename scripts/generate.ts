/**
 * openapi.yaml → generated/. Run by `make generate`; `make verify` runs it into an empty folder
 * and compares. The output is a function of the document alone.
 *
 * Usage: node scripts/generate.ts [--document FILE] [--out FOLDER]
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import {
  ROOT, closedDocument, publicDocument, readDocument, type OpenapiDocument,
} from './document.ts';
import { validatorFiles } from './validators.ts';
import { operationsFile } from './operationsTable.ts';
import { codegenDocument, document30, document32 } from './views.ts';

const BANNER = '// Generated from openapi.yaml by scripts/generate.ts. Do not edit.\n';

/** Writes every generated file into `folder` (made if need be). Returns their names. */
export async function generate(document: OpenapiDocument, folder: string): Promise<string[]> {
  const closed = closedDocument(document);
  const files: Record<string, string> = {
    'openapi.json': toJson(publicDocument(document)),
    'openapi.3.0.json': toJson(document30(document)),
    'openapi.3.2.json': toJson(document32(document)),
    'openapi.codegen.json': toJson(codegenDocument(document)),
    'openapi.admin.json': toJson(document),
    'types.ts': BANNER + await typesFile(closed),
  };
  const code = { ...validatorFiles(closed), 'operations.ts': operationsFile(closed) };
  for (const [name, text] of Object.entries(code)) files[name] = BANNER + text;
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(resolve(folder, name), text);
  return Object.keys(files);
}

function toJson(document: OpenapiDocument): string {
  return JSON.stringify(document, null, 1) + '\n';
}

/** Short names of what half of the code is about, so that each is declared once. */
const SHORT_NAMES = `export type Schemas = components['schemas'];
export type RunEvent = Schemas['RunEvent'];
`;

/** Types of the document. Defaults stay optional: a request body is not filled in for anybody. */
async function typesFile(document: OpenapiDocument): Promise<string> {
  // The Node API: the command-line tool reads redocly.yaml and stops at what that lints.
  const nodes = await openapiTS(structuredClone(document) as never, {
    defaultNonNullable: false, emptyObjectsUnknown: true, silent: true,
  });
  return astToString(nodes) + SHORT_NAMES;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { document: { type: 'string' }, out: { type: 'string' } },
  });
  const folder = values.out ?? fileURLToPath(new URL('generated/', ROOT));
  const names = await generate(readDocument(values.document), folder);
  process.stdout.write(`${names.map((name) => resolve(folder, name)).join('\n')}\n`);
}
