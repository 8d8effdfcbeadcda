/**
 * The naming rule: every operation of an OpenAPI document gets one dotted name
 * `<slug>.<resource>.<verb>`. An operation has several forms of its name, from the shortest to one
 * that cannot collide; distinctNames chooses.
 */
import { createHash } from 'node:crypto';
import { distinctNames, snake } from '../action/words.ts';

// With a slug of 64 characters a name has at most the 255 that the API allows. Real documents have
// ids of 250 characters, and tags that are sentences.
const RESOURCE_LIMIT_CHARS = 64;
const VERB_LIMIT_CHARS = 120;

/** What of an operation its name is made of. `method` is in lower case. */
export interface NameableOperation {
  method: string;
  path: string;
  operation_id?: string | undefined;
  tags?: readonly string[] | undefined;
}

/**
 * The names of `operations`, in their order. No two are equal, whatever the document holds. `kept`:
 * earlier names, by source key (`GET /users`). They stay, those of removed operations are never
 * given to others, and the rule names only new operations.
 */
export function nameOperations(
  slug: string, operations: readonly NameableOperation[],
  kept: ReadonlyMap<string, string> = new Map()): string[] {
  const prefix = commonPrefix(operations);
  return distinctNames(operations.map((operation) => {
    const name = kept.get(`${operation.method.toUpperCase()} ${operation.path}`);
    return name === undefined
      ? nameForms(operation, prefix).map((form) => `${slug}.${form}`) : [name];
  }), new Set(kept.values()));
}

/** Google's documents begin every dotted id with the name of the service, which is left out. */
function commonPrefix(operations: readonly NameableOperation[]): string | null {
  const firsts = new Set(operations.map(({ operation_id }) =>
    operation_id?.includes('.') ? operation_id.split('.')[0]! : null));
  return firsts.size === 1 ? [...firsts][0]! : null;
}

/** The forms of one operation's name, `<resource>.<verb>`, shortest first, the surest last. */
function nameForms(operation: NameableOperation, prefix: string | null): string[] {
  const path = pathWords(operation);
  const id = operation.operation_id ?? '';
  const forms = slashForms(id) ?? dottedForms(id, prefix) ?? plainForms(id, path.resource)
    ?? pathForms(path);
  const full = snake(
    `${operation.method}_${path.segments.map((s) => byParameter(s) ?? s).join('_')}`);
  const hash = createHash('sha256').update(`${operation.method} ${operation.path}`).digest('hex');
  const clipped = full.slice(0, 50);
  const all: Form[] = [...forms, [path.resource, full],
    [path.resource, `${clipped}_${hash.slice(0, 6)}`], [path.resource, `${clipped}_${hash}`]];
  return all.filter(([, verb]) => verb.length <= VERB_LIMIT_CHARS)
    .map(([resource, verb]) => `${resource.slice(0, RESOURCE_LIMIT_CHARS)}.${verb}`);
}

type Form = [resource: string, verb: string];

/** `issues/list-for-repo` → issues.list_for_repo */
function slashForms(id: string): Form[] | null {
  const parts = id.split('/').map(snake).filter(Boolean);
  return id.includes('/') && parts.length === 2 ? [[parts[0]!, parts[1]!]] : null;
}

/** `compute.instances.list` → instances.list, then compute_instances.list */
function dottedForms(id: string, prefix: string | null): Form[] | null {
  if (!id.includes('.') || /\s/.test(id)) return null;
  let parts = id.split('.');
  if (prefix !== null && parts.length > 2) parts = parts.slice(1);
  parts = parts.map(snake).filter(Boolean);
  if (parts.length < 2) return null;
  const verb = parts.at(-1)!;
  const resources = parts.slice(0, -1);
  return [[resources.at(-1)!, verb], [resources.join('_'), verb]];
}

/** `listCoreV1NamespacedPod` of the resource core_v1 → list_namespaced_pod, then unstripped. */
function plainForms(id: string, resource: string): Form[] | null {
  const verb = snake(id);
  return verb === '' ? null : [[resource, withoutWords(verb, resource)], [resource, verb]];
}

/** No usable id: a verb for the method and the rest of the path, then with the last parameter. */
function pathForms(path: PathWords): Form[] {
  const tail = path.statics.filter((word) => word !== path.resource);
  const verb = [path.verb, ...tail].join('_');
  const last = byParameter(path.segments.at(-1) ?? '');
  return last === null
    ? [[path.resource, verb]]
    : [[path.resource, verb], [path.resource, `${verb}_${snake(last)}`]];
}

interface PathWords {
  segments: string[];
  /** The fixed segments that say something, in snake case: no versions, no `api`. */
  statics: string[];
  resource: string;
  verb: string;
}

// v1, v2.1beta, api, rest, 2024-01-01: where a path starts, not what it is about.
const VERSION_SEGMENT = /^(v\d+([._]\d+)*([a-z]+\d*)?|apis?|rest|\d+(\.\d+)*|\d{4}-\d\d-\d\d)$/i;

function pathWords({ method, path, tags }: NameableOperation): PathWords {
  const segments = path.split(/[?#]/)[0]!.split('/').filter(Boolean);
  const statics = segments
    .filter((segment) => !segment.includes('{') && !VERSION_SEGMENT.test(segment))
    .map(snake).filter(Boolean);
  return {
    segments,
    statics,
    resource: snake(tags?.[0] ?? '') || statics[0] || 'root',
    verb: verbOf(method, segments.at(-1)?.includes('{') ?? false),
  };
}

function verbOf(method: string, ofOneItem: boolean): string {
  if (method === 'get') return ofOneItem ? 'get' : 'list';
  return { post: 'create', put: 'replace', patch: 'update' }[method] ?? method;
}

/** `{user_id}` → `by_user_id`; null for a fixed segment. */
function byParameter(segment: string): string | null {
  const name = /\{([^}]*)\}/.exec(segment)?.[1];
  return name === undefined ? null : `by_${name}`;
}

/** `verb` without the words of `resource` (singular or plural), unless nothing would be left. */
function withoutWords(verb: string, resource: string): string {
  const words = verb.split('_');
  const removed = resource.split('_');
  for (let start = 0; start + removed.length <= words.length; start++) {
    const found = removed.every((word, i) => singular(word) === singular(words[start + i]!));
    if (found && removed.length < words.length) {
      return words.toSpliced(start, removed.length).join('_');
    }
  }
  return verb;
}

function singular(word: string): string {
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/(?<!s)s$/, '');
}
