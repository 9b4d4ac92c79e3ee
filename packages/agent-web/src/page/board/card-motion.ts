import { useLayoutEffect, useRef } from 'preact/hooks';

/** How long a card takes to its new column, in milliseconds. */
const moveMs = 160;

interface CardPosition {
  readonly column: string;
  readonly left: number;
  readonly top: number;
}

/** The row of the card that has the focus. */
export function focusedCard(): string | undefined {
  const card = document.activeElement?.closest('.board-card')?.querySelector<HTMLElement>('[data-card]');
  return card?.dataset.card;
}

/** Lets cards that change their column slide there, unless the user wants less motion. The focus goes with them. */
export function useCardMotion(): { readonly current: HTMLDivElement | null } {
  const box = useRef<HTMLDivElement>(null);
  const places = useRef<ReadonlyMap<string, CardPosition>>(new Map());
  // Before the cards are drawn again.
  const focused = focusedCard();
  useLayoutEffect(() => {
    const before = places.current;
    const isLost = focused !== undefined && document.activeElement === document.body;
    const found = new Map<string, CardPosition>();
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    for (const card of box.current?.querySelectorAll<HTMLElement>('.board-card') ?? []) {
      const link = card.querySelector<HTMLElement>('[data-card]');
      const id = link?.dataset.card ?? '';
      if (isLost && id === focused) link?.focus();
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
