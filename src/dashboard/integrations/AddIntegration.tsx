/**
 * Adding an integration: of an address or a file. Its kind, a slug and what else has to be asked
 * for are found out. What came of the import is told by the page of the integration.
 */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { createIntegration } from '#client/sdk.gen.ts';
import type { CreateIntegrationRequest } from '#client/types.gen.ts';
import { asApiError, readAgain, type ApiError } from '../data/api.ts';
import { useWorkspaceId } from '../data/session.ts';
import { Button } from '../kit/controls.tsx';
import { markedText, Name } from '../kit/exact.tsx';
import { Checkbox, Field, Input, Select, useDrop } from '../kit/fields.tsx';
import { Dialog, toast } from '../kit/overlays.tsx';
import { countText, ErrorNote, FormError } from '../kit/text.tsx';
import { Duration, serviceNow } from '../kit/time.tsx';
import { allowedBy, PrivateAddresses } from './parts.tsx';
import { detect, detectText, hostsOf, type Kind, type Source } from './source.ts';

const KINDS = [
  { value: 'openapi', label: 'OpenAPI document' }, { value: 'mcp', label: 'MCP server over HTTP' },
];
const FIND_OUT = { value: 'unclear', label: 'Find out' };
const FORM = 'add-integration';
/** The fields that show the errors of these members of the request. */
const SOURCE_PARAMS = ['/document', '/document_url', '/mcp/url'];
const SHOWN_PARAMS = [...SOURCE_PARAMS, '/slug', '/base_url', '/egress_allow/0'];

interface Form {
  kind?: Kind; slug?: string; base_url: string; egress_allow: string; trust_hints: boolean;
  /** Of the hosts that are not public, those that it may call. */
  hosts: readonly string[];
}

export function AddIntegration({ onClose }: { onClose: () => void }) {
  const workspace_id = useWorkspaceId();
  const navigate = useNavigate();
  const [source, setSource] = useState<Source>({ url: '' });
  const [form, setForm] = useState<Form>(
    { base_url: '', hosts: [], egress_allow: '', trust_hints: false });
  const [errors, setErrors] = useState<readonly ApiError[]>([]);
  const { started_at, add, stop } = useAdding();
  const is_given = 'text' in source || source.url.trim() !== '';
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setErrors([]);
    const made = await add(source, form);
    if (Array.isArray(made)) return setErrors(made);
    toast(`${made.title} was added`);
    // The way back leads to the list, not into this again.
    await navigate({ to: '.', search: {} as never, replace: true, ignoreBlocker: true });
    void navigate({ ignoreBlocker: true, to: '/w/$workspace_id/integrations/$slug',
      params: { workspace_id, slug: made.slug }, search: { tab: 'about' } as never });
  };
  return (
    <Dialog is_firm={is_given} is_unsent={is_given && started_at === null} onClose={onClose}
      title="Add integration"
      says="A workspace is offered its actions once an account is connected there." actions={<>
        {started_at && <>
          <span role="status" className="mr-auto self-center text-muted">
            Reading it … <Duration from={started_at} />
          </span>
          <Button onClick={stop}>Stop</Button>
        </>}
        <Button look="main" type="submit" form={FORM} is_off={!is_given}
          is_busy={started_at !== null}>Add integration</Button>
      </>}>
      <form id={FORM} onSubmit={submit} className="flex flex-col gap-4">
        <SourceFields source={source} onChange={(next) => [setSource(next), setErrors([])]}
          error={wordsOf(errors.find(({ param }) => SOURCE_PARAMS.includes(param ?? '')))} />
        {is_given && <Particulars {...{ source, form, errors }}
          onChange={(changes) => setForm({ ...form, ...changes })} />}
        {errors.filter(({ param }) => !SHOWN_PARAMS.includes(param ?? ''))
          .map((error) => <FormError key={error.message} error={error} />)}
      </form>
    </Dialog>
  );
}

function wordsOf(error: ApiError | undefined): string | undefined {
  return error && allowedBy('If it is meant, allow it below.', error.message);
}

/** Asks the service, and can stop. Errors of the API are answered, not thrown. */
function useAdding() {
  const [started_at, setStarted] = useState<string | null>(null);
  const asking = useRef<AbortController>(null);
  // Whoever has left would be led back by what came of it, whatever they do by then.
  useEffect(() => () => asking.current?.abort(), []);
  const addAs = async (kind: 'openapi' | 'mcp', source: Source, form: Form) => {
    const { signal } = asking.current!;
    const { base_url, trust_hints } = form;
    const place = 'text' in source ? { document: source.text }
      : kind === 'mcp' ? { mcp: { url: source.url.trim(), trust_hints } }
        : { document_url: source.url.trim() };
    const body: CreateIntegrationRequest = {
      kind, ...place, slug: form.slug ?? detect(source).slug,
      ...(base_url !== '' && { base_url }),
      egress_allow: [...hostsOf(source, form.base_url).filter((host) => form.hosts.includes(host)),
        ...form.egress_allow.split(/[\s,]+/).filter(Boolean)],
    };
    return (await createIntegration({ body, signal, throwOnError: true })).data;
  };
  const add = async (source: Source, form: Form) => {
    asking.current = new AbortController();
    setStarted(new Date(serviceNow()).toISOString());
    const failed: ApiError[] = [];
    const kind = form.kind ?? detect(source).kind;
    // An address that does not say what is there is read as a document first, then asked as a
    // server: only who has asked knows.
    for (const one of kind === 'unclear' ? ['openapi', 'mcp'] as const : [kind]) {
      try {
        const made = await addAs(one, source, form);
        void readAgain('listIntegrations');
        return made;
      } catch (error) {
        if (asking.current.signal.aborted) break;
        failed.push(asApiError(error));
        if (!['invalid_document', 'upstream_error'].includes(failed.at(-1)!.code)) break;
      }
    }
    setStarted(null);
    return failed;
  };
  return { started_at, add, stop: () => asking.current?.abort() };
}

