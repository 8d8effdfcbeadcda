/**
 * Actions from an OpenAPI 3.1 document: no code per integration. Older documents are brought to 3.1
 * before they come here (upgrade.ts).
 */
import { canonicalSha256 } from '../../canonicalJson.ts';
import { isObject, objectOf, textOf, type JsonObject } from '../../json.ts';
import type { ActionDescription, Effect } from '../action/action.ts';
import { SchemaBundler } from '../schema/bundle.ts';
import { resolve } from '../schema/references.ts';
import { actionChoices, effectOf, strictest } from './effect.ts';
import { inputWithFiles } from './files.ts';
import { Warnings, type ImportReport, type SkipReason } from './importReport.ts';
import { chooseMediaType, readInput, type OperationInput } from './inputSchema.ts';
import { isJsonMediaType } from './mediaTypes.ts';
import { nameOperations } from './naming.ts';
import { readPaging, type Paging } from './paging.ts';
import { NeededScopes, readSecurity, readSecuritySchemes } from './security.ts';
import { addressesOf, placeOf, readServers, type DocumentPlace } from './servers.ts';

/** An answer that is an error although its status says success: `200 {"ok": false}`. */
export interface SoftError {
  /** A JSON pointer to the field that tells (`/ok`), and the value that it then has. */
  pointer: string;
  equals: unknown;
  /** Where the message is (`/error`). */
  message_pointer?: string;
}

/** What the operator knows better than the document and the rules. */
export interface Override {
  effect?: Effect;
  /** It becomes no action. */
  hidden?: boolean;
  /** `<place>.<name>`: parameters that callers do not get to set. */
  hidden_parameters?: readonly string[];
  soft_error?: SoftError;
}

export interface ImportOptions extends DocumentPlace {
  /** First segment of every name, and the integration of every action. */
  slug: string;
  /** Names that earlier imports gave, by source key: they stay, and are given to no other. */
  names?: ReadonlyMap<string, string>;
  /** By source key (`POST /actions/search`); `*` stands for all operations. */
  overrides?: Readonly<Record<string, Override>>;
  /** Header parameters, in lower case, that callers do not get to set. */
  hidden_headers?: readonly string[];
  /** Further operations are skipped; 20,000 if it is left out. */
  max_operations?: number;
}

/** An action and how its input becomes a request. */
export interface ImportedAction extends ActionDescription {
  method: string;
  path: string;
  request: OperationInput;
  /** Base addresses of this operation instead of the integration's. */
  servers: string[];
  paging: Paging | null;
  soft_error: SoftError | null;
  /** Changes when callers have to send something else or are told something else about it. */
  schema_hash: string;
}

export interface Imported {
  actions: ImportedAction[];
  report: ImportReport;
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const;
const OTHER_METHODS = ['options', 'trace'] as const;
const SAFE_METHODS = new Set(['get', 'head']);
const CHANGING_SHOWN = 20;
const MAX_OPERATIONS = 20_000;
/** More than a model should read: GitHub's largest has 26,000 characters, Kubernetes' 150,000. */
const INPUT_LIMIT_CHARS = 65_536;
/** Results are described for orientation only; nothing is checked against their schemas. */
const OUTPUT_LIMIT_CHARS = 32_768;

/** The actions of `document`, in its order, and what was skipped. Operations never collide. */
export function importOpenapi(document: JsonObject, options: ImportOptions): Imported {
  const importer = new Importer(document, options);
  return { actions: importer.actions(), report: importer.report() };
}

interface Operation {
  source_key: string;
  method: string;
  path: string;
  pathItem: JsonObject;
  operation: JsonObject;
  override: Override;
}

class Importer {
  readonly #document: JsonObject;
  readonly #options: ImportOptions;
  readonly #bundler: SchemaBundler;
  readonly #warnings = new Warnings();
  readonly #skipped: ImportReport['skipped'] = [];
  readonly #hidden: readonly string[];
  readonly #schemes;
  readonly #neededScopes = new NeededScopes();
  /** By their method they read, but by their words they change something. */
  readonly #changing: string[] = [];
  #imported = 0;

