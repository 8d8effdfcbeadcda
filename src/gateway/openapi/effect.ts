import { objectOf, textOf, type JsonObject } from '../../json.ts';
import type { Effect } from '../action/action.ts';
import { snake } from '../action/words.ts';
import { resolve } from '../schema/references.ts';

const EFFECTS: readonly Effect[] = ['read', 'write', 'destructive'];

const words = (text: string) => new Set(text.split(' '));

// No action that only reads has one of these words in its name.
const DESTRUCTIVE = words('delete destroy remove purge wipe erase revoke terminate kill drop');
const MUTATING = words('create update insert upsert connect disconnect exec execute cancel logout '
  + 'reset disable enable deactivate activate approve reject publish unpublish subscribe '
  + 'unsubscribe register unregister restart archive unarchive rename accept decline reboot '
  + 'shutdown logoff regenerate resend rollback undelete withdraw poweroff poweron suspend '
  + 'unsuspend invalidate uninstall reinstall unban unblock unmute unfollow unlike dismiss '
  + 'acknowledge deregister deprovision decommission hibernate redeem impersonate demote evict '
  + 'eject requeue resubmit unassign signout');
// These are nouns as often (get_import, list_set_members): they count only as the first word.
const MUTATING_FIRST = words('add set put post patch send trigger start stop run invite import '
  + 'upload move merge sync clear refresh copy assign unassign attach detach lock unlock close '
  + 'open mark apply submit transfer restore save replace edit modify increment rotate generate '
  + 'retry flush unlink void refund rebuild reload deploy launch expire confirm buy sell '
  + 'abort finish kick ban mute undo revert wake pause promote reopen');
/** As the whole end of a path these are nouns, */
const PATH_NOUNS = words('edit patch import post');
/** and these are verbs also with an object: `/contacts/{id}/addToGroup/{group}`. */
const PATH_VERBS = words('add send');
const MUTATING_PAIR =
  /^(power_(off|on|down|cycle)|turn_(off|on)|shut_down|(log|sign)_(out|off))(_|$)/;
const READING = words('get list find fetch read retrieve show describe search query count check '
  + 'view lookup can is has');
