import { silences } from './scenarios/silences.ts';
import { shortTest } from './shortTest.ts';

await shortTest(silences);
