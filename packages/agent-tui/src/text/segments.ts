type Granularity = 'grapheme' | 'word';

const segmenters = new Map<Granularity, Intl.Segmenter>();

/** The characters or words of a text, as Unicode divides it. */
export function segmentsOf(text: string, granularity: Granularity): Intl.Segments {
  const known = segmenters.get(granularity);
  if (known) return known.segment(text);
  // The first one takes some ten milliseconds, which no start should wait for.
  const segmenter = new Intl.Segmenter(undefined, { granularity });
  segmenters.set(granularity, segmenter);
  return segmenter.segment(text);
}
