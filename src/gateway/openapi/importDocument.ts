/**
 * A document from its bytes to its actions, in a thread of its own. Reading GitHub's takes a second
 * as JSON and eight as YAML; without the thread this process could neither answer nor keep its
 * lease meanwhile, and any document could use all its memory.
 */
import { Worker } from 'node:worker_threads';
import { deadline, untilAborted } from '../../deadline.ts';
import { MODULE } from '../../root.ts';
import { DocumentError } from './documentError.ts';
import type {
  BundleAnswer, BundleRequest, DocumentRequest, WorkerAnswer, WorkerResult,
} from './importWorker.ts';
import type { Imported } from './openapi.ts';

const TIME_LIMIT_MS = 60_000;
const MEMORY_LIMIT_MB = 2_048;

/**
 * Reads, upgrades and imports. Throws DocumentError for what cannot be used; its message is for the
 * operator. Rejects with the signal's reason when `signal` aborts.
 */
export async function importDocument(
  request: DocumentRequest, signal?: AbortSignal): Promise<Imported> {
  return (await inThread(request, signal)).imported!;
}

/**
 * Puts the files of a document into it: what is wanted yet, or the text of the whole. Throws as
 * `importDocument` does.
 */
export async function bundleInThread(
  request: BundleRequest, signal?: AbortSignal): Promise<BundleAnswer> {
  return (await inThread(request, signal)).bundled!;
}

async function inThread(
  request: DocumentRequest | BundleRequest, signal?: AbortSignal): Promise<WorkerResult> {
  signal?.throwIfAborted();
  const worker = new Worker(new URL(`./importWorker${MODULE}`, import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
  });
  const limit = deadline(TIME_LIMIT_MS, signal);
  try {
    const answer = await untilAborted(answerOf(worker), limit.signal);
    if ('refused' in answer) throw new DocumentError(answer.refused);
    return answer;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') {
      throw new DocumentError(`The document needs more than ${MEMORY_LIMIT_MB} MB of memory to be`
        + ' read. Leave out what is not needed.');
    }
    if (limit.is_over && !signal?.aborted) {
      throw new DocumentError(`The document takes more than ${TIME_LIMIT_MS / 1_000} seconds to be`
        + ' read. Leave out what is not needed, or give it as JSON.');
    }
    throw error;
  } finally {
    limit.end();
    await worker.terminate();
  }
}

function answerOf(worker: Worker): Promise<WorkerAnswer> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The import ended with code ${code}`)));
  });
}
