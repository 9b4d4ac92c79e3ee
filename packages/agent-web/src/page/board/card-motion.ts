import { useLayoutEffect, useRef } from 'preact/hooks';

/** How long a card takes to its new column, in milliseconds. */
const moveMs = 160;

interface CardPosition {
  readonly column: string;
  readonly left: number;
  readonly top: number;
}

/** Lets cards that change their column slide there, unless the user wants less motion. */
export function useCardMotion(): { readonly current: HTMLDivElement | null } {
  const box = useRef<HTMLDivElement>(null);
  const places = useRef<ReadonlyMap<string, CardPosition>>(new Map());
  useLayoutEffect(() => {
    const before = places.current;
    const found = new Map<string, CardPosition>();
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    for (const card of box.current?.querySelectorAll<HTMLElement>('.board-card') ?? []) {
      const id = card.querySelector<HTMLElement>('[data-card]')?.dataset.card ?? '';
      const column = card.closest('.board-column')?.getAttribute('aria-label') ?? '';
      const { left, top } = card.getBoundingClientRect();
      const place = { column, left: left + scrollX, top: top + scrollY };
      found.set(id, place);
      const last = before.get(id);
      if (!last || last.column === column || isStill) continue;
      const from = `translate(${last.left - place.left}px, ${last.top - place.top}px)`;
      card.animate(
        [
          { transform: from, zIndex: 2 },
          { transform: 'none', zIndex: 2 },
        ],
        {
          duration: moveMs,
          easing: 'ease-out',
        },
      );
    }
    places.current = found;
  });
  return box;
}
