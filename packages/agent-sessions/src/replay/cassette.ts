import { readFile } from 'node:fs/promises';
import {
  AgentError,
  endSentence,
  errorMessage,
  type HookPoint,
  isJsonObject,
  type JsonValue,
  type Message,
  type Model,
  type ModelEvent,
  type RunOutcome,
  type ToolOutput,
  type ToolStatus,
  type UserContent,
} from '@robota-sdk/agent-core';

/** The version of the format of recordings. */
export const cassetteVersion = 1;

/** The first line of a recording: what the session was before its first prompt. */
export interface CassetteHeader {
  readonly type: 'recording';
  readonly version: number;
  /** ISO. */
  readonly created: string;
  readonly cwd: string;
  readonly home: string;
  readonly models: readonly [Model, ...Model[]];
  /** The conversation that a resumed session brought along. */
  readonly history: readonly Message[];
}

/** One exchange with a model. Messages that the exchange before had already are only counted. */
export interface RecordedExchange {
  readonly type: 'model';
  readonly model: string;
  /** Hashes, which tell whether something changed but not what. */
  readonly system: string;
  readonly tools: readonly string[];
  readonly shared: number;
  /** Made by an agent that the session started: a replay gives its report back and need not make it again. */
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
  readonly point: HookPoint;
  readonly result: JsonValue;
}

/** Every line behind the first. */
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

/** Reads a recording; an error says what is wrong with the file. */
export async function readCassette(file: string): Promise<Cassette> {
  const text = await readFile(file, 'utf8').catch((thrown: NodeJS.ErrnoException) => {
    const isMissing = thrown.code === 'ENOENT';
    const why = isMissing ? 'There is no such file. --record FILE writes one.' : errorMessage(thrown);
    throw new AgentError('usage', `The recording ${file} cannot be read: ${endSentence(why)}`);
  });
  const lines = text
    .split('\n')
    .flatMap((line, index) => (line === '' ? [] : [parseLine(line, index, file)]));
  const [first, ...rest] = lines;
  if (first?.type !== 'recording') throw noRecording(file);
  const header = first as unknown as CassetteHeader;
  if (header.version !== cassetteVersion) {
    const advice = `${cassetteVersion} is what can be replayed. Record it again.`;
    throw new AgentError('usage', `${file} is a recording of version ${header.version}, and ${advice}`);
  }
  if (!Array.isArray(header.models) || header.models.length === 0 || !Array.isArray(header.history))
    throw noRecording(file);
  return { header, lines: rest as unknown as readonly CassetteLine[] };
}

function parseLine(line: string, index: number, file: string): { readonly type?: JsonValue } {
  try {
    const value = JSON.parse(line) as JsonValue;
    if (isJsonObject(value)) return value;
  } catch {
    // Said below, with the line's number.
  }
  const advice = 'The run that made it was cut off, or the file was changed. Record it again.';
  throw new AgentError('usage', `${file}:${index + 1} is damaged. ${advice}`);
}

function noRecording(file: string): AgentError {
  return new AgentError('usage', `${file} is not a recording. Make one with --record FILE.`);
}
