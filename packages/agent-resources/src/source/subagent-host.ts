import {
  AgentError,
  type AgentEvent,
  type Authorizer,
  type ModelChoice,
  type RunOutcome,
  type StateKey,
  type UserContent,
} from '@robota-sdk/agent-core';
import type { Conversation, ConversationOptions, ModelDependentOptions } from '@robota-sdk/agent-sessions';
import type { ProjectContext } from '../instructions/load-context.ts';
import type { IAgentDefinition } from './agent-definition.ts';
import type { ResourceHost } from './resource-host.ts';

/** The state subagents inherit from the session that starts them; nothing is loaded again. */
export interface SubagentHost {
  readonly session: Conversation;
  /** The options the session was created with. */
  readonly options: ConversationOptions;
  readonly context: ProjectContext;
  readonly language?: string | undefined;
  /** Judges the calls of subagents by the parent's policy, as narrow as the view makes it. */
  readonly authorize: Authorizer['authorize'];
  /** Gives a new session the tool access of its parent. */
  adopt(session: Conversation): void;
  /** Our home directory. */
  readonly home: string;
  readonly definitions: readonly IAgentDefinition[];
  /** The store of subagent logs. Default: none are written. */
  readonly logs?: SubagentLogs;
  /** Called for every event of every subagent. */
  readonly agentListeners: Set<(event: AgentEvent, agentId: string) => void>;
  /** Finds a model by name; throws if it cannot be reached. */
  connect(name: string): ConnectedModel;
  /** Runs an agent from its prompt to its answer. */
  runAgent(task: AgentTask): Promise<AgentAnswer>;
  /** Reads the files that a text of a file mentions, each judged like the model's own reading. */
  expandMentions(session: ResourceHost, text: string, signal: AbortSignal): Promise<MentionedFiles>;
}

/** A task that a skill hands to a new agent. */
interface AgentTask {
  readonly definition: IAgentDefinition;
  readonly prompt: string;
  readonly signal: AbortSignal;
  /** True if the agent works on a copy of the task instead of in a role. */
  readonly isForkWorker: boolean;
  readonly model?: string;
  /** Judges its calls instead of the host's `authorize`. */
  readonly authorize: Authorizer['authorize'];
  /** Receives one line for each step. */
  progress(line: string): void;
}

/** How an agent ended; a failed one has a text too. */
export interface AgentAnswer {
  readonly agentId: string;
  readonly text: string;
  readonly outcome: RunOutcome;
  /** Path of its stored conversation. */
  readonly transcriptPath?: string;
}

/** Files that a text mentions, as the model receives them. */
interface MentionedFiles {
  readonly attachments: readonly UserContent[];
  /** Lines about unreadable files. */
  readonly notices: readonly string[];
}

/** A model, the way to it, and the tools and prompt that go with it. */
export interface ConnectedModel {
  readonly choice: ModelChoice;
  readonly surroundings: ModelDependentOptions;
}

/** The store of subagent logs. */
export interface SubagentLogs {
  readonly directory: string;
  /** Values that must never appear in them, such as keys in use. */
  readonly secrets: readonly string[];
}

/** The host of a session's subagents, set by `createSession`. */
export const subagentHost: StateKey<SubagentHost> = {
  name: 'subagentHost',
  create: () => {
    throw new AgentError('usage', 'This session has no tools to use. Make it with createSession.');
  },
};
