/** How far the vectors of actions are, by what the node says in the database that is at it. */
import { openEmbedder } from '../models/embedder.ts';
import { embeddingProgress } from '../store/embeddings.ts';
import type { Sql } from '../store/database.ts';
import { failed, ok, warning, type CheckOutcome, type CheckContext } from './report.ts';

/** The provider is not asked. */
export async function checkEmbeddings(sql: Sql, { config }: CheckContext): Promise<CheckOutcome> {
  let key: string | undefined;
  try {
    key = openEmbedder(config)?.key;
  } catch (error) {
    return failed((error as Error).message, 'Correct it: no node starts like this.');
  }
  if (key === undefined) return ok('no EMBEDDING_MODEL; actions are searched by their words');
  const progress = await embeddingProgress(sql, key);
  if (progress === undefined) {
    return warning(`${key}: no node has begun to compute vectors`,
      'Start a node with this EMBEDDING_MODEL, or look whether one has it.');
  }
  const { texts, computed, failure } = progress;
  const found = `${key}: ${computed} of ${texts} actions have their vector`;
  if (failure === null) return ok(found);
  return warning(`${found}; the last request failed: ${failure}`,
    'It is tried again, within five minutes or when the provider allows it. Meanwhile actions'
    + ' without a vector are found by their words alone.');
}
