/**
 * The naming rule: every operation of an OpenAPI document gets one dotted name
 * `<slug>.<resource>.<verb>`. An operation has several forms of its name, from the shortest to one
 * that cannot collide; distinctNames chooses. Ids that say no more than method and path are made
 * anew of these, and words are cut only where the rest still reads: of names that people guessed
 * for 60 operations of 23 real documents, before they looked, test/bench/names.ts says how many
 * are right.
 */
import { hash } from 'node:crypto';
import { distinctNames, isForeign, snake } from '../action/words.ts';
import { withPlainIds } from './generatedIds.ts';
import {
  areAmong, byParameter, isPartOf, namePartsOf, type NameableOperation, type NameParts,
} from './namingParts.ts';
import {
  isAdjective, isPlural, isPreposition, isVerb, indexOfPhrase, singularPhrase, VERSION_SEGMENT,
} from './namingWords.ts';

// With a slug of 64 characters a name has at most the 255 that the API allows. Real documents have
// ids of 250 characters, and tags that are sentences.
const RESOURCE_LIMIT_CHARS = 64;
const VERB_LIMIT_CHARS = 120;

/**
 * The names of `operations`, in their order. No two are equal, whatever the document holds, and the
 * rule names only those that have none. `taken`: names that others have or had; they are never
 * given again.
 */
export function nameOperations(
  slug: string, operations: readonly NameableOperation[],
  taken: ReadonlySet<string> = new Set()): string[] {
  const formsOf = namer(slug, operations);
  return distinctNames(operations.map(({ kept }, i) =>
    (kept === undefined ? formsOf(i) : [kept])), taken);
}

/**
 * The names that the rule would give today to operations that have one, in their order. None gets a
 * name that another one has or had: who knows the old names must not reach something else by them.
 */
export function renameOperations(
  slug: string, operations: readonly NameableOperation[], taken: ReadonlySet<string>): string[] {
  const formsOf = namer(slug, operations);
  return distinctNames(operations.map(({ kept }, i) => {
    const forms = formsOf(i).filter((form) => form === kept || !taken.has(form));
    return kept === undefined || forms.length > 0 ? forms : [kept];
  }), new Set());
}

/** The forms of the name of the operation at a place, shortest first, the surest last. */
function namer(
  slug: string, given: readonly NameableOperation[]): (place: number) => string[] {
  // Of an id that is not in Latin letters only some words could be read, so that it says nothing.
  const operations = withPlainIds(given.map((one) =>
    (isForeign(one.operation_id ?? '') ? { ...one, operation_id: undefined } : one)));
  const prefix = commonPrefix(operations);
  const parts = namePartsOf(slug, operations);
  const posted = new Set(parts.flatMap((one) => (one.method === 'post' ? keyOf(one) : [])));
  return (place) => nameForms(operations[place]!, parts[place]!, prefix, posted)
    .map((form) => `${slug}.${form}`);
}

/** Google's documents begin every dotted id with the name of the service, which is left out. */
function commonPrefix(operations: readonly NameableOperation[]): string | null {
  const firsts = new Set(operations.map(({ operation_id }) =>
    operation_id?.includes('.') ? operation_id.split('.')[0]! : null));
  return firsts.size === 1 ? [...firsts][0]! : null;
}

type Form = [resource: string, verb: string];

/** What an operation that only differs in its method shares with it. */
const keyOf = ({ resource, id }: NameParts) => `${resource} ${id.join('_')}`;

/** The forms of one operation's name, `<resource>.<verb>`, shortest first, the surest last. */
function nameForms(
  operation: NameableOperation, parts: NameParts, prefix: string | null,
  posted: ReadonlySet<string>): string[] {
  const id = operation.operation_id ?? '';
  const { resource, segments, method } = parts;
  // Amazon's documents have each operation by GET and by POST, which is what its clients use.
  const is_twin = method === 'get' && parts.id.length > 0 && posted.has(keyOf(parts));
  const forms = slashForms(id) ?? dottedForms(id, prefix, method)
    ?? (parts.id.length > 0 ? idForms(parts) : pathForms(parts));
  const full = snake(`${method}_${segments.map((s) => byParameter(s) ?? s).join('_')}`);
  const digest = hash('sha256', `${method} ${operation.path}`, 'hex');
  const clipped = full.slice(0, 50);
  const all: Form[] = [
    ...forms.map(([about, verb]): Form => [about, is_twin ? `${verb}_by_get` : verb]),
    [resource, full],
    [resource, `${clipped}_${digest.slice(0, 6)}`], [resource, `${clipped}_${digest}`]];
  return all.filter(([, verb]) => verb.length <= VERB_LIMIT_CHARS)
    .map(([about, verb]) => `${about.slice(0, RESOURCE_LIMIT_CHARS)}.${verb}`);
}

