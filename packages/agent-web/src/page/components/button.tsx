import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';
import { Kbd } from './kbd.tsx';

export interface ButtonProps {
  readonly kind?: 'default' | 'primary' | 'quiet' | 'icon' | 'danger';
  readonly icon?: IconName;
  /** The key that does the same. */
  readonly keys?: string;
  /** A link with the look of a button. */
  readonly href?: string;
  readonly type?: 'button' | 'submit';
  readonly disabled?: boolean;
  readonly title?: string;
  /** The spoken name, for a button without a text. */
  readonly label?: string;
  readonly expanded?: boolean;
  readonly onClick?: () => void;
  readonly children?: ComponentChildren;
  readonly class?: string;
}

/** A button, or a link that looks like one. */
export function Button({ kind = 'default', icon, keys, href, ...rest }: ButtonProps) {
  const { type = 'button', disabled = false, title, label, expanded, onClick } = rest;
  const name = `button button-${kind} ${rest.class ?? ''}`;
  const content = (
    <>
      {icon && <Icon name={icon} />}
      {rest.children}
      {keys && <Kbd keys={keys} />}
    </>
  );
  if (href !== undefined)
    return (
      <a class={name} href={href} title={title} aria-label={label} onClick={onClick}>
        {content}
      </a>
    );
  return (
    <button
      class={name}
      type={type}
      disabled={disabled}
      title={title}
      aria-label={label}
      aria-expanded={expanded}
      onClick={onClick}
    >
      {content}
    </button>
  );
}
