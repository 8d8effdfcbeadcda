/**
 * Trying an action that reads: a form made of its schema, or the whole input as JSON; then the
 * result, or what is missing and what to do about it.
 */
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { createActionInvocation } from '#client/sdk.gen.ts';
import type { ActionInvocation, JsonSchema, Missing, WholeAction } from '#client/types.gen.ts';
import { asApiError, useOnce, type ApiError } from '../data/api.ts';
import { useMay, useWorkspaceId } from '../data/session.ts';
import { Badge, Button } from '../kit/controls.tsx';
import { markedText, Name } from '../kit/exact.tsx';
import { Checkbox, Field, Input, Select, Textarea } from '../kit/fields.tsx';
import { JsonView } from '../kit/JsonView.tsx';
import { ErrorNote, Id } from '../kit/text.tsx';
import { durationText } from '../kit/time.tsx';
import { Failure } from './parts.tsx';

/** A field of a schema. `is_needed`: it is required, and so is all that it is within. */
interface SchemaField {
  path: readonly string[]; schema: JsonSchema; type: string; description: string; limits: string;
  is_required: boolean; is_needed: boolean; has_fields: boolean;
}

const DEPTH = 5;
const FIELDS_SHOWN = 300;
/** Longer lists of what a value may be are cut. */
const CHOICES_SHOWN = 30;

/** The fields of a schema from the outside in, the required ones of each object first. */
export function fieldsOf(root: JsonSchema): SchemaField[] {
  const fields: SchemaField[] = [];
  const visit = (schema: JsonSchema, path: readonly string[], is_needed: boolean) => {
    const required = new Set(Array.isArray(schema.required) ? schema.required : []);
    const properties = Object.entries(objectOf(schema.properties));
    const sorted = [...properties.filter(([name]) => required.has(name)),
      ...properties.filter(([name]) => !required.has(name))];
    for (const [name, given] of sorted) {
      if (fields.length >= FIELDS_SHOWN) return;
      const one = resolved(given, root);
      const items = resolved(one.items, root);
      const inner = one.properties ? one : items.properties ? items : {};
      const place = [...path, name];
      const is_required = required.has(name);
      fields.push({
        path: place, schema: one, type: typeOf(one, root), is_required,
        is_needed: is_needed && is_required, has_fields: Boolean(one.properties),
        description: typeof one.description === 'string' ? one.description : '',
        limits: limitsOf(one),
      });
      if (place.length < DEPTH) visit(inner, place, is_needed && is_required);
    }
  };
  visit(resolved(root, root), [], true);
  return fields;
}

function objectOf(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? value as JsonSchema : {};
}

/** What a reference within the document leads to, with what stands beside it; `allOf` as one. */
function resolved(given: unknown, root: JsonSchema, depth = 0): JsonSchema {
  const { $ref, allOf, ...own } = objectOf(given);
  if (depth > DEPTH) return own;
  let all: JsonSchema = {};
  if (typeof $ref === 'string' && $ref.startsWith('#')) {
    const target = $ref.slice(1).split('/').filter(Boolean)
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((at, name) => objectOf(at)[name], root);
    all = resolved(target, root, depth + 1);
  }
  for (const part of Array.isArray(allOf) ? allOf : []) {
    const one = resolved(part, root, depth + 1);
    all = { ...all, ...one,
      properties: { ...objectOf(all.properties), ...objectOf(one.properties) },
      required: [...(all.required as string[] ?? []), ...(one.required as string[] ?? [])] };
  }
  return { ...all, ...own };
}

function choicesOf({ enum: values, const: only }: JsonSchema): unknown[] | null {
  return Array.isArray(values) ? values : only === undefined ? null : [only];
}

function typeOf(schema: JsonSchema, root: JsonSchema): string {
  const choices = choicesOf(schema);
  if (choices) {
    const shown = choices.slice(0, CHOICES_SHOWN).map((one) => JSON.stringify(one)).join(' or ');
    return choices.length > CHOICES_SHOWN ? `${shown} or …` : shown;
  }
  const { type, format, items, oneOf, anyOf } = schema;
  const ways = [oneOf, anyOf].find(Array.isArray);
  if (ways && !type) return ways.map((way) => typeOf(resolved(way, root), {})).join(' or ');
  if (type === 'array') return `list of ${typeOf(resolved(items, root), {})}`;
  const name = [type].flat().join(' or ') || (schema.properties ? 'object' : 'anything');
  return typeof format === 'string' ? `${name} (${format})` : name;
}

