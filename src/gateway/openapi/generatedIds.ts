/** Operation ids as frameworks make them: of the address, and of names of classes. */
import { snake } from '../action/words.ts';
import { isVerb, singular, VERSION_SEGMENT } from './namingWords.ts';

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
 * The ids of a document without what no person wrote of them: NestJS has `UsersController_findAll`,
 * springdoc `update_2` where ids would be equal, drf-spectacular `api_v1_books_list`, and Litestar
 * `TripsTripIdGetTrip`. Undefined stays what is none.
 */
export function plainIds(
  operations: readonly { method: string, path: string, operation_id?: string | undefined }[],
): (string | undefined)[] {
  const having = operations.filter(({ operation_id }) => operation_id !== undefined);
  const following = having.filter(({ operation_id, path }) =>
    wordsAfter(snake(operation_id!), snake(path)) !== undefined);
  const follow = having.length >= FOLLOWING && following.length >= having.length * FOLLOWING_SHARE;
  return operations.map(({ operation_id, method, path }) => operation_id
    && (follow ? withoutPath(operation_id, path) : plainId(operation_id, method, path)));
}

/** How many ids, and which part of all, have to begin with their paths to be made of these. */
const FOLLOWING = 5;
const FOLLOWING_SHARE = 0.8;

function plainId(operation_id: string, method: string, path: string): string {
  const own = ownWords(operation_id, method, path);
  return own !== '' && own.length < snake(operation_id).length ? own
    : withoutStart(operation_id.replace(/^(\w*?[a-z0-9])Controller(?=[_.])/, '$1')
      .replace(/^([a-z]+)_\d+$/i, '$1'), path);
}

/** `api_v1_books_list` of `/api/v1/books`, or `v1_books_list`, → books_list */
function withoutStart(operation_id: string, path: string): string {
  const segments = path.split('/').filter(Boolean);
  const at = segments.findIndex((segment) => !VERSION_SEGMENT.test(segment));
  const firstOf = (words: string) => singular(words.split('_')[0]!);
  return [3, 2, 1]
    .map((many) => snake(segments.slice(Math.max(0, at - many), Math.max(0, at)).join('_')))
    .map((start) => wordsAfter(snake(operation_id), start))
    .find((rest) => rest && firstOf(rest) === firstOf(snake(segments[at]!))) ?? operation_id;
}

/** `TripsTripIdGetTrip` → get_trip, `TripsTripIdRemove` → trips_remove */
function withoutPath(operation_id: string, path: string): string {
  const rest = wordsAfter(snake(operation_id), snake(path));
  if (rest === undefined) return operation_id;
  const ofPath = new Set(snake(path).split('_').map(singular));
  const thing = path.split('/').findLast((part) => part !== '' && !part.includes('{')) ?? '';
  const says_it = rest.split('_').some((word) => ofPath.has(singular(word)));
  return says_it ? rest : snake(`${thing}_${rest}`);
}

const wordsAfter = (words: string, first: string): string | undefined =>
  (first !== '' && words.startsWith(`${first}_`) ? words.slice(first.length + 1) : undefined);

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
