import { assertPlain, exportedNames, importedNames } from './module-names.ts';
import { ModuleReader } from './module-reader.ts';

/** Limits shared by all core modules of one plugin. */
export interface ModuleLimits {
  /** Of linear memory, in pages of 64 KiB. */
  readonly memoryPages: number;
}

/** Entries of tables: enough for any program, little for a machine. */
const maxTableEntries = 1 << 20;
const typeSection = 1;
const importSection = 2;
const exportSection = 7;
const tableSection = 4;
const memorySection = 5;
const functionType = 0x60;
const pageBytes = 64 * 1024;

/**
 * Writes a maximum into every memory and table that core modules define, so that they cannot grow beyond what a plugin may
 * use. Throws what says why a module cannot be held to it, or has names that are none.
 */
export function limitModules(
  modules: ReadonlyMap<string, Uint8Array>,
  { memoryPages }: ModuleLimits,
): Map<string, Uint8Array> {
  const read = [...modules].map(([name, bytes]) => ({ name, bytes, sections: sectionsOf(bytes) }));
  const all = read.flatMap(({ sections }) => sections);
  const budgets = {
    [memorySection]: budgetOf(all, memorySection, memoryPages),
    [tableSection]: budgetOf(all, tableSection, maxTableEntries),
  };
  if (budgets[memorySection].needed > memoryPages) {
    const megabytes = (pages: number) => `${Math.ceil((pages * pageBytes) / 1024 / 1024)} MB`;
    throw new Error(
      `it needs ${megabytes(budgets[memorySection].needed)} of memory from the start, and may have ${megabytes(memoryPages)}`,
    );
  }
  if (budgets[tableSection].needed > maxTableEntries)
    throw new Error(`its tables have more than ${maxTableEntries} entries`);
  return new Map(read.map(({ name, bytes, sections }) => [name, rewritten(bytes, sections, budgets)]));
}

interface Limits {
  /** The bytes before the limits: the type of a table's entries. */
  readonly prefix: Uint8Array;
  readonly flags: number;
  readonly minimum: number;
  readonly maximum: number | undefined;
}

interface Section {
  readonly id: typeof tableSection | typeof memorySection;
  readonly start: number;
  readonly end: number;
  readonly entries: readonly Limits[];
}

interface Budget {
  readonly needed: number;
  /** Allowed growth of each, beyond its initial size. */
  readonly spare: number;
}

function budgetOf(sections: readonly Section[], id: number, total: number): Budget {
  const entries = sections.filter((section) => section.id === id).flatMap((section) => section.entries);
  const needed = entries.reduce((sum, { minimum }) => sum + minimum, 0);
  return { needed, spare: Math.floor(Math.max(0, total - needed) / Math.max(1, entries.length)) };
}

function rewritten(
  bytes: Uint8Array,
  sections: readonly Section[],
  budgets: Readonly<Record<number, Budget>>,
): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { id, start, end, entries } of sections) {
    const { spare = 0 } = budgets[id] ?? {};
    const body = [
      ...number(entries.length),
      ...entries.flatMap(({ prefix, flags, minimum, maximum }) => [
        ...prefix,
        ...number(flags | 1),
        ...number(minimum),
        ...number(Math.min(maximum ?? Number.POSITIVE_INFINITY, minimum + spare)),
      ]),
    ];
    parts.push(bytes.subarray(at, start), Uint8Array.from([id, ...number(body.length), ...body]));
    at = end;
  }
  return Buffer.concat([...parts, bytes.subarray(at)]);
}

function sectionsOf(bytes: Uint8Array): Section[] {
  const reader = new ModuleReader(bytes);
  const sections: Section[] = [];
  reader.at = 8;
  while (reader.at < bytes.length) {
    const start = reader.at;
    const id = reader.byte();
    const end = reader.number() + reader.at;
    if (id === typeSection) assertFunctionTypes(reader);
    if (id === importSection || id === exportSection) {
      assertPlain(id === importSection ? importedNames(reader) : exportedNames(reader));
      if (reader.at !== end) throw new Error('its imports or exports are described in a way unknown here');
    }
    if (id === tableSection || id === memorySection) {
      const entries = Array.from({ length: reader.count() }, () => limitsOf(reader, id));
      if (reader.at !== end) throw new Error('a table or memory of it is described in a way unknown here');
      sections.push({ id, start, end, entries });
    }
    reader.at = end;
  }
  return sections;
}

/** Objects of the garbage collector lie outside of every memory, and Node does not hold them to a limit. */
function assertFunctionTypes(reader: ModuleReader): void {
  for (let rest = reader.number(); rest > 0; rest--) {
    if (reader.byte() !== functionType)
      throw new Error('it keeps objects outside of its memory (garbage collection), which cannot be limited');
    for (const _ of ['parameters', 'results'])
      for (let count = reader.number(); count > 0; count--) reader.valueType();
  }
}

function limitsOf(reader: ModuleReader, id: number): Limits {
  const prefix = id === tableSection ? referenceType(reader) : new Uint8Array();
  const { flags, minimum, maximum } = reader.limits();
  // Pages of another size would be counted wrongly.
  if (flags > 7) throw new Error('a memory of it has pages of another size than 64 KiB');
  return { prefix, flags, minimum, maximum };
}

function referenceType(reader: ModuleReader): Uint8Array {
  const start = reader.at;
  if (reader.valueType() === 0x40)
    throw new Error('a table of it is filled with an expression, which cannot be limited');
  return reader.bytes.subarray(start, reader.at);
}

function number(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? low + 128 : low);
  } while (rest > 0);
  return bytes;
}
