import { resolve } from 'node:path';
import {
  AgentError,
  type InteractiveSessionOptions,
  numberWithin,
  parseAgents,
  parseMcpConfig,
  type SettingOwner,
  type StoredSessionChoice,
  settingOwners,
  splitRules,
} from '@robota-sdk/agent-sdk/front-end';
import type { Arguments } from './args.ts';
import { flagOptions, flagValue } from './flag-options.ts';
import { jsonOption, readOptionFile } from './json-option.ts';
import { isQuiet, mayBypass, permissionModeOption, thinkingOption } from './mode-options.ts';

/** Makes the options of a session from the command line. */
export function sessionOptions(args: Arguments): InteractiveSessionOptions {
  const withoutBuiltIns = args.has('no-builtin-tools') || args.has('no-extensions');
  const betas = args.value('betas');
  if (betas !== undefined) process.env.ANTHROPIC_BETAS = betas;
  return {
    ...flagOptions(args),
    cwd: resolve(args.value('cwd') ?? '.'),
    model: args.value('model') === 'default' ? undefined : args.value('model'),
    fallbackModels: args.has('fallback-model')
      ? args.values('fallback-model').flatMap((each) => each.split(','))
      : undefined,
    apiKey: args.value('api-key'),
    baseUrl: args.value('base-url'),
    thinking: thinkingOption(args),
    permissionMode: permissionModeOption(args),
    mayBypass: mayBypass(args),
    dontAsk: isQuiet(args),
    rules: { allow: ruleList(args, 'allow'), ask: ruleList(args, 'ask'), deny: ruleList(args, 'deny') },
    additionalDirectories: args.values('add-dir').map((directory) => resolve(directory)),
    sandbox: {
      mode: args.value('sandbox') as 'off' | 'auto' | 'required' | undefined,
      writable: args.values('sandbox-write').map((path) => resolve(path)),
      readable: args.values('sandbox-read').map((path) => resolve(path)),
      hosts: args.values('sandbox-host'),
    },
    maxCost: flagValue(args, 'max-cost', numberWithin({ exclusiveMinimum: 0 })),
    systemPrompt: textOption(args, 'system-prompt'),
    appendSystemPrompt: appendedPrompt(args),
    movesEnvironment: args.has('static-prompt'),
    contextFiles: !args.has('no-context-files'),
    trustProject: args.has('trust-project'),
    mcpServers: args.has('mcp-config')
      ? Object.assign({}, ...args.values('mcp-config').map(parseMcpConfig))
      : undefined,
    strictMcpConfig: args.has('strict-mcp-config'),
    settings: (['managed-settings', 'settings'] as const).flatMap((name) =>
      args.values(name).map((given) => jsonOption(name, given)),
    ),
    agents: args.values('agents').flatMap((given) => parseAgents(jsonOption('agents', given))),
    agent: args.value('agent'),
    pluginDirectories: args.values('plugin-dir').map((directory) => resolve(directory)),
    settingSources: sourcesOption(args),
    sessionId: sessionIdOption(args),
    name: args.value('name'),
    debugFile: fileOption(args, 'debug-file'),
    builtInTools: !withoutBuiltIns,
    extensionFiles: !args.has('no-extensions'),
    tools: { only: names(args, 'tools'), exclude: names(args, 'exclude-tools'), none: args.has('no-tools') },
    store: sessionChoice(args),
    sessions: databaseOption(args),
    fork: args.has('fork'),
    record: fileOption(args, 'record'),
    replay: fileOption(args, 'replay'),
  };
}

/** A text of the command line, or that of a file. */
function textOption(args: Arguments, name: 'system-prompt' | 'append-system-prompt'): string | undefined {
  const file = args.value(`${name}-file`);
  if (file === undefined) return args.value(name);
  if (args.has(name)) throw new AgentError('usage', `--${name} and --${name}-file cannot be used together.`);
  return readOptionFile(`${name}-file`, resolve(file));
}

