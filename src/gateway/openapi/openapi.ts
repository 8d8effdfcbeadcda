/**
 * Actions from an OpenAPI 3.1 document: no code per integration. Older documents are brought to 3.1
 * before they come here (upgrade.ts).
 */
import { canonicalSha256 } from '../../canonicalJson.ts';
import { listOf, objectOf, type JsonObject } from '../../json.ts';
import type { ActionDescription } from '../action/action.ts';
import { OverrideRules } from '../action/overrideRules.ts';
import { SchemaBundler } from '../schema/bundle.ts';
import { resolve } from '../schema/references.ts';
import { verbsOf } from '../schema/verbs.ts';
import { askedSecrets } from './askedSecrets.ts';
import { effectRule, isWeaker } from './effect.ts';
import { inputWithFiles } from './files.ts';
import { identify, type Identity, type KnownOperation } from './identity.ts';
import { Warnings, type DocumentReport } from './importReport.ts';
import { readInput, type OperationInput, type Withheld } from './inputSchema.ts';
import { LeftOut, outsideOf, unservedKinds } from './leftOut.ts';
import { chooseMediaType, isJsonMediaType } from './mediaTypes.ts';
import { nameOperations, renameOperations } from './naming.ts';
import type { Override, SoftError } from './override.ts';
import { readPaging, type Paging } from './paging.ts';
import { addressAt, AddressIndex } from './operationAddress.ts';
import { tellOfEffects } from './ruledEffects.ts';
import {
  askedBy, AskedSecurity, authMethodsOf, readSecurity, readSecuritySchemes, unservedSchemes,
} from './security.ts';
import {
  addressesOf, ownServers, readServers, tellOfGaps, type DocumentPlace,
} from './servers.ts';
import { parameterKey, readSetParameters } from './setParameters.ts';
import { repeatedIds, sourceOperations, type SourceOperation } from './sourceOperations.ts';
import { descriptionOf, descriptionsOfThings, serviceTitleOf, titleOf } from './title.ts';
import { unreadablePatterns } from './uncheckedPatterns.ts';

export interface ImportOptions extends DocumentPlace {
  /** First segment of every name, and the integration of every action. */
  slug: string;
  /** The operations of earlier imports: their names stay, and are given to no other. */
  known?: readonly KnownOperation[];
  /** Whether to say what today's rule would call those that have a name. */
  rename?: boolean;
  /** By source key (`POST /actions/search`), or by a pattern of names (`github.repos.*`, `*`). */
  overrides?: Readonly<Record<string, Override>>;
  /** Further operations are skipped; 20,000 if it is left out. */
  max_operations?: number;
}

/** An action and how its input becomes a request. */
export interface ImportedAction extends ActionDescription {
  method: string;
  path: string;
  request: OperationInput;
  /** Parameters that callers do not get to set. */
  withheld: Withheld[];
  /** The schemes of each way to call it: none if it needs no account; null: nobody knows. */
  asks_for: string[][] | null;
  /** Base addresses of this operation instead of the integration's. */
  servers: string[];
  paging: Paging | null;
  soft_error: SoftError | null;
  operation_id: string | null;
  /** What it was known as, if it is a known operation; else null. */
  known_key: string | null;
  /** Whether nobody can say whether it is new. */
  unclear: boolean;
  /** Whether it has moved to where another known operation can be reached, too. */
  reaches_known: boolean;
  /** Whether the operator's word asks for less permission than the rule. */
  loosened: boolean;
  /** The keys of the overrides that hold for it, the one that wins last. */
  ruled_by: readonly string[];
  /** What today's rule would call it, if the import was asked that; else null. */
  fresh_name: string | null;
  /** Changes when callers have to send something else or are told something else about it, and when
   * what they send leaves otherwise. */
  schema_hash: string;
}

/** An operation that the operator hides. It keeps its name, and what it is known by. */
export type HiddenOperation =
  Pick<ImportedAction, 'name' | 'source_key' | 'operation_id' | 'known_key' | 'ruled_by'>;

export interface Imported {
  actions: ImportedAction[];
  hidden: HiddenOperation[];
  report: DocumentReport;
}

/** More than a model should read: GitHub's largest has 26,000 characters, Kubernetes' 150,000. */
const INPUT_LIMIT_CHARS = 65_536;
/** Results are described for orientation only; nothing is checked against their schemas. */
const OUTPUT_LIMIT_CHARS = 32_768;

