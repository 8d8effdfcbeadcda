import { cancels } from './scenarios/cancels.ts';
import { shortTest } from './shortTest.ts';

await shortTest(cancels);
