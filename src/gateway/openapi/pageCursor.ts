/** What another page changes of a request, and the input with it. */
import { isObject, objectOf, parseJson, textOf, type JsonObject } from '../../json.ts';
import type { TurnedInput } from '../action/action.ts';
import { SchemaOpener } from '../schema/opened.ts';
import { resolve } from '../schema/references.ts';
import { propertySchema } from './inputSchema.ts';
import type { ImportedAction } from './openapi.ts';
import { isPageName, type Paging } from './paging.ts';

export type PagedAction = Pick<ImportedAction, 'paging' | 'request' | 'input_schema'>;

/** How the request for another page differs from the caller's. */
export interface PageChanges {
  /** Query parameters by name, as texts. */
  query: Record<string, string>;
  /** Fields of a JSON body. */
  body: Record<string, string | number>;
}

/** A page to come, and what the one before it tells about where the list ends. */
export interface FollowingPage extends PageChanges, PageBefore {}

export interface PageBefore {
  /** It said itself which page is next. */
  said_next?: boolean | undefined;
  /** What its items were, if their number led on and they differ. */
  items_sha256?: string | undefined;
}

/** The fields of an input among which those are that a page is asked for by. */
export function pageFields({ place, within }: Paging, input: JsonObject): JsonObject {
  const fields = objectOf(input[place]);
  return within === undefined ? fields : objectOf(fields[within]);
}

/** The schema of one of them; {} if it says nothing. */
export function pageFieldSchema(
  input_schema: JsonObject, { place, within }: Paging, name: string): JsonObject {
  return within === undefined ? propertySchema(input_schema, place, name)
    : resolve(input_schema, fieldsWithin(input_schema, within)[name]);
}

function fieldsWithin(input_schema: JsonObject, within: string): JsonObject {
  return objectOf(propertySchema(input_schema, 'query', within).properties);
}

/** The cursor of a page. It is kept with the call that told of it: no caller sees or writes it. */
export function wrapCursor({ query, body, said_next, items_sha256 }: FollowingPage): string {
  return JSON.stringify({ query, body, said_next, items_sha256 });
}

/** What the cursor of a page tells of the one before it. */
export function pageBefore(cursor: string | null): PageBefore {
  const { said_next, items_sha256 } = objectOf(cursor === null ? null : parseJson(cursor));
  return { said_next: said_next === true, items_sha256: textOf(items_sha256) };
}

/**
 * The input with what a page changes in it. Null if anything else than its page would change: the
 * document may have been replaced since the cursor was written.
 */
export function turnTo(action: PagedAction, input: JsonObject, cursor: string): TurnedInput | null {
  const changes = parseJson(cursor);
  const { paging } = action;
  if (!isObject(changes) || paging === null) return null;
  const query = Object.entries(objectOf(changes.query));
  const body = Object.entries(objectOf(changes.body));
  if (!query.every(([name]) => isPageParameter(paging, name))
    || !body.every(([name]) => name === paging.parameter && paging.place === 'body')) return null;
  const declared = declaredQuery(action);
  const isWithin = ([name]: [string, unknown]) => paging.within !== undefined
    && Object.hasOwn(fieldsWithin(action.input_schema, paging.within), name);
  // The object may have the name of one of its own fields: `Pageable page`.
  const isKnown = ([name]: [string, unknown]) => declared.has(name) && name !== paging.within;
  const described = { ...input };
  const known = query.filter(isKnown);
  const within = query.filter((one) => !isKnown(one) && isWithin(one));
  const own = (name: string) => propertySchema(action.input_schema, 'query', name);
  const ofPage = (name: string) => pageFieldSchema(action.input_schema, paging, name);
  if (known.length + within.length > 0) {
    described.query = { ...objectOf(input.query), ...typed(action, known, own) };
  }
  if (within.length > 0) {
    described.query = { ...objectOf(described.query),
      [paging.within!]: { ...pageFields(paging, input), ...typed(action, within, ofPage) } };
  }
  if (body.length > 0) {
    described.body = { ...objectOf(input.body), ...typed(action, body, ofPage) };
  }
  const others = query.filter((one) => !isKnown(one) && !isWithin(one));
  return { described, input: others.length === 0 ? described : {
    ...described, query: { ...objectOf(described.query), ...Object.fromEntries(others) },
  } };
}

/** Whether another page may set this query parameter, whether the document declares it or not. */
export function isPageParameter(
  { parameter, size_parameter, hidden }: Paging, name: string): boolean {
  return (name === parameter || name === size_parameter || isPageName(name))
    && !hidden.includes(name.toLowerCase());
}

/** The parameters of a page that the document does not declare: they come from the upstream. */
export function undeclaredQuery(action: PagedAction, input: JsonObject): [string, string][] {
  const { paging } = action;
  const declared = declaredQuery(action);
  return Object.entries(objectOf(input.query)).filter((entry): entry is [string, string] =>
    paging !== null && typeof entry[1] === 'string' && !declared.has(entry[0])
      && isPageParameter(paging, entry[0]));
}

function declaredQuery({ request }: PagedAction): Set<string> {
  return new Set(request.parameters.filter(({ place }) => place === 'query')
    .map(({ name }) => name));
}

/**
 * The values as their schemas want them: in a URL and in an answer a number may be a text. Many
 * documents say of an optional number: it, or null.
 */
function typed(
  { input_schema }: PagedAction, entries: [string, unknown][],
  schemaOf: (name: string) => JsonObject): JsonObject {
  const opener = new SchemaOpener(input_schema);
  return Object.fromEntries(entries.map(([name, value]) => {
    const types = new Set(opener.each([schemaOf(name)]).flatMap(({ type }) => type ?? []));
    const text = String(value);
    const isNumber = types.has('integer') || types.has('number');
    if (types.has('string')) return [name, text];
    if (isNumber && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return [name, Number(text)];
    return [name, types.has('boolean') && /^(true|false)$/.test(text) ? text === 'true' : value];
  }));
}
