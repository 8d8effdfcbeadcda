/** The API reference: Scalar, in this site's clothes, with nothing that leaves this origin. */
import { bindKeyField, keptId, keptKey } from './key.js';
import { isDark, watchTheme } from './site.js';

const docs = new URL('..', import.meta.url);

/**
 * The document, without the made-up values of its parameters: what is filled in can be sent. An id
 * of something that the reader has made in the console is filled in.
 */
async function readDocument() {
  const document = await (await fetch(new URL('openapi.json', docs))).json();
  const items = Object.values(document.paths);
  for (const { parameters = [] } of [...items, ...items.flatMap((item) => Object.values(item)),
    { parameters: Object.values(document.components.parameters) }]) {
    for (const parameter of parameters) {
      delete parameter.examples;
      parameter.example = keptId(parameter.name) ?? undefined;
    }
  }
  return document;
}

const document = await readDocument();

/** @param {string} key */
const authentication = (key) => ({
  preferredSecurityScheme: 'apiKey', securitySchemes: { apiKey: { token: key } },
});

const configuration = () => ({
  content: document,
  servers: [{ url: new URL('../v1', docs).href, description: 'This service' }],
  theme: 'default',
  authentication: authentication(keptKey()),
  forceDarkModeState: isDark() ? 'dark' : 'light',
  generateOperationSlug: (/** @type {any} */ { operationId, method, path }) =>
    operationId ?? `${method}${path}`,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  documentDownloadType: 'none', // the strip above has the document as it is
  hideDarkModeToggle: true,
  // The search of the site looks through the operations as well.
  hideSearch: true,
  // Nothing of Scalar's own services: no proxy, fonts, accounts, assistants or counting.
  proxyUrl: '',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
});

const reference = /** @type {any} */ (globalThis).Scalar.createApiReference(
  '#reference', configuration());
bindKeyField(() => reference.updateConfiguration(configuration()));
watchTheme(() => reference.updateConfiguration(configuration()));
