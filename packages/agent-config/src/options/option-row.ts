import type { AnyShape, TypeOf } from '@robota-sdk/agent-core';

/** How an option is written on the command line. */
export interface FlagSpec {
  /** The name without its dashes. */
  readonly name: string;
  readonly short?: string;
  readonly aliases?: readonly string[];
  /** Other single letters for it. */
  readonly shorts?: readonly string[];
  /** Name of the value in the help; absent for a switch. */
  readonly value?: string;
  /** The value may be left out; it is empty then. */
  readonly optional?: true;
  /** May be given several times. */
  readonly repeat?: true;
  /** Takes further words that are values of this kind, as other agents write them. */
  readonly more?: MoreValues;
  /** The values that it takes; those of the shape unless given. */
  readonly choices?: readonly string[];
  /** Text in the help where that differs from the row's. */
  readonly help?: string;
}

/** Values that a flag may take several of, one word each. */
export interface MoreValues {
  readonly kind: 'rules' | 'directories' | 'files';
  /** The spellings that take several; all unless given. */
  readonly names?: readonly string[];
}

/** Lifetime of an option that programs give. */
export type OptionScope = 'client' | 'session' | 'turn';

/** One setting: everything that is known about it. */
export interface SettingRow {
  readonly shape: AnyShape;
  /** Makes the value that is used of the value that is written, where they differ. */
  readonly translate?: (written: never) => unknown;
  /** Used where nothing else is said. */
  readonly default?: unknown;
  /** Place in settings files; the name of the row unless given. */
  readonly key?: string;
  readonly flag?: FlagSpec;
  /** Set for options of the SDK: the object whose options it belongs to. */
  readonly scope?: OptionScope;
  /** Holds in open sessions as soon as a file is saved. */
  readonly live?: true;
  /**
   * Power of a repository's file: it may set it (unless given), set it once the user agreed (`trusted`), set it once the
   * user agreed that the project chooses who is asked (`model`), or never.
   */
  readonly project?: 'trusted' | 'model' | 'never';
  /** How several files are combined, where the strongest does not simply win. */
  readonly merge?: 'join' | 'smallest';
  /** An older name of another setting, by its row; counts where the other is not set. */
  readonly olderFor?: string;
  readonly help: string;
}

/** The type of a setting where it is used. */
export type UsedValue<R extends SettingRow> = R extends { readonly translate: (written: never) => infer U }
  ? U
  : TypeOf<R['shape']>;

/** Checks that each default fits its shape. */
export function rows<const R extends Readonly<Record<string, SettingRow>>>(
  table: R & { readonly [K in keyof R]: { readonly default?: UsedValue<R[K]> } },
): R {
  return table;
}
