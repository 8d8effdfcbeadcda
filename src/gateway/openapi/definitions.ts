/**
 * The operations of documents as they are stored, so that nobody has to import a document again to
 * call one. A node has in memory what a list, a search and a decision need of each; the rest is
 * read when it is described or called, and the last of it are kept.
 */
import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { gather } from '../../gather.ts';
import { sanitizeText } from '../../sanitize.ts';
import type { Sql, Transaction } from '../../store/database.ts';
import type { IntegrationRow } from '../../store/integrations.ts';
import {
  definitionSummaries, holdRevision, readDefinitions, writeDefinitions, type DefinitionRow,
  type DefinitionsKey, type DefinitionSummary,
} from '../../store/operationDefinitions.ts';
import { ActionGone } from '../action/action.ts';
import type { ImportedAction } from './openapi.ts';

type Revision = Pick<IntegrationRow, 'id' | 'revision'>;
type Rest = Omit<ImportedAction, keyof DefinitionSummary | 'integration'>;

/**
 * Raise it whenever the importer makes something else of a document, or a call needs something else
 * of an action: each node then makes the definitions anew, once, and stores them.
 */
const FORMAT = 15;
/** Of the JSON of those that are kept open; in memory they take about three times as much. */
const OPEN_LIMIT_CHARS = 12 * 1_048_576;
/** Packed in one go, so that others get their turn meanwhile. */
const PACKED_TOGETHER = 50;

/** Of the definitions of one document. */
const WRITE_LIMIT_MS = 120_000;

const pack = promisify(deflateRaw);

export class Definitions {
  readonly #sql: Sql;
  readonly #open = new LRUCache<string, Rest>({ maxSize: OPEN_LIMIT_CHARS });
  readonly #read = gather((asked: (DefinitionsKey & { name: string })[]) =>
    readDefinitions(this.#sql, asked));

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** What is known of the operations of a revision; `make` imports them if they are not stored. */
  async summaries(
    revision: Revision, make: () => Promise<readonly ImportedAction[]>,
  ): Promise<DefinitionSummary[]> {
    const key = keyOf(revision);
    const stored = await definitionSummaries(this.#sql, key);
    if (stored.length > 0) return stored;
    const made = await packActions(await make());
    const isCurrent = await this.#sql.begin(async (tx) => {
      // Another node that makes the same may hold the rows for as long as this one would.
      await tx`set local lock_timeout = 0`;
      const held = await holdRevision(tx, key);
      if (held) await writeDefinitions(tx, key, made);
      return held;
    }, { limit_ms: WRITE_LIMIT_MS });
    if (!isCurrent) throw new Error('The integration was changed while its document was read');
    return made.map(({ definition: _, ...summary }) => summary);
  }

  /** Stores what was just imported, in the transaction that writes the revision. */
  async write(tx: Transaction, revision: Revision, rows: readonly DefinitionRow[]): Promise<void> {
    await writeDefinitions(tx, keyOf(revision), rows);
  }

  /** An operation as it was imported. Throws ActionGone if the revision is of long ago. */
  async open(
    revision: Revision & Pick<IntegrationRow, 'updated_at'>, slug: string,
    summary: DefinitionSummary): Promise<ImportedAction> {
    const { name } = summary;
    // By the time too: a failover may lose a revision, and its number is given again.
    const key = `${revision.id} ${revision.revision} ${revision.updated_at} ${name}`;
    let rest = this.#open.get(key);
    if (rest === undefined) {
      const definition = await this.#read({ ...keyOf(revision), name });
      if (definition === null) throw new ActionGone(name);
      const text = inflateRawSync(definition).toString();
      rest = JSON.parse(text) as Rest;
      this.#open.set(key, rest, { size: text.length });
    }
    return { ...summary, integration: slug, ...rest };
  }
}

function keyOf({ id, revision }: Revision): DefinitionsKey {
  return { id, revision, format: FORMAT };
}

/** Actions as they are stored. Their words may hold what no text of the database can. */
export async function packActions(actions: readonly ImportedAction[]): Promise<DefinitionRow[]> {
  const rows: DefinitionRow[] = [];
  for (let from = 0; from < actions.length; from += PACKED_TOGETHER) {
    rows.push(...await Promise.all(actions.slice(from, from + PACKED_TOGETHER).map(packedOne)));
  }
  return rows;
}

async function packedOne(action: ImportedAction): Promise<DefinitionRow> {
  const {
    integration: _, name, source_key, title, description, effect, paged, verbs = '', ...rest
  } = action;
  return {
    name, source_key, title: sanitizeText(title), description: sanitizeText(description), effect,
    paged, verbs: sanitizeText(verbs), definition: await pack(JSON.stringify(rest)),
  };
}
