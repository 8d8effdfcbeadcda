/** What the operator says of operations. */
import type { Effect } from '../action/action.ts';
import type { PathSlashes } from './pathSlashes.ts';
import type { SetParameters } from './setParameters.ts';

/** An answer that is an error although its status says success: `200 {"ok": false}`. */
export interface SoftError {
  /** A JSON pointer to the field that tells (`/ok`), and the value that it then has. */
  pointer: string;
  equals: unknown;
  /** Where the message is (`/error`). */
  message_pointer?: string;
}

/** What the operator knows better than the document and the rules. */
export interface Override {
  effect?: Effect;
  /** It becomes no action. */
  hidden?: boolean;
  /** `<place>.<name>`: parameters that callers do not get to set. */
  hidden_parameters?: readonly string[];
  /** What every call sends. */
  parameters?: SetParameters;
  soft_error?: SoftError;
  /** How slashes in values of path parameters are sent, by parameter; `*` for all. */
  path_slashes?: Readonly<Record<string, PathSlashes>>;
  /** What its body is sent as, whatever the document says. */
  media_type?: string;
  /** It is offered although it asks for credentials that are not served: something else signs. */
  signed_elsewhere?: boolean;
}
