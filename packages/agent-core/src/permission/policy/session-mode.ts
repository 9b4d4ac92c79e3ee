import { Listeners } from '../../extension/listeners.ts';
import { AgentError } from '../../problem/agent-error.ts';
import type { PermissionMode } from './mode.ts';

export interface SessionModeOptions {
  /** The current mode of settings and flags. */
  configured(): PermissionMode;
  /** The file that currently forbids bypassPermissions. */
  bypassForbiddenBy(): string | undefined;
  /** A flag allows the user to switch to bypassPermissions. */
  readonly mayBypass: boolean;
}

/** The permission mode of a session. Settings may forbid bypassPermissions at any time, and choosing it needs a flag. */
export class SessionMode {
  readonly #options: SessionModeOptions;
  #configured: PermissionMode;
  #chosen: PermissionMode;
  #mayBypass: boolean;
  readonly #listeners = new Listeners();

  /** Calls a listener whenever a mode is set; returns a function to unsubscribe. */
  readonly subscribe = this.#listeners.add;

  constructor(options: SessionModeOptions) {
    this.#options = options;
    this.#configured = this.#narrowed(options.configured());
    this.#chosen = this.#configured;
    this.#mayBypass = options.mayBypass || this.#configured === 'bypassPermissions';
  }

  get current(): PermissionMode {
    return this.#narrowed(this.#chosen);
  }

  /** True if the user may switch to bypassPermissions: a flag allows it, or the session has been in it. */
  get mayBypass(): boolean {
    return this.#mayBypass;
  }

  /** True if the mode is that of settings and flags. */
  get isConfigured(): boolean {
    return this.current === this.#configured;
  }

  /** Switches to a mode requested by a program or a flag. */
  set(wanted: PermissionMode): void {
    this.check(wanted);
    this.#chosen = wanted;
    this.#mayBypass ||= wanted === 'bypassPermissions';
    this.#listeners.tell();
  }

  /** Switches to a mode that the user chose. */
  choose(wanted: PermissionMode): void {
    this.check(wanted);
    if (wanted === 'bypassPermissions' && !this.#mayBypass)
      throw new AgentError(
        'usage',
        'The mode bypassPermissions is not available. Start with --permission-mode bypassPermissions, or with --allow-dangerously-skip-permissions to choose it later. Programs set permissionMode or mayBypass.',
      );
    this.set(wanted);
  }

  /** Applies a changed mode of the settings, unless the user chose one in the session. */
  renew(): void {
    const next = this.#narrowed(this.#options.configured());
    if (this.isConfigured) this.set(next);
    this.#configured = next;
  }

  /** Throws if the settings forbid a mode. */
  check(wanted: PermissionMode): void {
    const file = this.#options.bypassForbiddenBy();
    if (wanted !== 'bypassPermissions' || file === undefined) return;
    throw new AgentError(
      'usage',
      `The mode bypassPermissions is forbidden by permissions.disableBypassPermissionsMode in ${file}.`,
    );
  }

  #narrowed(wanted: PermissionMode): PermissionMode {
    const isForbidden = this.#options.bypassForbiddenBy() !== undefined;
    return wanted === 'bypassPermissions' && isForbidden ? 'default' : wanted;
  }
}
