import type { Scenario } from '../scenario.ts';
import { cancels } from './cancels.ts';
import { clocks } from './clocks.ts';
import { cuts } from './cuts.ts';
import { databaseCrash } from './databaseCrash.ts';
import { freezes } from './freezes.ts';
import { fullDisk } from './fullDisk.ts';
import { kills } from './kills.ts';
import { requests } from './requests.ts';
import { rolling } from './rolling.ts';
import { silences } from './silences.ts';
import { stalledReaders } from './stalledReaders.ts';
import { terminations } from './terminations.ts';

/** All of them, in the order in which `make torture` carries them out. */
export const SCENARIOS: Scenario[] = [
  kills, freezes, rolling, clocks, cancels, stalledReaders, terminations, cuts, silences,
  databaseCrash, fullDisk, requests,
];
