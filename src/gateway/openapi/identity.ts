/**
 * Which action an operation of a document is, whatever the document calls it now. Grants hold by
 * names: an operation that got another name because its author renamed a parameter would be out of
 * reach of a `deny`. So an operation is the one that was known at the same method and path, else
 * at the same one but for the names of its parameters, else but for how the path is written, else
 * the one that was there before it moved, else with the same operationId.
 */
import { erasedKey, plainKey } from './operationAddress.ts';

/** An operation of an earlier import. */
export interface KnownOperation {
  /** `METHOD path` */
  source_key: string;
  name: string;
  operation_id: string | null;
  /**
   * The source had it once, does not have it now, and an operator has accepted that: what the
   * operator hides is not removed.
   */
  removed: boolean;
  /** What it was called before it was renamed: nothing else is called that. */
  former_names?: readonly string[];
  /** Where it was before it moved: what is there now may be the same again. */
  former_keys?: readonly string[];
}

/** What an operation of a document is told by. */
export interface Identifiable {
  source_key: string;
  operation_id: string | undefined;
}

export interface Identity {
  /** Null: it is new. */
  known: KnownOperation | null;
  /**
   * Nobody can say whether it is new: it could be one of several, or another claims the same one,
   * or it has the operationId of one that goes on at its path under another id, or it is where
   * another one goes on, or was.
   */
  unclear: boolean;
}

/** Of each operation, in their order. No two get the same known operation. */
export function identify(
  operations: readonly Identifiable[], known: readonly KnownOperation[]): Identity[] {
  const matching = new Matching(operations, known);
  matching.byKey(({ source_key }) => source_key);
  matching.byKey(({ source_key }) => erasedKey(source_key), (operation, one) =>
    operation.operation_id !== undefined && operation.operation_id === one.operation_id);
  matching.byKey(({ source_key }) => plainKey(source_key));
  matching.besideOthers();
  matching.whereTheyWere();
  matching.byKey(({ operation_id }) => operation_id ?? null);
  matching.withLostIds();
  return matching.identities();
}

/** Operations and known ones, paired step by step: the surest signs first. */
class Matching {
  readonly #operations: readonly Identifiable[];
  readonly #known: readonly KnownOperation[];
  readonly #found = new Map<Identifiable, KnownOperation>();
  readonly #taken = new Map<KnownOperation, Identifiable>();
  readonly #unclear = new Set<Identifiable>();

  constructor(operations: readonly Identifiable[], known: readonly KnownOperation[]) {
    this.#operations = operations;
    this.#known = known;
  }

  identities(): Identity[] {
    return this.#operations.map((operation) => ({
      known: this.#found.get(operation) ?? null, unclear: this.#unclear.has(operation) }));
  }

  /** One alone with one alone; of several, those of which `isSame` is sure. */
  byKey(
    keyOf: (one: Identifiable | KnownOperation) => string | null,
    isSame: (operation: Identifiable, one: KnownOperation) => boolean = () => false): void {
    const theirs = grouped(this.#known.filter((one) => !this.#taken.has(one)), keyOf);
    for (const [key, group] of grouped(this.#undecided(), keyOf)) {
      const candidates = preferred(theirs.get(key) ?? []);
      const single = group.length === 1 && candidates.length === 1;
      for (const operation of group) {
        const [one, ...others] = candidates.filter((one) => single || isSame(operation, one));
        if (one !== undefined && others.length === 0 && !this.#taken.has(one)) {
          this.#match(operation, one);
        }
      }
      if (!candidates.every((one) => this.#taken.has(one))) this.#doubt(group);
    }
  }

  /** `/t/{b}` beside `/t/{a}`, or `/T/`, is another word for what is there. */
  besideOthers(): void {
    const held = new Set([...this.#taken.keys()].map(({ source_key }) => plainKey(source_key)));
    this.#doubt(this.#undecided().filter(({ source_key }) => held.has(plainKey(source_key))));
  }

  /** What is where a known operation was before it moved: that one, if nothing else is. */
  whereTheyWere(): void {
    const before = Map.groupBy(this.#known.flatMap((one) =>
      [...new Set((one.former_keys ?? []).map(plainKey))].map((key) => ({ key, one }))),
    ({ key }) => key);
    const open = this.#undecided();
    const ids = grouped(open, ({ operation_id }) => operation_id ?? null);
    for (const [key, group] of grouped(open, ({ source_key }) => plainKey(source_key))) {
      const [was, ...others] = before.get(key) ?? [];
      if (was === undefined) continue;
      const { one } = was;
      // What has its operationId somewhere else may be what it is now.
      const is_elsewhere = ids.get(one.operation_id ?? '')?.some((other) => other !== group[0]);
      if (group.length > 1 || others.length > 0 || this.#taken.has(one) || is_elsewhere) {
        this.#doubt(group);
      } else this.#match(group[0]!, one);
    }
  }

  /** `export` goes to /v2/export, and what stays at its path is called exportV1 now. */
  withLostIds(): void {
    const lost = new Set([...this.#taken].filter(([one, { operation_id }]) =>
      one.operation_id !== (operation_id ?? null)).map(([one]) => one.operation_id));
    this.#doubt(this.#operations.filter(({ operation_id }) =>
      operation_id && lost.has(operation_id)));
  }

  #undecided(): Identifiable[] {
    return this.#operations.filter((one) => !this.#found.has(one) && !this.#unclear.has(one));
  }

  #match(operation: Identifiable, one: KnownOperation): void {
    this.#found.set(operation, one);
    this.#taken.set(one, operation);
  }

  /** Nobody can say of these whether they are new, unless it was found what they are. */
  #doubt(operations: readonly Identifiable[]): void {
    for (const one of operations) if (!this.#found.has(one)) this.#unclear.add(one);
  }
}

/** Those that are in use, if there are any: an earlier one of the same kind is history. */
function preferred(candidates: readonly KnownOperation[]): readonly KnownOperation[] {
  const live = candidates.filter(({ removed }) => !removed);
  return live.length > 0 ? live : candidates;
}

function grouped<T>(all: readonly T[], keyOf: (one: T) => string | null): Map<string, T[]> {
  return Map.groupBy(all.filter((one) => keyOf(one)), (one) => keyOf(one)!);
}
