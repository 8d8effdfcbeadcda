import { terminations } from './scenarios/terminations.ts';
import { shortTest } from './shortTest.ts';

await shortTest(terminations);
