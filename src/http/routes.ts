/**
 * The operations as routes: an index of the document's paths and methods, case-sensitive and exact.
 * polka's own router is neither and tries every pattern in turn, which took a quarter of the time
 * of a short request; this one replaces it and looks at two keys.
 */
import { operations, type OperationEntry, type OperationId } from '../../generated/operations.ts';

export const API_ROOT = '/v1';

export interface Route {
  readonly operation_id: OperationId;
  readonly entry: OperationEntry;
}

export const ROUTES: readonly Route[] = Object.entries(operations)
  .map(([operation_id, entry]) => ({ operation_id: operation_id as OperationId, entry }));

/** The value found, and the path parameters, not decoded. */
export interface RouteMatch<T> { value: T; params: Record<string, string> }

/** What a path answers to, by method. */
type Resource<T> = Map<string, T>;
interface Pattern<T> { expression: RegExp; names: string[]; resource: Resource<T> }

/**
 * Values by path template (`/runs/{run_id}`) and method. As OpenAPI has it, the path is found first
 * and its method then: where a literal path is, a parameter that would match it as well is not
 * asked, whatever the method.
 */
export class RouteIndex<T> {
  readonly #resources = new Map<string, Resource<T>>();
  readonly #literal = new Map<string, Resource<T>>();
  /** By number of slashes, so that only few are tried. */
  readonly #patterns: Pattern<T>[][] = [];

  add(method: string, template: string, value: T): void {
    const known = this.#resources.get(template);
    if (known !== undefined) {
      known.set(method, value);
      return;
    }
    const resource: Resource<T> = new Map([[method, value]]);
    this.#resources.set(template, resource);
    if (!template.includes('{')) {
      this.#literal.set(template, resource);
      return;
    }
    const source = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '([^/]+)');
    const names = [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
    const group = this.#patterns[slashes(template)] ??= [];
    group.push({ expression: new RegExp(`^${source}$`), names, resource });
  }

  find(method: string, path: string): RouteMatch<T> | undefined {
    const found = this.#at(path);
    const value = found?.value.get(method);
    return value === undefined ? undefined : { value, params: found!.params };
  }

  /** The methods of a path, HEAD wherever GET is; [] if nothing has this path. */
  methodsOf(path: string): string[] {
    const methods = [...this.#at(path)?.value.keys() ?? []];
    if (methods.includes('GET')) methods.push('HEAD');
    return methods.sort();
  }

  #at(path: string): RouteMatch<Resource<T>> | undefined {
    const literal = this.#literal.get(path);
    if (literal !== undefined) return { value: literal, params: {} };
    const group = this.#patterns[slashes(path)];
    if (group === undefined) return undefined;
    for (const { expression, names, resource } of group) {
      const match = expression.exec(path);
      if (match === null) continue;
      const params: Record<string, string> = {};
      for (let i = 0; i < names.length; i++) params[names[i]!] = match[i + 1]!;
      return { value: resource, params };
    }
    return undefined;
  }
}

/** The public operations, by their paths in the document. */
export const PUBLIC_ROUTES = new RouteIndex<Route>();
for (const route of ROUTES) {
  if (!route.entry.internal) PUBLIC_ROUTES.add(route.entry.method, route.entry.path, route);
}

function slashes(path: string): number {
  let count = 0;
  for (let i = path.indexOf('/'); i !== -1; i = path.indexOf('/', i + 1)) count++;
  return count;
}
