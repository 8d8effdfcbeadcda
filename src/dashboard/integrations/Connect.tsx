/**
 * Connecting an account, or giving one new credentials. What is secret stays in its field and goes
 * from there to the service: no state and no cache of the page ever holds it.
 */
import { useState } from 'react';
import { createConnection, updateConnection } from '#client/sdk.gen.ts';
import type {
  Connection, Credentials, Integration, SecurityScheme,
} from '#client/types.gen.ts';
import { readAgain, SERVICE, useAct, useOnce } from '../data/api.ts';
import { useWorkspaceId } from '../data/session.ts';
import { Name } from '../kit/exact.tsx';
import { asChoices, Field, Input, Select, type Choice } from '../kit/fields.tsx';
import { FormDialog } from '../kit/overlays.tsx';
import { Prose } from '../kit/Prose.tsx';
import { Code, Facts, startOf } from '../kit/text.tsx';
import { isSaid, placesOf } from './source.ts';

/** What agents are offered follows the accounts that there are. */
export async function forgetConnections(): Promise<void> {
  await readAgain('listConnections', 'getConnection', 'listActions', 'searchActions');
}

type ErrorAt = ReturnType<typeof useAct>['errorAt'];

interface Entry {
  name: string; label: string; hint?: string; is_secret?: boolean;
  /** The hint where credentials of the same kind are replaced. */
  again_hint?: string;
  /** It may be left empty. */
  is_open?: true;
  /** The document says it, as a rule: then it is asked for only where somebody wants another. */
  is_declared?: true;
  choices?: readonly Choice[];
}
interface Method {
  label: string; entries: readonly Entry[]; together?: readonly SecurityScheme[];
  /** What holds what the document says already. */
  otherwise?: string;
}

const DESCRIPTION_LIMIT = 1_000;

/** What each way to authenticate asks for. */
export const METHODS: Readonly<Record<string, Method>> = {
  bearer: { label: 'Bearer token', entries: [{ name: 'token', label: 'Token', is_secret: true }] },
  basic: { label: 'Username and password', entries: [
    { name: 'username', label: 'Username' },
    { name: 'password', label: 'Password', is_secret: true, is_open: true,
      hint: 'Leave it empty where a key is the user name.' },
  ] },
  api_key: { label: 'API key', otherwise: 'Send it otherwise', entries: [
    { name: 'value', label: 'Key', is_secret: true },
    { name: 'in', label: 'Where it goes', is_open: true, is_declared: true,
      choices: asChoices('header', 'query', 'cookie') },
    { name: 'name', label: 'Name of the header, parameter or cookie', is_open: true,
      is_declared: true },
    { name: 'prefix', label: 'What stands before it, such as “Token ”', is_open: true,
      is_declared: true },
  ] },
  oauth2: { label: 'OAuth', otherwise: 'Use other addresses', entries: [
    { name: 'client_id', label: 'Client ID', is_open: true,
      hint: 'Most MCP servers need none: they register one, or read about this service.',
      again_hint: 'If left empty, with all below, the client stays, and so do its scopes.' },
    { name: 'client_secret', label: 'Client secret', is_secret: true, is_open: true,
      hint: 'Leave it empty for a client that has none.',
      again_hint: 'Another secret of the same client is given with its ID.' },
    { name: 'scopes', label: 'Scopes', is_open: true,
      hint: 'With blanks between; if left empty, what the actions that only read need, or what an'
        + ' MCP server asks for.' },
    { name: 'authorize_url', label: 'Authorization URL', is_open: true, is_declared: true },
    { name: 'token_url', label: 'Token URL', is_open: true, is_declared: true },
  ] },
  none: { label: 'No credentials', entries: [] },
};

/**
 * The ways that there are: those of METHODS, and what the document wants together, first if it
 * comes first there. An api key among several has nothing but its value to be asked for.
 */
