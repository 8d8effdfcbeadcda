import { fullDisk } from './scenarios/fullDisk.ts';
import { shortTest } from './shortTest.ts';

await shortTest(fullDisk);
