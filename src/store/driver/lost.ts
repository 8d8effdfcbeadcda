/** An error of the connection, not of the statement: isUnavailable says yes to it. */
export function lost(message: string, code = 'CONNECTION_CLOSED'): Error {
  return Object.assign(new Error(message), { code });
}

/** The code of an error: only what the same workspace asks for stood before it. */
export const SHARE_USED_UP = 'SHARE_USED_UP';

const ofDatabase = new WeakSet<object>();

/**
 * Notes of an error that it is the database's. By its code alone it is not told from that of
 * another socket: a model's provider, for instance, that refuses connections.
 */
export function markOfDatabase(error: unknown): void {
  if (error instanceof Error) ofDatabase.add(error);
}

export function isMarkedOfDatabase(error: Error): boolean {
  return ofDatabase.has(error);
}

const inDoubt = new WeakSet<object>();

/** Notes of an error that what it says of may have been committed nevertheless. */
export function markInDoubt(error: unknown): void {
  if (error instanceof Error) inDoubt.add(error);
}

export function isMarkedInDoubt(error: Error): boolean {
  return inDoubt.has(error);
}
