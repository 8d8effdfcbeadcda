/** An error of the connection, not of the statement: isUnavailable says yes to it. */
export function lost(message: string, code = 'CONNECTION_CLOSED'): Error {
  return Object.assign(new Error(message), { code });
}
