import { clocks } from './scenarios/clocks.ts';
import { shortTest } from './shortTest.ts';

await shortTest(clocks);
