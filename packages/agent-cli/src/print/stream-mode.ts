import {
  AgentError,
  commandHook,
  createInteractiveSession,
  httpHook,
  type InteractiveSession,
  type InteractiveSessionOptions,
} from '@robota-sdk/agent-sdk/front-end';
import {
  ChannelInterface,
  ControlChannel,
  callbackHook,
  HookMessages,
  type InitializeOptions,
  ProgramServerMessages,
  PromptToolInterface,
  serveStream,
} from '@robota-sdk/agent-transport-headless';
import type { Arguments } from '../arguments/args.ts';
import { isQuiet } from '../arguments/mode-options.ts';
import { readSchema } from '../arguments/read-schema.ts';
import { sessionOptions } from '../arguments/session-options.ts';
import { version } from '../arguments/version.ts';
import { closeSession } from '../open/close-session.ts';
import { resumeAt } from '../open/resume-at.ts';
import { tellWarnings } from '../open/tell-warnings.ts';
import { watchInterrupts } from '../terminal/interrupts.ts';
import { reserveOutput } from '../terminal/reserved-output.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';
import { moveStream } from './move-stream.ts';
import { promptTool } from './prompt-tool.ts';

/** Serves a program that speaks JSON on standard input: `robota -p --input-format stream-json`. */
export async function streamMode(args: Arguments): Promise<number> {
  assertOutput(args);
  const interrupts = watchInterrupts();
  const releaseOutput = reserveOutput();
  let session: InteractiveSession | undefined;
  try {
    const options = sessionOptions(args);
    const jsonSchema = readSchema(args.value('json-schema'));
    const stderr = terminalOutput(process.stderr);
    const say = (text: string) => stderr.say(`robota: ${text}`);
    const channel = new ControlChannel();
    const servers = new ProgramServerMessages(channel);
    const asker = askerOf(args, channel);
    const ui = asker instanceof ChannelInterface ? asker : undefined;
    const prompt = args.words.join(' ').trim();
    const hookMessages = args.has('include-hook-events') ? new HookMessages() : undefined;
    const callback = callbackHook(channel);
    const executors = hookMessages?.watch({ command: commandHook, http: httpHook, callback }) ?? { callback };
    const stop = () => {
      process.stdin.destroy();
      void session?.abort();
    };
    interrupts.signal.addEventListener('abort', stop, { once: true });
    const services = { options, say };
    const begin = async (opened: InteractiveSession) => {
      session = opened;
      if (asker instanceof PromptToolInterface) asker.session = opened;
      await tellWarnings(opened, { args, cwd: opened.place.cwd, isPrintMode: true, say });
      return opened;
    };
    const code = await serveStream({
      open: async (wishes) => {
        services.options = {
          ...joined(options, wishes?.options),
          ...(asker ? { terminal: asker } : {}),
          hookExecutors: executors,
          questionPreviews: previewFormat(),
          programServers: servers.reach,
          elicit: servers.elicit,
        };
        const opened = await createInteractiveSession(services.options);
        session = opened;
        await resumeAt(opened, args);
        return begin(opened);
      },
      move: async (old, to) => {
        const moved = await moveStream(old, to, services);
        if (moved.session && moved.session !== old) await begin(moved.session);
        return moved;
      },
      input: process.stdin,
      stdout: terminalOutput(process.stdout),
      stderr,
      channel,
      servers,
      ui,
      ...(prompt === '' ? {} : { prompt }),
      ...(jsonSchema ? { submit: { jsonSchema } } : {}),
      ...printed(args),
      hookMessages,
      version,
    });
    return interrupts.exitCode ?? code;
  } finally {
    if (session) await closeSession(session, args);
    releaseOutput();
    interrupts.stop();
  }
}

/** A program's single values override; its lists are appended. */
function joined(
  own: InteractiveSessionOptions,
  wishes: InitializeOptions['options'] = {},
): InteractiveSessionOptions {
  const append = [wishes.appendSystemPrompt, own.appendSystemPrompt].filter((text) => text !== undefined);
  return {
    ...own,
    ...wishes,
    settings: [...(wishes.settings ?? []), ...(own.settings ?? [])],
    agents: [...(wishes.agents ?? []), ...(own.agents ?? [])],
    pluginDirectories: [...(own.pluginDirectories ?? []), ...(wishes.pluginDirectories ?? [])],
    mcpServers: { ...own.mcpServers, ...wishes.mcpServers },
    tools: { ...own.tools, ...wishes.tools },
    appendSystemPrompt: append.length === 0 ? undefined : append.join('\n\n'),
  };
}

/** The lines that the options ask for, and the mode that the first one names. */
function printed(args: Arguments) {
  return {
    partial: args.has('include-partial-messages'),
    hidesThinking: args.value('thinking-display') === 'omitted',
    replay: args.has('replay-user-messages'),
  };
}

/** How the Claude Agent SDK passes its option `toolConfig` on. */
function previewFormat(): InteractiveSessionOptions['questionPreviews'] {
  const { CLAUDE_CODE_QUESTION_PREVIEW_FORMAT: format } = process.env;
  return format === 'markdown' || format === 'html' ? format : undefined;
}

/** Asks for approvals; undefined if they are denied. */
function askerOf(
  args: Arguments,
  channel: ControlChannel,
): ChannelInterface | PromptToolInterface | undefined {
  const tool = args.value('permission-prompt-tool');
  if (tool === undefined) return undefined;
  if (tool !== 'stdio') return isQuiet(args) ? undefined : promptTool(tool);
  return new ChannelInterface(channel);
}

function assertOutput(args: Arguments): void {
  if (args.value('output-format') === 'stream-json') return;
  throw new AgentError('usage', '--input-format stream-json needs --output-format stream-json.');
}
