import { databaseCrash } from './scenarios/databaseCrash.ts';
import { shortTest } from './shortTest.ts';

await shortTest(databaseCrash);
