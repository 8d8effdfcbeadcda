import { isObject, objectOf, textOf, type JsonObject } from '../../json.ts';

/** A base address of a document, its variables replaced by their defaults. */
export interface Server {
  /** Absolute, or relative if the document's own address is not known. No slash at the end. */
  url: string;
  description: string | null;
  /** What was replaced: the operator gives a base URL of their own if a default does not fit. */
  variables: string[];
}

/**
 * The servers of a document, a path item or an operation, without those that are no address.
 * `base_url`: where the document came from, for relative ones.
 */
export function readServers(owner: JsonObject, base_url: string | undefined): Server[] {
  const list = Array.isArray(owner.servers) ? owner.servers.filter(isObject) : [];
  return list.flatMap((server) => {
    const template = textOf(server.url)?.trim();
    if (template === undefined) return [];
    const variables = objectOf(server.variables);
    const used: string[] = [];
    const filled = template.replace(/\{([^{}]+)\}/g, (_, name: string) => {
      used.push(name);
      const variable = Object.hasOwn(variables, name) ? objectOf(variables[name]) : {};
      const [first] = Array.isArray(variable.enum) ? variable.enum : [];
      return String(variable.default ?? first ?? '');
    });
    const url = absolute(filled, base_url);
    return url === null
      ? [] : [{ url, description: textOf(server.description) ?? null, variables: used }];
  });
}

function absolute(url: string, base_url: string | undefined): string | null {
  // `//api.example.com/v1` is written often, for an address that is the same by http and https.
  const schemed = url.startsWith('//') ? `https:${url}` : url;
  if (base_url === undefined && !/^[a-z][a-z0-9+.-]*:/i.test(schemed)) {
    return schemed.replace(/\/+$/, '');
  }
  const parsed = URL.parse(schemed, base_url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return null;
  parsed.hash = '';
  return parsed.href.replace(/\/+$/, '');
}
