import { LRUCache } from 'lru-cache';
import type { IntegrationRow } from '../../store/integrations.ts';
import type { ImportedAction } from './openapi.ts';

type Revision = Pick<IntegrationRow, 'id' | 'slug' | 'revision'>;

interface Fresh {
  id: string;
  revision: number;
  actions: readonly ImportedAction[];
}

/** As many as an operator adds in a row, and no more: GitHub's 1,223 actions are 15 MB. */
const LIMIT = 4;

/**
 * What this process has just imported and written, until it loads that revision: importing a
 * document as large as GitHub's again would add 0.7 s to the 0.1 s of the first call. Not a cache:
 * each import is handed over once, and only for its own revision.
 */
export class FreshImports {
  readonly #bySlug = new LRUCache<string, Fresh>({ max: LIMIT });

  /** Call it once the revision is committed: another process may reuse a number rolled back. */
  put({ slug, id, revision }: Revision, actions: readonly ImportedAction[]): void {
    this.#bySlug.set(slug, { id, revision, actions });
  }

  take({ slug, id, revision }: Revision): readonly ImportedAction[] | undefined {
    const fresh = this.#bySlug.get(slug);
    if (fresh?.id !== id || fresh.revision > revision) return undefined;
    this.#bySlug.delete(slug);
    return fresh.revision === revision ? fresh.actions : undefined;
  }
}
