/** What an admin knows better than a document or a server does: of an operation, or of all. */
import { useState } from 'react';
import { getIntegration, updateIntegration } from '#client/sdk.gen.ts';
import type {
  Integration, OverridesShown, UpdateIntegrationRequest,
} from '#client/types.gen.ts';
import { ApiError, useAct } from '../data/api.ts';
import { useNeed } from '../data/session.ts';
import { Button } from '../kit/controls.tsx';
import { markedText, Name } from '../kit/exact.tsx';
import { Checkbox, Field, Input, Select, Textarea } from '../kit/fields.tsx';
import { FormDialog, toast } from '../kit/overlays.tsx';
import { counted, countText } from '../kit/text.tsx';

type Override = OverridesShown[string];
type Said = NonNullable<UpdateIntegrationRequest['overrides']>;

const EFFECTS = [
  { value: '', label: 'as it was imported' },
  { value: 'read', label: 'only reads: agents need no grant' },
  { value: 'write', label: 'changes data' },
  { value: 'destructive', label: 'removes or overwrites for good' },
];

/** `onSaved`: the integration was imported anew. */
export function Overrides({ integration, onSaved }: {
  integration: Integration; onSaved: () => Promise<void>;
}) {
  const { overrides } = integration;
  const need = useNeed('admin');
  const [open, setOpen] = useState<string | null>(null);
  const said = Object.entries(overrides);
  return (
    <>
      {said.length === 0 && (
        <p className="text-muted">
          Nothing: each action counts as reading or changing data as its source says. Say otherwise
          where the source is wrong.
        </p>
      )}
      {said.length > 0 && (
        <ul className="panel divide-y divide-line">
          {said.map(([key, override]) => (
            <li key={key} className="flex flex-wrap items-center gap-x-3 py-1.5 pr-1.5 pl-3">
              <span className="min-w-0 font-mono text-sm wrap-anywhere"><Name>{key}</Name></span>
              <span className="min-w-0 grow basis-40 text-muted wrap-anywhere">
                <Name>{wordsOf(override) + reachOf(integration, key)}</Name>
              </span>
              <Button look="quiet" icon="edit" {...need} aria-label={`Change what holds for ${key}`}
                onClick={() => setOpen(key)}>Change</Button>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button icon="plus" {...need} onClick={() => setOpen('')}>Say what you know</Button>
      </div>
      {open !== null && (
        <Change {...{ integration, onSaved }} wanted={open} onClose={() => setOpen(null)} />
      )}
    </>
  );
}

/** For how many actions a pattern holds. */
function reachOf({ report: { patterns = [] } }: Integration, key: string): string {
  const pattern = patterns.find((one) => one.pattern === key);
  if (!pattern) return '';
  const { matches, decides } = pattern;
  return `; ${counted(matches, 'action')}${matches === decides ? ''
    : `, of ${countText(matches - decides)} something more specific is said`}`;
}

function wordsOf(override: Override): string {
  const {
    effect, hidden, hidden_parameters, parameters, soft_error, account_label, path_slashes,
    signed_elsewhere, media_type,
  } = override;
  return [
    effect && `counts as ${effect}`, hidden && 'is not offered',
    hidden === false && 'is offered, whatever is said of others',
    hidden_parameters && `callers cannot set ${hidden_parameters.join(', ')}`,
    ...Object.entries(parameters ?? {}).map(([name, value]) => `sends ${name}: ${value}`),
    soft_error && `fails if ${soft_error.pointer} is ${JSON.stringify(soft_error.equals)}`,
    ...Object.entries(path_slashes ?? {}).map(([name, how]) => `slashes in ${name} ${how}`),
    signed_elsewhere && 'is signed elsewhere', media_type && `is sent as ${media_type}`,
    account_label && `says whose account it is in ${account_label}`,
  ].filter(Boolean).join('; ');
}

/** `header.X-Region: eu`, with blanks around. */
const PARAMETER = /^\s*([^\s:]+)\s*:\s*(.*\S)\s*$/;

/** What was meant would not be sent, and nobody would notice. */
function strangeLineOf(form: FormData): string | undefined {
  return String(form.get('parameters') ?? '').split('\n')
    .find((line) => line.trim() !== '' && !PARAMETER.test(line));
}

/** What the form says. What has no field here is kept as it is: the command line changes it. */
function readForm(form: FormData, before: Override | undefined): Override {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const hidden_parameters = text('hidden_parameters').split(/[\s,]+/).filter(Boolean);
  const parameters = Object.fromEntries(text('parameters').split('\n').flatMap((line) => {
    const [, name, value] = PARAMETER.exec(line) ?? [];
    return name && value ? [[name, typedAs(before?.parameters?.[name], value)]] : [];
  }));
  const {
    effect: _effect, hidden: _hidden, hidden_parameters: _hidden_parameters,
    parameters: _parameters, ...kept
  } = before ?? {};
  return {
    ...kept,
    ...text('effect') && { effect: text('effect') },
    // False shows what a pattern hides: it is more than not being hidden.
    ...form.has('hidden') ? { hidden: true } : before?.hidden === false && { hidden: false },
    ...hidden_parameters.length > 0 && { hidden_parameters },
    ...Object.keys(parameters).length > 0 && { parameters },
  };
}

/** A number or truth value that was one before stays one, if what is sent is what was typed. */
function typedAs(before: unknown, text: string): string | number | boolean {
  const value = typeof before === 'number' ? Number(text)
    : typeof before === 'boolean' ? text === 'true' : text;
  return String(value) === text && !Number.isNaN(value) ? value : text;
}

function saidOf(overrides: OverridesShown, key: string): Override | undefined {
  return Object.hasOwn(overrides, key) ? overrides[key] : undefined;
}

interface ChangeProps {
  integration: Integration;
  /** The key of what is changed; empty for another one. */
  wanted: string;
  onSaved: () => Promise<void>;
  onClose: () => void;
}

function useSaving({ integration: { slug }, wanted, onSaved, onClose }: ChangeProps) {
  const { act, ...state } = useAct();
  /** `form`: what is to hold; null takes it back. */
  const save = (key: string, form: FormData | null) => act(async () => {
    // What others have said meanwhile stays.
    const { data: now } = await getIntegration({ path: { slug }, throwOnError: true });
    const held = saidOf(now.overrides, key);
    if (wanted === '' && held) {
      await onSaved();
      // The form began empty: it would take back whatever else is said of the key.
      const words = `Something is said of ${key} already: change it where it is.`;
      throw new ApiError(409, '', words, {});
    }
    const override = form ? readForm(form, held) : {};
    const others = Object.entries(now.overrides).filter(([one]) => one !== key);
    const next = Object.keys(override).length > 0 ? [[key, override] as const] : [];
    await updateIntegration({ path: { slug }, throwOnError: true,
      body: { overrides: Object.fromEntries([...others, ...next]) as Said } });
    await onSaved();
    toast(next.length > 0 ? `Changed for ${key}` : `As it was imported: ${key}`);
  }, onClose);
  return { ...state, save };
}

function Change(props: ChangeProps) {
  const { integration: { kind, overrides }, wanted, onClose } = props;
  const before = saidOf(overrides, wanted);
  const { error, is_busy, save } = useSaving(props);
  const [strange, setStrange] = useState<string>();
  const submit = (form: FormData) => {
    const line = strangeLineOf(form);
    setStrange(line);
    if (line === undefined) void save(wanted || String(form.get('key')).trim(), form);
  };
  return (
    <FormDialog {...{ is_busy, error, onClose }} title="What you know better" action="Save"
      says="It holds from the next call on, in every workspace." onSubmit={submit} more={before && (
        <Button look="danger" is_busy={is_busy} onClick={() => void save(wanted, null)}>
          Take it back</Button>
      )}>
      <Field label={kind === 'mcp' ? 'Tool' : 'Operation'} hint={kind === 'mcp'
        ? 'Its name, as the server says it; or a pattern of names, or *.'
        : 'Its method and path, as the document says them; or a pattern of names, or *.'}>
        <Input is_code name="key" required defaultValue={wanted} readOnly={wanted !== ''}
          maxLength={500} autoFocus={wanted === ''}
          placeholder={kind === 'mcp' ? 'search_pets' : 'POST /pets/search'} />
      </Field>
      <Field label="What it does to data">
        <Select name="effect" defaultValue={before?.effect ?? ''} choices={EFFECTS} />
      </Field>
      {kind === 'openapi' && (
        <Field label="Parameters that callers cannot set"
          hint="Where each is and its name; commas between several.">
          <Input is_code name="hidden_parameters" placeholder="header.x-tenant"
            defaultValue={before?.hidden_parameters?.join(', ') ?? ''} />
        </Field>
      )}
      {kind === 'openapi' && <SentParameters {...{ before, strange }} />}
      <Checkbox name="hidden" defaultChecked={before?.hidden ?? false}>
        Do not offer it to agents.
      </Checkbox>
    </FormDialog>
  );
}

/** `strange`: the first line that says none. */
function SentParameters({ before, strange }: {
  before: Override | undefined; strange: string | undefined;
}) {
  return (
    <Field label="Parameters that every call sends" error={strange
      && `This line says no parameter and its value: ${markedText(strange.trim())}`}
      hint="One to a line. Callers cannot set them; they are no place for secrets.">
      <Textarea name="parameters" placeholder="header.Notion-Version: 2022-06-28" rows={2}
        spellCheck={false} defaultValue={Object.entries(before?.parameters ?? {})
          .map(([name, value]) => `${name}: ${value}`).join('\n')} />
    </Field>
  );
}
