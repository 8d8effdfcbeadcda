/** The thread of importDocument.ts. */
import type { JsonObject } from '../../json.ts';
import { serve } from '../threads/workThread.ts';
import { bundleFiles, fileNameOf } from './bundleFiles.ts';
import { loadDocument } from './document.ts';
import { DocumentError } from './documentError.ts';
import { importOpenapi, type Imported, type ImportOptions } from './openapi.ts';
import { uncheckedPatterns } from './uncheckedPatterns.ts';
import { unusableSchemas } from './unusableSchemas.ts';
import { upgradeDocument } from './upgrade.ts';

export interface DocumentRequest {
  source: string;
  options: ImportOptions;
}

/** A document and the files that it refers to, by their addresses. */
export interface BundleRequest {
  source: string;
  place: string;
  files: ReadonlyMap<string, string>;
  /** Addresses of files that are not to be had. */
  missing: ReadonlySet<string>;
}

export interface BundleAnswer {
  /** Files that are to be tried yet. */
  wanted: string[];
  /** The whole as JSON, once nothing is wanted. */
  text: string | null;
}

/** What the thread answers. */
export type WorkerAnswer = { made: Imported | BundleAnswer } | { refused: string };

serve(answer);

function answer(request: DocumentRequest | BundleRequest): WorkerAnswer {
  try {
    return { made: 'files' in request ? bundle(request) : importRequested(request) };
  } catch (error) {
    if (error instanceof DocumentError) return { refused: error.message };
    throw error;
  }
}

function bundle({ source, place, files, missing }: BundleRequest): BundleAnswer {
  const read = new Map([...files].map(([address, text]) => [address, readFile(address, text)]));
  const { document, wanted } = bundleFiles(loadDocument(source), place, read);
  const left = wanted.filter((address) => !missing.has(address));
  return { wanted: left, text: left.length > 0 ? null : JSON.stringify(document) };
}

function readFile(address: string, text: string): JsonObject {
  try {
    return loadDocument(text);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new DocumentError(`The document refers to ${fileNameOf(address)}: ${error.message}`);
  }
}

function importRequested({ source, options }: DocumentRequest): Imported {
  const { document } = upgradeDocument(loadDocument(source), options.document_url);
  const made = importOpenapi(document, options);
  const { actions, report } = made;
  report.warnings.push(...uncheckedPatterns(actions.map(({ input_schema }) => input_schema)),
    ...unusableSchemas(actions));
  return made;
}
