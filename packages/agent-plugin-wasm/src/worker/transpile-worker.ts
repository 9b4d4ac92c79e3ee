import { hearParent, tellParent } from './parent-line.ts';

/** The input of a transpilation. */
export interface TranspileStart {
  /** The address of the toolchain's module. */
  readonly toolchain: string;
  readonly component: Uint8Array;
}

/** A component as files, or what is wrong with it. */
export type TranspileAnswer =
  | {
      readonly kind: 'made';
      readonly files: ReadonlyMap<string, Uint8Array>;
      readonly imports: readonly string[];
      readonly exports: readonly string[];
    }
  | { readonly kind: 'failed'; readonly reason: string };

interface Toolchain {
  transpileBytes(
    component: Uint8Array,
    options: Readonly<Record<string, unknown>>,
  ): Promise<{
    readonly files: Readonly<Record<string, Uint8Array>>;
    readonly imports: readonly string[];
    readonly exports: readonly (readonly [name: string, kind: string])[];
  }>;
}

async function transpile({ toolchain, component }: TranspileStart): Promise<TranspileAnswer> {
  try {
    const { transpileBytes } = (await import(toolchain)) as Toolchain;
    const { files, imports, exports } = await transpileBytes(component, {
      name: 'plugin',
      instantiation: 'async',
      wasiShim: false,
      nodejsCompat: false,
      emitTypescriptDeclarations: false,
    });
    const kept = Object.entries(files).filter(([name]) => /^plugin(?:\.core\d*)?\.(?:js|wasm)$/.test(name));
    return { kind: 'made', files: new Map(kept), imports, exports: exports.map(([name]) => name) };
  } catch (thrown) {
    return { kind: 'failed', reason: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

tellParent(await transpile(hearParent() as TranspileStart));
