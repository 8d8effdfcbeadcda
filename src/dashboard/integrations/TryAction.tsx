/**
 * Trying an action that reads: a form made of its schema, or the whole input as JSON; then the
 * result, or what is missing and what to do about it.
 */
import { useEffect, useMemo, useState, type FormEvent } from 'react';
import { createActionInvocation } from '#client/sdk.gen.ts';
import type {
  ActionInvocation, CreateActionInvocationRequest, JsonSchema, WholeAction,
} from '#client/types.gen.ts';
import { asApiError, useOnce, type ApiError } from '../data/api.ts';
import { useMay } from '../data/session.ts';
import { Button } from '../kit/controls.tsx';
import { markedText, marksIn, Name } from '../kit/exact.tsx';
import { Checkbox, Field, Input, Select, Textarea } from '../kit/fields.tsx';
import { Answer, missingOf, Refusal } from './parts.tsx';
import { choicesOf, fieldsOf, objectOf, type SchemaField } from './source.ts';

/** The fields of a form: what is no text, number, yes or no is given as JSON. */
function formFieldsOf(schema: JsonSchema): SchemaField[] {
  const fields = fieldsOf(schema).filter(({ path }) => path.length <= 2);
  return fields.filter(({ path, has_fields }) => {
    const within = fields.find((one) => path.length === 2 && one.path.length === 1
      && one.path[0] === path[0]);
    return path.length === 1 ? !has_fields : within?.has_fields === true;
  });
}

const isNumeric = (kind: string) => kind === 'integer' || kind === 'number';
/** Whether it is a text, a number, yes or no: what fits on a line. */
const isSimple = ({ kinds }: SchemaField) => kinds.length > 0
  && kinds.every((kind) => isNumeric(kind) || kind === 'string' || kind === 'boolean');
const takesText = ({ kinds }: SchemaField) =>
  kinds.includes('string') || kinds.includes('anything');
/** What is chosen, not typed. */
const offerOf = ({ kinds, schema }: SchemaField) =>
  choicesOf(schema) ?? (String(kinds) === 'boolean' ? [true, false] : null);

/** What was typed, or what is wrong with it, by the key of the field; `''` is the whole as JSON. */
type Values = Readonly<Record<string, string>>;
/** `asked`: its next page is asked for with the same, whatever the form says by then. */
type Outcome = { done: ActionInvocation; asked: CreateActionInvocationRequest }
  | { error: ApiError } | null;

/** What is given, by fields or as JSON. */
function useInput(fields: readonly SchemaField[]) {
  const [values, setValues] = useState<Values>({});
  const [is_json, setIsJson] = useState(false);
  /** The JSON as it was written by hand: it stays while the fields are shown. */
  const [written, setWritten] = useState<string | null>(null);
  const [faults, setFaults] = useState<Values>({});
  const given = Object.entries(values).filter(([, text]) => text !== '');
  const json = written ?? JSON.stringify(inputOf(fields, values).input, null, 2);
  return {
    values, json: is_json ? json : null, faults,
    /** All that was typed, as one text; empty if nothing was. */
    typed: given.length > 0 || written ? JSON.stringify([given, written]) : '',
    write: (key: string, text: string) => {
      setFaults({ ...faults, [key]: '' });
      // Of two that were written, the last one counts.
      setWritten(key === '' ? text : null);
      if (key !== '') setValues({ ...values, [key]: text });
    },
    turn: (to_json: boolean) => {
      setFaults({});
      setIsJson(to_json);
      // Emptied, it is made of the fields again.
      setWritten(written?.trim() ? written : null);
    },
    /** The input; null if something is no JSON, which its field then says. */
    read: (): object | null => {
      const given = is_json ? inputIn(json) : inputOf(fields, values);
      setFaults(given.faults);
      return Object.keys(given.faults).length > 0 ? null : given.input;
    },
  };
}