  constructor(document: JsonObject, options: ImportOptions) {
    this.#document = document;
    this.#options = options;
    this.#bundler = new SchemaBundler(document);
    this.#schemes = readSecuritySchemes(document, addressesOf(document, options));
    // The gateway sends the credentials, even where a document declares them as parameters.
    const keys = this.#schemes.flatMap(({ placement }) =>
      placement === undefined ? [] : [`${placement.in}.${placement.name.toLowerCase()}`]);
    this.#hidden = [...keys, ...(options.hidden_headers ?? []).map((name) => `header.${name}`)];
  }

  actions(): ImportedAction[] {
    const operations = this.#operations();
    const names = nameOperations(this.#options.slug,
      operations.map(({ method, path, operation }) => ({
        method,
        path,
        operation_id: textOf(operation.operationId),
        tags: tagsOf(operation),
      })), this.#options.names);
    const actions = operations.map((operation, i) => this.#action(operation, names[i]!));
    this.#imported = actions.length;
    return actions;
  }

  report(): ImportReport {
    for (const reference of this.#bundler.unresolved) {
      this.#warnings.add(reference.startsWith('#')
        ? `The reference ${reference} leads nowhere; anything is allowed there`
        : `The reference ${reference} leads out of the document and is not followed; anything is`
          + ' allowed there. Give a document in one piece (bundled)');
    }
    this.#warnOfChanging();
    const types = this.#schemes.map(({ type }) => type).filter((type) => type !== 'unsupported');
    return {
      title: textOf(objectOf(this.#document.info).title)?.trim() || this.#options.slug,
      operations: this.#imported + this.#skipped.length,
      imported: this.#imported,
      skipped: this.#skipped,
      warnings: this.#warnings.list(),
      security_schemes: this.#schemes.map((scheme) => (scheme.type !== 'oauth2' ? scheme
        : { ...scheme, required_scopes: this.#neededScopes.of(scheme.name) })),
      auth_methods: [...new Set(types)],
      servers: readServers(this.#document, this.#options.document_url),
    };
  }

  #warnOfChanging(): void {
    const { length } = this.#changing;
    if (length === 0) return;
    const shown = this.#changing.slice(0, CHANGING_SHOWN).join(', ');
    const more = length > CHANGING_SHOWN ? ` and ${length - CHANGING_SHOWN} more` : '';
    this.#warnings.add(`${length} of the operations with GET or HEAD change something by their`
      + ` words, so they count as writing; where that is wrong, override the effect:`
      + ` ${shown}${more}`);
  }

  #operations(): Operation[] {
    const { overrides = {}, max_operations = MAX_OPERATIONS } = this.#options;
    const found: Operation[] = [];
    for (const [path, item] of Object.entries(objectOf(this.#document.paths))) {
      if (path.startsWith('x-')) continue;
      const pathItem = resolve(this.#document, item);
      this.#skipOutside(path, item, pathItem);
      for (const method of [...METHODS, ...OTHER_METHODS]) {
        const operation = pathItem[method];
        if (!isObject(operation)) continue;
        const source_key = `${method.toUpperCase()} ${path}`;
        const override = { ...own(overrides, '*'), ...own(overrides, source_key) };
        const full = found.length >= max_operations;
        const reason = skipReason(method, pathItem, operation, override, full);
        if (reason !== null) this.#skipped.push({ source_key, reason });
        else found.push({ source_key, method, path, pathItem, operation, override });
      }
    }
    return found;
  }

  #skipOutside(path: string, item: unknown, pathItem: JsonObject): void {
    const { $ref } = objectOf(item);
    if (typeof $ref !== 'string' || Object.keys(pathItem).length > 0) return;
    this.#skipped.push({ source_key: `* ${path}`, reason: 'external_reference' });
  }

  #action(
    { source_key, method, path, pathItem, operation, override }: Operation, name: string,
  ): ImportedAction {
    const { slug, document_url } = this.#options;
    const document = this.#document;
    const warn = (message: string) => this.#warnings.add(`${source_key}: ${message}`);
    const resourceAndVerb = name.slice(slug.length + 1);
    const hidden = new Set([...this.#hidden, ...(override.hidden_parameters ?? [])]
      .map((key) => key.toLowerCase()));
    const { input, schema } = readInput(document, path, pathItem, operation, { hidden, warn });
    const bundled = this.#bundler.bundle(
      schema, { for_input: true, limit_chars: INPUT_LIMIT_CHARS });
    if (bundled.cut) warn('The input is too large to be checked whole');
    const title = textOf(operation.summary)?.trim() || textOf(pathItem.summary)?.trim()
      || resourceAndVerb.replace(/[._]/g, ' ');
    const input_schema = inputWithFiles(bundled.schema, input.body_media_type);
    const servers = [operation, pathItem].map((owner) => readServers(owner, document_url))
      .find((list) => list.length > 0) ?? [];
    const choices = actionChoices(document, pathItem, operation);
    // The first of its own servers is called; what that does may be said there.
    const effect = override.effect ?? strictest([path, ...servers.slice(0, 1).map(placeOf)]
      .map((place) => effectOf(
        method, resourceAndVerb, textOf(operation.operationId), place, choices)));
    if (override.effect === undefined && effect !== 'read' && SAFE_METHODS.has(method)) {
      this.#changing.push(source_key);
    }
    // What changes something does so as its caller says, and nobody else: it has no pages.
    const paging = effect === 'read' ? readPaging(document, method, schema, hidden) : null;
    this.#neededScopes.add(effect, readSecurity(document, operation));
    return {
      name,
      integration: slug,
      source_key,
      title,
      description: textOf(operation.description)?.trim() || textOf(pathItem.description)?.trim()
        || title,
      effect,
      input_schema,
      output_schema: this.#outputSchema(operation),
      paged: paging !== null,
      method: method.toUpperCase(),
      path,
      request: input,
      servers,
      paging,
      soft_error: override.soft_error ?? null,
      // The order of keys in a document changes nothing.
      schema_hash: canonicalSha256({ input_schema, input }).toString('hex'),
    };
  }

  /** The schema of the first successful response that is JSON; null if there is none. */
  #outputSchema(operation: JsonObject): JsonObject | null {
    const responses = objectOf(operation.responses);
    const successes = Object.keys(responses).filter((status) => /^2(\d\d|XX)$/i.test(status))
      .sort();
    for (const status of successes) {
      const content = objectOf(resolve(this.#document, responses[status]).content);
      const mediaType = chooseMediaType(content);
      if (mediaType === null || !(isJsonMediaType(mediaType) || mediaType === '*/*')) continue;
      const { schema } = objectOf(content[mediaType]);
      if (schema === undefined) continue;
      return this.#bundler.bundle(
        schema, { for_input: false, limit_chars: OUTPUT_LIMIT_CHARS }).schema;
    }
    return null;
  }
}

function skipReason(
  method: string, pathItem: JsonObject, operation: JsonObject, override: Override, full: boolean,
): SkipReason | null {
  if (operation['x-internal'] === true || pathItem['x-internal'] === true) return 'internal';
  if (method === 'options' || method === 'trace') return 'method_not_supported';
  if (override.hidden === true) return 'hidden';
  return full ? 'too_many_operations' : null;
}

function own(overrides: Readonly<Record<string, Override>>, key: string): Override {
  return Object.hasOwn(overrides, key) ? overrides[key]! : {};
}

function tagsOf(operation: JsonObject): string[] {
  return Array.isArray(operation.tags)
    ? operation.tags.filter((tag): tag is string => typeof tag === 'string') : [];
}
