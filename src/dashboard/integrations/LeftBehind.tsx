/** What an import left behind. */
import type { Integration } from '#client/types.gen.ts';
import { countText } from '../kit/text.tsx';
import { Lines, Part } from './parts.tsx';

/** What the source does not have any more, and the grants that then name nothing. */
export function LeftBehind({ vanished = [], vanished_total = 0, dangling_grants: dangling = [] }:
Integration['report']) {
  if (vanished_total === 0) return null;
  return (
    <Part title="Gone from the source">
      {vanished.some(({ restricted }) => restricted) && (
        <p>
          Something was denied, hidden or to be approved about some of them. They may be back under
          other names: what is new waits until you accept.
        </p>
      )}
      <Lines of={[...vanished.map(({ action, source_key, restricted }) =>
        [action, `${source_key}${restricted ? ', was restricted' : ''}`] as const),
      ...dangling.map(({ actions, decision }) =>
        [actions, `a grant (${decision}) that names nothing`] as const)]} />
      {vanished_total > vanished.length
        && <p>{`And ${countText(vanished_total - vanished.length)} more.`}</p>}
    </Part>
  );
}
