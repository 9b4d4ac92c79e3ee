import type { Catalogue, Problem, Profile } from '@robota-sdk/agent-core';
import type { StoredKeys } from '../credentials/credentials.ts';
import type { HostEnvironment } from '../host/dialects.ts';
import type { Settings } from '../options/settings.ts';
import type { HookGroup } from '../trust/hook-config.ts';
import type { TrustGate } from '../trust/trust-gate.ts';

/** Settings, keys and models of a directory, the files they came from, and what was left out and why. */
export interface Config {
  /** The directory that it was read for. */
  readonly cwd?: string;
  readonly settings: Settings;
  readonly host: HostEnvironment;
  /** The built-in models and those of the user's `models.json`. */
  readonly catalogue: Catalogue;
  readonly profiles: readonly Profile[];
  /** The profile to use where no model is named. */
  readonly activeProfile?: string;
  readonly storedKeys: StoredKeys;
  /** The file each of these keys is in. */
  readonly keyFiles?: Readonly<Record<string, string>>;
  /** The hooks of all files that may run, the strongest file first. */
  readonly hooks?: readonly HookGroup[];
  /** The user wants no hooks at all. */
  readonly areHooksOff?: boolean;
  /** Decides about everything the repository supplies. */
  readonly trust?: TrustGate;
  /** Files that were read, the strongest first. */
  readonly sources: readonly string[];
  /** Problems of the settings and of other files. */
  readonly problems: readonly Problem[];
}
