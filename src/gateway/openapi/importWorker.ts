/** The thread of importDocument.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { DocumentError, loadDocument } from './document.ts';
import { importOpenapi, type Imported, type ImportOptions } from './openapi.ts';
import { uncheckedPatterns } from './uncheckedPatterns.ts';
import { upgradeDocument } from './upgrade.ts';

export interface DocumentRequest {
  source: string | Buffer;
  /** As the server said that sent it. */
  content_type?: string;
  options: ImportOptions;
}

/** What the thread answers. */
export type WorkerAnswer = { imported: Imported } | { refused: string };

parentPort!.postMessage(answer(workerData as DocumentRequest));

function answer({ source, content_type, options }: DocumentRequest): WorkerAnswer {
  try {
    // Buffers arrive as plain byte arrays.
    const bytes = typeof source === 'string' ? source : Buffer.from(source);
    const { document } = upgradeDocument(
      loadDocument(bytes, content_type), options.document_url);
    const imported = importOpenapi(document, options);
    const { actions, report } = imported;
    report.warnings.push(...uncheckedPatterns(actions.map(({ input_schema }) => input_schema)));
    return { imported };
  } catch (error) {
    if (error instanceof DocumentError) return { refused: error.message };
    throw error;
  }
}
