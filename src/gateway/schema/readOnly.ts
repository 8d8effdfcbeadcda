/** Properties that only come back. What says so may be far from what requires them. */
import { isObject, objectOf, type JsonObject } from '../../json.ts';
import { partsOf } from './references.ts';

/** Of one schema, so that the work does not grow with the square of a document. */
const PARTS_LIMIT = 100;

export class ReadOnlyProperties {
  readonly #target: (reference: string) => unknown;
  readonly #known = new Map<JsonObject, boolean>();

  /** `target`: what a reference refers to. */
  constructor(target: (reference: string) => unknown) {
    this.#target = target;
  }

  /**
   * Those of `names` that an input has to have, which `part` requires: itself, or as one of all
   * that `whole` is made of. A property that `part` describes is as described there.
   */
  without(names: readonly string[], part: JsonObject, whole: JsonObject): string[] {
    const own = objectOf(part.properties);
    const described = names.every((name) => Object.hasOwn(own, name)) ? []
      : this.#partsOf(whole).map(({ properties }) => objectOf(properties));
    return names.filter((name) => {
      const places = Object.hasOwn(own, name) ? [own] : described;
      return !places.some((place) => Object.hasOwn(place, name) && this.#isReadOnly(place[name]));
    });
  }

  #isReadOnly(property: unknown): boolean {
    if (!isObject(property)) return false;
    const known = this.#known.get(property)
      ?? this.#partsOf(property).some(({ readOnly }) => readOnly === true);
    this.#known.set(property, known);
    return known;
  }

  #partsOf(schema: JsonObject): JsonObject[] {
    return partsOf(schema, this.#target, PARTS_LIMIT);
  }
}
