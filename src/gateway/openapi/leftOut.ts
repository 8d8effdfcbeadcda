/** What of a document becomes no action, and why. */
import { objectOf, type JsonObject } from '../../json.ts';
import { lostReferences, resolve } from '../schema/references.ts';
import type { DocumentReport, SkipReason } from './importReport.ts';
import { readSecurity } from './security.ts';
import { NOT_FOLLOWED } from './swagger.ts';

const ERRORS_LIMIT = 100;

export class LeftOut {
  readonly skipped: DocumentReport['skipped'] = [];
  /** How many operations are left out that could be called otherwise, by why. */
  readonly #errors = new Map<string, number>();

  add(source_key: string, reason: SkipReason, why?: string): void {
    this.skipped.push({ source_key, reason });
    if (why !== undefined) this.#errors.set(why, (this.#errors.get(why) ?? 0) + 1);
  }

  /** `reference` leads to what was not to be had. */
  addOutside(source_key: string, reference: string): void {
    this.add(source_key, 'external_reference', `the reference ${reference} leads to what is`
      + ' neither in the document, nor in a file given with it, nor at its own origin');
  }

  /** `kinds`: of the credentials that all ways to call it ask for. */
  addUnserved(source_key: string, kinds: readonly string[]): void {
    this.add(source_key, 'credentials_not_served', `${kinds.join(', ')} is not served. If something`
      + ' on the way signs what is sent, say so by the override signed_elsewhere');
  }

  errors(): string[] {
    return [...this.#errors].slice(0, ERRORS_LIMIT).map(([why, count]) =>
      `${count} ${count === 1 ? 'operation is' : 'operations are'} left out: ${why}`);
  }
}

/** The kinds that nobody can give, if all ways to call the operation ask for one; else none. */
export function unservedKinds(
  document: JsonObject, operation: JsonObject, unserved: ReadonlyMap<string, string>): string[] {
  const kinds = readSecurity(document, operation).map((alternative) => alternative
    .flatMap(({ scheme }) => unserved.get(scheme) ?? []));
  return kinds.every((some) => some.length > 0) ? [...new Set(kinds.flat())] : [];
}

/** What an operation's input is made of, where that is not in the document. */
export function outsideOf(
  document: JsonObject, pathItem: JsonObject, operation: JsonObject): string[] {
  const lists = [pathItem.parameters, operation.parameters].filter(Array.isArray);
  const media = Object.values(objectOf(resolve(document, operation.requestBody).content));
  // Upgrading a document of Swagger 2.0 loses these, and says so.
  const lost = operation[NOT_FOLLOWED];
  return [...lostReferences(document, [...lists.flat(), operation.requestBody, ...media]),
    ...(Array.isArray(lost) ? lost.map(String) : [])];
}
