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
    serializers: { err: describeError },
    redact: ['*.authorization', '*.headers.authorization', 'authorization'],
  }, pino.destination({ dest: 2, sync: false }));
}

/**
 * What is logged of an error: never its other fields, which may quote a row, a body or a result.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name, message, ...(code !== undefined && { code }), stack,
    ...(cause !== undefined && { cause: describeError(cause) }),
  };
}
