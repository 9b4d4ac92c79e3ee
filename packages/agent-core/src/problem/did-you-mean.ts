import { nearest } from '@robota-sdk/agent-diff';

/** Suggests the likeliest known name for a mistyped one, between quotation marks if given; undefined if none is alike. */
export function didYouMean(name: string, known: Iterable<string>, mark = ''): string | undefined {
  const [near] = nearest(name, known);
  return near === undefined ? undefined : `Did you mean ${mark}${near}${mark}?`;
}
