import type { EmbeddedAction } from './actionText.ts';

/** The vectors of a list of actions, as far as there are any: a byte for each of their numbers. */
export class VectorTable {
  readonly actions: readonly EmbeddedAction[];
  /** By hash of a text that has no vector yet: where it is among the actions. */
  readonly missing = new Map<string, number[]>();
  /** One vector after the other; none before the first one says how long they are. */
  #numbers = new Int8Array();
  #dimensions = 0;
  /** 0: it has none. */
  readonly #lengths: Float32Array;

  /** `hashes`: of the actions' texts. */
  constructor(actions: readonly EmbeddedAction[], hashes: readonly string[]) {
    this.actions = actions;
    this.#lengths = new Float32Array(actions.length);
    for (const [at, hash] of hashes.entries()) {
      const places = this.missing.get(hash);
      if (places === undefined) this.missing.set(hash, [at]);
      else places.push(at);
    }
  }

  /** Null while there is no vector. */
  get dimensions(): number | null {
    return this.#dimensions || null;
  }

  /** How many actions have none yet. */
  get pending(): number {
    return this.missing.values().reduce((sum, places) => sum + places.length, 0);
  }

  /** Keeps the vector of a text, if it is missing and as long as the others. */
  take(hash: string, vector: Int8Array): void {
    const places = this.missing.get(hash);
    if (places === undefined || (this.#dimensions || vector.length) !== vector.length) return;
    if (this.#dimensions === 0) {
      this.#dimensions = vector.length;
      this.#numbers = new Int8Array(this.actions.length * vector.length);
    }
    for (const at of places) {
      this.#numbers.set(vector, at * this.#dimensions);
      this.#lengths[at] = lengthOf(vector);
    }
    this.missing.delete(hash);
  }

  /**
   * Puts the cosine of this vector and that of each action, from one place up to another, into
   * `cosines`; NaN where there is none.
   */
  compare(query: Int8Array, cosines: Float32Array, from: number, to: number): void {
    const [dimensions, numbers, lengths] = [this.#dimensions, this.#numbers, this.#lengths];
    if (query.length !== dimensions) {
      cosines.fill(NaN, from, to);
      return;
    }
    const length = lengthOf(query);
    for (let at = from; at < to; at++) {
      const start = at * dimensions;
      // In whole numbers of 32 bits, which is three times as fast as with fractions.
      let sum = 0;
      for (let i = 0; i < dimensions; i++) sum = (sum + query[i]! * numbers[start + i]!) | 0;
      cosines[at] = lengths[at] === 0 ? NaN : sum / (length * lengths[at]!);
    }
  }
}

function lengthOf(vector: Int8Array): number {
  let squares = 0;
  for (const number of vector) squares += number * number;
  return Math.sqrt(squares);
}
