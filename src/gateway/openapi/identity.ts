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
  const found = new Map<Identifiable, KnownOperation>();
  const unclear = new Set<Identifiable>();
  const taken = new Map<KnownOperation, Identifiable>();
  const match = (operation: Identifiable, one: KnownOperation) => {
    found.set(operation, one);
    taken.set(one, operation);
  };
  const byKey = new Map(known.map((one) => [one.source_key, one]));
  for (const operation of operations) {
    const same = byKey.get(operation.source_key);
    if (same !== undefined) match(operation, same);
  }
  const pair = (keyOf: (one: Identifiable | KnownOperation) => string | null,
    isClear: (operation: Identifiable, one: KnownOperation) => boolean) => {
    const [ours, theirs] = [
      grouped(operations.filter((one) => !found.has(one) && !unclear.has(one)), keyOf),
      grouped(known.filter((one) => !taken.has(one)), keyOf)];
    for (const [key, group] of ours) {
      const candidates = preferred(theirs.get(key) ?? []);
      if (candidates.length === 0) continue;
      const single = group.length === 1 && candidates.length === 1;
      for (const operation of group) {
        const fitting = single ? candidates : candidates.filter((one) => isClear(operation, one));
        if (fitting.length === 1 && !taken.has(fitting[0]!)) match(operation, fitting[0]!);
      }
      if (candidates.every((one) => taken.has(one))) continue;
      for (const operation of group) if (!found.has(operation)) unclear.add(operation);
    }
  };
  pair(({ source_key }) => erasedKey(source_key), (operation, one) =>
    operation.operation_id !== undefined && operation.operation_id === one.operation_id);
  pair(({ source_key }) => plainKey(source_key), () => false);
  const isFree = (one: Identifiable) => !found.has(one) && !unclear.has(one);
  // `/t/{b}` beside `/t/{a}`, or `/T/`, is another word for what is there.
  const held = new Set([...taken.keys()].map(({ source_key }) => plainKey(source_key)));
  for (const operation of operations.filter(isFree)) {
    if (held.has(plainKey(operation.source_key))) unclear.add(operation);
  }
  comeBack(operations.filter(isFree), known, { taken, match, unclear });
  pair(({ operation_id }) => operation_id ?? null, () => false);
  // `export` goes to /v2/export, and what stays at its path is called exportV1 now.
  const given_up = new Set([...taken].filter(([one, { operation_id }]) =>
    one.operation_id !== (operation_id ?? null)).map(([one]) => one.operation_id));
  for (const operation of operations) {
    if (operation.operation_id && !found.has(operation)
      && given_up.has(operation.operation_id)) unclear.add(operation);
  }
  return operations.map((operation) =>
    ({ known: found.get(operation) ?? null, unclear: unclear.has(operation) }));
}

interface Matches {
  taken: ReadonlyMap<KnownOperation, Identifiable>;
  match(operation: Identifiable, one: KnownOperation): void;
  unclear: Set<Identifiable>;
}

/** What is where a known operation was before it moved: that one, if nothing else is. */
function comeBack(operations: readonly Identifiable[], known: readonly KnownOperation[],
  { taken, match, unclear }: Matches): void {
  const before = new Map<string, Set<KnownOperation>>();
  for (const one of known) {
    for (const key of (one.former_keys ?? []).map(plainKey)) {
      before.set(key, (before.get(key) ?? new Set()).add(one));
    }
  }
  const ids = grouped(operations, ({ operation_id }) => operation_id ?? null);
  for (const [key, group] of grouped(operations, ({ source_key }) => plainKey(source_key))) {
    const [one, ...others] = before.get(key) ?? [];
    if (one === undefined) continue;
    // What has its operationId somewhere else may be what it is now.
    const is_elsewhere = ids.get(one.operation_id ?? '')?.some((other) => other !== group[0]);
    if (group.length > 1 || others.length > 0 || taken.has(one) || is_elsewhere) {
      for (const operation of group) unclear.add(operation);
    } else match(group[0]!, one);
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
