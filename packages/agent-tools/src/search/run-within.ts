import { Script } from 'node:vm';

const slot = Symbol.for('robota.runWithin');

/**
 * Runs a synchronous task with a time limit, even inside a regular expression. Returns whether it finished. Node can
 * only stop code called from a script, and a script finds the task by a global name.
 */
export function runWithin(milliseconds: number, task: () => void): boolean {
  const script = new Script("globalThis[Symbol.for('robota.runWithin')]()");
  Reflect.set(globalThis, slot, task);
  try {
    script.runInThisContext({ timeout: milliseconds });
    return true;
  } catch (thrown) {
    if (Reflect.get(Object(thrown), 'code') === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw thrown;
  } finally {
    Reflect.deleteProperty(globalThis, slot);
  }
}
