import { ACTION_DEFECTS } from './actions.ts';
import type { Defect } from './defect.ts';
import { EVENT_DEFECTS } from './events.ts';
import { HEADER_DEFECTS } from './headers.ts';
import { KEY_DEFECTS } from './keys.ts';
import { LEAK_DEFECTS } from './leaks.ts';
import { LIST_DEFECTS } from './lists.ts';
import { REFUSAL_DEFECTS } from './refusals.ts';
import { RESUME_DEFECTS } from './resume.ts';
import { SCHEMA_DEFECTS } from './schemas.ts';
import { STATE_DEFECTS } from './states.ts';
import { STATUS_DEFECTS } from './statuses.ts';

/** All that is planted; a new one is a new row in one of these lists. */
export const DEFECTS: readonly Defect[] = [
  ...EVENT_DEFECTS, ...RESUME_DEFECTS, ...STATUS_DEFECTS, ...HEADER_DEFECTS, ...SCHEMA_DEFECTS,
  ...STATE_DEFECTS, ...LIST_DEFECTS, ...KEY_DEFECTS, ...LEAK_DEFECTS, ...REFUSAL_DEFECTS,
  ...ACTION_DEFECTS];
