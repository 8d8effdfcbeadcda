/** Making an api key. The key itself is held here alone, as long as the dialog is open. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '#client/client.gen.ts';
import { createApiKey, listApiKeys } from '#client/sdk.gen.ts';
import type { ApiKeyWithSecret } from '#client/types.gen.ts';
import { useAct, useOnce } from '../data/api.ts';
import { useWorkspaceId } from '../data/session.ts';
import { MakingOnce, ShownOnce } from '../frame/ShownOnce.tsx';
import { CopyButton, Icon, Spinner } from '../kit/controls.tsx';
import { Name } from '../kit/exact.tsx';
import { Field, Input, Select } from '../kit/fields.tsx';
import { utcInstant } from '../kit/filters.tsx';
import { FormDialog } from '../kit/overlays.tsx';
import { serviceNow, Time } from '../kit/time.tsx';

const DAY_MS = 86_400_000;
const LIVES = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'At a time of your choice' },
  { value: '', label: 'Never' },
];
const USED_MS = 3_000;

export function NewKey({ onClose, onMade }: { onClose: () => void; onMade: () => void }) {
  const [made, setMade] = useState<ApiKeyWithSecret | null>(null);
  // The second dialog was opened by the first one, which is gone when it closes.
  const [opener] = useState(document.activeElement);
  if (made) return <MadeKey {...{ made, opener, onClose }} />;
  return <Order onClose={onClose} onMade={(key) => {
    setMade(key);
    onMade();
  }} />;
}

/** What the key is to be. */
function Order({ onClose, onMade }: {
  onClose: () => void; onMade: (key: ApiKeyWithSecret) => void;
}) {
  const workspace_id = useWorkspaceId();
  const [life, setLife] = useState('90');
  const [date, setDate] = useState('');
  const { is_busy, act, errorAt, errorBut } = useAct();
  const once = useOnce();
  const [now_ms] = useState(serviceNow);
  const expires_at = expiry(life, date, now_ms);
  const make = (form: FormData) => {
    const name = String(form.get('name')).trim();
    void act(() => once({ workspace_id, name, expires_at }, (asked) => createApiKey(asked)),
      ({ data }) => onMade(data));
  };
  return (
    <FormDialog {...{ is_busy, onClose }} title="New API key"
      says="An application asks with it, in this workspace. You see the key once, in the next step."
      action="Create key" error={errorBut('/name', '/expires_at')} onSubmit={make}>
      {is_busy && <MakingOnce what="key" />}
      <Field label="Name" hint="What the key is for. The audit log names it."
        error={errorAt('/name')}>
        <Input name="name" required maxLength={200} autoComplete="off" autoFocus
          pattern=".*\S.*" placeholder="backend" />
      </Field>
      <div className={`grid gap-4 ${life === 'date' ? 'sm:grid-cols-2' : ''}`}>
        <Field label="Expires" error={life === 'date' ? null : errorAt('/expires_at')}
          hint={life === '' ? 'It is good until somebody revokes it.'
            : expires_at && <>Refused from <Time at={expires_at} as="local" /> on.</>}>
          <Select name="life" choices={LIVES} value={life}
            onChange={({ target }) => setLife(target.value)} />
        </Field>
        {life === 'date' && (
          <Field label="Time" error={errorAt('/expires_at')}>
            <Input name="date" type="datetime-local" required value={date}
              onChange={({ target }) => setDate(target.value)} />
          </Field>
        )}
      </div>
    </FormDialog>
  );
}

function expiry(life: string, date: string, now_ms: number): string | null {
  if (life === '') return null;
  if (life !== 'date') return new Date(now_ms + Number(life) * DAY_MS).toISOString();
  return utcInstant(date) || null;
}

/** The key, this once, and the first request with it. */
function MadeKey({ made, opener, onClose }: {
  made: ApiKeyWithSecret; opener: Element | null; onClose: () => void;
}) {
  const line = `curl -sS '${client.getConfig().baseUrl}/sessions?limit=1' \\\n`
    + `  -H 'Authorization: Bearer ${made.api_key}'`;
  return (
    <ShownOnce what="key" secret={made.api_key} title={<>The key <Name>{made.name}</Name></>}
      {...{ opener, onClose }}>
      {({ onCopied, onCopy }) => (
        <div className="flex flex-col gap-1.5">
          <h2>The first request with it</h2>
          <div className="relative rounded-md border border-line bg-raised">
            <pre tabIndex={0} role="region" aria-label="The first request" onCopy={onCopy}
              className="p-2.5 pr-11 font-mono text-sm break-all whitespace-pre-wrap">{line}</pre>
            <div className="absolute top-1 right-1">
              <CopyButton text={line} what="request" onCopied={onCopied} />
            </div>
          </div>
          <FirstUse id={made.id} />
        </div>
      )}
    </ShownOnce>
  );
}

/** Looks whether the key was used, so that whoever tries it sees that it works. */
function FirstUse({ id }: { id: string }) {
  const workspace_id = useWorkspaceId();
  const { data: used_at } = useQuery({
    queryKey: [{ _id: 'listApiKeys', first_use: id }],
    queryFn: async ({ signal }) => {
      const query = { workspace_id, limit: 20 };
      const { data } = await listApiKeys({ query, signal, throwOnError: true });
      return data.data.find((key) => key.id === id)?.last_used_at ?? null;
    },
    refetchInterval: ({ state }) => (state.data ? false : USED_MS), gcTime: 0,
  });
  return (
    <p role="status" className="flex min-h-5 items-center gap-2 text-sm text-muted">
      {used_at
        ? <><span className="text-good"><Icon name="check" /></span>It works: the service was
            asked with this key.</>
        : <><Spinner />Waiting for its first request. It is noticed within seconds.</>}
    </p>
  );
}
