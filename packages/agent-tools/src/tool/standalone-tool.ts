import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AgentError,
  checkArguments,
  homeDirectory,
  type JsonValue,
  keyVariables,
  loadCatalogue,
  objectInstance,
  optional,
  realPathOf,
  SessionState,
  silentInterface,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from '@robota-sdk/agent-core';

/** A tool that a program can also call directly: missing parts of the context have defaults. */
export interface StandaloneTool<I> extends Tool<I> {
  /** Runs the call, by default in the process's working directory. Nothing is asked. */
  execute(input: I, context?: Partial<ToolContext>): Promise<ToolOutput>;
}

/** Adds defaults to the context of direct calls, and checks their input: the loop has done both. */
export function standaloneTool<I>(tool: Tool<I>): StandaloneTool<I> {
  return {
    ...tool,
    execute: async (input, context) => {
      checkArguments(`${tool.name}.execute`, {
        input: [input, objectInstance],
        context: [context, optional(objectInstance)],
      });
      if (isComplete(context)) return tool.execute(input, context);
      const parsed = tool.input.parse(input as JsonValue);
      if (!parsed.ok) throw new AgentError('usage', `${tool.name}.execute: ${parsed.error}`);
      return tool.execute(parsed.value, withDefaults(context));
    },
  };
}

/** The loop passes a complete context, and pays nothing for the defaults. */
function isComplete(context: Partial<ToolContext> | undefined): context is ToolContext {
  return context?.state !== undefined && context.workspace !== undefined && context.env !== undefined;
}

function withDefaults(given: Partial<ToolContext> = {}): ToolContext {
  return {
    workspace: { cwd: realPathOf(process.cwd()), additional: [], home: homeDirectory() },
    state: sharedState(),
    callId: 'direct',
    signal: new AbortController().signal,
    env: keylessEnvironment(),
    outputDir: join(tmpdir(), `robota-${process.pid}`, 'outputs'),
    ui: silentInterface,
    progress: () => {},
    ...given,
  };
}

let directState: SessionState | undefined;

/** One state for all direct calls of a process, so that an edit knows which files were read. */
function sharedState(): SessionState {
  directState ??= new SessionState();
  return directState;
}

/** The environment of this process without model keys. */
export function keylessEnvironment(): Record<string, string> {
  const names = new Set(keyVariables(loadCatalogue().vendors));
  const keys = new Set([...names].map((name) => process.env[name]).filter(Boolean));
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || names.has(name) || keys.has(value) ? [] : [[name, value]],
    ),
  );
}
