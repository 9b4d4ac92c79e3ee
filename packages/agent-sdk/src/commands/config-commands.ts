import {
  configRow,
  describeStates,
  knownServers,
  type McpAnswer,
  type McpRequestServices,
  mcpRow,
  namedServer,
  parseConfigWords,
  pluginRow,
  runConfigRequest,
  runMcpRequest,
  runPluginRequest,
} from '@robota-sdk/agent-admin';
import { escapedLine, takeSubcommand } from '@robota-sdk/agent-config';
import {
  AgentError,
  type CommandContext,
  type CommandOutcome,
  describeProblems,
  pluralize,
} from '@robota-sdk/agent-core';
import { askAboutChange, splitArguments } from '@robota-sdk/agent-resources';
import { describeDecision } from '../permissions/describe-decision.ts';
import { describePermissions } from '../permissions/permission-report.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';
import type { CommandActions } from './built-in-commands.ts';
import { describeCommand } from './project-commands.ts';

/** Commands about settings, permissions, plugins and MCP servers. */
export const configCommands: CommandActions = {
  config: {
    complete: async (prefix) => {
      const [, verb = '', key = ''] = /^(\S+)\s+(\S*)$/.exec(prefix) ?? [];
      const row = configRow.subcommands?.find((each) => each.name === verb);
      if (!row?.argumentHint?.startsWith('KEY')) return [];
      const { settingKeys } = await import('@robota-sdk/agent-config');
      return settingKeys()
        .filter((each) => each.startsWith(key))
        .map((each) => `${verb} ${each}`);
    },
    run: async (args, { session }) => {
      const { live } = session;
      if (!live)
        return { kind: 'error', text: 'This session has its settings from a program, not from files.' };
      const words = args.match(/\S+/g) ?? [];
      if (words[0] === 'help') return { kind: 'notice', text: describeCommand(configRow) };
      if (words[0] === 'warnings') return { kind: 'notice', text: warningsOf(session) };
      const answer = await runConfigRequest(parseConfigWords(words, 'prompt'), live.place);
      const notes = answer.changed === undefined ? [] : await live.reload();
      return { kind: 'notice', text: [answer.text, ...notes].join('\n'), data: answer.data };
    },
  },
  'add-dir': {
    run: async (args, { session }) => {
      const { addDirectory } = await import('./add-directory.ts');
      return addDirectory(session, args.trim());
    },
  },
  permissions: {
    run: async (args, { session }) => {
      const [, verb = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(args) ?? [];
      if (verb === '' || verb === 'list')
        return { kind: 'notice', text: describePermissions(await session.permissions.report()) };
      if (verb !== 'check' || rest === '')
        return { kind: 'error', text: 'Use /permissions, or /permissions check COMMAND.' };
      return {
        kind: 'notice',
        text: describeDecision(rest, await session.permissions.check({ command: rest })),
      };
    },
  },
  plugin: {
    run: async (args, { session, ui, signal }) => {
      const { cwd, host } = session.place;
      const onProgress = (text: string) => ui.notify({ level: 'info', text: `${text} …` });
      const { name, words } = takeSubcommand(pluginRow, splitArguments(args), 'prompt');
      const request = runPluginRequest([name, ...words], { cwd, host, ui, signal, prefix: '/', onProgress });
      return outcomeOf(await request);
    },
  },
  mcp: {
    complete: async (prefix, { session }) => {
      const [, verb = '', name = ''] = /^(\S+)\s+(\S*)$/.exec(prefix) ?? [];
      const takesName = mcpRow.subcommands
        ?.find((each) => each.name === verb)
        ?.argumentHint?.includes('NAME');
      if (!takesName || verb.startsWith('add')) return [];
      const names = session.mcp.configured.map((server) => server.name);
      return names.filter((each) => each.startsWith(name)).map((each) => `${verb} ${each}`);
    },
    run: async (args, context) => {
      const answer = await runMcpCommand(splitArguments(args), context);
      // A server's error may quote secrets it received.
      return outcomeOf({ ...answer, text: context.session.redact(answer.text) });
    },
  },
  reload: {
    run: async (_args, { session }) => {
      const report = await session.reload();
      const count = (names: readonly string[], one: string) => pluralize(names.length, one);
      const parts = [
        count(report.tools, 'tool'),
        count(report.commands, 'command'),
        count(report.agents, 'agent'),
        count(report.skills, 'skill'),
        count(report.instructions, 'instruction file'),
      ];
      const text = [`Reloaded: ${parts.join(', ')}.`, ...describeProblems(report.problems)].join('\n');
      return { kind: 'notice', text, data: report };
    },
  },
};

function outcomeOf({ isOk, text, data }: McpAnswer): CommandOutcome {
  return isOk ? { kind: 'notice', text, data } : { kind: 'error', text };
}

/** All warnings, including those that the start of the session leaves out because they were shown before. */
function warningsOf({ problems }: InteractiveSession): string {
  if (problems.length === 0) return 'No warnings in this session.';
  return describeProblems(problems)
    .map((text) => `warning: ${text}`)
    .join('\n');
}

type Live = (names: readonly string[], desk: McpRequestServices) => Promise<McpAnswer>;

/** Subcommands for running servers; the others are those of `robota mcp`. */
const live: Readonly<Record<string, Live>> = { list, tools, restart, approve };

async function runMcpCommand(
  given: readonly string[],
  { session, ui, signal }: CommandContext<InteractiveSession>,
): Promise<McpAnswer> {
  const { cwd, host } = session.place;
  const say = (text: string) => ui.notify({ level: 'info', text });
  const desk: McpRequestServices = { cwd, host, ui, signal, session: session.mcp, prefix: '/', say };
  const { name, words } = takeSubcommand(mcpRow, given, 'prompt');
  return live[name]?.(words, desk) ?? runMcpRequest([name, ...words], desk);
}

async function list(_names: readonly string[], desk: McpRequestServices): Promise<McpAnswer> {
  const servers = desk.session?.servers;
  if (!servers) return runMcpRequest(['list'], desk);
  const { untrusted, problems } = await knownServers(desk);
  const states = servers.states();
  const waiting = untrusted.map(({ name, source }) => `${escapedLine(name)}: not trusted (${source})`);
  return {
    isOk: true,
    text: [describeStates(states), ...waiting, ...describeProblems(problems)].join('\n'),
    data: states.map(({ name, status, error, tools: offered, tokens }) => ({
      name,
      status,
      error,
      tools: offered.length,
      tokens,
    })),
  };
}

async function tools([name]: readonly string[], desk: McpRequestServices): Promise<McpAnswer> {
  const servers = serversOf(desk);
  if (name !== undefined) namedServer(name, await knownServers(desk));
  const states = servers.states().filter((state) => name === undefined || state.name === name);
  const lines = states.flatMap((state) => [
    describeStates([state]),
    ...state.tools.map(
      (tool) => `  ${escapedLine(tool.name)}: ${escapedLine(tool.description.split('\n')[0] ?? '')}`,
    ),
  ]);
  return {
    isOk: true,
    text: lines.join('\n'),
    data: states.map((state) => ({ name: state.name, tools: state.tools })),
  };
}

async function restart([name]: readonly string[], desk: McpRequestServices): Promise<McpAnswer> {
  const servers = serversOf(desk);
  if (name === undefined) throw new AgentError('usage', 'Use: /mcp restart NAME.');
  namedServer(name, await knownServers(desk));
  await servers.restart(name);
  const state = servers.state(name);
  return { isOk: state?.status === 'ready', text: describeStates(state ? [state] : []) };
}

/** Approves a server's current description after showing it. */
async function approve([name]: readonly string[], desk: McpRequestServices): Promise<McpAnswer> {
  serversOf(desk);
  const memory = desk.session?.memory;
  if (name === undefined) throw new AgentError('usage', 'Use: /mcp approve NAME.');
  const changed = memory?.changed.find(({ config }) => config.name === name);
  if (!memory || !changed) return { isOk: true, text: `${name} shows what you have approved.` };
  if (!(await askAboutChange(changed, desk.ui)))
    return { isOk: false, text: `${name} stays as it is: not used.` };
  await memory.agree(name);
  return restart([name], desk);
}

function serversOf({ session }: McpRequestServices) {
  const servers = session?.servers;
  if (servers) return servers;
  throw new AgentError(
    'config',
    'No MCP server is configured. /mcp add NAME COMMAND adds one, then /reload.',
  );
}
