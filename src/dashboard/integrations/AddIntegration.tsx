/**
 * Adding an integration: of an address or a file. Its kind, a slug and what else has to be asked
 * for are found out. What came of the import is told by the page of the integration.
 */
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState, type FormEvent } from 'react';
import { createIntegration } from '#client/sdk.gen.ts';
import type { CreateIntegrationRequest } from '#client/types.gen.ts';
import { asApiError, queries, type ApiError } from '../data/api.ts';
import { useWorkspaceId } from '../data/session.ts';
import { Button } from '../kit/controls.tsx';
import { Checkbox, Field, Input, Select } from '../kit/fields.tsx';
import { Dialog, toast } from '../kit/overlays.tsx';
import { countText, ErrorNote } from '../kit/text.tsx';
import { Duration } from '../kit/time.tsx';

/** An address, or the text of a document, which may be long: it is looked at once. */
type Source = { url: string } | { name: string; text: string; found: Found };
type Kind = 'openapi' | 'mcp' | 'unclear';

/** What a source seems to be. `needs_base`: it is a document that names no server. */
interface Found { kind: Kind; says: string; slug: string; needs_base: boolean }

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
    void navigate({ to: '/w/$workspace_id/integrations/$slug',
      params: { workspace_id, slug: made.slug }, search: { tab: 'about' } as never });
  };
  return (
    <Dialog is_open is_firm={is_given} title="Add integration"
      onClose={() => [stop(), onClose()]}
      says="A workspace is offered its actions once an account is connected there." actions={<>
        {started_at && <>
          <span role="status" className="mr-auto self-center text-muted">
            Reading it … <Duration from={started_at} />
          </span>
          <Button onClick={stop}>Stop</Button>
        </>}
        <Button look="main" type="submit" form={FORM} disabled={!is_given}
          is_busy={started_at !== null}>Add integration</Button>
      </>}>
      <form id={FORM} onSubmit={submit} className="flex flex-col gap-4">
        <SourceFields source={source} onChange={(next) => [setSource(next), setErrors([])]}
          error={errors.find(({ param }) => SOURCE_PARAMS.includes(param ?? ''))?.message} />
        {is_given && <Particulars {...{ source, form, errors }}
          onChange={(changes) => setForm({ ...form, ...changes })} />}
        {errors.filter(({ param }) => !SHOWN_PARAMS.includes(param ?? ''))
          .map((error) => <ErrorNote key={error.message} error={error} />)}
      </form>
    </Dialog>
  );
}