/** An address, or a file that is dropped or chosen; a document that is pasted is as good. */
function SourceFields({ source, onChange, error }: {
  source: Source; onChange: (source: Source) => void; error: string | undefined;
}) {
  const [fault, setFault] = useState<string>();
  const chooser = useRef<HTMLInputElement>(null);
  const take = (name: string, text: string) =>
    onChange({ name, text, found: detectText(name, text) });
  const read = async (file: File | undefined) => {
    if (!file) return;
    setFault(undefined);
    try {
      take(file.name, await file.text());
    } catch {
      setFault(`${file.name} cannot be read: it may be a folder, too long, or not there any more.`);
    }
  };
  const [is_over, drag] = useDrop((file) => void read(file));
  if ('text' in source) {
    return (
      <div className="flex flex-col gap-2">
        <div className="flex items-center gap-2 rounded-md border border-line py-1 pr-1 pl-2.5">
          <span className="min-w-0 grow truncate" title={markedText(source.name)}>
            <Name>{source.name}</Name>
          </span>
          <span className="shrink-0 text-muted">{countText(source.text.length)} characters</span>
          <Button look="quiet" icon="close" icon_only onClick={() => onChange({ url: '' })}>
            Take another
          </Button>
        </div>
        {error && <ErrorNote error={{ message: error }} />}
      </div>
    );
  }
  return (
    <div {...drag} className={`flex flex-col gap-3 rounded-md border border-dashed p-3
      ${is_over ? 'border-accent bg-accent-soft' : 'border-edge'}`}>
      {fault && <ErrorNote error={{ message: fault }} />}
      <Field label="Address of an OpenAPI document or an MCP server" error={error}>
        <Input is_code type="url" value={source.url} autoFocus
          placeholder="https://api.example.com/openapi.json"
          onChange={({ target }) => {
            setFault(undefined);
            onChange({ url: target.value });
          }}
          onPaste={(event) => {
            const text = event.clipboardData.getData('text');
            // An address has one line; YAML may begin with a comment, or `---`.
            if (!/^\s*\{|\S\s*\n\s*\S/.test(text)) return;
            event.preventDefault();
            take('Pasted document', text);
          }} />
      </Field>
      <div className="flex flex-wrap items-center gap-2 text-muted">
        <span className="grow">Or drop an OpenAPI document here, in JSON or YAML.</span>
        <Button onClick={() => chooser.current?.click()}>Choose a file</Button>
        <input ref={chooser} type="file" hidden accept=".json,.yaml,.yml" aria-label="Document"
          onChange={({ target }) => void read(target.files?.[0])} />
      </div>
    </div>
  );
}

/** What there is to say besides, most of it found out. */
function Particulars({ source, form, errors, onChange }: {
  source: Source; form: Form; errors: readonly ApiError[];
  onChange: (changes: Partial<Form>) => void;
}) {
  const found = detect(source);
  const kind = form.kind ?? found.kind;
  const errorAt = (wanted: string) => wordsOf(errors.find(({ param }) => param === wanted));
  const is_refused = errors.some(({ code, param }) => code === 'egress_refused'
    || param === '/egress_allow/0');
  return (
    <>
      <p role="status" className="rounded-md bg-raised px-3 py-2 wrap-anywhere">
        <Name>{found.says}</Name></p>
      <div className="grid gap-4 sm:grid-cols-2">
        {'url' in source && (
          <Field label="What is there">
            <Select value={kind} onChange={({ target }) => onChange({ kind: target.value as Kind })}
              choices={found.kind === 'unclear' ? [FIND_OUT, ...KINDS] : KINDS} />
          </Field>
        )}
        <Field label="Slug" error={errorAt('/slug')}
          hint="The names of its actions begin with it, for good.">
          <Input is_code value={form.slug ?? found.slug} required
            pattern="[a-z0-9][a-z0-9_\-]{0,63}" title="Lower-case letters, digits, _ and -"
            onChange={({ target }) => onChange({ slug: target.value })} />
        </Field>
      </div>
      {kind !== 'mcp' && (found.needs_base || errorAt('/base_url')) && (
        <Field label="Address of the API" error={errorAt('/base_url')}
          hint="The document names no server, so say where its operations are called.">
          <Input type="url" value={form.base_url} required placeholder="https://api.example.com"
            onChange={({ target }) => onChange({ base_url: target.value })} />
        </Field>
      )}
      {kind !== 'openapi' && (
        <Checkbox checked={form.trust_hints}
          onChange={({ target }) => onChange({ trust_hints: target.checked })}>
          Believe an MCP server’s word about which tools only read. Otherwise every tool needs a
          grant.
        </Checkbox>
      )}
      {hostsOf(source, form.base_url).map((host) => (
        <Checkbox key={host} checked={form.hosts.includes(host)}
          onChange={({ target }) => onChange({ hosts: target.checked ? [...form.hosts, host]
            : form.hosts.filter((one) => one !== host) })}>
          Let it call <code className="font-mono">{host}</code>, which is not a public address.
        </Checkbox>
      ))}
      <details open={is_refused || undefined}>
        <summary className="w-fit text-muted hover:text-text">
          For an API that is not public</summary>
        <div className="pt-3">
          <PrivateAddresses error={errorAt('/egress_allow/0')} value={form.egress_allow}
            onChange={({ target }) => onChange({ egress_allow: target.value })} />
        </div>
      </details>
    </>
  );
}
