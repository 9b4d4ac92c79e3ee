import type { Release } from '@robota-sdk/agent-resources';

/** A version of the program that is on disk and can be started. */
export interface InstalledVersion {
  readonly version: string;
  /** The words that start it, without arguments. */
  readonly command: readonly string[];
}

/** The versions of one installation, side by side, one of which is in use. */
export interface VersionStore {
  /** The package in the registry that brings new versions. */
  readonly packageName: string;
  /** Bytes of an archive, and of everything in it. */
  readonly maxArchiveBytes: number;
  readonly current: string;
  /** The version in use before; absent before the first update. */
  former(): InstalledVersion | undefined;
  /** A version that is there already, made of the same archive. */
  find(release: Release): InstalledVersion | undefined;
  /** Unpacks a version beside the current one; nothing of it runs. */
  add(release: Release, archive: Buffer): Promise<InstalledVersion>;
  /** Makes a version the current one, in one step. */
  use(version: InstalledVersion): Promise<void>;
  /** Removes leftovers of interrupted updates, and versions that are neither current nor the former one. */
  clean(): Promise<void>;
  /** A folder that has to be writable. */
  readonly folder: string;
  /** Locked while something changes. */
  readonly lockFile: string;
}
