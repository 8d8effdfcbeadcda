import type { Missing } from '../action/outcome.ts';
import { rank } from './search.ts';
import type { VisibleActions } from './visibility.ts';

const SUGGESTIONS = 5;
const NAME_LIMIT_CHARS = 200;

export function unknownAction(name: string, visible: VisibleActions): Missing {
  const sources = visible.connected().map(({ actions }) => actions);
  const suggestions = rank(sources, name, SUGGESTIONS, (action) => visible.listed(action.name))
    .map(({ action }) => action.definition.name);
  const shown = name.length > NAME_LIMIT_CHARS ? `${name.slice(0, NAME_LIMIT_CHARS)}…` : name;
  const advice = suggestions.length === 0
    ? 'Search for one with gateway.actions.search.' : `Similar ones: ${suggestions.join(', ')}.`;
  return {
    code: 'unknown_action',
    message: `No action is named ${JSON.stringify(shown)}. ${advice}`,
    action: shown,
    suggestions,
  };
}
