import type { Signal } from '@preact/signals';

/** An action that gives a signal a value. */
export function setter<T>(target: Signal<T>, value: T): () => void {
  return () => {
    target.value = value;
  };
}
