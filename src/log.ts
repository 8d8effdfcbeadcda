import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/** Takes secrets that must not be logged; the function returned makes it forget them. */
export interface LogScrubber {
  add(secrets: Iterable<string>): () => void;
}

export interface LogOptions {
  /** The last step before an entry is written: takes secrets out. */
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
 * Scrubs the parsed entry: in the line, quoted JSON is escaped twice, and so are its secrets. The
 * line is scrubbed if that changes nothing: only the line has both of two fields of one name.
 */
function scrubLine(line: string, scrub: <T>(value: T) => T): string {
  const entry: unknown = JSON.parse(line);
  const clean = scrub(entry);
  return clean === entry ? scrub(line) : `${JSON.stringify(clean)}\n`;
}

/** The logged part of an error: never other fields, which may quote a row, a body or a result. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name, message, ...(code !== undefined && { code }), stack,
    ...(cause !== undefined && { cause: describeError(cause) }),
  };
}
