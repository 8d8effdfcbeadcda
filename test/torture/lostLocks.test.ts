import { lostLocks } from './scenarios/lostLocks.ts';
import { shortTest } from './shortTest.ts';

await shortTest(lostLocks);
