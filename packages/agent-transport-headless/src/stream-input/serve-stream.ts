import type { InteractiveSession, JsonObject, SubmitOptions } from '@robota-sdk/agent-sdk/front-end';
import type { HookMessages } from '../output/hook-messages.ts';
import { type Output, streamOutput } from '../output/output.ts';
import type { ChannelInterface } from './channel-interface.ts';
import type { ControlChannel } from './control-channel.ts';
import type { InitializeOptions } from './initialize-request.ts';
import { ProgramServerMessages } from './program-servers.ts';
import { StreamServer } from './stream-server.ts';

/** The directory in which a program wants to continue. */
export interface WantedDirectory {
  readonly path: string;
  /** The directory of which the user has agreed to use what it brings. */
  readonly trusted?: string;
}

export interface MovedSession {
  /** The answer to the program. */
  readonly answer: JsonObject;
  /** The session there; absent if it stays where it is. */
  readonly session?: InteractiveSession;
}

export interface ServeStreamOptions {
  /** Opens the session when the first line has come, with what the program asks for in an `initialize`, if it is that. */
  open(wishes: InitializeOptions | undefined): Promise<InteractiveSession>;
  /** Opens the session in another directory; absent where it stays in its own. */
  move?(session: InteractiveSession, to: WantedDirectory): Promise<MovedSession>;
  /** Lines of JSON. */
  readonly input: AsyncIterable<string | Uint8Array>;
  /** The way to the program; closed until the session is open. */
  readonly channel: ControlChannel;
  /** The one the session asks; absent where what needs a yes is denied. */
  readonly ui?: ChannelInterface | undefined;
  /** Carries the messages of MCP servers that live in the program. */
  readonly servers?: ProgramServerMessages;
  /** Runs before the first line of the input. */
  readonly prompt?: string;
  readonly submit?: SubmitOptions;
  /** Print the pieces of an answer as they come. */
  readonly partial?: boolean;
  /** Print thinking without its text. */
  readonly hidesThinking?: boolean;
  /** Print what the program said back when it is taken. */
  readonly replay?: boolean;
  /** Tells of hooks as they run. */
  readonly hookMessages?: HookMessages | undefined;
  readonly version?: string;
  readonly stdout?: Output;
  readonly stderr?: Output;
}

/**
 * Serves one program for many prompts, until its input ends and the last prompt is answered. Resolves with an exit code:
 * that of the last prompt, or 2 where the program asked for something that can't be honoured.
 */
export async function serveStream(options: ServeStreamOptions): Promise<number> {
  const { stdout = streamOutput(process.stdout), servers = new ProgramServerMessages(options.channel) } =
    options;
  return new StreamServer({ ...options, stdout, servers }).serve();
}
