/** The fields that are never to be logged or shown again, by name. */
import t from 'tap';
import { readDocument, resolveReference } from '../scripts/document.ts';
import { soundness } from './support/soundness.ts';

soundness(t, 'a secret in a text');

const document = readDocument();

/** Every field of the document that is marked `x-redact`. Add to it when a secret is added. */
const REDACTED = [
  'AdminTokenWithSecret.admin_token', 'ApiKeyWithSecret.api_key', 'McpServer.env',
  'BearerCredentials.token', 'ApiKeyCredentials.value',
  'BasicCredentials.password', 'FurtherKey.value', 'OAuth2Credentials.client_secret',
  'OAuth2Credentials.access_token',
  'OAuth2Credentials.refresh_token', 'CreateConnectionRequest.credentials',
  'UpdateConnectionRequest.credentials', 'CreateDashboardSessionRequest.admin_token',
  'CreateDashboardSessionRequest.ticket', 'DashboardTicket.ticket', 'DashboardTicket.url',
];
/** What a field that holds a secret is likely to be called. */
const SECRET = /(^|_)(api_key|secret|token|ticket|password|credentials?|authorization)$/;

/** The fields below a node, as `Schema.field.field`. */
function* fieldsOf(
  node: unknown, path: string): Generator<{ path: string; name: string; redacted: boolean }> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key !== 'properties') {
      yield* fieldsOf(value, path);
      continue;
    }
    for (const [name, schema] of Object.entries(value as Record<string, object>)) {
      const below = `${path}.${name}`;
      const { 'x-redact': redacted = false } =
        resolveReference(document, schema) as { 'x-redact'?: boolean };
      yield { path: below, name, redacted };
      yield* fieldsOf(schema, below);
    }
  }
}

const fields = Object.entries(document.components.schemas)
  .flatMap(([name, schema]) => [...fieldsOf(schema, name)]);

t.test('these fields, and no others, are marked', async (t) => {
  const marked = fields.filter(({ redacted }) => redacted).map(({ path }) => path);
  t.strictSame(marked.sort(), REDACTED.toSorted());
});

t.test('a field that sounds like a secret is one', async (t) => {
  t.ok(fields.length > 150, 'all of them are looked at');
  for (const { path, redacted } of fields.filter(({ name }) => SECRET.test(name))) {
    t.ok(redacted, path);
  }
});
