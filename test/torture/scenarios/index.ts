import type { Scenario } from '../scenario.ts';
import { absences } from './absences.ts';
import { cancels } from './cancels.ts';
import { clocks } from './clocks.ts';
import { cuts } from './cuts.ts';
import { databaseCrash } from './databaseCrash.ts';
import { freezes } from './freezes.ts';
import { fullDisk } from './fullDisk.ts';
import { kills } from './kills.ts';
import { lostLocks } from './lostLocks.ts';
import { requests } from './requests.ts';
import { rolling } from './rolling.ts';
import { silences } from './silences.ts';
import { soak } from './soak.ts';
import { stalledReaders } from './stalledReaders.ts';
import { terminations } from './terminations.ts';
import { upgrade } from './upgrade.ts';

/** All of them, in the order in which `make torture` carries them out. */
export const SCENARIOS: Scenario[] = [
  kills, freezes, rolling, clocks, cancels, stalledReaders, lostLocks, terminations, cuts,
  silences, absences, databaseCrash, fullDisk, requests, upgrade, soak,
];
