import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/** Is told of what must not be logged; what it answers makes it forget again. */
export interface LogScrubber {
  add(secrets: Iterable<string>): () => void;
}

export interface LogOptions {
  /** Takes out of an entry what must not be seen; it is the last to see it. */
  scrub?: <T>(value: T) => T;
  /** Instead of stderr. */
  destination?: DestinationStream;
}

/**
 * Structured logs: one JSON object a line on stderr, so that stdout stays for what a person asked
 * for. Bodies, prompts and results are never logged; `authorization` is redacted in case one is.
 */
export function createLog(level: string, { scrub, destination }: LogOptions = {}): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
    redact: ['*.authorization', '*.headers.authorization', 'authorization'],
    ...(scrub && { hooks: { streamWrite: (line: string) => scrubLine(line, scrub) } }),
  }, destination ?? pino.destination({ dest: 2, sync: false }));
}

/**
 * Entry by entry: in the line itself a text that quotes JSON is escaped twice, and so is what it
 * holds. Of two fields of one name only the line has both.
 */
function scrubLine(line: string, scrub: <T>(value: T) => T): string {
  const entry: unknown = JSON.parse(line);
  const clean = scrub(entry);
  return clean === entry ? scrub(line) : `${JSON.stringify(clean)}\n`;
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
