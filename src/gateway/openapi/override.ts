import type { Schemas } from '../../../generated/types.ts';

/** What the operator knows better than the document and the rules. */
export type Override = Schemas['Overrides'][string];

/** An answer that is an error although its status says success: `200 {"ok": false}`. */
export type SoftError = NonNullable<Override['soft_error']>;
