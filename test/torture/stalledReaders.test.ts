import { stalledReaders } from './scenarios/stalledReaders.ts';
import { shortTest } from './shortTest.ts';

await shortTest(stalledReaders);
