/** Why an operation of a document cannot be called as the document has it, by cause. */
import type { JsonObject } from '../src/json.ts';
import { objectOf } from '../src/json.ts';
import type { DocumentReport } from '../src/gateway/openapi/importReport.ts';
import type { ImportedAction } from '../src/gateway/openapi/openapi.ts';
import { readSecurity } from '../src/gateway/openapi/security.ts';

const SKIPPED: Readonly<Record<string, string>> = {
  external_reference: 'referred to, and not to be had',
  credentials_not_served: 'only by a kind of credentials that cannot be served',
  method_not_supported: 'a method that no application calls',
  internal: 'marked as internal', too_many_operations: 'more operations than are taken',
};

const KEYS_LIMIT = 10;

/** The causes of what the import left out, one for each operation. */
export function skippedCauses({ skipped }: DocumentReport): string[] {
  return skipped.map(({ reason }) => SKIPPED[reason] ?? reason);
}

/** The first cause that stands in the way of an imported operation; null: nothing does. */
export function causeOf(
  document: JsonObject, { servers, security_schemes }: DocumentReport, action: ImportedAction,
): string | null {
  const [base] = servers.filter((url) => /^https?:/.test(url));
  const [own] = action.servers;
  if (base === undefined && own === undefined) {
    return 'no address in the document';
  }
  if (base !== undefined && own !== undefined
    && URL.parse(own, base)?.origin !== URL.parse(base)?.origin) {
    return 'at another origin than the document';
  }
  const written = action.source_key.slice(action.source_key.indexOf(' ') + 1);
  const path = objectOf(objectOf(document.paths)[written]);
  const alternatives = readSecurity(document, objectOf(path[action.method.toLowerCase()]));
  if (alternatives.length === 0) return null;
  const types = new Map(security_schemes.map(({ name, type }) => [name, type]));
  const served = alternatives.filter((all) =>
    all.every(({ scheme }) => (types.get(scheme) ?? 'unsupported') !== 'unsupported'));
  if (served.length === 0) return 'only by credentials that the document does not describe';
  return served.every((all) => !fitTogether(all.map(({ scheme }) => types.get(scheme))))
    ? 'by several credentials at once that go to the same place' : null;
}

/**
 * One account holds up to ten api keys and one authorization. A token is one whatever it was got
 * by: Google's documents name each flow of OAuth as a scheme, and all of them together.
 */
function fitTogether(types: readonly (string | undefined)[]): boolean {
  const keys = types.filter((type) => type === 'api_key');
  const others = new Set(types.filter((type) => type !== 'api_key')
    .map((type) => (type === 'bearer' ? 'oauth2' : type)));
  return keys.length <= KEYS_LIMIT && others.size <= 1;
}
