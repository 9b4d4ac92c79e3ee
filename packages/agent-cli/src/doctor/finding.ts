/** What a look at one thing found. `broken` prevents work; `note` is only good to know. */
export interface Finding {
  readonly area: Area;
  readonly status: 'ok' | 'note' | 'warning' | 'broken';
  readonly what: string;
  readonly why?: string;
  /** What to do about it. */
  readonly advice?: string;
}

export const areas = [
  'versions',
  'models',
  'settings',
  'trust',
  'tools',
  'servers',
  'storage',
  'terminal',
  'start',
] as const;

type Area = (typeof areas)[number];
