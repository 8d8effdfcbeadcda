/** What the doctor says of a service by its own pages. */
import t from 'tap';
import { room } from '../http/support.ts';
import { found } from './support.ts';

t.test('a service whose database hangs is given the time to say so', async (t) => {
  const { base_url } = await room(t, { services: { readiness: () => new Promise(() => {}) } });
  t.match((await found(t, { GATEHOUSE_BASE_URL: base_url })).service, {
    status: 'failed', found: /^answers at .*, and is not ready: database$/,
    advice: /^The service does not reach its database/ });
});
