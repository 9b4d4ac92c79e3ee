/** Each flag that is changed: as it was at the start, and as it is. */
const changedFlags = new Map<string, { readonly first: string; readonly now: string }>();

/**
 * Changes a flag of V8, and says so to the loader of the program: V8 takes compiled code of earlier runs only under the same
 * flags.
 */
export function setV8Flag(now: string, first: string): void {
  process.getBuiltinModule('node:v8').setFlagsFromString(now);
  if (now === first) changedFlags.delete(first);
  else changedFlags.set(first, { first, now });
  Reflect.set(globalThis, Symbol.for('robota.changed-v8-flags'), changedFlags);
}
