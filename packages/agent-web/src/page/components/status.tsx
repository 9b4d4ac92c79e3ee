import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

/** A shape for each status, so that it does not depend on colour: diamond, arc, ring, disc, square. */
export type Status = 'need' | 'running' | 'review' | 'ok' | 'bad';

/** The shape of a status. Give a `label` unless a text beside it says the same. */
export function StatusDot({ status, label }: { readonly status: Status; readonly label?: string }) {
  if (label === undefined) return <i class={`dot dot-${status}`} aria-hidden="true" />;
  return <i class={`dot dot-${status}`} role="img" aria-label={label} />;
}

export interface TagProps {
  readonly tone?: 'plain' | 'need' | 'ok' | 'bad' | 'accent';
  readonly icon?: IconName;
  readonly title?: string;
  readonly children: ComponentChildren;
}

/** A few words on a coloured ground. */
export function Tag({ tone = 'plain', icon, title, children }: TagProps) {
  return (
    <span class={`tag tag-${tone}`} title={title}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  );
}

export interface MeterProps {
  /** 0 to 1. */
  readonly share: number;
  readonly label: string;
  readonly tone?: 'accent' | 'ok' | 'need' | 'bad';
  readonly class?: string;
}

/** A bar that is partly full. */
export function Meter({ share, label, tone = 'accent', class: more = '' }: MeterProps) {
  const width = `${Math.min(100, Math.max(0, share * 100))}%`;
  return (
    <span class={`meter meter-${tone} ${more}`} role="img" aria-label={label}>
      <i style={{ width }} />
    </span>
  );
}

/** Added and removed lines. */
export function ChangeCounts({ added, removed }: { readonly added: number; readonly removed: number }) {
  return (
    <span class="change-counts">
      <span class="ok-text">
        +{added}
        <span class="spoken"> added</span>
      </span>{' '}
      <span class="bad-text">
        −{removed}
        <span class="spoken"> removed</span>
      </span>
    </span>
  );
}