const LIMITS: readonly (readonly [keyof JsonSchema & string, string])[] = [
  ['default', 'by default'], ['minimum', 'at least'], ['maximum', 'at most'],
  ['minLength', 'length at least'], ['maxLength', 'length at most'], ['maxItems', 'at most items:'],
  ['pattern', 'like'],
];

function limitsOf(schema: JsonSchema): string {
  return LIMITS.filter(([name]) => schema[name] !== undefined)
    .map(([name, words]) => `${words} ${JSON.stringify(schema[name])}`).join(', ');
}

/** The fields of a form: what is no text, number, yes or no is given as JSON. */
function formFieldsOf(schema: JsonSchema): SchemaField[] {
  const fields = fieldsOf(schema).filter(({ path }) => path.length <= 2);
  return fields.filter(({ path, has_fields }) => {
    const within = fields.find((one) => path.length === 2 && one.path.length === 1
      && one.path[0] === path[0]);
    return path.length === 1 ? !has_fields : within?.has_fields === true;
  });
}

const isSimple = (schema: JsonSchema) => choicesOf(schema) !== null
  || ['string', 'integer', 'number', 'boolean'].includes(schema.type as string);

/** What was typed, by the key of the field. */
type Values = Readonly<Record<string, string>>;
type Outcome = { done: ActionInvocation } | { error: ApiError } | null;

export function TryAction({ action }: { action: WholeAction }) {
  const may = useMay('operator');
  const fields = useMemo(() => formFieldsOf(action.input_schema), [action]);
  const [values, setValues] = useState<Values>({});
  const [json, setJson] = useState<string | null>(null);
  const [connection_id, setConnection] = useState(action.connections[0]?.connection_id ?? '');
  const [outcome, setOutcome] = useState<Outcome>(null);
  const [is_busy, setBusy] = useState(false);
  const once = useOnce();
  const ask = async (cursor?: string) => {
    setBusy(true);
    try {
      const input = json === null ? inputOf(fields, values) : JSON.parse(json || '{}') as object;
      const { data } = await once({
        action: action.name, input: input as Record<string, unknown>,
        ...(connection_id && { connection_id }), ...(cursor && { cursor }),
      }, (asked) => createActionInvocation(asked));
      setOutcome({ done: data });
    } catch (error) {
      setOutcome({ error: asApiError(error) });
    }
    setBusy(false);
  };
  if (!may) return <p className="text-muted">Trying an action needs the role operator.</p>;
  const violations = outcome && 'error' in outcome ? violationsOf(outcome.error) : [];
  return (
    <form noValidate className="flex flex-col gap-3" onSubmit={(event) => {
      event.preventDefault();
      void ask();
    }}>
      {action.connections.length > 1 && (
        <Field label="Connection">
          <Select value={connection_id} onChange={({ target }) => setConnection(target.value)}
            choices={action.connections.map(({ connection_id: value, account_label }) =>
              ({ value, label: markedText(account_label ?? value) }))} />
        </Field>
      )}
      {json !== null ? (
        <Field label="Input as JSON">
          <Textarea is_code value={json} rows={8}
            onChange={({ target }) => setJson(target.value)} />
        </Field>
      ) : fields.map((field) => (
        <FormField key={keyOf(field)} field={field} value={values[keyOf(field)] ?? ''}
          error={violations.find(({ path }) => path === `/input/${keyOf(field)}`)?.message}
          onChange={(value) => setValues({ ...values, [keyOf(field)]: value })} />
      ))}
      <div className="flex flex-wrap items-center justify-end gap-3">
        <Checkbox checked={json !== null} onChange={({ target }) =>
          setJson(target.checked ? textOf(fields, values) : null)}>Give the input as JSON</Checkbox>
        <Button type="submit" look="main" icon="runs" is_busy={is_busy}>Call it</Button>
      </div>
      {outcome && <Result outcome={outcome} is_busy={is_busy}
        onMore={(cursor) => void ask(cursor)} />}
    </form>
  );
}

const keyOf = ({ path }: SchemaField) => path.join('/');

