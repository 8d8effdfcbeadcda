import { LoopTurns, TooMuchAsked } from '../../src/http/turns.ts';

/** While the machine does not come to who shows no credential. */
export async function whileStrangersWait<T>(work: () => Promise<T>): Promise<T> {
  const { take } = LoopTurns.prototype;
  LoopTurns.prototype.take = () => Promise.reject(new TooMuchAsked());
  try {
    return await work();
  } finally {
    LoopTurns.prototype.take = take;
  }
}
