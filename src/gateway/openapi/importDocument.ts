/**
 * A document from its bytes to its actions, in a thread of its own. Reading GitHub's takes a second
 * as JSON and eight as YAML; without the thread this process could neither answer nor keep its
 * lease meanwhile, and any document could use all its memory.
 */
import { MODULE } from '../../root.ts';
import { TooMuchWork, WorkThread } from '../threads/workThread.ts';
import { DocumentError } from './documentError.ts';
import type {
  BundleAnswer, BundleRequest, DocumentRequest, WorkerAnswer,
} from './importWorker.ts';
import type { Imported } from './openapi.ts';

const MODULE_OF_THREAD = new URL(`./importWorker${MODULE}`, import.meta.url);
const LIMITS = { limit_ms: 60_000, memory_limit_mb: 2_048 };
/** In characters or bytes of a document. */
const KEPT_BELOW = 1_000_000;
const IDLE_MS = 10_000;

/**
 * Reads, upgrades and imports. Throws DocumentError for what cannot be used; its message is for the
 * operator. Rejects with the signal's reason when `signal` aborts.
 */
export async function importDocument(
  request: DocumentRequest, signal?: AbortSignal): Promise<Imported> {
  return await inThread(request, signal) as Imported;
}

/**
 * Puts the files of a document into it: what is wanted yet, or the text of the whole. Throws as
 * `importDocument` does.
 */
export async function bundleInThread(
  request: BundleRequest, signal?: AbortSignal): Promise<BundleAnswer> {
  return await inThread(request, signal) as BundleAnswer;
}

/**
 * The thread that was free last; it waits for another document, since to start one takes 80 ms of
 * CPU. (A pool with turns would have a small document wait for a large one of somebody else.)
 */
let spare: ImportThread | undefined;
let idle: NodeJS.Timeout | undefined;

type ImportThread = WorkThread<DocumentRequest | BundleRequest, WorkerAnswer>;

async function inThread(
  request: DocumentRequest | BundleRequest, signal?: AbortSignal,
): Promise<Imported | BundleAnswer> {
  signal?.throwIfAborted();
  const thread = takeSpare() ?? new WorkThread(MODULE_OF_THREAD, LIMITS);
  try {
    const answer = await thread.do(request, signal);
    if ('refused' in answer) throw new DocumentError(answer.refused);
    return answer.made;
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
    throw new DocumentError(error.of === 'memory'
      ? `The document needs more than ${LIMITS.memory_limit_mb} MB of memory to be read. Leave out`
        + ' what is not needed.'
      : `The document takes more than ${LIMITS.limit_ms / 1_000} seconds to be read. Leave out what`
        + ` is not needed,${textsOf(request).every(isJson) ? '' : ' give it as JSON,'} or try again`
        + ' when the machine has less to do.');
  } finally {
    // What a large document took of memory is given back.
    if (sizeOf(request) > KEPT_BELOW || spare !== undefined) await thread.end();
    else if (!thread.has_ended) keep(thread);
  }
}

function sizeOf(request: DocumentRequest | BundleRequest): number {
  return textsOf(request).reduce((sum, { length }) => sum + length, 0);
}

function textsOf(request: DocumentRequest | BundleRequest): string[] {
  return 'files' in request ? [request.source, ...request.files.values()] : [request.source];
}

function isJson(text: string): boolean {
  return /^\s*\{/.test(text);
}

function takeSpare(): ImportThread | undefined {
  clearTimeout(idle);
  const thread = spare;
  spare = undefined;
  return thread?.has_ended ? undefined : thread;
}

function keep(thread: ImportThread): void {
  spare = thread;
  idle = setTimeout(() => void takeSpare()?.end(), IDLE_MS).unref();
}
