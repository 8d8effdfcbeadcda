import { pino, type Logger } from 'pino';

export type Log = Logger;

/**
 * Structured logs: one JSON object a line on stderr, so that stdout stays for what a person asked
 * for. Bodies, prompts and results are never logged; `authorization` is redacted in case one is.
 */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: ['*.authorization', '*.headers.authorization', 'authorization'],
  }, pino.destination({ dest: 2, sync: false }));
}
