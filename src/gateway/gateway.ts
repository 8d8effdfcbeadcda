/** The gateway: what may be called, by whom, and the one way to call it. */
import { AuditLog } from '../audit/audit.ts';
import type { Caller } from '../caller.ts';
import { NO_METERS, type Meters } from '../telemetry/metrics.ts';
import type { ActionCall, ActionOutcome, CallContext } from './action/outcome.ts';
import { BUILTIN_SLUG } from './builtin/builtin.ts';
import { SELF_SLUG } from './builtin/self.ts';
import type { CallServices } from './calls/call.ts';
import { InputValidators } from './calls/inputValidators.ts';
import { invoke } from './calls/invoke.ts';
import { recordingTogether, recordingWrites } from './calls/recordings.ts';
import { askingTogether } from './calls/writes.ts';
import { Catalogue } from './catalogue/catalogue.ts';
import type { Embeddings } from './embeddings/embeddings.ts';
import type { Registry } from './integrations/registry.ts';

/** Integrations that every workspace is connected to from its creation. */
export const BUILTIN_SLUGS: readonly string[] = [SELF_SLUG, BUILTIN_SLUG];

export interface Gateway {
  /** What there is to call, as a caller sees it. */
  catalogue: Catalogue;
  /**
   * Performs one call. Never throws for what a caller can cause: the outcome says it. Records the
   * attempt whatever came of it, and throws if it cannot (`isUnavailable`: try again).
   */
  perform(caller: Caller, call: ActionCall, context: CallContext): Promise<ActionOutcome>;
}

export interface GatewayOptions
  extends Pick<CallServices, 'sql' | 'config' | 'log' | 'credentials'> {
  registry: Registry;
  /** Null: search goes by words alone. */
  embeddings?: Pick<Embeddings, 'near'> | null;
  meters?: Meters | undefined;
}

export function createGateway(
  { registry, embeddings = null, meters = NO_METERS, ...options }: GatewayOptions): Gateway {
  const catalogue = new Catalogue(
    options.sql, (version) => registry.at(version), embeddings);
  const invoking = {
    ...options, meters, catalogue, validators: new InputValidators(),
    audit: new AuditLog(options.sql), isExecuting: askingTogether(options.sql),
    record: recordingTogether(options.sql),
    recordWrite: recordingWrites(options.sql),
  };
  return {
    catalogue,
    perform: (caller, call, context) => invoke(invoking, caller, call, context),
  };
}
