import { absences } from './scenarios/absences.ts';
import { shortTest } from './shortTest.ts';

await shortTest(absences);