/** The text that joins the system prompt, with the budget of the task. */
function appendedPrompt(args: Arguments): string | undefined {
  const tokens = flagValue(args, 'task-budget', numberWithin({ exclusiveMinimum: 0 }));
  const budget =
    tokens === undefined
      ? undefined
      : `You have about ${tokens} tokens for this task: thinking, calls, their results and answers. Plan for that, and finish before it is spent.`;
  const parts = [textOption(args, 'append-system-prompt'), budget].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join('\n\n');
}

function sourcesOption(args: Arguments): readonly SettingOwner[] | undefined {
  const text = args.value('setting-sources');
  if (text === undefined) return undefined;
  const given = text
    .split(',')
    .map((owner) => owner.trim())
    .filter((owner) => owner !== '');
  const owners = settingOwners.filter((owner) => given.includes(owner));
  const unknown = given.find((owner) => !settingOwners.some((known) => known === owner));
  if (unknown === undefined) return owners;
  throw new AgentError(
    'usage',
    `--setting-sources ${text}: unknown "${unknown}". Choose from ${settingOwners.join(', ')}.`,
  );
}

/** The database is opened with the session. */
function databaseOption(args: Arguments): InteractiveSessionOptions['sessions'] {
  const given = args.value('database');
  if (given === undefined) return undefined;
  const clash = (['no-session', 'session'] as const).find((name) => args.has(name));
  if (clash !== undefined)
    throw new AgentError('usage', `--database and --${clash} cannot be used together.`);
  return async (onProblem) => {
    const { openDatabaseSessions } = await import('../database/open-database-sessions.ts');
    return openDatabaseSessions(given, onProblem);
  };
}

function sessionIdOption(args: Arguments): string | undefined {
  const clash = (['no-session', 'continue', 'resume', 'session', 'replay'] as const).find((name) =>
    args.has(name),
  );
  if (args.has('session-id') && clash !== undefined)
    throw new AgentError(
      'usage',
      `--session-id is for a new session, and --${clash} opens none. Leave one out.`,
    );
  return args.value('session-id');
}

function fileOption(args: Arguments, name: 'record' | 'replay' | 'debug-file'): string | undefined {
  const path = args.value(name);
  return path === undefined ? undefined : resolve(path);
}

/** A recording brings its own conversation and model. */
function assertSealed(args: Arguments): void {
  const options = [
    'record',
    'continue',
    'resume',
    'session',
    'fork',
    'model',
    'fallback-model',
    'goal',
  ] as const;
  const clash = options.find((name) => args.has(name));
  if (clash !== undefined) throw new AgentError('usage', `--replay and --${clash} cannot be used together.`);
}

function sessionChoice(args: Arguments): StoredSessionChoice {
  if (args.has('replay')) assertSealed(args);
  const given = (['no-session', 'continue', 'resume', 'session'] as const).filter((name) => args.has(name));
  if (given.length > 1) {
    throw new AgentError('usage', `--${given[0]} and --${given[1]} cannot be used together.`);
  }
  if (args.has('fork') && (given[0] === undefined || given[0] === 'no-session')) {
    throw new AgentError(
      'usage',
      '--fork needs a session to copy: add --continue, --resume ID or --session PATH.',
    );
  }
  const resume = args.value('resume');
  const path = args.value('session');
  if (args.has('no-session')) return 'none';
  if (args.has('continue')) return 'latest';
  if (resume !== undefined) return { open: resume };
  return path === undefined ? 'new' : { path: resolve(path) };
}

/** `--allow "A" --allow "B"` and Claude Code's `--allowedTools "A,B"` and `"A B"` alike. */
function ruleList(args: Arguments, name: 'allow' | 'ask' | 'deny'): readonly string[] {
  return args.values(name).flatMap((text) => {
    const rules = splitRules(text);
    // `--deny "rm -rf"` is a command and no list of tools, so it stays one rule, which is an error.
    const isList = rules.every((rule) => /^(?:[A-Z*]|mcp__)/.test(rule));
    return isList || rules.length === text.split(',').length ? rules : [text];
  });
}

/** `default` stands for all of them. */
function names(args: Arguments, option: 'tools' | 'exclude-tools'): readonly string[] | undefined {
  if (!args.has(option)) return undefined;
  const names = args.values(option).flatMap((text) => splitRules(text));
  return option === 'tools' && names.length === 1 && names[0] === 'default' ? undefined : names;
}
