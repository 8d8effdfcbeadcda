import type { JsonObject } from '../../json.ts';
import { SchemaUnusable, Validators } from '../schema/validators.ts';

/** Smaller ones are prepared in time, however they are nested: 100 levels take 100 ms. */
const SMALL_CHARS = 4_000;
/** Of the processor, for all schemas of a document. */
const TRY_LIMIT_MS = 10_000;
const SHOWN = 20;

/**
 * Warnings for the operations whose inputs cannot be checked, and which so cannot be called. The
 * largest schemas are tried first, for a bounded time: not for the thread that answers requests.
 */
export function unusableSchemas(
  actions: readonly { source_key: string; input_schema: JsonObject }[]): string[] {
  const tried = actions.map(({ source_key, input_schema }) =>
    ({ source_key, input_schema, text: JSON.stringify(input_schema) }))
    .filter(({ text }) => text.length > SMALL_CHARS)
    .sort((a, b) => b.text.length - a.text.length);
  const found: string[] = [];
  const before = process.threadCpuUsage();
  for (const { source_key, input_schema, text } of tried) {
    const { user, system } = process.threadCpuUsage(before);
    if (user + system > TRY_LIMIT_MS * 1_000) break;
    try {
      new Validators(input_schema, text).of('all');
    } catch (error) {
      if (!(error instanceof SchemaUnusable)) throw error;
      found.push(`${source_key}: It cannot be called, for the schema of its input ${error.message}:`
        + ' calls end with invalid_document. Make the schema smaller, or hide the operation');
    }
  }
  const more = found.length - SHOWN;
  return more <= 0 ? found : [...found.slice(0, SHOWN),
    `${more} further operations cannot be called for the schemas of their inputs`];
}
