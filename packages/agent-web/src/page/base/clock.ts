import { signal } from '@preact/signals';

/** The time, updated each second while the page is seen; ages are shown relative to it. */
export const now = signal(Date.now());

/** Starts the clock. A hidden page costs nothing. */
export function startClock(): void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const update = () => {
    now.value = Date.now();
  };
  const follow = () => {
    clearInterval(timer);
    if (document.hidden) return;
    update();
    timer = setInterval(update, 1000);
  };
  document.addEventListener('visibilitychange', follow);
  follow();
}