/** `issues/list-for-repo` → issues.list_for_repo */
function slashForms(id: string): Form[] | null {
  const parts = id.split('/').map(snake).filter(Boolean);
  return id.includes('/') && parts.length === 2 ? [[parts[0]!, parts[1]!]] : null;
}

/**
 * `compute.instances.list` → instances.list, then compute_instances.list; `post-api-v1-chat.react`,
 * as Rocket.Chat has it, → chat.react
 */
function dottedForms(id: string, prefix: string | null, method: string): Form[] | null {
  if (!id.includes('.') || /\s/.test(id)) return null;
  let parts = id.split('.');
  if (prefix !== null && parts.length > 2) parts = parts.slice(1);
  parts = parts.map(snake).filter(Boolean);
  if (parts.length < 2) return null;
  const verb = parts.at(-1)!;
  const resources = parts.slice(0, -1);
  const [first = '', ...rest] = resources[0]!.split('_');
  if (first === method && rest.length > 0) {
    const said = rest.findIndex((word) => !VERSION_SEGMENT.test(word));
    resources[0] = rest.slice(Math.max(0, said)).join('_');
  }
  return [[resources.at(-1)!, verb], [resources.join('_'), verb]];
}

/** `createSiteDeploy` of deploys → create, create_for_site, create_site_deploy */
function idForms(parts: NameParts): Form[] {
  const { id, resource } = parts;
  const { rest, parents } = withoutResource(parts);
  const verb = known(verbFirst(rest), parts).join('_');
  const qualified = parents.length > 0 ? `${verb}_for_${parents.join('_')}` : verb;
  return [[resource, verb], [resource, qualified], [resource, verbFirst(id).join('_')],
    [resource, id.join('_')]];
}

/**
 * The id without the words of the resource, unless what is left would say something else: without
 * its noun `create_site_deploy` creates a site. What is before that noun goes too if it is where
 * the path leads through.
 */
function withoutResource(
  { id, method, resource, statics, parents }: NameParts,
): { rest: string[], parents: string[] } {
  const about = resource.split('_');
  const start = indexOfPhrase(about, id);
  // `inviteUser` of invites: what is done, and not what it is done to.
  const is_its_verb = start === 0 && !['get', 'head'].includes(method) && isVerb(id[0]!)
    && id[0] !== about[0];
  if (start < 0 || about.length === id.length || is_its_verb) return { rest: id, parents: [] };
  const rest = id.toSpliced(start, about.length);
  const is_last = start + about.length === id.length;
  if (!is_last || rest.length === 1 || !isVerb(rest[0]!)) return { rest, parents: [] };
  const before = rest.slice(1);
  // `remove_members_for_project` of projects removes members.
  if (isPreposition(rest.at(-1)!)) return { rest: rest.slice(0, -1), parents: [] };
  if (areAmong(before, parents)) return { rest: [rest[0]!], parents: before };
  const reads = isAdjective(before.at(-1)!) || isPreposition(before[0]!)
    || areAmong(before, statics.slice(parents.length + 1));
  return { rest: reads ? rest : id, parents: [] };
}

/** `balance_get` → get_balance */
function verbFirst(all: readonly string[]): string[] {
  const last = all.at(-1)!;
  return all.length > 1 && isVerb(last) && !all.slice(0, -1).some((word) =>
    isVerb(word) || isPreposition(word)) ? [last, ...all.slice(0, -1)] : [...all];
}

