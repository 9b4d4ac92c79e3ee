import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Transpiles components to JavaScript and core modules. Installed on demand, since it is large. */
export const toolchainPackage = { name: '@bytecodealliance/jco-transpile', version: '0.3.9' } as const;

/** The address of the toolchain's module: beside this program, or in a folder that was made for it. */
export function findToolchain(
  folder: string,
  { beside = import.meta.url }: { readonly beside?: string } = {},
): string | undefined {
  for (const base of [beside, join(folder, 'index.js')]) {
    try {
      return pathToFileURL(createRequire(base).resolve(toolchainPackage.name)).href;
    } catch {}
  }
  return undefined;
}