/** `/users?action=delete`, `/#Action=DeleteTopic`, and `?_method=DELETE`, as some frameworks do. */
const NAMED_ACTION = /[?#&](?:action|operation|op|cmd|command|do|_method)=([^&{}]+)/i;
/** What asks a server to do another method than the one that is sent. */
const METHOD_PARAMETER = /^(_method|x-http-method(-override)?|x-method-override)$/i;
const ACTION_PARAMETER = /^(action|operation|op|cmd|command|do|_method)$/i;
/** What such an action begins with if it reads; Hadoop's are of capitals alone. */
const READING_ACTION = words([...READING, 'head download export estimate preview simulate validate'
  + ' test decode scan verify poll select'].join(' '));
const READING_CAPITALS = /^(GET|LIST|CHECK)[A-Z]*$/;

/**
 * The rule for an operation's effect: GET and HEAD only read, unless a mutating verb is in the name
 * (without the integration's slug), the operation id or the end of the path: real services do offer
 * `GET /tokens/revoke`. In doubt it says `write`: a write taken for a read would be performed
 * unasked, while a read taken for a write takes one override of the operator. `choices`: what a
 * parameter such as `action` can be (actionChoices).
 *
 * Measured on the 48,687 different GETs of 2,639 real documents: 1,478 do not count as reading. By
 * the verbs of names and ids alone it were 1,010; of the others 439 name an action in the address,
 * such as Amazon's ModifyImageAttribute, about 20 change something, and 9 do not.
 */
export function effectOf(
  method: string, resourceAndVerb: string, operation_id: string | undefined, path = '',
  choices: readonly string[] = []): Effect {
  const [resource = '', verb = ''] = resourceAndVerb.split('.');
  const idWords = snake(operation_id ?? '').split('_');
  const verbWords = verb.split('_');
  const [place = ''] = path.split(/[?#]/);
  const segments = place.split('/').filter((segment) => segment !== '');
  const last = segments.findLast((segment) => !segment.includes('{')) ?? '';
  const saysRead = idWords.some((word) => READING.has(word));
  const ending = snake(last).split('_');
  // Before a parameter stands what it is one of, so only the first word can be a verb.
  const pathWords = last === segments.at(-1) ? ending : ending.slice(0, 1);
  const named = NAMED_ACTION.exec(path)?.[1];
  // Several choices of what is listed are a filter: `GET /changes?action=delete`.
  const actions = [...(named === undefined ? [] : [named]),
    ...(choices.length > 1 && saysRead ? [] : choices)]
    .map((action) => snake(action).split('_'));
  const all = [...resource.split('_'), ...verbWords, ...idWords, ...pathWords, ...actions.flat()];
  if (method === 'delete' || all.some((word) => DESTRUCTIVE.has(word))) return 'destructive';
  if (method !== 'get' && method !== 'head') return 'write';
  const namesReading = named === undefined || READING_CAPITALS.test(named)
    || READING_ACTION.has(actions[0]![0]!);
  if (!namesReading) return 'write';
  // A path that ends in `start` is a verb unless the id says that something is read there.
  const isVerb = !saysRead && (PATH_VERBS.has(ending[0]!)
    || (ending.length === 1 && !PATH_NOUNS.has(ending[0]!)));
  const lists = [verbWords, idWords, ...actions];
  const mutates = all.some((word) => MUTATING.has(word))
    || [...lists, ...(isVerb ? [ending] : [])].some(([first]) => MUTATING_FIRST.has(first!))
    || [...lists, pathWords].some((list) => MUTATING_PAIR.test(list.join('_')));
  return mutates ? 'write' : 'read';
}

/** The one that asks for most permission; there is one at least. */
export function strictest(effects: readonly Effect[]): Effect {
  return EFFECTS.findLast((effect) => effects.includes(effect))!;
}

/** Whether `one` asks for less permission than `other`. */
export function isWeaker(one: Effect, other: Effect): boolean {
  return EFFECTS.indexOf(one) < EFFECTS.indexOf(other);
}

/** What the document lets a caller choose in a parameter such as `action` of the query. */
export function actionChoices(
  document: JsonObject, pathItem: JsonObject, operation: JsonObject): string[] {
  const parameters = parametersOf(document, pathItem, operation)
    .filter((one) => one.in === 'query' && ACTION_PARAMETER.test(textOf(one.name) ?? ''));
  return parameters.flatMap((parameter) => valuesOf(document, parameter));
}

/**
 * The effect that an operation has at least, whatever its method: a document may have a GET sent
 * with `X-HTTP-Method-Override: DELETE`.
 */
export function overriddenEffect(
  document: JsonObject, pathItem: JsonObject, operation: JsonObject): Effect {
  const methods = parametersOf(document, pathItem, operation)
    .filter(({ in: place, name }) => (place === 'header' || place === 'query')
      && METHOD_PARAMETER.test(textOf(name) ?? ''))
    .map(({ schema }) => {
      const { default: _, ...said } = resolve(document, objectOf(schema));
      return valuesOf(document, { schema: said }).map((value) => value.toLowerCase());
    });
  // Without a list of values a caller says which.
  return strictest(['read', ...methods.map((values): Effect =>
    (values.length === 0 || values.includes('delete') ? 'destructive'
      : values.every((value) => value === 'get' || value === 'head') ? 'read' : 'write'))]);
}

/** The places where an operation can be, its path and its own server's, and the rest of it. */
export interface RuledOperation {
  method: string;
  pathItem: JsonObject;
  operation: JsonObject;
  places: readonly string[];
}

/** What the rule says of an operation, by the words of a name for it (without the slug). */
export function effectRule(
  document: JsonObject, { method, pathItem, operation, places }: RuledOperation,
): (resourceAndVerb: string) => Effect {
  const least = overriddenEffect(document, pathItem, operation);
  const choices = actionChoices(document, pathItem, operation);
  const id = textOf(operation.operationId);
  return (resourceAndVerb) => strictest([least,
    ...places.map((place) => effectOf(method, resourceAndVerb, id, place, choices))]);
}

function parametersOf(
  document: JsonObject, pathItem: JsonObject, operation: JsonObject): JsonObject[] {
  return [pathItem.parameters, operation.parameters]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map((parameter) => resolve(document, parameter));
}

/** What a parameter can be, or is if nobody says otherwise, as far as its schema says that. */
function valuesOf(document: JsonObject, { schema }: JsonObject): string[] {
  const said = resolve(document, objectOf(schema));
  const choices = Array.isArray(said.enum) ? said.enum : [];
  return [...new Set([...choices, said.const, said.default])]
    .filter((value) => typeof value === 'string');
}
