/** Tokens of one model call; `input` counts only what was neither read from nor written to a cache. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The part of `output` that was thinking, where the vendor says so. */
  readonly reasoning?: number;
}

/** Prices in US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** Reads token counts of a file; anything but a number counts as 0. */
export function parseUsage(value: object): Usage {
  const counts = Object.entries(value).filter(([, count]) => typeof count === 'number');
  return { ...noUsage, ...(Object.fromEntries(counts) as Partial<Usage>) };
}

export function addUsage(a: Usage, b: Usage): Usage {
  const reasoning = (a.reasoning ?? 0) + (b.reasoning ?? 0);
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    ...(reasoning > 0 ? { reasoning } : {}),
  };
}

/** All tokens of a call: input, output and cache. */
export function totalTokens(usage: Usage): number {
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
}

/** Dollars for a call; a model without a known price costs 0. */
export function costOf(usage: Usage, price: Price | undefined): number {
  if (!price) return 0;
  const cacheRead = price.cacheRead ?? price.input;
  const cacheWrite = price.cacheWrite ?? price.input;
  const microdollars =
    usage.input * price.input +
    usage.output * price.output +
    usage.cacheRead * cacheRead +
    usage.cacheWrite * cacheWrite;
  return microdollars / 1_000_000;
}

/** Formats US dollars: cents, and more digits below a dollar. */
export function describeCost(dollars: number): string {
  if (dollars <= 0) return '$0';
  if (dollars < 0.00005) return '<$0.0001';
  if (dollars >= 1) return `$${dollars.toFixed(2)}`;
  return `$${dollars.toFixed(4).replace(/0{1,2}$/, '')}`;
}

/** US dollars with two digits: `$0.03`, `<$0.01`. */
export function describeMoney(dollars: number): string {
  return dollars > 0 && dollars < 0.01 ? '<$0.01' : `$${dollars.toFixed(2)}`;
}
