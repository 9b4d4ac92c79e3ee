/** Letters that stay at the end, where names of files differ. */
const kept = 14;

/** A name in one line that loses its middle, not its end, where the room is small. */
export function CutMiddle({ text }: { readonly text: string }) {
  const letters = [...text];
  if (letters.length <= 2 * kept) return <>{text}</>;
  return (
    <span class="cut-middle">
      <span class="spoken">{text}</span>
      <span class="cut" aria-hidden="true">
        {letters.slice(0, -kept).join('')}
      </span>
      <span aria-hidden="true">{letters.slice(-kept).join('')}</span>
    </span>
  );
}
