import { findOptionalModule } from '@robota-sdk/agent-core';

/** Transpiles components to JavaScript and core modules. Installed on demand, since it is large. */
export const toolchainPackage = { name: '@bytecodealliance/jco-transpile', version: '0.3.9' } as const;

/** The address of the toolchain's module: beside this program, or in a folder that was made for it. */
export function findToolchain(
  folder: string,
  { beside = import.meta.url }: { readonly beside?: string } = {},
): string | undefined {
  return findOptionalModule(toolchainPackage.name, { beside, folder });
}
