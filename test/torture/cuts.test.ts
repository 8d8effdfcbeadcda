import { cuts } from './scenarios/cuts.ts';
import { shortTest } from './shortTest.ts';

await shortTest(cuts);
