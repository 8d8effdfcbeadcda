/** A process that hangs for good, once it is watched; for eventLoop.test.ts, which ends it. */
import { createLog } from '../../src/log.ts';
import { watchEventLoop } from '../../src/telemetry/eventLoop.ts';
import { NO_METERS } from '../../src/telemetry/metrics.ts';

watchEventLoop({ log: createLog('info'), meters: NO_METERS, says_hang: true, hang_ms: 2_000 });
/^[a-zA-Z0-9]+([-a-zA-Z0-9]?[a-zA-Z0-9])*$/.test(`${'a'.repeat(64)}!`);
