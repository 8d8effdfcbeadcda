/** Operation ids as frameworks make them: of the address, and of names of classes. */
import { snake } from '../action/words.ts';
import { isVerb, singular } from './namingWords.ts';

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
 * The id without what no person wrote of it: NestJS has `UsersController_findAll`, springdoc
 * `update_2` where ids would be equal.
 */
export function plainId(operation_id: string, method: string, path: string): string {
  const own = ownWords(operation_id, method, path);
  return own !== '' && own.length < snake(operation_id).length ? own
    : operation_id.replace(/^(\w*?[a-z0-9])Controller(?=[_.])/, '$1')
      .replace(/^([a-z]+)_\d+$/i, '$1');
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
