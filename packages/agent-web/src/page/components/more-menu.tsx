import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { connection } from '../base/stream.ts';
import { switchTheme } from '../base/theme.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { ConnectionBadge } from './nav-rail.tsx';
import { StatusDot } from './status.tsx';

export interface MoreMenuProps {
  readonly label: string;
  /** Stands on the button. */
  readonly mark?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Actions behind a button with three dots. Escape, a choice or a click beside it closes the list. */
export function MoreMenu({ label, mark, class: more = '', children }: MoreMenuProps) {
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <span class={`more-menu ${more}`}>
      <button
        ref={opener}
        class="button button-icon"
        type="button"
        aria-label={label}
        title={label}
        popovertarget={id}
      >
        <Icon name="more" />
        {mark}
      </button>
      <div
        id={id}
        popover="auto"
        class="card"
        role="toolbar"
        aria-label={label}
        aria-orientation="vertical"
        onBeforeToggle={({ currentTarget: list }) => opener.current && placeBelow(list, opener.current)}
        onToggle={({ currentTarget: list, newState }) => newState === 'open' && itemsOf(list)[0]?.focus()}
        // First the focus returns to the button, then the choice acts: it may open a dialog, which returns the focus in its turn.
        onClickCapture={({ currentTarget: list }) => list.hidePopover()}
        onKeyDown={(event) => {
          // Letters and Escape are for the list, not for the screen below it.
          event.stopPropagation();
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step === undefined) return;
          const items = itemsOf(event.currentTarget);
          const at = items.findIndex((item) => item === document.activeElement);
          items.at((at + step) % items.length)?.focus();
          event.preventDefault();
        }}
      >
        {children}
      </div>
    </span>
  );
}

function itemsOf(list: HTMLElement): readonly HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('a, button:enabled')];
}

/** Puts a list below its button, or above it where more room is. */
function placeBelow({ style }: HTMLElement, opener: HTMLElement): void {
  const { top, bottom, right } = opener.getBoundingClientRect();
  const isLow = bottom > innerHeight * 0.7;
  style.top = isLow ? 'auto' : `${bottom + 4}px`;
  style.bottom = isLow ? `${innerHeight - top + 4}px` : 'auto';
  style.right = `${document.documentElement.clientWidth - right}px`;
}

/** The foot of the rail as a menu, where a phone has no rail. */
export function PhoneMenu() {
  const { state } = connection.value;
  const isBad = state === 'stopped' || state === 'refused';
  return (
    <MoreMenu
      label="More"
      class="phone-menu"
      mark={state !== 'live' && <StatusDot status={isBad ? 'bad' : 'need'} />}
    >
      <ConnectionBadge />
      <Button kind="quiet" icon="devices" href="/devices">
        Devices
      </Button>
      <Button kind="quiet" icon="theme" onClick={switchTheme}>
        Switch theme
      </Button>
    </MoreMenu>
  );
}
