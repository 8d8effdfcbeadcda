import { freezes } from './scenarios/freezes.ts';
import { shortTest } from './shortTest.ts';

await shortTest(freezes);
