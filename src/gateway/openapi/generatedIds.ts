/** Operation ids as frameworks make them: of the address, and of names of classes. */
import { distinctNames, snake } from '../action/words.ts';
import { indexOfPhrase, isVerb, singular, VERSION_SEGMENT } from './namingWords.ts';

/**
 * The words of an id without the path and the method that FastAPI writes after them
 * (`set_state_set_state_get`): that `get` says nothing of what the operation does. '' if it has no
 * others.
 */
export function ownWords(operation_id: string, method: string, path: string): string {
  const id = snake(operation_id);
  const derived = snake(`${path} ${method}`);
  if (id === derived) return '';
  return id.endsWith(`_${derived}`) && derived !== method ? id.slice(0, -derived.length - 1) : id;
}

/**
 * Real paths start with no more. Each id is compared with every part of its path's start, and a
 * hostile path has thousands.
 */
const START_LIMIT_SEGMENTS = 4;

/** What a framework makes an id of. */
interface Addressed {
  method: string;
  path: string;
  operation_id?: string | undefined;
  tags?: readonly string[] | undefined;
}

/**
 * The operations with their ids and tags without what no person wrote. drf-spectacular begins ids
 * with what the path starts with (`api_v1_books_list`), and may have it as the tag, too (`api`):
 * where most ids of a tag do not begin so, a person chose it.
 */
export function withPlainIds<O extends Addressed>(operations: readonly O[]): O[] {
  const pathsOf = (verb: string) => new Set(operations.flatMap(({ method, path }) =>
    (method === verb ? [path] : [])));
  // Without their ids both would be the update of one thing, and POST may create it.
  const either = pathsOf('post').intersection(pathsOf('put'));
  const plain = operations.map(({ operation_id, method, path }) => operation_id
    && plainId(operation_id, method, path, /^(post|put)$/.test(method) && either.has(path)));
  const starts = startsOf(operations.map(({ path }) => path));
  // Two versions in one document keep what tells their ids apart.
  const ids = distinctNames(plain.map((id = '', i) =>
    [...withoutStart(id, operations[i]!.path, starts[i]!), id]), new Set());
  const isStart = (tag: string, i: number) => starts[i]!.includes(snake(tag));
  const tagged = operations.flatMap(({ tags = [] }, i) => tags.filter((tag) => isStart(tag, i))
    .map((tag) => ({ tag, begins_id: ids[i] !== (plain[i] ?? '') })));
  const dropped = new Set([...Map.groupBy(tagged, ({ tag }) => tag)]
    .filter(([, all]) => all.filter(({ begins_id }) => begins_id).length > all.length / 2)
    .map(([tag]) => tag));
  return operations.map((one, i) => ({ ...one, operation_id: ids[i] || undefined,
    tags: one.tags?.filter((tag) => !dropped.has(tag) || !isStart(tag, i)) }));
}

/**
 * NestJS has `UsersController_findAll`, springdoc `update_2` where ids would be equal; undefined of
 * what is method and path with its parameters, as API Platform has it (`api_books_id_get`), unless
 * it `is_needed`.
 */
function plainId(
  operation_id: string, method: string, path: string, is_needed: boolean): string | undefined {
  const own = ownWords(operation_id, method, path);
  const is_derived = own === '' && path.includes('{') && !/[/.]/.test(operation_id);
  if (is_derived && !is_needed) return undefined;
  return own !== '' && own.length < snake(operation_id).length ? own
    : withoutPath(operation_id, path).replace(/^(\w*?[a-z0-9])Controller(?=[_.])/, '$1')
      .replace(/^([a-z]+)_\d+$/i, '$1');
}

/**
 * `api_v1_books_list` of `/api/v1/books` → books_list, v1_books_list; huma's `list-v1-books` →
 * list_books; none: it has no start.
 */
function withoutStart(operation_id: string, path: string, start: readonly string[]): string[] {
  const [, lead = '', own = ''] = /^(list_)?(.*)$/.exec(snake(operation_id))!;
  const firstOf = (text: string) => singular(text.split('_')[0]!);
  const next = firstOf(snake(path.split('/').filter(Boolean)[start.length] ?? ''));
  const from = start.findIndex((_, i) => {
    const words = `${start.slice(i).join('_')}_`;
    return own.startsWith(words) && firstOf(own.slice(words.length)) === next;
  });
  const cut = from < 0 ? [] : start.slice(from);
  return cut.map((_, i) => lead + own.slice(cut.slice(0, i + 1).join('_').length + 1)).reverse();
}

/** api and v1 of `/api/v1/books`; what has items somewhere is no start: apis of `/apis/{id}`. */
function startsOf(paths: readonly string[]): string[][] {
  const lists = new Set(paths.flatMap((path) => (path.includes('{') ? path.split('{', 1) : [])));
  return paths.map((path) => {
    const segments = path.split('/').filter(Boolean);
    const end = segments.findIndex((segment, i) => i === START_LIMIT_SEGMENTS
      || !VERSION_SEGMENT.test(segment)
      || lists.has(`/${segments.slice(0, i + 1).join('/')}/`));
    return segments.slice(0, Math.max(0, end)).map(snake);
  });
}

/**
 * Litestar's ids (`TripsTripIdGetTrip`, `TripsListTrips`) without the whole path that they begin
 * with: get_trip, list_trips; with its fixed segments (`TripsTripIdRemove` → trips_remove) if the
 * rest does not say what it is about.
 */
function withoutPath(operation_id: string, path: string): string {
  const all = /^[A-Z][A-Za-z0-9]*$/.test(operation_id) ? snake(operation_id).split('_') : [];
  const end = wordsOf(all, snake(path).replaceAll('_', ''));
  const rest = all.slice(end);
  if (end === 0 || rest.length === 0 || (all.some(isVerb) && !rest.some(isVerb))) {
    return operation_id;
  }
  const fixed = path.split('/').filter((part) => part !== '' && !part.includes('{')).map(snake);
  const says_it = indexOfPhrase((fixed.at(-1) ?? '').split('_'), rest) >= 0;
  return (says_it ? rest : [...fixed, ...rest]).join('_');
}

/** How many of the words `whole` is, written as one; 0: they do not begin with it. */
function wordsOf(all: readonly string[], whole: string): number {
  let read = 0;
  for (const [i, word] of all.entries()) {
    if (!whole.startsWith(word, read)) return 0;
    read += word.length;
    if (read === whole.length) return i + 1;
  }
  return 0;
}

const CLASS_AND_METHOD = /^([A-Za-z][A-Za-z0-9]*)_([A-Za-z][A-Za-z0-9]*)$/;

/**
 * Of an id that is a class and its method (`Folders_GetFolders` of ASP.NET), the method, if that
 * names the same things; else the id.
 */
export function withoutClass(operation_id: string): string {
  const [, owner = '', called = ''] = CLASS_AND_METHOD.exec(operation_id) ?? [];
  const [verb = '', ...nouns] = snake(called).split('_');
  const thing = singular(snake(owner).split('_').at(-1)!);
  return isVerb(verb) && nouns.some((noun) => singular(noun) === thing) ? called : operation_id;
}
