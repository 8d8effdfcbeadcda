/** What a check is: data, with a function that looks at the target and throws what it finds. */
import type { Ground } from './ground.ts';

/** In the order of the report. */
export const TOPICS = {
  document: 'the description that the target serves is the one that this kit is for',
  auth: 'nothing is answered without a key',
  headers: 'what every answer carries',
  errors: 'what is wrong is refused, with its status, code and body',
  sessions: 'a session is kept as it was made and changed, until it is deleted',
  runs: 'the states of a run, and what it leaves behind',
  wait: 'a request that waits for its run',
  streams: 'events as they happen: all, in order, once',
  resume: 'a stream that is taken up again',
  cancellation: 'the end of a run before it is done',
  idempotency: 'a repeated request takes effect once',
  paging: 'lists in pages: nothing missing, nothing twice',
  actions: 'actions are found and called; those that change something are refused',
  isolation: 'one workspace sees nothing of another',
} as const;

export type CheckTopic = keyof typeof TOPICS;

export interface Check {
  /** `<topic>.<name>`. */
  name: string;
  /** What a target that passes has shown. */
  shows: string;
  /** `offline`: runs that only the rehearsal model makes; `other`: a key of another workspace. */
  needs?: 'offline' | 'other';
  /** Throws Fault for what breaks the contract, Skip for what cannot be looked at. */
  run(ground: Ground): Promise<void>;
}

export function topicOf({ name }: Pick<Check, 'name'>): CheckTopic {
  return name.split('.')[0] as CheckTopic;
}