/** Asks the service, and can stop. Errors of the API are answered, not thrown. */
function useAdding() {
  const [started_at, setStarted] = useState<string | null>(null);
  const asking = useRef<AbortController>(null);
  const addAs = async (kind: 'openapi' | 'mcp', source: Source, form: Form) => {
    const { signal } = asking.current!;
    const { base_url, trust_hints } = form;
    const place = 'text' in source ? { document: source.text }
      : kind === 'mcp' ? { mcp: { url: source.url.trim(), trust_hints } }
        : { document_url: source.url.trim() };
    const body: CreateIntegrationRequest = {
      kind, ...place, slug: form.slug ?? detect(source).slug,
      ...(base_url !== '' && { base_url }),
      egress_allow: [...hostsOf(source, form).filter((host) => form.hosts.includes(host)),
        ...form.egress_allow.split(/[\s,]+/).filter(Boolean)],
    };
    return (await createIntegration({ body, signal, throwOnError: true })).data;
  };
  const add = async (source: Source, form: Form) => {
    asking.current = new AbortController();
    setStarted(new Date().toISOString());
    const failed: ApiError[] = [];
    const kind = form.kind ?? detect(source).kind;
    // An address that does not say what is there is read as a document first, then asked as a
    // server: only who has asked knows.
    for (const one of kind === 'unclear' ? ['openapi', 'mcp'] as const : [kind]) {
      try {
        const made = await addAs(one, source, form);
        void queries.invalidateQueries({ queryKey: [{ _id: 'listIntegrations' }] });
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
  const [is_over, setOver] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const take = (name: string, text: string) =>
    onChange({ name, text, found: detectText(name, text) });
  const read = async (file: File | undefined) => {
    if (file) take(file.name, await file.text());
  };
  if ('text' in source) {
    return (
      <div className="flex flex-col gap-2">
        <div className="flex items-center gap-2 rounded-md border border-line py-1 pr-1 pl-2.5">
          <span className="min-w-0 grow truncate" title={source.name}>
            <bdi>{source.name}</bdi>
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
    <div onDragOver={(event) => {
      event.preventDefault();
      setOver(true);
    }} onDragLeave={() => setOver(false)} onDrop={(event) => {
      event.preventDefault();
      setOver(false);
      void read(event.dataTransfer.files[0]);
    }} className={`flex flex-col gap-3 rounded-md border border-dashed p-3
      ${is_over ? 'border-accent bg-accent-soft' : 'border-edge'}`}>
      <Field label="Address of an OpenAPI document or an MCP server" error={error}>
        <Input type="url" value={source.url} autoFocus autoComplete="off" spellCheck={false}
          placeholder="https://api.example.com/openapi.json"
          onChange={({ target }) => onChange({ url: target.value })}
          onPaste={(event) => {
            const text = event.clipboardData.getData('text');
            if (!/^\s*(\{|openapi:|swagger:)/.test(text)) return;
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
  const errorAt = (wanted: string) => errors.find(({ param }) => param === wanted)?.message;
  const is_refused = errors.some(({ code }) => code === 'egress_refused');
  return (
    <>
      <p role="status" className="rounded-md bg-raised px-3 py-2 wrap-anywhere">{found.says}</p>
      <div className="grid gap-4 sm:grid-cols-2">
        {'url' in source && (
          <Field label="What is there">
            <Select value={kind} onChange={({ target }) => onChange({ kind: target.value as Kind })}
              choices={found.kind === 'unclear' ? [FIND_OUT, ...KINDS] : KINDS} />
          </Field>
        )}
        <Field label="Slug" error={errorAt('/slug')}
          hint="The names of its actions begin with it, for good.">
          <Input value={form.slug ?? found.slug} required pattern="[a-z0-9][a-z0-9_\-]{0,63}"
            title="Lower-case letters, digits, _ and -" autoComplete="off" spellCheck={false}
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
      {hostsOf(source, form).map((host) => (
        <Checkbox key={host} checked={form.hosts.includes(host)}
          onChange={({ target }) => onChange({ hosts: target.checked ? [...form.hosts, host]
            : form.hosts.filter((one) => one !== host) })}>
          Let it call <code className="font-mono">{host}</code>, which is not a public address.
        </Checkbox>
      ))}
      {is_refused && (
        <Field label="Private addresses it may call" error={errorAt('/egress_allow/0')}
          hint="An address or a range, a colon and a port; commas between several.">
          <Input value={form.egress_allow} placeholder="10.1.0.0/16:443" spellCheck={false}
            onChange={({ target }) => onChange({ egress_allow: target.value })} />
        </Field>
      )}
    </>
  );
}

/** What a source seems to be. The service has the last word. */
function detect(source: Source): Found {
  if ('text' in source) return source.found;
  const url = URL.parse(source.url.trim());
  const path = url?.pathname.toLowerCase() ?? '';
  const is_document = /\.(json|ya?ml)$|openapi|swagger/.test(path);
  const is_server = !is_document && /\/(mcp|sse)\/?$/.test(path);
  const host = url?.hostname ?? '';
  const names = /^[\d.]+$|:/.test(host) ? ['local'] : host.split('.').slice(0, -1)
    .filter((one) => !/^(www|api|mcp|docs|rest)$/.test(one));
  return {
    kind: is_document ? 'openapi' : is_server ? 'mcp' : 'unclear',
    says: is_document ? 'This looks like the address of an OpenAPI document.'
      : is_server ? 'This looks like an MCP server.'
        : 'The address does not say what is there. It is read as an OpenAPI document first, and'
          + ' asked as an MCP server if it is none.',
    slug: slugOf(names.at(-1) ?? host), needs_base: false,
  };
}

function detectText(name: string, text: string): Found {
  const is_json = text.trimStart().startsWith('{');
  const version = /["']?(?:openapi|swagger)["']?\s*:\s*["']?([\d.]+)/.exec(text)?.[1];
  const titled = is_json ? /"title"\s*:\s*"([^"\\]{1,200})"/
    : /^\s+title:\s*["']?([^"'\n]{1,200})/m;
  const title = titled.exec(from(text, /["']?info["']?\s*:/))?.[1]?.trim() ?? '';
  // Relative servers lead nowhere from a file.
  const has_server = /["']?url["']?\s*:\s*["']?https?:\/\//.test(from(text, /servers["']?\s*:/))
    || version?.startsWith('2') && /["']?host["']?\s*:\s*["']?[\w.-]+/.test(text);
  return {
    kind: 'openapi', slug: slugOf(title || name.replace(/\.\w+$/, '')),
    needs_base: version !== undefined && !has_server,
    says: version === undefined
      ? 'This does not look like an OpenAPI document, in JSON or YAML. The service may know better.'
      : `An OpenAPI ${version} document in ${is_json ? 'JSON' : 'YAML'}${title && `: ${title}`}`,
  };
}

/** The text from what is looked for on; nothing if it is not there. */
function from(text: string, wanted: RegExp): string {
  const at = text.search(wanted);
  return at === -1 ? '' : text.slice(at);
}

/** `Swagger Petstore - OpenAPI 3.0` becomes `petstore`. */
function slugOf(title: string): string {
  return title.toLowerCase().replace(/\b(openapi|swagger|rest|api|v?\d+(\.\d+)*)\b/g, ' ')
    .replace(/[^a-z0-9]+/g, ' ').trim().replaceAll(' ', '_').slice(0, 64);
}

/** Hosts with their ports, as `egress_allow` takes them, that are no public addresses. */
function hostsOf(source: Source, { base_url }: Form): string[] {
  const hosts = ['url' in source ? source.url : '', base_url].flatMap((text) => {
    const { hostname = '', port = '', protocol = '' } = URL.parse(text.trim()) ?? {};
    const host = hostname === 'localhost' ? '127.0.0.1' : hostname;
    const is_private = /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$|^\[(::1|f[cd].*)\]$/;
    return is_private.test(host) ? [`${host}:${port || (protocol === 'https:' ? 443 : 80)}`] : [];
  });
  return [...new Set(hosts)];
}
