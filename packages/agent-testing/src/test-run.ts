import {
  type AgentEvent,
  type AgentRun,
  type AnyTool,
  HookRegistry,
  MessageQueue,
  type Model,
  type ModelChoice,
  type ModelProvider,
  SessionState,
  silentInterface,
  type Tool,
  type ToolContext,
  type ToolEnvironment,
  type ToolOutput,
  textOutput,
} from '@robota-sdk/agent-core';

/** A model for tests; a call costs $1 per million tokens in and $2 out. */
export function testModel(extra: Partial<Model> = {}): Model {
  return {
    vendor: 'scripted',
    id: 'test-model',
    api: 'offline',
    name: 'Test Model',
    contextWindow: 200_000,
    maxOutput: 8_000,
    images: true,
    thinking: 'none',
    price: { input: 1, output: 2 },
    ...extra,
  };
}

export function testChoice(provider: ModelProvider, extra: Partial<Model> = {}): ModelChoice {
  return { model: testModel(extra), provider };
}

/** Tool surroundings rooted in a directory. */
export function testToolEnvironment(cwd: string, extra: Partial<ToolEnvironment> = {}): ToolEnvironment {
  return {
    workspace: { cwd, additional: [], home: cwd },
    state: new SessionState(),
    env: { PATH: process.env['PATH'] ?? '' },
    outputDir: `${cwd}/.outputs`,
    ui: silentInterface,
    ...extra,
  };
}

/** A run that allows everything and retries without waiting. */
export function testRun(provider: ModelProvider, extra: Partial<AgentRun> = {}): AgentRun {
  return {
    history: [],
    prompt: { content: [{ type: 'text', text: 'go' }] },
    system: 'test',
    models: [testChoice(provider)],
    thinking: 'off',
    tools: [],
    toolEnvironment: testToolEnvironment('/nowhere'),
    hooks: new HookRegistry(),
    queue: new MessageQueue(),
    retry: { maxRetries: 3, baseDelayMs: 0, maxDelayMs: 0, maxRetryAfterMs: 1000 },
    signal: new AbortController().signal,
    authorize: async () => ({ allowed: true }),
    ...extra,
  };
}

/** Collects what a run emits. */
export function recorder(): { readonly events: AgentEvent[]; readonly emit: (event: AgentEvent) => void } {
  const events: AgentEvent[] = [];
  return { events, emit: (event) => void events.push(event) };
}

type TestToolOptions = Partial<Omit<Tool<Record<string, unknown>>, 'name' | 'execute'>> & {
  execute?(input: Record<string, unknown>, context: ToolContext): Promise<ToolOutput | string>;
};

/** A tool whose input is any object. */
export function testTool(name: string, options: TestToolOptions = {}): AnyTool {
  const tool: Tool<Record<string, unknown>> = {
    description: `the test tool ${name}`,
    input: {
      json: { type: 'object' },
      parse: (value) => ({ ok: true, value: value as Record<string, unknown> }),
    },
    access: () => [],
    ...options,
    name,
    execute: async (input, context) => {
      const output = (await options.execute?.(input, context)) ?? `${name} done`;
      return typeof output === 'string' ? textOutput(output) : output;
    },
  };
  return tool as AnyTool;
}
