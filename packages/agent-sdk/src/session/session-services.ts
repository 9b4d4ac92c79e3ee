import type { HostEnvironment } from '@robota-sdk/agent-config';
import type { Command, JsonObject, Model, Problem, Registry, UserInterface } from '@robota-sdk/agent-core';
import type { ConnectedModel, SessionMcp } from '@robota-sdk/agent-resources';
import type { Checkpoints, Conversation, PromptOptions, Replay } from '@robota-sdk/agent-sessions';
import type { SessionExtensions } from '../assembly/session-extensions.ts';
import type { SessionPermissions } from '../permissions/session-permissions.ts';
import type { LiveSettings } from '../settings/live-settings.ts';
import type { KeptSessions } from '../stored/kept-sessions.ts';
import type { TaskRegistry } from '../tasks/task-registry.ts';
import type { InteractiveSession } from './interactive-session.ts';

/** Options of a prompt. */
export interface SubmitOptions extends PromptOptions {
  /** The answer must conform to this JSON Schema. */
  readonly jsonSchema?: JsonObject;
  /** False if a prompt during a run is an error, and does not join that run. */
  readonly joinsRun?: boolean;
}

/** The parts of a session, created before it. */
export interface SessionServices {
  readonly conversation: Conversation;
  readonly commands: Registry<Command<InteractiveSession>>;
  readonly ui: UserInterface;
  /** Mode and rules; the mode may be changed. */
  readonly permissions: SessionPermissions;
  /** All models, built-in or the user's own. */
  readonly models: readonly Model[];
  /** The stored sessions, possibly including this one. */
  readonly kept: KeptSessions;
  /** The directory and environment of the session. */
  readonly place: SessionEnvironment;
  /** The settings as their files have them now; absent where a program supplied them. */
  readonly live?: LiveSettings;
  readonly mcp: SessionMcp;
  /** For `/rewind`; absent if the session is not saved. */
  readonly checkpoints?: Checkpoints;
  readonly tasks: TaskRegistry;
  /** Additions of files and code, which can be reloaded. */
  readonly extensions?: SessionExtensions;
  /** Asks a model's server how it runs it, before `connect`. */
  learn?(name: string): Promise<void>;
  /** Finds another model by name, with its options; throws an error with the fix. */
  connect(name: string): ConnectedModel;
  /** The recording the session lives from, if it is a replay. */
  readonly replay?: Replay;
  /** Removes the keys in use from a text. */
  redact?(text: string): string;
  /** Problems of the settings, one line each. */
  readonly problems?: readonly Problem[];
}

/** A directory, and the environment of its user. */
export interface SessionEnvironment {
  readonly cwd: string;
  readonly host: HostEnvironment;
}
