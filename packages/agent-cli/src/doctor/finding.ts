import type { Problem } from '@robota-sdk/agent-sdk/front-end';

/** The result of one check. `broken` prevents work; `note` is informational. */
export interface Finding {
  readonly status: 'ok' | 'note' | 'warning' | 'broken';
  readonly what: string;
  readonly why?: string;
  /** The fix. */
  readonly advice?: string;
  /** The setting that fixes it. */
  readonly fix?: SettingFix;
  /** The same as data, where it comes from settings or files. */
  readonly problem?: Problem;
}

/** A setting of the user and the value to give it, as JSON or as a text. */
interface SettingFix {
  readonly path: readonly string[];
  readonly text: string;
}

export const areas = [
  'versions',
  'network',
  'models',
  'settings',
  'trust',
  'tools',
  'servers',
  'storage',
  'terminal',
  'start',
] as const;

/** Part of the setup that is checked. */
export type Area = (typeof areas)[number];
