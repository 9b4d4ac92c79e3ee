import { setV8Flag } from './set-v8-flag.ts';

/** The compilers of V8 that make often used code faster. */
type Compiler = 'turbofan' | 'maglev';

/** The first major version of V8 that always has Maglev; an earlier one may have it switched off. */
const maglevVersion = 13;
const maglevMachines: readonly string[] = ['x64', 'arm64'];

const held = new Set<Compiler>();

/**
 * Keeps compilers out of the first turn. Beside the main thread they take more time for it than they save, and memory that stays:
 * TurboFan 5 MB as soon as it compiles one function.
 */
export function holdCompilers(...compilers: readonly Compiler[]): void {
  for (const compiler of compilers) {
    if (compiler === 'maglev' && !hasMaglev()) continue;
    held.add(compiler);
    setV8Flag(`--no-${compiler}`, `--${compiler}`);
  }
}

/** Leaves the choice to V8 again. */
export function releaseCompilers(): void {
  for (const compiler of held) setV8Flag(`--${compiler}`, `--${compiler}`);
  held.clear();
}

function hasMaglev(): boolean {
  return Number.parseInt(process.versions.v8, 10) >= maglevVersion && maglevMachines.includes(process.arch);
}