/** Where a verb stands alone: the word that everybody would use for it, and bulk as its own. */
function known(verb: string[], { method, of_item, id, statics }: NameParts): string[] {
  const [word] = verb as [string];
  const [, number] = /^(?:find|get|list)_(all|one)$/.exec(verb.join('_')) ?? [];
  if (method === 'get' && number === (of_item ? 'one' : 'all')) return [of_item ? 'get' : 'list'];
  if (verb.length > 1) {
    const is_list = method === 'get' && word === 'get' && !of_item && !isVerb(verb[1]!)
      && !verb.some(isPreposition) && isPlural(verb.at(-1)!);
    return is_list ? ['list', ...verb.slice(1)] : verb;
  }
  const many = [...id, ...statics].find((one) => one === 'bulk' || one === 'batch');
  if (many !== undefined && word !== many) return [many, word];
  const is_list = !of_item && isPlural(statics.at(-1)?.split('_').at(-1) ?? '');
  if (method === 'get' && of_item && /^(fetch|retrieve|show|read|view)$/.test(word)) return ['get'];
  if (method === 'get' && is_list && /^(get|fetch|retrieve|read|index|find)$/.test(word)) {
    return ['list'];
  }
  if (method === 'post' && is_list && /^(add|new|insert|post)$/.test(word)) return ['create'];
  if (method === 'delete' && of_item && /^(remove|destroy)$/.test(word)) return ['delete'];
  return (method === 'put' || method === 'patch') && of_item && /^(edit|modify)$/.test(word)
    ? ['update'] : verb;
}

/** No usable id: a verb for the method, or of the path, and the rest of it. */
function pathForms(parts: NameParts): Form[] {
  const { statics, parents, resource, of_item, segments, method, has_items, is_thing } = parts;
  const last = statics.at(-1) ?? '';
  // `lock` is a thing where it is got and deleted, and `test_clocks` where one is got by its id.
  const is_noun = is_thing || (has_items && isPlural(last.split('_').at(-1)!));
  const acts = !of_item && !is_noun && method !== 'delete' && isVerb(last.split('_')[0]!)
    && (last !== resource || method === 'post');
  const verb = acts ? last : verbOf(parts);
  // `mail_send` of `POST /mail/send` is mail.send.
  const about = resource.endsWith(`_${verb}`) ? resource.slice(0, -verb.length - 1) : resource;
  const one = acts ? segments.at(-2)?.includes('{') === true
    : verb !== 'list' && (of_item || verb === 'create');
  const nouns = statics.slice(parents.length, acts ? -1 : undefined)
    .filter((noun) => !isPartOf(noun, about))
    .map((noun, i, all) => (one && i === all.length - 1 ? singularPhrase(noun) : noun))
    .map((noun) => withoutEnd(noun, about));
  // `generate_api_key` says itself what is generated, and `move_to_first` not what is moved.
  const [, second] = verb.split('_');
  const says_object = acts && second !== undefined && !isPreposition(second);
  const ofNouns = (some: string[]) => (some.length === 0 ? verb
    : [verb, ...says_object ? ['for'] : [], ...some].join('_'));
  const whole = ofNouns(nouns);
  // `groups` of group_memberships says less than what is above it, but more than nothing.
  const above = parents.findLast((noun) => !isPartOf(noun, about));
  const qualified = [above, parents.at(-1)].map((parent) =>
    (parent === undefined ? whole : `${whole}_for_${singularPhrase(parent)}`));
  const forms = [says_object ? verb : ofNouns(nouns.slice(-1)), ...qualified];
  const parameter = byParameter(segments.at(-1) ?? '');
  const surer = parameter === null ? `${verb}_${last}` : snake(`${qualified[0]}_${parameter}`);
  return [...forms, ...(forms.includes(surer) ? [] : [surer])].map((form) => [about, form]);
}

/** `featured_playlists` of playlists → featured */
function withoutEnd(noun: string, resource: string): string {
  const end = [resource, singularPhrase(resource)].find((one) => noun.endsWith(`_${one}`));
  const rest = end === undefined ? noun : noun.slice(0, -end.length - 1);
  return isAdjective(rest.split('_').at(-1)!) ? rest : noun;
}

function verbOf({ method, of_item, has_patch, has_items, statics }: NameParts): string {
  const end = statics.at(-1)?.split('_').at(-1);
  if (method === 'get') {
    return of_item || (!has_items && end !== undefined && !isPlural(end)) ? 'get' : 'list';
  }
  if (method === 'post') return of_item ? 'update' : 'create';
  if (method === 'put') return of_item && !has_patch ? 'update' : 'replace';
  return method === 'patch' ? 'update' : method;
}