/** `onUnsent`: whether it holds what was typed and not asked with; what it stands in asks then. */
export function TryAction({ action, onUnsent }: {
  action: WholeAction; onUnsent: (is_unsent: boolean) => void;
}) {
  const may = useMay('operator');
  const fields = useMemo(() => formFieldsOf(action.input_schema), [action]);
  const { values, json, faults, typed, write, turn, read } = useInput(fields);
  const [connection_id, setConnection] = useState(action.connections[0]?.connection_id ?? '');
  const [outcome, setOutcome] = useState<Outcome>(null);
  const [is_busy, setBusy] = useState(false);
  /** What was typed as it was answered last: one has had it. */
  const [answered, setAnswered] = useState('');
  const is_unsent = typed !== '' && typed !== answered && !is_busy;
  useEffect(() => {
    onUnsent(is_unsent);
    return () => onUnsent(false);
  }, [is_unsent, onUnsent]);
  const once = useOnce();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = read();
    if (input === null) return setOutcome(null);
    void ask({ action: action.name, input: input as Record<string, unknown>,
      ...(connection_id && { connection_id }) }, typed);
  };
  const ask = async (body: CreateActionInvocationRequest, words = answered) => {
    setBusy(true);
    try {
      const { data } = await once(body, (asked) => createActionInvocation(asked));
      setOutcome({ done: data, asked: body });
      setAnswered(words);
    } catch (error) {
      setOutcome({ error: asApiError(error) });
    }
    setBusy(false);
  };
  if (!may) return <p className="text-muted">Trying an action needs the role operator.</p>;
  const violations = outcome && 'error' in outcome ? violationsOf(outcome.error) : [];
  const faultOf = (key: string) => faults[key]
    || violations.find(({ path }) => path === `/input/${key}`)?.message;
  return (
    <form noValidate className="flex flex-col gap-3" onSubmit={submit}>
      <ConnectionField connections={action.connections} value={connection_id}
        onChange={setConnection} />
      {json !== null ? (
        <Field label="Input as JSON" error={faults['']}>
          <Textarea is_code value={json} rows={8}
            onChange={({ target }) => write('', target.value)} />
        </Field>
      ) : fields.map((field) => (
        <FormField key={keyOf(field)} field={field} value={values[keyOf(field)] ?? ''}
          error={faultOf(keyOf(field))} onChange={(value) => write(keyOf(field), value)} />
      ))}
      <div className="flex flex-wrap items-center justify-end gap-3">
        <Checkbox checked={json !== null} onChange={({ target }) => turn(target.checked)}>
          Give the input as JSON</Checkbox>
        <Button type="submit" look="main" icon="runs" is_busy={is_busy}>Call it</Button>
      </div>
      {outcome && ('error' in outcome ? <Refusal error={outcome.error} />
        : <Answer of={outcome.done} is_busy={is_busy}
            onMore={(cursor) => void ask({ ...outcome.asked, cursor })} />)}
    </form>
  );
}

const keyOf = ({ path }: SchemaField) => path.join('/');

/** An action names so many of its connections at most. */
const CONNECTIONS_NAMED = 100;

/** Of more connections than an action names, the id is typed: a choice would leave some out. */
function ConnectionField({ connections, value, onChange }: {
  connections: WholeAction['connections']; value: string; onChange: (value: string) => void;
}) {
  if (connections.length < 2) return null;
  return connections.length < CONNECTIONS_NAMED ? (
    <Field label="Connection">
      <Select value={value} onChange={({ target }) => onChange(target.value)}
        choices={connections.map(({ connection_id, account_label }) =>
          ({ value: connection_id, label: markedText(account_label ?? connection_id) }))} />
    </Field>
  ) : (
    <Field label="Connection" hint="There are many: the id of one, from the list of connections.">
      <Input is_code value={value} placeholder="con_…"
        onChange={({ target }) => onChange(target.value.trim())} />
    </Field>
  );
}

