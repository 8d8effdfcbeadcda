/** Where the public operations are, as clients of a mock address them. */
import { API_ROOT, PUBLIC_ROUTES, type Route } from '../http/routes.ts';

/** The operation that a request calls, by HEAD too; undefined if none has this address. */
export function publicRouteAt(method: string, path: string): Route | undefined {
  return path.startsWith(API_ROOT) ? PUBLIC_ROUTES.find(
    method === 'HEAD' ? 'GET' : method, path.slice(API_ROOT.length))?.value : undefined;
}
