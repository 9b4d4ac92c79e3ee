import type { ModuleReader } from './module-reader.ts';

/**
 * Characters in names that compilers generate, such as `[method]pollable.block` and
 * `robota:plugin/host@1.0.0`.
 */
const plainName = /^[\w$.:@#/[\]+-]*$/;
const shownLength = 60;

/**
 * Throws where a name of a core module is more than a name. The toolchain writes names into the script between quotes as they
 * are, so that one with a quote in it would be code outside of WebAssembly.
 */
export function assertPlain(names: readonly string[]): void {
  const strange = names.find((name) => !plainName.test(name));
  if (strange === undefined) return;
  throw new Error(`a name in it is ${JSON.stringify(strange.slice(0, shownLength))}, which is none`);
}

/** The names in a section of imports. */
export function importedNames(reader: ModuleReader): string[] {
  const names: string[] = [];
  for (let rest = reader.number(); rest > 0; rest--) {
    names.push(reader.name(), reader.name());
    skipImported(reader);
  }
  return names;
}

/** The names in a section of exports. */
export function exportedNames(reader: ModuleReader): string[] {
  const names: string[] = [];
  for (let rest = reader.number(); rest > 0; rest--) {
    names.push(reader.name());
    reader.byte();
    reader.number();
  }
  return names;
}

function skipImported(reader: ModuleReader): void {
  switch (reader.byte()) {
    case 0:
      return void reader.number();
    case 1:
      reader.valueType();
      return void reader.limits();
    case 2:
      return void reader.limits();
    case 3:
      reader.valueType();
      return void reader.byte();
    case 4:
      reader.byte();
      return void reader.number();
    default:
      throw new Error('its imports are described in a way unknown here');
  }
}