function FormField({ field, value, error, onChange }: {
  field: SchemaField; value: string; error: string | undefined; onChange: (value: string) => void;
}) {
  const { path, kinds, type, is_needed, description, limits } = field;
  const choices = offerOf(field);
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
      ) : isSimple(field) ? (
        <Input is_code value={value}
          inputMode={kinds.every(isNumeric) ? 'decimal' : 'text'}
          onChange={({ target }) => onChange(target.value)} />
      ) : (
        <Textarea is_code value={value} placeholder={takesText(field) ? 'JSON, or a text' : 'JSON'}
          onChange={({ target }) => onChange(target.value)} />
      )}
    </Field>
  );
}

/** An input, and what is wrong with what was typed, of which it has nothing. */
interface Given { input: object; faults: Values }
/** Of a text from a word processor one does not see what is wrong with it. */
function faultIn(error: unknown, text: string): string {
  const outside = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '');
  return `This is no JSON: ${(error as Error).message}.${/[\u201c-\u201f]/.test(outside)
    ? ' Its quotes are curly: JSON has straight ones ("), as code does.'
    : marksIn([text]).hidden > 0 ? ' It has blanks or other characters that are not seen as such.'
      : ''}`;
}

/** What the form says. What is left empty is left out. */
function inputOf(fields: readonly SchemaField[], values: Values): Given {
  const input: Record<string, unknown> = {};
  const faults: Record<string, string> = {};
  for (const field of fields) {
    const text = values[keyOf(field)] ?? '';
    // A blank is no text to a number, nor JSON.
    if (String(field.kinds) === 'string' ? text === '' : text.trim() === '') continue;
    const { path: [first, second] } = field;
    try {
      const value = valueOf(text, field);
      if (second === undefined) input[first!] = value;
      else input[first!] = { ...objectOf(input[first!]), [second]: value };
    } catch (error) {
      faults[keyOf(field)] = faultIn(error, text);
    }
  }
  return { input, faults };
}

function inputIn(json: string): Given {
  try {
    return { input: JSON.parse(json || '{}') as object, faults: {} };
  } catch (error) {
    return { input: {}, faults: { '': faultIn(error, json) } };
  }
}

/**
 * The number that a text is, in JSON's words, if it is sent as exactly that. Undefined for others:
 * not 16 for 0x10, nor the neighbour of an integer that is too long, which has to go as a text.
 */
function numberOf(text: string): number | undefined {
  const value = Number(text);
  const is_safe = Number.isSafeInteger(value) || !Number.isInteger(value);
  const digits = decimalOf(text.trim());
  return is_safe && digits !== null && digits === decimalOf(String(value)) ? value : undefined;
}

/** `-5e-1` for -0.50: the same for all spellings of a number; null for what is none. */
function decimalOf(text: string): string | null {
  const [is_number, sign, whole = '', part = '', power = '0'] =
    /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  if (is_number === undefined) return null;
  const digits = (whole + part).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  if (kept === '') return '0';
  return `${sign}${kept}e${Number(power) - part.length + digits.length - kept.length}`;
}

/** Throws SyntaxError. */
function valueOf(text: string, field: SchemaField): unknown {
  const { kinds } = field;
  if (offerOf(field)) return JSON.parse(text);
  if (String(kinds) === 'string') return text;
  const number = numberOf(text);
  if (number !== undefined && (kinds.some(isNumeric) || kinds.includes('anything'))) return number;
  // What is none goes as it is: the service says what is wrong with it.
  if (kinds.every(isNumeric)) return text;
  try {
    const value: unknown = JSON.parse(text);
    const kind = Array.isArray(value) ? 'array' : typeof value;
    const fits = kind !== 'number' && (kinds.includes('anything') || kinds.includes(kind));
    return fits || !takesText(field) ? value : text;
  } catch (error) {
    // A text that begins as JSON does was meant to be some.
    if (takesText(field) && (isSimple(field) || !/^\s*[[{"]/.test(text))) return text;
    throw error;
  }
}

function violationsOf(error: ApiError): { path: string; message: string }[] {
  return missingOf(error).flatMap((gap) =>
    (gap as { violations?: { path: string; message: string }[] }).violations ?? []);
}
