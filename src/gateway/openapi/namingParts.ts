/** What of an operation its name is made of, without what all operations of the document share. */
import { isForeign, nameWord, snake } from '../action/words.ts';
import { withoutClass } from './generatedIds.ts';
import {
  isArticle, isPlural, isVerb, singular, singularPhrase, VERSION_SEGMENT,
} from './namingWords.ts';
import { withoutQueryTemplates } from './ownQuery.ts';

/** `method` is in lower case. */
export interface NameableOperation {
  method: string;
  path: string;
  operation_id?: string | undefined;
  tags?: readonly string[] | undefined;
  /** The name that an earlier import gave it: it stays. */
  kept?: string | undefined;
}

export interface NameParts {
  method: string;
  /** What it is about: `issues`. */
  resource: string;
  /** The words of the id that say something; empty: there is none, or it is method and path. */
  id: string[];
  segments: string[];
  /** The fixed segments that say something, in snake case: no versions, no `api`. */
  statics: string[];
  /** Whether the path ends in a parameter. */
  of_item: boolean;
  /** Of `statics`, those that lead to what the resource is part of. */
  parents: string[];
  /** Whether the same path has PATCH, too. */
  has_patch: boolean;
  /** Whether single things of it are at the same path with a parameter behind it, or listed. */
  has_items: boolean;
  /** Whether what is at the path can be got there, and replaced, changed or deleted. */
  is_thing: boolean;
}

/** What fewer operations share may be what they are about. */
const SHARED_BY = 5;
/** Of the paths: `/accounts/{id}` begins most of Twilio's, and some lists have none of it. */
const SHARED_SHARE = 0.8;

/** Of each operation, in their order. */
export function namePartsOf(slug: string, operations: readonly NameableOperation[]): NameParts[] {
  const paths = operations.map(({ path }) => readPath(path));
  const leading = sharedLeading(paths.map(({ segments }) => segments));
  const tags = tagsOf(operations);
  const ids = operations.map((operation) => idWords(operation));
  // A verb says what an operation does, while a tag may begin with one: `VerifyV2Service`.
  const sharedId = sharedWords(ids, (word) => !isVerb(word));
  const is_one_tag = new Set(tags.map((tag) => tag.join('_'))).size === 1
    && operations.length >= SHARED_BY
    && new Set(paths.map(({ statics }) => statics[0])).size > 1;
  const statics = paths.map(({ segments }) => {
    const rest = leading.every((part, i) => segments[i] === part)
      ? staticsOf(segments.slice(leading.length)) : [];
    return rest.length > 0 ? rest : staticsOf(segments);
  });
  const plurals = new Map(statics.flat().filter((word) => isPlural(word.split('_').at(-1)!))
    .map((word) => [singularPhrase(word), word]));
  const places = operations.map(({ path }) => placeOf(path));
  const patched = new Set(places.filter((_, i) => operations[i]!.method === 'patch'));
  const things = new Set([...Map.groupBy(operations, (_, i) => places[i]!)]
    .filter(([, all]) => all.some(({ method }) => method === 'get')
      && all.some(({ method }) => ['put', 'patch', 'delete'].includes(method)))
    .map(([place]) => place));
  const items = new Set(places.flatMap((place, i) => (operations[i]!.method === 'get'
    && place.endsWith('}') ? place.slice(0, place.lastIndexOf('/')) : [])));
  const parts = operations.map((operation, i) => {
    const tag = tags[i]!.join('_');
    const says_nothing = tag === '' || is_one_tag || squeezed(tag) === squeezed(slug);
    const named = (says_nothing ? statics[i]![0] ?? foreignTag(operation) : tag) ?? 'root';
    const resource = says_nothing ? named : plurals.get(named) ?? named;
    const one = singularPhrase(resource);
    const exact = statics[i]!.findLastIndex((word) => singularPhrase(word) === one);
    // Media of `/messages/{id}/media` are what is said of `media_instance`, and messages are not.
    const at = exact >= 0 ? exact : statics[i]!.findLastIndex((word) => isPartOf(word, resource));
    return {
      method: operation.method, ...paths[i]!, statics: statics[i]!,
      id: idWithoutClass(operation) ?? ids[i]!.slice(sharedId),
      resource, parents: statics[i]!.slice(0, Math.max(0, at)),
      has_patch: patched.has(places[i]!), has_items: items.has(places[i]!),
      is_thing: things.has(places[i]!),
    };
  });
  if (parts.length >= SHARED_BY && parts.every(({ resource }) => resource === 'root')) {
    aboutTheirIds(parts);
  }
  return parts.map((one) => (isMethodAndPath(one) ? { ...one, id: [] }
    : isListOfPath(one) ? { ...one, id: [], has_items: true } : one));
}