/** The actions of `document`, in its order, and what was skipped. Operations never collide. */
export function importOpenapi(document: JsonObject, options: ImportOptions): Imported {
  return new DocumentImporter(document, options).imported();
}

/** An operation with its name, what it is known as, and what the operator says of it. */
interface Named extends SourceOperation {
  name: string;
  title: string;
  identity: Identity;
  override: Override;
  ruled_by: readonly string[];
  fresh_name: string | null;
}

class DocumentImporter {
  readonly #document: JsonObject;
  readonly #options: ImportOptions;
  readonly #bundler: SchemaBundler;
  readonly #warnings = new Warnings();
  readonly #leftOut = new LeftOut();
  readonly #unserved: ReadonlyMap<string, string>;
  readonly #hidden: HiddenOperation[] = [];
  /** Where the gateway sends credentials, even if a document declares parameters there. */
  readonly #credential_keys: readonly string[];
  readonly #schemes;
  readonly #asked = new AskedSecurity();
  /** Those of whose effect the operator says nothing. */
  readonly #ruled: ImportedAction[] = [];
  #known_places: AddressIndex | undefined;

  constructor(document: JsonObject, options: ImportOptions) {
    this.#document = document;
    this.#options = options;
    this.#bundler = new SchemaBundler(document);
    this.#unserved = unservedSchemes(document);
    this.#schemes = readSecuritySchemes(document, addressesOf(document, options));
    this.#credential_keys = this.#schemes.flatMap(({ placement }) =>
      placement === undefined ? [] : [parameterKey(placement.in, placement.name)]);
  }

  imported(): Imported {
    const actions = this.#named().flatMap((one) =>
      (this.#isCalled(one) ? this.#action(one) ?? [] : []));
    for (const words of askedSecrets(actions, this.#schemes.length > 0)) this.#warnings.add(words);
    return { actions, hidden: this.#hidden, report: this.#report(actions.length) };
  }

  /** All operations, those too that are hidden: to hide one gives its name to no other. */
  #named(): Named[] {
    const { slug, known = [], overrides = {}, rename = false } = this.#options;
    const operations = sourceOperations(this.#document, this.#options, this.#leftOut);
    const repeated = repeatedIds(operations);
    if (repeated !== null) this.#warnings.add(repeated);
    const identities = identify(operations, known);
    const nameable = operations.map((one, i) => ({ ...one, kept: identities[i]!.known?.name,
      tags: listOf(one.operation.tags).filter((tag) => typeof tag === 'string') }));
    const taken = new Set(known.flatMap(({ name, former_names = [] }) => [name, ...former_names]));
    const names = nameOperations(slug, nameable, taken);
    const fresh = rename ? renameOperations(slug, nameable, taken) : [];
    const rules = new OverrideRules(overrides);
    const ofThings = descriptionsOfThings(operations);
    return operations.map((one, i) => {
      const [name, identity] = [names[i]!, identities[i]!];
      const source_keys = [one.source_key, identity.known?.source_key ?? []].flat();
      const { override, keys } = rules.of({ name, source_keys });
      return { ...one, name, identity, override, ruled_by: keys, fresh_name: fresh[i] ?? null,
        title: titleOf(one.operation, this.#withoutSlug(name), ofThings) };
    });
  }

  /** Whether it is neither hidden nor asks for credentials that nobody can give. */
  #isCalled(one: Named): boolean {
    const { source_key, operation, override } = one;
    if (override.hidden === true) {
      this.#leftOut.add(source_key, 'hidden');
      this.#hidden.push(knownAs(one));
      return false;
    }
    const kinds = override.signed_elsewhere === true ? []
      : unservedKinds(this.#document, operation, this.#unserved);
    if (kinds.length > 0) this.#leftOut.addUnserved(source_key, kinds);
    return kinds.length === 0;
  }

  /** Undefined if its input is made of what is not in the document. */
  #action(one: Named): ImportedAction | undefined {
    const { source_key, method, pathItem, operation, override, title } = one;
    const document = this.#document;
    const warn = (message: string) => this.#warnings.add(`${source_key}: ${message}`);
    const servers = ownServers(operation, pathItem);
    const ruling = this.#effect(one, servers[0]);
    const { effect } = ruling;
    const { path_slashes, media_type, soft_error = null } = override;
    const set = this.#setParameters(override, warn);
    const hidden = new Set([...this.#credential_keys, ...(override.hidden_parameters ?? [])]
      .map((key) => key.toLowerCase()));
    const { input: request, schema, as_required, withheld, path } = readInput(document, one,
      { hidden, path_slashes, media_type, set, only_reads: effect === 'read', warn });
    const bundled = this.#bundler.bundle(
      schema, { for_input: true, limit_chars: INPUT_LIMIT_CHARS, as_required });
    const [outside] = [...outsideOf(document, pathItem, operation), ...bundled.outside];
    if (outside !== undefined) {
      this.#leftOut.addOutside(source_key, outside);
      return undefined;
    }
    if (bundled.cut) warn('The input is too large to be checked whole');
    const input_schema = inputWithFiles(
      bundled.schema, request.upload?.media_type ?? request.body_media_type);
    // What changes something does so as its caller says, and nobody else: it has no pages.
    const paging = effect === 'read'
      ? readPaging(document, method, schema, request.parameters,
        new Set([...hidden, ...set.keys()])) : null;
    const action = {
      ...knownAs(one), ...ruling, integration: this.#options.slug, title,
      description: descriptionOf(operation, pathItem, title),
      input_schema, output_schema: this.#outputSchema(operation), verbs: verbsOf(input_schema),
      method: method.toUpperCase(), path, request, withheld, servers, soft_error,
      asks_for: askedBy(document, operation),
      paging, paged: paging !== null,
      unclear: one.identity.unclear, reaches_known: this.#reachesKnown(one),
      // The order of keys in a document changes nothing.
      schema_hash: canonicalSha256({ input_schema, input: request, method, path,
        server: servers[0] }).toString('hex'),
    };
    this.#asked.add(effect, readSecurity(document, operation));
    if (override.effect === undefined) this.#ruled.push(action);
    return action;
  }

  /** What it does. Of its own servers the first is called, and that may be said there. */
  #effect(
    one: Named, server: string | undefined,
  ): Pick<ImportedAction, 'effect' | 'loosened' | 'fresh_name'> {
    const { name, fresh_name, override } = one;
    const ruled = effectRule(this.#document, one, server);
    const by_rule = ruled(this.#withoutSlug(name));
    const { effect = by_rule } = override;
    // The words of a name take part in the rule for the effect: it must stay as it is.
    const mayRename = fresh_name !== null && ruled(this.#withoutSlug(fresh_name)) === by_rule;
    return { effect, loosened: isWeaker(effect, by_rule),
      fresh_name: mayRename ? fresh_name : null };
  }

  #withoutSlug(name: string): string {
    return name.slice(this.#options.slug.length + 1);
  }

  /** Not of those that are new: what they are is asked of the operator, if at all. */
  #reachesKnown({ source_key, name, identity: { known } }: Named): boolean {
    if (known === null || known.source_key === source_key) return false;
    this.#known_places ??= AddressIndex.of(this.#options.known ?? []);
    return this.#known_places.reachedAt(addressAt(source_key), name) !== undefined;
  }

  /** What the operator sets, but for the places of credentials. */
  #setParameters({ parameters = {} }: Override, warn: (message: string) => void) {
    const set = readSetParameters(parameters);
    for (const key of this.#credential_keys) {
      if (set.delete(key)) {
        warn(`The parameter ${key} is not set, for the credentials of a connection go there`);
      }
    }
    return set;
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

  #report(imported: number): DocumentReport {
    for (const reference of this.#bundler.unresolved) {
      this.#warnings.add(reference.startsWith('#')
        ? `The reference ${reference} leads nowhere; anything is allowed there`
        : `The reference ${reference} leads out of the document and is not followed. Operations`
          + ' whose input needs it are left out; of results it is not shown what is there');
    }
    const { slug } = this.#options;
    const gaps = tellOfGaps(slug, this.#document, this.#options);
    for (const words of [...unreadablePatterns(this.#bundler), ...gaps === null ? [] : [gaps],
      ...tellOfEffects(slug, this.#ruled)]) this.#warnings.add(words);
    return {
      title: serviceTitleOf(this.#document, slug),
      operations: imported + this.#leftOut.skipped.length,
      imported,
      skipped: this.#leftOut.skipped,
      errors: this.#leftOut.errors(),
      warnings: this.#warnings.list(),
      ...this.#asked.report(this.#schemes),
      auth_methods: authMethodsOf(this.#schemes),
      servers: readServers(this.#document, this.#options.document_url),
    };
  }
}

/** What is kept of an operation whether it is hidden or not. */
function knownAs({ name, source_key, operation_id, identity, ruled_by }: Named): HiddenOperation {
  return { name, source_key, operation_id: operation_id ?? null,
    known_key: identity.known?.source_key ?? null, ruled_by };
}
