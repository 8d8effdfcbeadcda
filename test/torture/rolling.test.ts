import { rolling } from './scenarios/rolling.ts';
import { shortTest } from './shortTest.ts';

await shortTest(rolling);
