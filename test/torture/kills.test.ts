import { kills } from './scenarios/kills.ts';
import { shortTest } from './shortTest.ts';

await shortTest(kills);
