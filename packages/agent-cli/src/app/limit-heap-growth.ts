/** Percent of the live heap that may be garbage. V8 of Node 20 by itself waits for far more, all of it resident; newer ones decide alone. */
const garbagePercent = 20;

/**
 * Lets V8 collect earlier, and close the gaps that each collection leaves: a screen waits for a person or a model most of
 * the time, and lives for days.
 */
export function limitHeapGrowth(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  setFlagsFromString(`--heap-growing-percent=${garbagePercent}`);
  setFlagsFromString('--compact-on-every-full-gc');
}
