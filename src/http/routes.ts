/**
 * The operations as routes. The document owns methods and paths; here they become patterns that are
 * case-sensitive and exact, which polka's own path strings are not.
 */
import { operations, type OperationEntry, type OperationId } from '../../generated/operations.ts';

export const API_ROOT = '/v1';

export interface Route {
  readonly operation_id: OperationId;
  readonly entry: OperationEntry;
  /** Matches the path below the API root. */
  readonly pattern: RegExp;
  /** Matches the whole path. */
  readonly rooted: RegExp;
}

/** Every operation, those without path parameters first so that a literal segment wins. */
export const ROUTES: readonly Route[] = Object.entries(operations)
  .map(([operation_id, entry]: [string, OperationEntry]) => ({
    operation_id: operation_id as OperationId,
    entry,
    pattern: new RegExp(`^${patternOf(entry.path)}$`),
    rooted: new RegExp(`^${API_ROOT}${patternOf(entry.path)}$`),
  }))
  .sort((a, b) => Number(a.entry.path.includes('{')) - Number(b.entry.path.includes('{')));

function patternOf(template: string): string {
  return template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
}

/** The route of a method and a path below the API root, with its raw path parameters. */
export function findRoute(
  method: string, path: string): { route: Route; path: Record<string, string> } | undefined {
  for (const route of ROUTES) {
    if (route.entry.method !== method) continue;
    const match = route.pattern.exec(path);
    if (match) return { route, path: { ...match.groups } };
  }
  return undefined;
}

/** The methods that some operation has at this path below the API root; [] if there is no path. */
export function allowedMethods(path: string): string[] {
  const methods = ROUTES.filter((route) => route.pattern.test(path))
    .map((route) => route.entry.method);
  if (methods.includes('GET')) methods.push('HEAD');
  return [...new Set(methods)].sort();
}
