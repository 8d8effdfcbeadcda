import { firstWithin } from '../../truncate.ts';
import type { ActionsFound, ScoredAction } from '../catalogue/catalogue.ts';
import { brief } from '../schema/brief.ts';
import { LABEL_CHARS, READ_CHARS } from './describe.ts';

/**
 * Only what tells one action from the others: what each takes would fill the context. Fifty with
 * names of 250 characters would not be read whole, so that there may be fewer.
 */
export function searchAnswer({ data, unknown_words = [], hint = null }: Shown): object {
  const shown = data.map(({ name, title, effect, integration, score }) =>
    ({ name, title: brief(title, LABEL_CHARS), effect, integration, score }));
  return {
    object: 'list',
    data: firstWithin(shown, READ_CHARS),
    ...(unknown_words.length > 0 && { unknown_words }),
    ...(hint !== null && { hint }),
  };
}

interface Shown extends Partial<Omit<ActionsFound, 'data'>> {
  data: readonly Pick<ScoredAction, 'name' | 'title' | 'effect' | 'integration' | 'score'>[];
}