/** The words of each one's tag without what all share: `pet-controller` of Spring is pet. */
function tagsOf(operations: readonly NameableOperation[]): string[][] {
  const tags = operations.map(({ tags: [tag = ''] = [] }) => (isForeign(tag) ? []
    : snake(tag).replace(/_controller$/, '').split('_').filter(Boolean)));
  const shared = sharedWords(tags);
  const own = tags.map((tag) => tag.slice(shared));
  const end = sharedWords(own.map((tag) => tag.toReversed()));
  return own.map((tag) => tag.slice(0, tag.length - end));
}

/** A tag that is not in Latin letters tells things apart where the path has no word. */
function foreignTag({ tags: [tag = ''] = [] }: NameableOperation): string | undefined {
  return isForeign(tag) ? nameWord(tag, 'resource') : undefined;
}

/** Whether each of these words is one of the phrases', as a singular or a plural. */
export function areAmong(all: readonly string[], phrases: readonly string[]): boolean {
  const known = new Set(phrases.flatMap((phrase) => phrase.split('_')).map(singular));
  return all.every((word) => known.has(singular(word)));
}

/** Whether the resource says it already: watchers, and issuewatcher, of issue_watchers. */
export function isPartOf(noun: string, resource: string): boolean {
  return areAmong(noun.split('_'), [resource])
    || noun.replaceAll('_', '') === singularPhrase(resource).replaceAll('_', '');
}

/** Nothing in path and tags says what they are about: the nouns of their ids do. */
function aboutTheirIds(all: readonly NameParts[]): void {
  const named = all.filter(({ id: [verb, noun] }) => noun !== undefined && isVerb(verb!));
  const nounOf = ({ id }: NameParts) => id.slice(1).join('_');
  const plurals = new Map(named.map(nounOf).filter((noun) => singularPhrase(noun) !== noun)
    .map((noun) => [singularPhrase(noun), noun]));
  for (const one of named) one.resource = plurals.get(nounOf(one)) ?? nounOf(one);
}

/** Many documents end all of their paths in a slash. */
const placeOf = (path: string) => withoutQueryTemplates(path).replace(/\/$/, '');