function methodsOf({ report }: Integration): Readonly<Record<string, Method>> {
  const { security_schemes = [], security_alternatives = [] } = report;
  const together = security_alternatives.filter(({ schemes }) => schemes.length > 1)
    .map(({ schemes }) => security_schemes.filter(({ name }) => schemes.includes(name)))
    // Only one that is no api key can be sent: they all go to the header Authorization.
    .map((schemes) => schemes.toSorted((a, b) => Number(a.type === 'api_key')
      - Number(b.type === 'api_key')))
    .filter((schemes) => schemes.every(({ type }, at) =>
      type === 'api_key' || (at === 0 && METHODS[type])));
  return { ...Object.fromEntries(together.map((schemes, at) => [`together_${at}`, {
    label: schemes.map(({ name }) => name).join(' and '), together: schemes,
    entries: schemes.flatMap(({ name, type, placement }, at) => (type === 'api_key'
      ? [{ name: keyName(at), label: name, is_secret: true,
        hint: placement && `It goes into the ${placement.in} ${placement.name}.` }]
      : METHODS[type]!.entries)),
  }])), ...METHODS };
}

const keyName = (at: number) => (at === 0 ? 'value' : `also/${at - 1}/value`);

/** What the API takes of a form. A part that the document declares is left to it if empty. */
function credentialsOf(method: Method, type: string, form: FormData): Credentials {
  const [first, ...others] = method.together ?? [];
  if (first !== undefined) {
    const entries = METHODS[first.type]!.entries;
    return { ...credentialsOf({ label: '', entries }, first.type, form),
      ...first.type === 'api_key' && { scheme: first.name },
      also: others.map(({ name }, at) =>
        ({ scheme: name, value: String(form.get(`credentials.${keyName(at + 1)}`) ?? '') })),
    } as Credentials;
  }
  const given = method.entries
    .map(({ name }) => [name, String(form.get(`credentials.${name}`) ?? '')] as const)
    .filter(([, value]) => value !== '');
  const { scopes, ...rest } = Object.fromEntries(given);
  const grant = rest.authorize_url ? { grant: 'authorization_code' } : {};
  const asked = scopes ? { scopes: scopes.split(/\s+/).filter(Boolean) } : {};
  const empty = type === 'basic' ? { password: '' } : {};
  return { type, ...empty, ...rest, ...grant, ...asked } as Credentials;
}

/** `again`: the connection that gets new credentials; without, another one is made. */
export function Connect({ integration, again, onClose, onMade }: {
  integration: Integration; again: Connection | null; onClose: () => void;
  onMade: (made: Connection) => void;
}) {
  const { slug, kind, auth_methods, report } = integration;
  const workspace_id = useWorkspaceId();
  // A server that has listed its tools to nobody in particular may well ask for nothing.
  const methods = methodsOf(integration);
  const [most] = (report.security_alternatives ?? []).filter(({ schemes }) => schemes.length > 0);
  const together = (most?.schemes.length ?? 0) > 1 && methods.together_0 ? 'together_0' : null;
  const is_listed = report.imported > 0 || report.has_resources === true;
  const is_open = kind === 'mcp' && is_listed && auth_methods.includes('none');
  const first = is_open ? 'none' : auth_methods[0] ?? 'none';
  const [type, setType] = useState<string>(together ?? again?.auth_type ?? first);
  const { is_busy, act, errorAt, errorBut } = useAct();
  const once = useOnce();
  const submit = (form: FormData) => {
    const shared = {
      name: String(form.get('name')), account_label: String(form.get('account_label')) || null,
      credentials: credentialsOf(methods[type]!, type, form),
    };
    void act(async () => {
      const { data } = again
        ? await updateConnection({
          path: { connection_id: again.id }, body: shared, throwOnError: true })
        : await once({ workspace_id, integration: slug, ...shared },
          (asked) => createConnection(asked));
      await forgetConnections();
      return data;
    }, onMade);
  };
  const { entries } = methods[type] ?? { entries: [] };
  const told = entries.map(({ name }) => `/credentials/${name}`);
  return (
    <FormDialog {...{ is_busy, onClose }} action={again ? 'Reconnect' : 'Connect'}
      title={again ? <>Reconnect <Name>{again.name}</Name></> : `Connect an account of ${slug}`}
      says="Secrets are sealed when they arrive, and never shown again."
      error={errorBut('/name', '/account_label', ...told)} onSubmit={submit}>
      <ConnectFields {...{ integration, again, methods, type, errorAt }} onType={setType} />
    </FormDialog>
  );
}

