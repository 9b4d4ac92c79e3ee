/** The position of a marker, or of a possible one that the text is too short to confirm. */
export interface FoundMarker {
  readonly at: number;
  /** Nothing where it is not whole yet. */
  readonly marker?: string;
}

export interface MarkerSearch {
  readonly from: number;
  /** More text may come. */
  readonly isOpen: boolean;
  /** Allowed text right after a marker; anything else makes it an ordinary word. */
  readonly follow: RegExp;
}

/** Finds the first of some markers, all of which begin with `!`. */
export function findMarker(
  text: string,
  markers: readonly string[],
  search: MarkerSearch,
): FoundMarker | undefined {
  for (let at = text.indexOf('!', search.from); at >= 0; at = text.indexOf('!', at + 1)) {
    for (const marker of markers) {
      const found = markerAt(text, marker, { ...search, from: at });
      if (found) return found;
    }
  }
  return undefined;
}

/** A marker that stands, or may have begun, right at `from`. */
export function markerAt(
  text: string,
  marker: string,
  { from, isOpen, follow }: MarkerSearch,
): FoundMarker | undefined {
  const end = from + marker.length;
  if (text.length <= end) {
    if (!marker.startsWith(text.slice(from))) return undefined;
    if (isOpen) return { at: from };
    return text.length === end ? { at: from, marker } : undefined;
  }
  if (!text.startsWith(marker, from) || !follow.test(text.charAt(end))) return undefined;
  return { at: from, marker };
}

/** How many characters at the end of a text may be the beginning of one of some endings. */
export function partialLength(text: string, endings: readonly string[]): number {
  let longest = 0;
  for (const ending of endings) {
    for (let length = Math.min(ending.length - 1, text.length); length > longest; length--) {
      if (text.endsWith(ending.slice(0, length))) longest = length;
    }
  }
  return longest;
}
