/** What the contract suite runs against; it knows nothing of it but its address and a key. */
import type { Test } from 'tap';
import { Client } from '../support/client.ts';

export interface Target {
  /** A mock is Prism: it has the document's examples. Ours is the service. */
  kind: 'mock' | 'service';
  /** With the version segment: http://127.0.0.1:3000/v1. */
  base_url: string;
  api_key: string;
}

/**
 * What Prism cannot do, and why: checked on the service only. A part of the suite that is for
 * the service alone names its row; a row that none names is a mistake.
 */
export const MOCK_CANNOT = {
  'say 404 for an unknown address': 'Prism answers application/problem+json',
  'say 405 for another method': 'Prism answers application/problem+json, without Allow',
  'say 406 unasked': 'Prism answers application/problem+json',
  'refuse a body that is not JSON': 'Prism never answers',
  'refuse a body that is too large': 'Prism has no limit',
  'refuse unknown query parameters': 'Prism ignores them',
  'send its own headers': 'Prism makes up X-Request-Id and Location, and sends no Cache-Control',
  'keep state': 'Prism answers with the examples, whatever came before',
  'order events': 'Prism sends the example stream, whole, whatever number is asked for',
  'remember idempotency keys': 'Prism keeps no state',
  'walk through pages': 'Prism knows no cursors',
  'perform actions': 'Prism answers with the examples',
} as const;

export type Limitation = keyof typeof MOCK_CANNOT;

/** The suite's side of a target. */
export interface Subject {
  target: Target;
  client: Client;
  /** A part for every target. */
  both(name: string, test: (t: Test) => Promise<void>): void;
  /** A part for the service alone; on the mock there is nothing to be shown. */
  serviceOnly(why: Limitation, name: string, test: (t: Test) => Promise<void>): void;
  /** The rows of MOCK_CANNOT that were named. */
  named: Set<string>;
}

export function subject(t: Pick<Test, 'test'>, target: Target): Subject {
  const named = new Set<string>();
  const run = (name: string, test: (t: Test) => Promise<void>) => void t.test(name, test);
  return {
    target, named,
    client: new Client(target),
    both: run,
    serviceOnly(why, name, test) {
      named.add(why);
      if (target.kind === 'service') run(name, test);
    },
  };
}