function ConnectFields({ integration, again, methods, type, errorAt, onType }: {
  integration: Integration; again: Connection | null; methods: ReturnType<typeof methodsOf>;
  type: string; errorAt: ErrorAt; onType: (type: string) => void;
}) {
  const { slug, auth_methods } = integration;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name" error={errorAt('/name')}>
          <Input name="name" required maxLength={200} autoFocus
            defaultValue={again?.name ?? slug} />
        </Field>
        <Field label="Whose account" error={errorAt('/account_label')}
          hint="Agents tell several accounts apart by it.">
          <Input name="account_label" maxLength={200} placeholder="support@example.com"
            defaultValue={again?.account_label ?? ''} />
        </Field>
      </div>
      <Field label="How it signs in">
        <Select name="type" value={type} onChange={({ target }) => onType(target.value)}
          choices={[...new Set([...Object.keys(methods).filter((one) => methods[one]!.together),
            ...auth_methods, ...Object.keys(methods)])].filter((one) => methods[one])
            .map((value) => ({ value, label: methods[value]!.label
              + (auth_methods.includes(value) || methods[value]!.together
                ? '' : ' (not in the document)') }))} />
      </Field>
      <Declared type={methods[type]?.together?.[0]?.type ?? type} integration={integration} />
      <Entries key={type} {...{ integration, errorAt }} method={methods[type]!}
        is_again={again?.auth_type === type}
        type={methods[type]!.together?.[0]?.type ?? type} />
    </>
  );
}

/** The fields of a way to authenticate; those of what the document says already are folded. */
function Entries({ integration, method, type, is_again, errorAt }: {
  integration: Integration; method: Method; type: string; is_again: boolean;
  errorAt: ErrorAt;
}) {
  const is_said = isSaid(integration, type);
  const errorOf = ({ name }: Entry) => errorAt(`/credentials/${name}`);
  const fieldOf = (entry: Entry) => {
    const { name, label, again_hint, is_secret, is_open, choices } = entry;
    const hint = is_again && again_hint ? again_hint : entry.hint;
    return (
      <Field key={name} label={label} hint={hint} error={errorOf(entry)}>
        {choices ? (
          <Select name={`credentials.${name}`} choices={is_said
            ? [{ value: '', label: 'as the document says' }, ...choices] : choices} />
        ) : (
          <Input name={`credentials.${name}`} type={is_secret ? 'password' : 'text'}
            required={!is_open} autoComplete={is_secret ? 'new-password' : 'off'}
            spellCheck={false} />
        )}
      </Field>
    );
  };
  const folded = method.entries.filter(({ is_declared }) => is_said && is_declared);
  return (
    <>
      {method.entries.filter((one) => !folded.includes(one)).map(fieldOf)}
      {folded.length > 0 && (
        <details open={folded.some(errorOf) || undefined}>
          <summary className="w-fit text-muted hover:text-text">
            {METHODS[type]?.otherwise}</summary>
          <div className="flex flex-col gap-4 pt-3">{folded.map(fieldOf)}</div>
        </details>
      )}
    </>
  );
}

/** What the document says about it, so that nobody has to look it up. */
function Declared({ type, integration }: { type: string; integration: Integration }) {
  const { slug, kind, report, own_redirect } = integration;
  const schemes = (report.security_schemes ?? []).filter((one) => one.type === type);
  const [first] = schemes;
  const flow = first?.flows?.authorization_code ?? first?.flows?.client_credentials;
  const { required_scopes } = first ?? {};
  const places = type === 'api_key' ? placesOf(integration) : [];
  const facts = ([
    ['It goes into', places.map((one) => `the ${one.in} ${one.name}`).join(' or ')],
    ['Authorization URL', flow?.authorization_url], ['Token URL', flow?.token_url],
    ['Scopes for reading', required_scopes?.read.join(' ')],
    ['Scopes for the rest', required_scopes?.other.join(' ')],
  ] as const).filter(([, said]) => said);
  return (
    <>
      {schemes.map(({ name, description }) =>
        description && <Prose key={name} text={startOf(description, DESCRIPTION_LIMIT)} />)}
      {facts.length > 0 && <div className="rounded-md bg-raised p-3"><Facts of={facts} /></div>}
      {type === 'oauth2' && (
        <div className="flex flex-col gap-1">
          <p className="text-sm">
            {kind === 'mcp' ? 'For a client that you register by hand, this is the redirect URI:'
              : 'Register this redirect URI for the client at the other service:'}</p>
          <Code copy>{new URL(own_redirect ? `oauth/callback/${slug}` : 'oauth/callback', SERVICE)
            .href}</Code>
        </div>
      )}
    </>
  );
}
