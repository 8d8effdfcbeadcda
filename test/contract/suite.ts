/**
 * The contract, black box: it knows an address, a key and openapi.yaml. Shapes hold everywhere;
 * state, order, streams, keys and pages are the service's (see MOCK_CANNOT).
 */
import type { Test } from 'tap';
import { addresses } from './addresses.ts';
import { behaviour } from './behaviour.ts';
import { shapes } from './shapes.ts';
import { MOCK_CANNOT, subject, type Target } from './target.ts';

/** Adds the suite's tests to `t`. */
export function contractSuite(t: Pick<Test, 'test'>, target: Target): void {
  const part = subject(t, target);
  shapes(part);
  addresses(part);
  behaviour(part);
  t.test('whatever is left out on the mock has its reason', async (t) => {
    t.strictSame([...part.named].sort(), Object.keys(MOCK_CANNOT).sort());
  });
}
