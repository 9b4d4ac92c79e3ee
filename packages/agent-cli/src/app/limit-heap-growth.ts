/** Percent of the live heap that may be garbage. V8 by itself waits for several times the live heap, all of it resident. */
const garbagePercent = 50;

/** Lets V8 collect earlier than it would in a program that is to be as fast as can be: a screen waits for a person or a model most of the time. */
export function limitHeapGrowth(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString(`--heap-growing-percent=${garbagePercent}`);
}
