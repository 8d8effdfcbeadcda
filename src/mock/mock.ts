/**
 * A mock that is true because it is the service: all of it in one process, on a database that is
 * thrown away, with the offline model and every token accepted. docs/mock.md tells what it shows.
 */
import { createLog } from '../log.ts';
import type { Mock, MockOptions } from './staged.ts';
import { openThrowAway } from './throwAway.ts';

/**
 * Starts the mock. Where no PostgreSQL can run, Prism stands in alone. Throws an Error with the
 * code EADDRINUSE, or one that says what to do.
 */
export async function startMock(options: MockOptions): Promise<Mock> {
  const { log_level, native_dir, onExamplesOnly } = options;
  const { promise: waiting, resolve: onWaiting } = Promise.withResolvers<void>();
  const opening = openThrowAway({ log: createLog(log_level), native_dir, onWaiting });
  // The service is loaded while PostgreSQL makes the database, and not before that has begun:
  // to load holds everything else of this process up.
  await Promise.race([waiting, opening.catch(() => {})]);
  const { startStaged, loadTelemetry } = await import('./staged.ts');
  await loadTelemetry();
  const database = await opening.catch((error: Error) => error);
  if (database instanceof Error) {
    onExamplesOnly(database.message);
    const { startExamplesOnly } = await import('./examplesOnly.ts');
    return await startExamplesOnly(options);
  }
  try {
    const { base_url, has_examples, stop } = await startStaged(options, database);
    return {
      base_url, has_examples, is_service: true,
      async close() {
        try {
          await stop();
        } finally {
          await database.close();
        }
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
