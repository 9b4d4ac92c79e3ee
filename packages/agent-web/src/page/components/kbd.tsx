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

/** The bar at the foot of a screen with its most useful keys, given as `j/k move · enter open`. */
export function KeyHints({ hints }: { readonly hints: string }) {
  return (
    <footer class="key-hints">
      {`${hints} · ? all keys`.split(' · ').map((each) => {
        const [keys = '', ...label] = each.split(' ');
        return (
          <span key={keys}>
            <Kbd keys={keys} /> {label.join(' ')}
          </span>
        );
      })}
    </footer>
  );
}
