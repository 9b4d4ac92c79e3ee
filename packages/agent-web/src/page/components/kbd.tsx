/** Keys of the keyboard; `j/k` are two of them, `g b` one after the other. */
export function Kbd({ keys }: { readonly keys: string }) {
  return (
    <span class="keys-of" aria-hidden="true">
      {(keys === '/' ? [keys] : keys.split('/')).map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}

export interface KeyHint {
  readonly keys: string;
  readonly label: string;
}

const allKeys: KeyHint = { keys: '?', label: 'all keys' };

/** The bar at the foot of a screen with its most useful keys. */
export function KeyHints({ hints }: { readonly hints: readonly KeyHint[] }) {
  return (
    <footer class="key-hints">
      {[...hints, allKeys].map(({ keys, label }) => (
        <span key={keys}>
          <Kbd keys={keys} /> {label}
        </span>
      ))}
    </footer>
  );
}
