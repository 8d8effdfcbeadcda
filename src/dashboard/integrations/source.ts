/** What a source of actions seems to be, by its address or by its text. */

/** An address, or the text of a document, which may be long: it is looked at once. */
export type Source = { url: string } | { name: string; text: string; found: Found };
export type Kind = 'openapi' | 'mcp' | 'unclear';

/** What a source seems to be. `needs_base`: it is a document that names no server. */
interface Found { kind: Kind; says: string; slug: string; needs_base: boolean }

/** What a source seems to be. The service has the last word. */
export function detect(source: Source): Found {
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

export function detectText(name: string, text: string): Found {
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
export function hostsOf(source: Source, base_url: string): string[] {
  const hosts = ['url' in source ? source.url : '', base_url].flatMap((text) => {
    const { hostname = '', port = '', protocol = '' } = URL.parse(text.trim()) ?? {};
    const host = hostname === 'localhost' ? '127.0.0.1' : hostname;
    const is_private = /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$|^\[(::1|f[cd].*)\]$/;
    return is_private.test(host) ? [`${host}:${port || (protocol === 'https:' ? 443 : 80)}`] : [];
  });
  return [...new Set(hosts)];
}
