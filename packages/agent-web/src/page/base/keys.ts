import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';

/** A key of a screen. */
export interface KeyBinding {
  /** Such as `j`, `enter`, `alt+enter`, `g b` (one after the other). */
  readonly keys: string;
  /** Does something; false lets the key through. */
  readonly act: (event: KeyboardEvent) => unknown;
  /** Its line in the list of all keys; keys without one are not listed. */
  readonly label?: string;
  /** Also works while a text field has the focus. */
  readonly inText?: boolean;
}

/** The bindings that count, the innermost last. */
export const bindingSets = signal<readonly (readonly KeyBinding[])[]>([]);

const sequenceTime = 1200;
let pending: { readonly key: string; readonly time: number } | undefined;

/** Gives a component keys while it is shown. The last component that asks comes first. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  // Before the screen is seen: a key that is pressed at once counts.
  useLayoutEffect(() => {
    bindingSets.value = [...bindingSets.peek(), bindings];
    return () => {
      bindingSets.value = bindingSets.peek().filter((set) => set !== bindings);
    };
  }, [bindings]);
}

/** Listens to the keyboard. The given keys work on every screen, unless a screen has the same ones. */
export function startKeys(everywhere: readonly KeyBinding[]): void {
  bindingSets.value = [everywhere];
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const key = keyOf(event);
    const first = pending && event.timeStamp - pending.time < sequenceTime ? pending.key : undefined;
    pending = undefined;
    const isText = isInText(event.target);
    if ((key === 'enter' || key === 'space') && isPressable(event.target)) return;
    for (const set of bindingSets.value.toReversed())
      for (const { keys, act, inText } of set) {
        if (isText && !inText) continue;
        if (keys !== key && (first === undefined || keys !== `${first} ${key}`)) continue;
        if (act(event) === false) continue;
        event.preventDefault();
        return;
      }
    if (!isText && isPrefix(key)) pending = { key, time: event.timeStamp };
  });
}

function isPrefix(key: string): boolean {
  return bindingSets.value.some((set) => set.some(({ keys }) => keys.startsWith(`${key} `)));
}

/** `shift` counts only beside names such as `enter`; for letters it is the letter itself. */
function keyOf(event: KeyboardEvent): string {
  const name = names[event.key] ?? (event.key.length === 1 ? event.key : event.key.toLowerCase());
  const isCommand = event.ctrlKey || event.metaKey;
  return [
    isCommand ? 'ctrl+' : '',
    event.altKey ? 'alt+' : '',
    event.shiftKey && (name.length > 1 || isCommand) ? 'shift+' : '',
    isCommand && name.length === 1 ? name.toLowerCase() : name,
  ].join('');
}

const names: Readonly<Record<string, string>> = {
  Escape: 'esc',
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ' ': 'space',
};

/** Enter presses these, as everywhere. */
function isPressable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('a[href], button, summary');
}

/** Letters typed there are text. */
function isInText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['radio', 'checkbox', 'button'].includes(target.type);
  return (
    target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable
  );
}
