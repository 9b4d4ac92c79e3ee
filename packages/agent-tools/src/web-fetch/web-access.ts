import type { StateKey } from '@robota-sdk/agent-core';
import type { PageFormat } from './page-text.ts';

/** Input of WebFetch: a URL and the wanted format. */
export interface WebFetchInput {
  readonly url: string;
  readonly format?: PageFormat;
}

/** The addresses that WebFetch may reach in a session. */
export interface WebAccess {
  /** True if this machine and its network are included. */
  allowPrivate: boolean;
}

export const webAccess: StateKey<WebAccess> = { name: 'webAccess', create: () => ({ allowPrivate: false }) };
