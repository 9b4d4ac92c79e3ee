import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Extension, errorMessage, isWithin, readRegularFile } from '@robota-sdk/agent-core';
import type { ResourceHost } from '../source/resource-host.ts';
import type { ExtensionKit } from './extension-kit.ts';
import { inTime } from './in-time.ts';
import { noteExtension } from './loaded-files.ts';

/** Loads a module and creates its extension. Throws an error with the problem and the line. */
export async function importExtension(path: string, kit: ExtensionKit): Promise<Extension<ResourceHost>> {
  assertRunnable(path);
  noteExtension(path);
  try {
    const exported = await inTime(importFresh(path), 'its module');
    const made = typeof exported === 'function' ? await inTime(exported(kit), 'its function') : exported;
    return checked(made);
  } catch (thrown) {
    const line = lineOf(thrown, path) ?? (await lineOfSyntax(thrown, path));
    throw new Error(`${line === undefined ? '' : `line ${line}: `}${errorMessage(thrown)}`, {
      cause: thrown,
    });
  }
}

/** Older Node versions fail on TypeScript with an unhelpful message. */
function assertRunnable(path: string): void {
  if (!/\.m?ts$/.test(path) || readsTypeScript()) return;
  throw new Error(
    `TypeScript needs Node 22.18 or newer, and this is ${process.version}. Compile it to a .js or .mjs file.`,
  );
}

function readsTypeScript(): boolean {
  return Boolean((process.features as { readonly typescript?: string | false }).typescript);
}

/** The same text is loaded once; a changed one is another module to Node. */
async function importFresh(path: string): Promise<unknown> {
  const hash = createHash('sha256')
    .update(await readRegularFile(path))
    .digest('hex')
    .slice(0, 16);
  const { cache } = createRequire(path);
  for (const file of Object.keys(cache))
    if (isWithin(dirname(path), file) && !file.includes('/node_modules/')) delete cache[file];
  const module = (await import(`${pathToFileURL(path).href}?version=${hash}`)) as {
    readonly default?: unknown;
  };
  return defaultOf(module.default ?? module);
}

/** TypeScript compiled to CommonJS has its default export one level deeper. */
function defaultOf(exported: unknown): unknown {
  const inner = (exported as { readonly default?: unknown } | null)?.default;
  return inner === undefined ? exported : inner;
}

function checked(value: unknown): Extension<ResourceHost> {
  const { name, setup, dispose } = (value ?? {}) as Partial<Record<keyof Extension, unknown>>;
  if (typeof name !== 'string' || name === '' || typeof setup !== 'function')
    throw new Error('its default export is not an extension: it needs a "name" and a function "setup"');
  if (dispose !== undefined && typeof dispose !== 'function')
    throw new Error('its "dispose" is not a function');
  return value as Extension<ResourceHost>;
}

async function lineOfSyntax(thrown: unknown, path: string): Promise<string | undefined> {
  if (!(thrown instanceof SyntaxError)) return undefined;
  const { syntaxLine } = await import('./syntax-line.ts');
  return syntaxLine(path, thrown.message);
}

/** The line of the module that an error came from, by its stack trace. */
function lineOf(thrown: unknown, path: string): string | undefined {
  const trace = thrown instanceof Error ? (thrown.stack ?? '') : '';
  for (const place of [pathToFileURL(path).href, path]) {
    const at = trace.indexOf(place);
    const line = at < 0 ? undefined : /^(?:\?version=\w+)?:(\d+)/.exec(trace.slice(at + place.length))?.[1];
    if (line !== undefined) return line;
  }
  return undefined;
}
