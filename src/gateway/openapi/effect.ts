import { listOf, type JsonObject } from '../../json.ts';
import type { Effect } from '../action/action.ts';
import { snake } from '../action/words.ts';
import { resolve } from '../schema/references.ts';
import type { DeclaredParameter } from './declaredParameters.ts';
import { ownWords } from './generatedIds.ts';
import { words } from './namingWords.ts';
import { filledPairs, withoutQueryTemplates, withoutShownPairs } from './ownQuery.ts';
import { pathAndQueryOf } from './servers.ts';
import type { SourceOperation } from './sourceOperations.ts';

const EFFECTS: readonly Effect[] = ['read', 'write', 'destructive'];

// No action that only reads has one of these words in its name.
const DESTRUCTIVE = words('delete destroy remove purge wipe erase revoke terminate kill drop prune '
  + 'truncate expunge');
const MUTATING = words('create update insert upsert connect disconnect exec execute cancel logout '
  + 'reset disable enable deactivate activate approve reject publish unpublish subscribe '
  + 'unsubscribe register unregister restart archive unarchive rename accept decline reboot '
  + 'shutdown logoff regenerate resend rollback undelete withdraw poweroff poweron suspend '
  + 'unsuspend invalidate uninstall reinstall unban unblock unmute unfollow unlike dismiss '
  + 'acknowledge deregister deprovision decommission hibernate redeem impersonate demote evict '
  + 'eject requeue resubmit unassign signout killswitch');
// These are nouns as often (get_import, list_set_members): they count only as the first word.
const MUTATING_FIRST = words('add set put post patch send trigger start stop run invite import '
  + 'upload move merge sync clear refresh copy assign unassign attach detach lock unlock close '
  + 'open mark apply submit transfer restore save replace edit modify increment rotate generate '
  + 'retry flush unlink void refund rebuild reload deploy launch expire confirm buy sell '
  + 'abort finish kick ban mute undo revert wake pause promote reopen');
/**
 * Verbs that documents use of what reads, too (`verifyConnectivity`, `ack_status`): they count as
 * the first word where nothing after them says that it is told of.
 */
const MUTATING_BARE = words('toggle verify ack nack reindex like dislike upvote downvote vote '
  + 'arm disarm snooze broadcast notify dispatch resync recalculate recompute redeliver ignore');
/** Verbs only where nothing follows: `files.remote.share`, but `/share-links`, `push_devices`. */
const MUTATING_ALONE = words('share push');
const TOLD_OF = words('status state history log logs code codes result results count config '
  + 'configs settings options policy policies info metadata type types schedule schedules job '
  + 'jobs request requests report reports event events message messages list stats summary');
/** Where the last segment of a path is one of these alone, it is a noun: `/v1/import`. */
const PATH_NOUNS = words('edit patch import post');
/** Nouns behind another segment (`/channels/sms`), verbs where they are the whole path (`/sms`). */
const PATH_ORDERS = words('sms call dial');
/** Verbs, also where an object follows: `/addToGroup/{group}`, `/set_state`, `/unlock/door`. */
const PATH_VERBS = words('add send set unset flush trigger toggle clear unlock unmute reload '
  + 'rebuild regenerate reindex enable disable activate deactivate reset reboot restart shutdown '
  + 'cancel invalidate');
/** What is before a resource in an address: `/api/v1/sms`. */
const PREFIX = /^(api|rest|v\d\w*)$/i;
const MUTATING_PAIR =
  /^(power_(off|on|down|cycle)|turn_(off|on)|shut_down|(log|sign)_(out|off))(_|$)/;
const READING = words('get list find fetch read retrieve show describe search query count check '
  + 'view lookup can is has');