function FormField({ field, value, error, onChange }: {
  field: SchemaField; value: string; error: string | undefined; onChange: (value: string) => void;
}) {
  const { path, schema, type, is_needed, description, limits } = field;
  const choices = schema.type === 'boolean' ? [true, false] : choicesOf(schema);
  const label = (
    <>
      <span className="font-mono"><Name>{path.join('.')}</Name></span>
      {is_needed && <span className="text-muted"> (required)</span>}
    </>
  );
  const hint = [description.slice(0, 300), choices ? '' : type, limits].filter(Boolean).join(' · ');
  return (
    <Field label={label} error={error} hint={<Name>{hint}</Name>}>
      {choices ? (
        <Select value={value} onChange={({ target }) => onChange(target.value)} choices={[
          { value: '', label: '–' }, ...choices.map((one) => ({ value: JSON.stringify(one),
            label: markedText(typeof one === 'string' ? one : JSON.stringify(one)) })),
        ]} />
      ) : isSimple(schema) ? (
        <Input value={value} spellCheck={false} autoComplete="off"
          inputMode={schema.type === 'string' ? 'text' : 'decimal'}
          onChange={({ target }) => onChange(target.value)} />
      ) : (
        <Textarea is_code value={value} placeholder="JSON"
          onChange={({ target }) => onChange(target.value)} />
      )}
    </Field>
  );
}

/** What the form says as an input. What is left empty is left out. Throws SyntaxError. */
function inputOf(fields: readonly SchemaField[], values: Values): object {
  const input: Record<string, unknown> = {};
  for (const field of fields) {
    const text = values[keyOf(field)] ?? '';
    if (text === '') continue;
    const { path: [first, second], schema } = field;
    const value = valueOf(text, schema);
    if (second === undefined) input[first!] = value;
    else input[first!] = { ...objectOf(input[first!]), [second]: value };
  }
  return input;
}

function valueOf(text: string, schema: JsonSchema): unknown {
  if (choicesOf(schema) || schema.type === 'boolean' || !isSimple(schema)) return JSON.parse(text);
  // What is no number goes as it is: the service says what is wrong with it.
  if (schema.type === 'string' || Number.isNaN(Number(text))) return text;
  return Number(text);
}

function textOf(fields: readonly SchemaField[], values: Values): string {
  try {
    return JSON.stringify(inputOf(fields, values), null, 2);
  } catch {
    return '{}';
  }
}

function missingOf({ details }: ApiError): Missing[] {
  const { missing } = objectOf(details);
  return Array.isArray(missing) ? missing as Missing[] : [];
}

function violationsOf(error: ApiError): { path: string; message: string }[] {
  return missingOf(error).flatMap((gap) =>
    (gap as { violations?: { path: string; message: string }[] }).violations ?? []);
}

function Result({ outcome, is_busy, onMore }: {
  outcome: NonNullable<Outcome>; is_busy: boolean; onMore: (cursor: string) => void;
}) {
  if ('error' in outcome) return <Refusal error={outcome.error} />;
  const { invocation_id, duration_ms, truncated, result, page } = outcome.done;
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="flex flex-wrap items-center gap-2 text-muted">
        <Badge tone="good" mark="check">answered</Badge>{durationText(duration_ms)}
        <Id>{invocation_id}</Id>
        {truncated && <Badge tone="warn">cut to the size that is kept</Badge>}
      </p>
      <JsonView key={invocation_id} value={result} label="result" />
      {page && (
        <Button is_busy={is_busy} onClick={() => onMore(page.next_cursor)}>Next page</Button>
      )}
    </div>
  );
}

/** Where what is missing can be supplied. */
const REMEDIES: Readonly<Record<string, readonly [string, string, Record<string, string>?]>> = {
  not_connected: ['Connect an account', '.', { tab: 'connections', connect: 'new' }],
  needs_reconnect: ['See its connections', '.', { tab: 'connections' }],
  approval_required: ['To the approvals', '/w/$workspace_id/approvals'],
};

function Refusal({ error }: { error: ApiError }) {
  const workspace_id = useWorkspaceId();
  const missing = missingOf(error);
  if (missing.length === 0) return <Failure error={error} />;
  return missing.map(({ code, message }) => {
    const [words, to, search] = REMEDIES[code] ?? [];
    return (
      <div key={code} className="flex flex-col gap-1.5">
        <ErrorNote error={{ message, code, request_id: error.request_id }} />
        {to && <Link to={to} params={{ workspace_id }} search={search as never}
          className="link">{words}</Link>}
      </div>
    );
  });
}
