import type { Hook, HookPoint } from '../hook/hook-map.ts';
import type { Connection } from '../model/model.ts';
import type { ModelProvider } from '../model/provider.ts';
import type { Tool } from '../tool/tool.ts';
import type { Command } from './command.ts';

/** Makes a provider for a connection; loaded only when a model of its kind is used. */
export type ProviderFactory = (connection: Connection) => Promise<ModelProvider>;

/** The only interface through which an extension adds features. */
export interface ExtensionHost<S = unknown> {
  tool<I>(tool: Tool<I>): void;
  command(command: Command<S>): void;
  hook<P extends HookPoint>(point: P, hook: Hook<P>): void;
  /** Adds or replaces the adapter for an API kind. */
  provider(apiKind: string, factory: ProviderFactory): void;
}

/** The one way to add behaviour: built-ins, plugins and users' own modules alike. */
export interface Extension<S = unknown> {
  readonly name: string;
  setup(host: ExtensionHost<S>): void | Promise<void>;
  /** Releases resources of `setup`; called once per setup, when the session ends or extensions are reloaded. */
  dispose?(): void | Promise<void>;
}
