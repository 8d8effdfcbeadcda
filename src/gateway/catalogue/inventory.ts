/** All actions, whoever may see them. */
import type { ActionDefinition, ActionSource } from '../action/action.ts';

export class Inventory {
  readonly sources: readonly ActionSource[];
  readonly #byName = new Map<string, { definition: ActionDefinition; source: ActionSource }>();

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

  get(name: string): { definition: ActionDefinition; source: ActionSource } | undefined {
    return this.#byName.get(name);
  }

  has(slug: string): boolean {
    return this.sources.some(({ integration }) => integration.slug === slug);
  }
}
