import t from 'tap';
import { askedWait } from '../../src/models/askedWait.ts';

t.test('waits in the words of providers', async (t) => {
  const waits: [message: string, wait_ms: number | undefined][] = [
    ['Limit 30000, Requested 5000. Please try again in 8.2s. Visit https://example.com.', 8_200],
    ['Please try again in 120ms.', 120],
    ['Please try again in 1m12.5s.', 72_500],
    ['Please try again in 6m0s.', 360_000],
    ['Please try again in 1h3m.', 3_780_000],
    ['You have exceeded the rate limit. Please retry after 21 seconds. For more, go here.', 21_000],
    ['Please retry in 2 minutes.', 120_000],
    ['Rate limit exceeded. Try again in 500 milliseconds', 500],
    ['Retry after 1 second 250 milliseconds.', 1_250],
    ['Rate limit exceeded, retry in 34.5s', 34_500],
    ['Slow down; try again later.', undefined],
    ['Please try again in a while.', undefined],
    ['Used 29000 in 1m.', undefined],
    ['', undefined],
  ];
  for (const [message, wait_ms] of waits) {
    t.equal(askedWait(undefined, 'null', message), wait_ms, message);
  }
});
