/**
 * A document in several files, made one: each file that it refers to comes below `x-documents`, and
 * the references lead there. What is stored, compared and accepted is that one document.
 */
import { deadline } from '../../deadline.ts';
import { DocumentError } from './documentError.ts';
import { bundleInThread } from './importDocument.ts';

export interface DocumentFiles {
  /** The address of the document; references are seen from there. */
  place: string;
  /** The text of a file by its address; null if it is not to be had. */
  load(address: string, signal: AbortSignal): Promise<string | null>;
}

const FILES_LIMIT = 2_000;
const BYTES_LIMIT = 33_554_432;
const TIME_LIMIT_MS = 60_000;
const AT_ONCE = 8;
/** Each file may refer to further ones; real documents are three deep. */
const ROUNDS_LIMIT = 12;

/**
 * The document with all files that it refers to, as JSON; as it was if it refers to none that is to
 * be had. Throws DocumentError for files that cannot be read or are too many.
 */
export async function inOneDocument(
  source: string, { place, load }: DocumentFiles, signal: AbortSignal): Promise<string> {
  if (!/\$ref["']?\s*:\s*["']?[^"'#\s]/.test(source)) return source;
  const files = new Map<string, string>();
  const missing = new Set<string>();
  const clock = deadline(TIME_LIMIT_MS, signal);
  let bytes = 0;
  try {
    for (let round = 1; ; round++) {
      const { wanted, text } =
        await bundleInThread({ source, place, files, missing }, clock.signal);
      if (text !== null) return files.size === 0 ? source : text;
      if (round > ROUNDS_LIMIT || files.size + missing.size + wanted.length > FILES_LIMIT) {
        throw tooMuch();
      }
      for (let at = 0; at < wanted.length; at += AT_ONCE) {
        await Promise.all(wanted.slice(at, at + AT_ONCE).map(async (address) => {
          const found = await load(address, clock.signal);
          if (found === null) return void missing.add(address);
          bytes += Buffer.byteLength(found);
          files.set(address, found);
        }));
        if (bytes > BYTES_LIMIT) throw tooMuch();
      }
    }
  } catch (error) {
    if (!clock.is_over || signal.aborted) throw error;
    throw new DocumentError('The files that the document refers to could not be had in'
      + ` ${TIME_LIMIT_MS / 1_000} seconds. Give it in one piece (bundled).`);
  } finally {
    clock.end();
  }
}

function tooMuch(): DocumentError {
  return new DocumentError(`The document refers to more than ${FILES_LIMIT} files, to more than`
    + ` ${BYTES_LIMIT / 1_048_576} MB in them, or from one to the next more than ${ROUNDS_LIMIT}`
    + ' times. Give it in one piece (bundled).');
}
