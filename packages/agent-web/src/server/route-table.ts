import type { WebRoute } from '../contract/route.ts';
import { notFound } from './check-request.ts';
import { Refusal } from './refusal.ts';

/** A route with the parts of the path that it names. */
export interface FoundRoute {
  readonly route: WebRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds routes by method and path. Two routes for the same request are a bug, found at the start. */
export class RouteTable {
  readonly #routes: readonly { readonly route: WebRoute; readonly parts: readonly string[] }[];

  constructor(routes: readonly WebRoute[]) {
    const seen = new Set<string>();
    for (const { method, path } of routes) {
      const name = `${method} ${path.replace(/:[^/]+/g, ':')}`;
      if (seen.has(name)) throw new Error(`Two routes for ${name}.`);
      seen.add(name);
    }
    this.#routes = routes.map((route) => ({ route, parts: route.path.split('/') }));
  }

  /** Throws a `Refusal` where there is none. A fixed part wins over a named one. */
  find(method: string, path: string): FoundRoute {
    const given = path.split('/');
    const fits = this.#routes
      .map(({ route, parts }) => ({ route, params: match(parts, given) }))
      .filter((found): found is FoundRoute => found.params !== undefined)
      .sort((one, other) => Object.keys(one.params).length - Object.keys(other.params).length);
    const found = fits.find(({ route }) => route.method === method);
    if (found) return found;
    if (fits.length === 0) throw notFound();
    throw new Refusal(405, 'wrong-method', { message: `${method} is not supported here.` });
  }
}

function match(parts: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  if (parts.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':') && value !== '') params[part.slice(1)] = value;
    else if (part !== value) return undefined;
  }
  return params;
}
