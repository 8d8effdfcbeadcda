import { createRequire } from 'node:module';

type Undici = typeof import('undici');

let loaded: Undici | undefined;

/** Not before the first request to an integration: it is a quarter of what a start takes. */
export function undici(): Undici {
  return loaded ??= createRequire(import.meta.url)('undici') as Undici;
}
