import type { HookExecutor, PermissionMode } from '@robota-sdk/agent-core';
import type { LoadedConfig } from '@robota-sdk/agent-resources';
import type { ContextState } from '@robota-sdk/agent-sessions';

/** How full the context window of a session is. */
export type IContextWindowState = ContextState;

/** The merged settings of a directory; `settings.language` is the response language. */
export type IResolvedConfig = LoadedConfig;

/** Runs hooks of one type. */
export type IHookTypeExecutor = HookExecutor;

/** Called with each piece of the answer as it arrives. */
export type TTextDeltaCallback = (delta: string) => void;

/** The same as `PermissionMode`. */
export type TPermissionMode = PermissionMode;
