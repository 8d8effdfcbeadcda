/** An OpenAPI document of this machine, with the files beside it that it refers to. */
import { readFile, realpath } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { textOfBytes } from '../textOfBytes.ts';
import { EXIT, Failure } from './failure.ts';
import { STANDARD_INPUT } from './readText.ts';

export interface DocumentInFiles {
  document: string;
  document_files?: Record<string, string>;
}

const FILES_LIMIT = 2_000;

/**
 * Only files below the document's folder go along, wherever symbolic links lead: a document of
 * somebody else must not fetch what else there is. The import says what it has missed. Throws
 * Failure if the document cannot be read, or is empty.
 */
export async function documentInFiles(place: string): Promise<DocumentInFiles> {
  const read = place === STANDARD_INPUT ? buffer(process.stdin) : readFile(place);
  const document = await read.then(textOfBytes, (error: Error) => {
    throw new Failure(`The document cannot be read: ${error.message}.`, EXIT.usage, error);
  });
  // The service would answer by the schema of its request, which says nothing of a file.
  if (document.trim() === '') throw new Failure(`The document ${place} is empty.`, EXIT.usage);
  // A pipe is in no folder: neither standard input nor what a shell gives as a file, <(curl …).
  const start = await realpath(place).catch(() => null);
  if (place === STANDARD_INPUT || start === null) return { document };
  const folder = dirname(start);
  const texts = new Map([[start, document]]);
  // A Map that is walked while it grows also visits what is added.
  for (const [file, text] of texts) {
    for (const reference of referencesIn(text)) {
      const found = await realpath(resolve(dirname(file), reference)).catch(() => null);
      if (found === null || texts.has(found) || !found.startsWith(folder + sep)) continue;
      const read = await readFile(found).then(textOfBytes, () => null);
      if (read !== null && texts.size <= FILES_LIMIT) texts.set(found, read);
    }
  }
  texts.delete(start);
  return texts.size === 0 ? { document } : { document, document_files: Object.fromEntries(
    [...texts].map(([file, text]) => [addressOf(relative(folder, file)), text])) };
}

/** The paths that a text of JSON or YAML refers to. */
function referencesIn(text: string): string[] {
  const found = [...text.matchAll(/\$ref["']?\s*:\s*(?:"([^"#]+)|'([^'#]+)|([^\s"'#,}\]]+))/g)]
    .map(([, ...written]) => written.find((one) => one !== undefined)!)
    .filter((path) => !/^[a-z][a-z0-9+.-]+:/i.test(path) && !path.startsWith('/'));
  return [...new Set(found)].map((path) => {
    try {
      return decodeURIComponent(path);
    } catch {
      return path;
    }
  });
}

/** The path as the address that references to it have. */
function addressOf(path: string): string {
  return encodeURI(path.replaceAll(sep, '/')).replace(/[?#]/g, encodeURIComponent);
}
