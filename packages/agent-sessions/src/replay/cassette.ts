import type {
  HookPoint,
  HookResult,
  JsonValue,
  Message,
  Model,
  ModelEvent,
  RunOutcome,
  ToolOutput,
  ToolStatus,
  UserContent,
} from '@robota-sdk/agent-core';

/** The version of the format of recordings. */
export const cassetteVersion = 1;

/** The first line of a recording: the session before its first prompt. */
export interface CassetteHeader {
  readonly type: 'recording';
  readonly version: number;
  /** ISO. */
  readonly created: string;
  readonly cwd: string;
  readonly home: string;
  readonly models: readonly [Model, ...Model[]];
  /** The conversation of a resumed session. */
  readonly history: readonly Message[];
}

/** One exchange with a model. Messages that the exchange before had already are only counted. */
export interface RecordedExchange {
  readonly type: 'model';
  readonly model: string;
  /** Hashes, which only tell whether something changed. */
  readonly system: string;
  readonly tools: readonly string[];
  readonly shared: number;
  /** Made by an agent of the session: a replay returns its report without making it again. */
  readonly byAgent?: boolean;
  readonly messages: readonly string[];
  readonly events: readonly ModelEvent[];
}

/** The result of one tool call, as the model got it. */
export interface RecordedCall {
  readonly type: 'tool';
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly status: ToolStatus;
  readonly output: ToolOutput;
  /** With a denial: rules that would have allowed the call. */
  readonly wouldAllow?: readonly string[];
}

/** A prompt of the user. */
interface RecordedPrompt {
  readonly type: 'prompt';
  readonly text: string;
}

/** The files that the prompt before it mentions, as the model got them. */
interface RecordedAttachments {
  readonly type: 'attachments';
  readonly content: readonly UserContent[];
}

/** How a run ended. */
export interface RecordedEnd {
  readonly type: 'end';
  readonly status: RunOutcome['status'];
  readonly error?: RunOutcome['error'];
}

/** The combined answer of a point's hooks. */
interface RecordedHook {
  readonly type: 'hook';
  readonly point: ReplayedPoint;
  /** `HookRegistry` validates it like any other hook's result. */
  readonly result: HookResult<ReplayedPoint>;
}

/** Hook points whose answers change the conversation; those around tools show in their results. */
export const replayedPoints = [
  'session-start',
  'input',
  'request-before',
  'run-stop',
  'compact-before',
] as const satisfies readonly HookPoint[];

export type ReplayedPoint = (typeof replayedPoints)[number];

/** Every line after the first. */
export type CassetteLine =
  | RecordedExchange
  | RecordedCall
  | RecordedPrompt
  | RecordedAttachments
  | RecordedEnd
  | RecordedHook;

/** A recording in memory. */
export interface Cassette {
  readonly header: CassetteHeader;
  readonly lines: readonly CassetteLine[];
}