/** `/users?action=delete`, `/#Action=DeleteTopic`, and `?_method=DELETE`, as some frameworks do. */
const NAMED_ACTION = /[?#&](?:action|operation|op|cmd|command|do|_method)=([^&{}]+)/i;
/** What asks a server to do another method than the one that is sent. */
const METHOD_PARAMETER = /^(_method|x-http-method(-override)?|x-method-override)$/i;
/** A command is given in it; `action` and `operation` are as often what a list is filtered by. */
const COMMAND_PARAMETER = /^(op|cmd|command|do)$/i;
/** The choice that such a parameter leaves to the caller where no values are listed. */
const ANY_COMMAND = '{command}';
const COMMAND_ADDRESS = /[?#&](?:op|cmd|command|do)=(?:\{[^{}]*\})?(?:&|$)/i;
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
 * Measured on 12,008 GETs of Amazon's, Google's and Kubernetes' clients and of 55 other documents:
 * 64 that only read count as changing (0.5 %; by the rule before this one 122), most for a noun
 * (`connect-peers`) or for what they make up to be read (`generateConnectManifest`); 34 that change
 * something are found. Of those whose ids and names have no reading word, read through by eye, 11
 * change something and count as reading (0.1 %), such as `AssumeQueueRoleForUser`. These ids are
 * tidier than most; `make corpus` counts in documents of all kinds.
 */
export function effectOf(
  method: string, resourceAndVerb: string, operation_id: string | undefined, path = '',
  choices: readonly string[] = []): Effect {
  const [resource = '', verb = ''] = resourceAndVerb.split('.');
  const [place = ''] = path.split(/[?#]/);
  const idWords = ownWords(operation_id ?? '', method, place).split('_');
  const verbWords = verb.split('_');
  const saysRead = idWords.some((word) => READING.has(word));
  const { ending, pathWords, isVerb } = readPath(place);
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
  const takesCommand = choices.includes(ANY_COMMAND) || COMMAND_ADDRESS.test(path);
  if (takesCommand && !saysRead && !READING_ACTION.has(ending[0]!)) return 'write';
  const lists = [verbWords, verbPart(operation_id, idWords), ...actions];
  const mutates = all.some((word) => MUTATING.has(word))
    // A path that ends in `start` is a verb unless the id says that something is read there.
    || (isVerb && !saysRead)
    || lists.some((list) => MUTATING_FIRST.has(list[0]!) || isBareVerb(list))
    || [...lists, pathWords].some((list) => MUTATING_PAIR.test(list.join('_')));
  return mutates ? 'write' : 'read';
}

/** Of an id such as Google's `run.projects.jobs.get` its last part, if that says that it reads. */
function verbPart(operation_id: string | undefined, idWords: string[]): string[] {
  const last = snake(operation_id?.split('.').at(-1) ?? '').split('_');
  return READING.has(last[0]!) && idWords.length > last.length ? last : idWords;
}

/** What the words of a path say, and whether its verb is one if nothing says that it reads. */
function readPath(place: string): { ending: string[]; pathWords: string[]; isVerb: boolean } {
  const segments = place.split('/').filter((segment) => segment !== '');
  const fixed = segments.filter((segment) => !segment.includes('{'));
  const last = fixed.at(-1) ?? '';
  const ending = snake(last).split('_');
  const [first = ''] = ending;
  const isVerb = PATH_VERBS.has(first) || isBareVerb(ending)
    || (ending.length === 1 && (MUTATING_FIRST.has(first) ? !PATH_NOUNS.has(first)
      : PATH_ORDERS.has(first) && fixed.slice(0, -1).every((segment) => PREFIX.test(segment))))
    // Before what it is done to: `/unlock/door`, but `/toggle/status`.
    || (!ending.some((word) => TOLD_OF.has(word))
      && fixed.slice(0, -1).some((segment) => PATH_VERBS.has(snake(segment))));
  // Before a parameter stands what it is one of, so only the first word can be a verb.
  const pathWords = last === segments.at(-1) ? ending : ending.slice(0, 1);
  return { ending, pathWords, isVerb };
}

function isBareVerb([first = '', ...rest]: readonly string[]): boolean {
  return (MUTATING_BARE.has(first) && !rest.some((word) => TOLD_OF.has(word)))
    || (MUTATING_ALONE.has(first) && rest.length === 0);
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
  document: JsonObject, parameters: readonly DeclaredParameter[]): string[] {
  return parameters.filter((one) => one.in === 'query' && ACTION_PARAMETER.test(one.name))
    .flatMap(({ name, schema }) => {
      const values = valuesOf(resolve(document, schema));
      return values.length === 0 && COMMAND_PARAMETER.test(name) ? [ANY_COMMAND] : values;
    });
}

/**
 * The effect that an operation has at least, whatever its method: a document may have a GET sent
 * with `X-HTTP-Method-Override: DELETE`.
 */
export function overriddenEffect(
  document: JsonObject, parameters: readonly DeclaredParameter[]): Effect {
  const methods = parameters.filter(({ in: place, name }) =>
    (place === 'header' || place === 'query') && METHOD_PARAMETER.test(name))
    .map(({ schema }) => {
      const { default: _, ...said } = resolve(document, schema);
      return valuesOf(said).map((value) => value.toLowerCase());
    });
  // Without a list of values a caller says which.
  return strictest(['read', ...methods.map((values): Effect =>
    (values.length === 0 || values.includes('delete') ? 'destructive'
      : values.every((value) => value === 'get' || value === 'head') ? 'read' : 'write'))]);
}

/**
 * What the rule says of an operation, by the words of a name for it (without the slug). `server`:
 * its own, whose address may say it, too.
 */
export function effectRule(
  document: JsonObject,
  { method, path: written, operation_id, parameters }:
  Pick<SourceOperation, 'method' | 'path' | 'operation_id' | 'parameters'>,
  server: string | undefined): (resourceAndVerb: string) => Effect {
  const path = withoutQueryTemplates(written);
  const places = [path, ...server === undefined ? [] : [pathAndQueryOf(server)]];
  const all = [...parameters, ...filledInPath(path, parameters)];
  const least = overriddenEffect(document, all);
  const choices = actionChoices(document, all);
  return (resourceAndVerb) => strictest([least,
    ...places.map((place) => effectOf(method, resourceAndVerb, operation_id, place, choices))]);
}

/** What callers fill in the query of a path, as parameters of the query. */
function filledInPath(
  path: string, declared: readonly DeclaredParameter[]): DeclaredParameter[] {
  const asked = declared.filter((one) => one.in === 'query').map(({ name }) => name);
  return filledPairs(withoutShownPairs(path, new Set(asked))).map(({ name, variable }) => ({
    in: 'query',
    // Who fills in the name may fill in that of the method.
    name: name.includes('{') ? '_method' : name,
    schema: declared.find((one) => one.in === 'path' && one.name === variable)?.schema,
  }));
}

/** What a parameter can be, or is if nobody says otherwise, as far as its schema says that. */
function valuesOf({ enum: listed, const: only, default: unsaid }: JsonObject): string[] {
  return [...new Set([...listOf(listed), only, unsaid])]
    .filter((value) => typeof value === 'string');
}
