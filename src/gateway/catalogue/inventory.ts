/** All actions, whoever may see them. */
import type { ActionSource, SourceAction } from '../action/action.ts';

/** An action, and where it comes from. */
export interface Stocked {
  definition: SourceAction;
  source: ActionSource;
}

export class Inventory {
  readonly sources: readonly ActionSource[];
  readonly #byName = new Map<string, Stocked>();
  #sorted: readonly Stocked[] | undefined;

  /** Throws an Error if two sources have one slug: their actions could not be told apart. */
  constructor(sources: readonly ActionSource[]) {
    const slugs = new Set(sources.map(({ integration }) => integration.slug));
    if (slugs.size !== sources.length) throw new Error('Two integrations have the same slug');
    this.sources = sources;
    for (const source of sources) {
      for (const definition of source.actions) {
        this.#byName.set(definition.name, { definition, source });
      }
    }
  }

  get(name: string): Stocked | undefined {
    return this.#byName.get(name);
  }

  /** The actions whose names come after this one, by name. They are sorted once. */
  *after(name: string): Generator<Stocked> {
    const sorted = this.#sorted ??= [...this.#byName.values()].sort((a, b) =>
      a.definition.name < b.definition.name ? -1 : 1);
    let [from, to] = [0, sorted.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (sorted[middle]!.definition.name > name) to = middle;
      else from = middle + 1;
    }
    for (let at = from; at < sorted.length; at++) yield sorted[at]!;
  }
}
