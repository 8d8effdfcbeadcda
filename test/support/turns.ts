import { setImmediate as nextTurn } from 'node:timers/promises';

/** How many turns the event loop gives to others while this work is under way. */
export async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let is_over = false;
  const watched = work.finally(() => { is_over = true; });
  let turns = 0;
  for (; !is_over; turns++) await nextTurn();
  await watched;
  return turns;
}
