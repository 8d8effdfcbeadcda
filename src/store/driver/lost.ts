/** An error of the connection, not of the statement: isUnavailable says yes to it. */
export function lost(message: string, code = 'CONNECTION_CLOSED'): Error {
  return Object.assign(new Error(message), { code });
}

/** The code of an error: only what the same workspace asks for stood before it. */
export const SHARE_USED_UP = 'SHARE_USED_UP';

const withConnection = new WeakSet<object>();

/**
 * Notes of an error that a connection was lost by it, or could not be opened, for a password or a
 * certificate, too. By its code alone it is not told from that of another socket: a model's
 * provider, for instance, that refuses connections.
 */
export function markLost(error: unknown): void {
  if (error instanceof Error) withConnection.add(error);
}

export function isMarkedLost(error: Error): boolean {
  return withConnection.has(error);
}

const inDoubt = new WeakSet<object>();

/** Notes of an error that what it says of may have been committed nevertheless. */
export function markInDoubt(error: unknown): void {
  if (error instanceof Error) inDoubt.add(error);
}

export function isMarkedInDoubt(error: Error): boolean {
  return inDoubt.has(error);
}
