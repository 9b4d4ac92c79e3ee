import { useLayoutEffect, useRef } from 'preact/hooks';

/** The reference of an element that gets the focus when it is first drawn. */
export function useFocus<E extends HTMLElement>() {
  const found = useRef<E>(null);
  useLayoutEffect(() => found.current?.focus(), []);
  return found;
}

/** How long a screen may take to draw the element that gets the focus, in milliseconds. */
const patience = 5000;

/**
 * Gives the focus to an element as soon as it is drawn, and again if it is drawn a second time, as a card that moves to another
 * column. It takes the focus from nothing that the user chose.
 */
export function focusSoon(selector: string): void {
  const before = document.activeElement;
  const end = performance.now() + patience;
  const stop = new AbortController();
  const options = { capture: true, signal: stop.signal };
  let hadFocus = false;
  const finish = () => {
    if (hadFocus) stop.abort();
  };
  addEventListener('keydown', finish, options);
  addEventListener('pointerdown', finish, options);
  const look = () => {
    // A key of this frame may have moved the focus on purpose.
    if (stop.signal.aborted) return;
    const active = document.activeElement;
    const target = document.querySelector<HTMLElement>(selector);
    if (active === null || active === document.body) target?.focus();
    else if (active !== target && active !== before) stop.abort();
    hadFocus ||= target !== null && document.activeElement === target;
    if (performance.now() > end) stop.abort();
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
