/** Turns the findings of the generated validators into errors for people and programs. */
import type { ErrorObject } from 'ajv';
import { GatehouseError } from '../errors.ts';
import { fromSegment, toSegment } from '../json.ts';
import { faultOf } from '../schemaFault.ts';

interface RequestViolation {
  /** JSON pointer into the body, or the name of the parameter. */
  path: string;
  message: string;
}

const REPORTED_VIOLATIONS = 20;

/** `invalid_request` for a body. `complete` is false if Ajv stopped at the first violation. */
export function bodyError(
  errors: readonly ErrorObject[] | null | undefined, complete: boolean): GatehouseError {
  const violations = summarise(errors, (pointer) => pointer);
  const first = violations[0];
  const subject = first?.path ? first.path : 'it';
  const more = !complete ? ' There may be more.' : moreText(violations.length);
  return new GatehouseError('invalid_request',
    `The body is not valid: ${subject} ${first?.message ?? 'has another shape'}.${more}`,
    { ...(first?.path && { param: first.path }), details: violations });
}

/** `invalid_request` for path, query and header parameters. */
export function parameterError(errors: readonly ErrorObject[] | null | undefined): GatehouseError {
  const violations = summarise(errors, (pointer) => fromSegment(pointer.split('/')[2] ?? ''))
    .map(({ path, message }) => ({ path, message: message.replace('field', 'parameter') }));
  const first = violations[0];
  return new GatehouseError('invalid_request',
    `The parameter ${first?.path ?? ''} ${first?.message ?? 'is not valid'}.`
      + moreText(violations.length),
    { ...(first && { param: first.path }), details: violations });
}

function moreText(count: number): string {
  return count > 1 ? ` ${count - 1} more: see details.` : '';
}

function summarise(
  errors: readonly ErrorObject[] | null | undefined, pathOf: (pointer: string) => string,
): RequestViolation[] {
  const violations: RequestViolation[] = [];
  const seen = new Set<string>();
  for (const error of withoutConsequences(errors ?? [])) {
    if (violations.length >= REPORTED_VIOLATIONS) break;
    const violation = { path: pathOf(pointerOf(error)), message: messageOf(error) };
    const key = `${violation.path}\n${violation.message}`;
    if (seen.has(key)) continue;
    seen.add(key);
    violations.push(violation);
  }
  return violations;
}

/**
 * Leaves out what follows from a wrong `type`: an image where a text is due would also be said to
 * have unknown fields and to lack others, which hides the one thing that is wrong.
 */
function withoutConsequences(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const mistyped = new Set(errors.filter(({ keyword, instancePath }) =>
    keyword === 'const' && instancePath.endsWith('/type'))
    .map(({ instancePath }) => instancePath.slice(0, -'/type'.length)));
  return errors.filter(({ keyword, instancePath }) => keyword !== 'propertyNames' // told before it
    && (!mistyped.has(instancePath)
      || !['required', 'additionalProperties', 'unevaluatedProperties'].includes(keyword)));
}

/** Where the fault is: for a missing or unknown property, that property itself. */
function pointerOf(error: ErrorObject): string {
  const { instancePath, propertyName } = error;
  const name = propertyName ?? faultOf(error).property;
  return name === undefined ? instancePath : `${instancePath}/${toSegment(shorten(String(name)))}`;
}

function messageOf(error: ErrorObject): string {
  const { keyword, params, propertyName, instancePath } = error;
  if (propertyName !== undefined) return nameMessageOf(error, propertyName);
  switch (keyword) {
    case 'type': return faultOf(error).message + inputExampleOf(error) + limitHintOf(error);
    case 'enum': return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
    case 'format': return `must be a valid ${params.format}${exampleOf(error)}`;
    case 'pattern': return instancePath === '/query/metadata'
      ? 'must be a key and a value, such as team=growth' : faultOf(error).message;
    case 'discriminator': return `must have a known ${params.tag}`;
    default: return faultOf(error).message;
  }
}

/** A time that looks right may have lost its `+` on the way: in a query it stands for a space. */
function exampleOf({ params, instancePath }: ErrorObject): string {
  if (params.format !== 'date-time') return '';
  return ', such as 2026-01-31T12:00:00Z'
    + (instancePath.startsWith('/query/') ? '; write + as %2B there' : '');
}

const TEXT_PARTS = '[{"type": "input_text", "text": "…"}]';

/** Most who have met another API of models send a text as the input first. */
function inputExampleOf({ params, instancePath }: ErrorObject): string {
  if (params.type !== 'array') return '';
  if (instancePath === '/input') return `, such as [{"role": "user", "content": ${TEXT_PARTS}}]`;
  return /^\/input\/\d+\/content$/.test(instancePath) ? `, such as ${TEXT_PARTS}` : '';
}

/**
 * Null, where it stands for "no limit" elsewhere, is what most try to take one back. The finding
 * does not say what was given.
 */
function limitHintOf({ instancePath }: ErrorObject): string {
  return /^\/limits\/\w+$/.test(instancePath)
    ? '; to take a limit back, leave it out of limits, and give the others as they are' : '';
}

/** What is wrong with the name itself: the pointer to it looks like that of its value. */
function nameMessageOf({ keyword, params, message }: ErrorObject, name: string): string {
  if (name === '') return 'has an empty name';
  return keyword === 'maxLength'
    ? `has too long a name: it may have ${params.limit} characters at most`
    : `has a name that is not valid: it ${message}`;
}

// The client may send a property name as long as the body; the answer need not repeat all of it.
function shorten(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100)}…` : name;
}