function readPath(path: string): Pick<NameParts, 'segments' | 'statics' | 'of_item'> {
  const segments = withoutQueryTemplates(path).split(/[?#]/)[0]!.split('/').filter(Boolean)
    .map((segment) => segment.replace(/\.(json|xml)$/i, ''))
    .map((segment) => (segment.includes('{') || !isForeign(segment) ? segment
      : nameWord(segment, 'resource')));
  return { segments, statics: staticsOf(segments),
    of_item: segments.at(-1)?.includes('{') ?? false };
}

function staticsOf(segments: readonly string[]): string[] {
  return segments.filter((segment) => !segment.includes('{') && !VERSION_SEGMENT.test(segment))
    .map(snake).filter(Boolean);
}

/** The segments that most paths begin with. */
function sharedLeading(paths: readonly (readonly string[])[]): string[] {
  const shared: string[] = [];
  let sharing = paths;
  while (paths.length >= SHARED_BY) {
    const [[part, group] = [undefined, []]] =
      [...Map.groupBy(sharing, (path) => path[shared.length])].sort(([, a], [, b]) =>
        b.length - a.length);
    if (part === undefined || group.length < paths.length * SHARED_SHARE) return shared;
    shared.push(part);
    sharing = group;
  }
  return shared;
}

/** How many words at their start all of these share, and leave something of each. */
function sharedWords(
  all: readonly (readonly string[])[], mayBe: (word: string) => boolean = () => true): number {
  const given = all.filter((list) => list.length > 0);
  const [first = []] = given;
  if (given.length < SHARED_BY) return 0;
  let shared = 0;
  while (given.every((list) => list[shared] === first[shared] && list.length > shared + 1)
    && mayBe(first[shared]!)) shared += 1;
  return shared;
}

/**
 * `POST_RunInstances` → run instances; `get-an-album` → get album; `get-/crm/tickets_getPage`, as
 * HubSpot has it, → get page.
 */
function idWords({ operation_id: given = '', path }: NameableOperation): string[] {
  const [, own = ''] = given.split(`${path}_`);
  const operation_id = own === '' || own.includes('/') ? given : own;
  const all = snake(operation_id).split('_').filter(Boolean);
  const is_marked = /^(GET|POST|PUT|PATCH|DELETE|HEAD)_/.test(operation_id) && isVerb(all[1] ?? '');
  const rest = (is_marked ? all.slice(1) : all).filter((word, i) => i === 0 || !isArticle(word));
  return rest.length > 0 ? rest : all;
}

function idWithoutClass(operation: NameableOperation): string[] | null {
  const { operation_id = '' } = operation;
  const called = withoutClass(operation_id);
  return called === operation_id ? null : idWords({ ...operation, operation_id: called });
}

/** `PostInvoicesInvoice` at `POST /invoices/{invoice}`, `meeting`: it says no more than these. */
function isMethodAndPath({ id, method, segments, resource }: NameParts): boolean {
  if (!id.some(isVerb)) {
    return id.length > 0 && singularPhrase(id.join('_')) === singularPhrase(resource);
  }
  const whole = segments.filter((segment) => !VERSION_SEGMENT.test(segment)).map(snake).join('_');
  if (id.join('_') === `${method}_${whole}`) return true;
  const of_path = new Set(segments.flatMap((segment) => {
    const list = snake(segment).split('_');
    return list.length > 1 && list.some(isVerb) && !segment.includes('{') ? [] : list.map(singular);
  }));
  const said = id[0] === method ? id : withoutParameter(id, segments);
  return said !== null && isVerbOf(method, said[0]!)
    // Numbers are of versions, as where HubSpot adds an older path, or tell equal ids apart.
    && said.slice(1).every((word) =>
      word === 'by' || /^\d+$/.test(word) || of_path.has(singular(word)));
}

/** `list-builds-by-build-id-logs`: huma has it where the answer is a list. */
function isListOfPath({ id, method, segments, of_item }: NameParts): boolean {
  const whole = segments.filter((segment) => !VERSION_SEGMENT.test(segment))
    .map((segment) => snake(byParameter(segment) ?? segment)).join('_');
  return method === 'get' && !of_item && segments.some((segment) => segment.includes('{'))
    && id.join('_') === `list_${whole}`;
}

/** `{user_id}` → `by_user_id`; null for a fixed segment. */
export function byParameter(segment: string): string | null {
  const name = /\{([^{}]*)\}/.exec(segment)?.[1];
  return name === undefined ? null : `by_${name}`;
}

/** `getListsByIdBoard` → get lists; null: it does not end in the path's parameter. */
function withoutParameter(id: readonly string[], segments: readonly string[]): string[] | null {
  const by = id.lastIndexOf('by');
  const last = segments.findLast((segment) => segment.includes('{'));
  return by > 0 && last !== undefined && snake(last) === id.slice(by + 1).join('_')
    ? id.slice(0, by) : null;
}

const isVerbOf = (method: string, word: string) => word === method
  || ({ post: 'add', put: 'update', patch: 'update' } as Record<string, string>)[method] === word;

const squeezed = (text: string) => text.replace(/[^a-z0-9]/g, '');
