/** What checks throw, together: so that a person mends all of it at once. */

/** The lines of the errors that these throw, each line once. */
export function thrownBy(checks: readonly (() => unknown)[]): string[] {
  const lines = checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (error) {
      return (error as Error).message.split('\n');
    }
  });
  return [...new Set(lines)];
}

/** Throws one Error with the lines of all that these throw. */
export function passAll(checks: readonly (() => unknown)[]): void {
  const lines = thrownBy(checks);
  if (lines.length > 0) throw new Error(lines.join('\n'));
}
