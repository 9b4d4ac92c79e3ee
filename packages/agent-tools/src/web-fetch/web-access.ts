import type { StateKey } from '@robota-sdk/agent-core';
import type { PageFormat } from './page-text.ts';

/** What the model gives: an address, and how it wants the page. */
export interface WebFetchInput {
  readonly url: string;
  readonly format?: PageFormat;
}

/** What WebFetch may reach in a session. */
export interface WebAccess {
  /** Also this machine and its network. */
  allowPrivate: boolean;
}

export const webAccess: StateKey<WebAccess> = { name: 'webAccess', create: () => ({ allowPrivate: false }) };
