/** Where the turns of workspaces go on, by what was claimed. */
import t from 'tap';
import { readConfig } from '../../src/config.ts';
import { ClaimPlanner } from '../../src/runs/claimPlanner.ts';
import type { ClaimedRun } from '../../src/store/runs.ts';

const run = (workspace_id: string, losses = 0) =>
  ({ workspace_id, losses, condemned: false }) as ClaimedRun;

/** Where turns go on after each of these claims. */
function pivots(...claims: ClaimedRun[][]): string[] {
  const planner = new ClaimPlanner(readConfig({}));
  return claims.map((runs) => {
    planner.claimed(runs);
    return planner.terms([]).pivot;
  });
}

t.test('turns go on behind the workspace that was served last', async (t) => {
  const [a, b, c] = ['wsp_a', 'wsp_b', 'wsp_c'] as const;
  t.strictSame(pivots([run(a), run(b)], [run(c), run(a)], [run(b)], []), [b, a, b, b]);
  t.strictSame(pivots([run(a), run(a), run(b)], [run(b), run(a), run(b)]), [a, b],
    'who begins a round that is not finished had the last turn');
  t.strictSame(pivots([run(b)], [run(a), run(a), run(a), run(c), run(c)]), [b, a]);
  t.strictSame(pivots([run(b)], [run(a, 1)], [run(a, 1), run(c)]), [b, b, c],
    'what was lost with a worker was no turn');
});
