/** Where the public operations are, as clients of a mock address them. */
import { API_ROOT, ROUTES, RouteIndex, type Route } from '../http/routes.ts';

const PUBLIC = new RouteIndex<Route>();
for (const route of ROUTES) {
  if (!route.entry.internal) PUBLIC.add(route.entry.method, API_ROOT + route.entry.path, route);
}

/** The operation that a request calls, by HEAD too; undefined if none has this address. */
export function publicRouteAt(method: string, path: string): Route | undefined {
  return PUBLIC.find(method === 'HEAD' ? 'GET' : method, path)?.value;
}
