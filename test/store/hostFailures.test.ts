/** What is said where a URL names several hosts, and none of them will do. */
import t from 'tap';
import { isUnavailable } from '../../src/store/database.ts';
import { failureOfHosts } from '../../src/store/driver/hostFailures.ts';
import { lost } from '../../src/store/driver/lost.ts';

const refused = () => Object.assign(new Error('connect ECONNREFUSED 10.0.0.2:5432'),
  { code: 'ECONNREFUSED', syscall: 'connect' });
const standby = () => lost('it takes no writes', '25006');
const full = () => Object.assign(new Error('sorry, too many clients already'), { code: '53300' });
const at = (host: string, error: Error) => ({ address: { host, port: 5432 }, error });

t.test('each host is told, the likeliest cause first, whose code counts', async (t) => {
  const error = failureOfHosts(
    [at('pg1', full()), at('pg2', refused()), at('pg3', standby())].toReversed());
  t.match(error, { code: '53300', message: 'pg1:5432: sorry, too many clients already;'
    + ' pg2:5432: connect ECONNREFUSED 10.0.0.2:5432; pg3:5432: it takes no writes' });
  t.ok(isUnavailable(error));
  t.match(failureOfHosts([at('pg1', refused()), at('pg3', standby())]),
    { code: 'ECONNREFUSED', syscall: 'connect', message: /^pg1:5432: .*; pg3:5432: / });
  t.match(failureOfHosts([at('pg1', Object.assign(new Error(''), { code: 'ECONNREFUSED' })),
    at('pg2', standby())]), { message: 'pg1:5432: ECONNREFUSED; pg2:5432: it takes no writes' });
});

t.test('of one host, it is its error', async (t) => {
  const error = refused();
  t.equal(failureOfHosts([at('pg1', error)]), error);
  const nowhere = failureOfHosts([{ address: { path: '/run/.s.PGSQL.5432' }, error: standby() },
    at('pg1', refused())]);
  t.match(nowhere.message, /; \/run\/\.s\.PGSQL\.5432: it takes no writes$/);
});
