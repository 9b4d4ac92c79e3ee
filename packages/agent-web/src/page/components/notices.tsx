import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from './button.tsx';

export interface ErrorCardProps {
  readonly title: string;
  /** The cause and the remedy. */
  readonly message: string;
  readonly onRetry?: () => void;
}

/** A failure instead of what failed; the rest of the screen stays usable. */
export function ErrorCard({ title, message, onRetry }: ErrorCardProps) {
  return (
    <div class="card error-card" role="alert">
      <b>{title}</b>
      <p>{message}</p>
      {onRetry && <Button onClick={onRetry}>Retry</Button>}
    </div>
  );
}

/** One sentence and one action, where there is nothing yet. */
export function EmptyState({
  children,
  action,
}: {
  readonly children: ComponentChildren;
  readonly action?: ComponentChildren;
}) {
  return (
    <div class="empty-state">
      <p>{children}</p>
      {action}
    </div>
  );
}

const patience = 150;

/** Grey rows of the final height; nothing at all before 150 ms. */
export function Loading({ rows = 3, class: more = '' }: { readonly rows?: number; readonly class?: string }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), patience);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  return (
    <div class={`loading ${more}`} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <i key={index} />
      ))}
    </div>
  );
}

/** Copies a text and says so for a moment. */
export function CopyButton({ text, class: more }: { readonly text: string; readonly class?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <Button kind="quiet" {...(more === undefined ? {} : { class: more })} onClick={() => void copy()}>
      {isCopied ? 'Copied' : 'Copy'}
    </Button>
  );
}
