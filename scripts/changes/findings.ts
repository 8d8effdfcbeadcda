/** What a comparison of two documents finds, each thing once and with the operations it touches. */

/**
 * - `wire`: a request that was taken may be refused, or an answer is not what was promised.
 * - `client-code`: the wire holds, but a client that is generated anew does not compile, or one
 *   generated before does not know what is sent.
 * - `additive`: more is taken or offered than before.
 * - `words`: what people read.
 */
export type ChangeClass = 'wire' | 'client-code' | 'additive' | 'words';
const CLASSES: readonly ChangeClass[] = ['wire', 'client-code', 'additive', 'words'];

export interface Finding {
  kind: ChangeClass;
  /** Where, and what: unique among the findings, and the same for the same change. */
  text: string;
  operations: Set<string>;
}

export class Findings {
  readonly #found = new Map<string, Finding>();
  /** The operation that is compared now; null outside of one. */
  operation: string | null = null;

  add(kind: ChangeClass, place: string, what: string): void {
    const key = `${kind}: ${place}: ${what}`;
    let finding = this.#found.get(key);
    if (!finding) {
      finding = { kind, text: `${place}: ${what}`, operations: new Set() };
      this.#found.set(key, finding);
    }
    if (this.operation !== null) finding.operations.add(this.operation);
  }

  /** The worst first, then by text. */
  list(): Finding[] {
    return [...this.#found.values()].sort((one, other) =>
      CLASSES.indexOf(one.kind) - CLASSES.indexOf(other.kind)
      || (one.text < other.text ? -1 : 1));
  }
}
