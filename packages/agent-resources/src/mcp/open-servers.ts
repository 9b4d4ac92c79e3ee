import { resolve } from 'node:path';
import type { HostEnvironment } from '@robota-sdk/agent-config';
import { childEnvironment } from '@robota-sdk/agent-config';
import {
  type Problem,
  realPathOf,
  SessionState,
  sentence,
  type UserInterface,
  warning,
} from '@robota-sdk/agent-core';
import { sandboxAccess, sandboxDirectory, sandboxFor } from '@robota-sdk/agent-tools';
import { machineLogin } from '../mcp-definitions/machine-login.ts';
import { serverSubject } from '../mcp-definitions/server-subject.ts';
import { backgroundOAuth } from '../oauth/background-oauth.ts';
import { chooseSandbox, type SandboxChoice } from '../sandbox/choose-sandbox.ts';
import type { LoadedConfig } from '../source/loaded-config.ts';
import type { ElicitByProgram, ProgramServers } from '../source/server-definition.ts';
import { ServerMemory } from './server-memory.ts';

type Options = import('@robota-sdk/agent-tool-mcp').McpServersOptions;
type McpCommand = import('@robota-sdk/agent-tool-mcp').McpCommand;
type McpEnclosure = import('@robota-sdk/agent-tool-mcp').McpEnclosure;

export interface OpenOptions {
  readonly cwd: string;
  readonly host: HostEnvironment;
  /** The current settings; files may be reloaded while servers keep running. */
  config(): LoadedConfig;
  readonly servers: Options['servers'];
  readonly terminal?: UserInterface | undefined;
  /** Reaches servers that live in the program. */
  readonly programServers?: ProgramServers | undefined;
  /** How commands are sandboxed, beside the settings; what a project brings is held to the same. */
  readonly sandbox?: SandboxChoice | undefined;
  /** Answers MCP servers' questions instead of the terminal. */
  readonly elicit?: ElicitByProgram | undefined;
  onProblem(problem: Problem): void;
}

/** The services that connections to servers need. */
export interface OpenedServers {
  readonly memory: ServerMemory;
  readonly options: Options;
}

/** Our name for servers. */
const clientInfo = { name: 'robota', version: '0.1.0' };

/** Wires the configurations of servers to the server memory and the user interface. */
export function openServers(opened: OpenOptions): OpenedServers {
  const { cwd, host, config, servers, terminal, programServers, elicit, onProblem } = opened;
  const memory = new ServerMemory({
    host,
    isAttended: terminal !== undefined,
    onChanged: ({ config: { name } }) => {
      if (!terminal) onProblem(changedTools(name));
    },
  });
  return {
    memory,
    options: {
      servers,
      clientInfo,
      // Only started servers need it, never before the first request.
      get env() {
        return childEnvironment(config());
      },
      cwd,
      roots: () => [cwd, ...config().settings.additionalDirectories],
      memory: {
        recall: async (server) => (isProgram(server) ? undefined : memory.recall(server)),
        keep: async (server, knowledge) => (isProgram(server) ? undefined : memory.keep(server, knowledge)),
      },
      approve: async (server, knowledge) =>
        isProgram(server) ? knowledge : memory.approve(server, knowledge),
      ...(programServers ? { program: programServers } : {}),
      ...(elicit ? { elicit } : {}),
      mayStart: ({ name }) => assertUnchanged(name, config()),
      enclose: ({ name }, command) => encloseServer(name, command, opened),
      machineLogin: ({ name }) => {
        const server = config().mcpServers?.find((each) => each.name === name);
        return server && machineLogin(server, cwd);
      },
      authProvider: ({ name }) => {
        const server = config().mcpServers?.find((each) => each.name === name);
        return server && backgroundOAuth(server, host);
      },
      ...(terminal ? { ui: terminal, openUrl: (url) => openPage(url, terminal, host) } : {}),
    },
  };
}

/** Servers that the host program offers are its own and may differ in the next session. */
function isProgram({ transport }: Options['servers'][number]): boolean {
  return transport.kind === 'program';
}

/** A project's server has the same limits as commands. */
async function encloseServer(
  name: string,
  { cwd, env }: McpCommand,
  { config, host, sandbox, onProblem }: OpenOptions,
): Promise<McpEnclosure | undefined> {
  const current = config();
  if (current.mcpServers?.find((each) => each.name === name)?.origin.scope !== 'project') return undefined;
  const access = chooseSandbox(current, sandbox);
  if (access.mode === 'off') return undefined;
  const state = new SessionState();
  Object.assign(state.get(sandboxAccess), access);
  const additional = current.settings.additionalDirectories.map((path) => resolve(cwd, path));
  const enclosure = await sandboxFor({
    workspace: { cwd: realPathOf(cwd), additional: additional.map(realPathOf), home: host.home },
    state,
    env,
    ui: { notify: ({ text }) => onProblem(sandboxProblem(name, text)) },
    outputDir: cwd,
  });
  const report = (remarks: readonly string[]) => {
    for (const text of remarks) onProblem(sandboxProblem(name, text));
  };
  enclosure?.watch({ inBackground: true }, report);
  return (
    enclosure && {
      env: enclosure.env,
      wrap: (argv) => enclosure.wrap(argv),
      end: () => {
        report(enclosure.end({ inBackground: true }));
        state.peek(sandboxDirectory)?.dispose();
      },
    }
  );
}

/** Without a browser, shows the URL to the user instead. */
async function openPage(url: string, ui: UserInterface, { env }: HostEnvironment): Promise<void> {
  const { openLoginPage } = await import('../oauth/open-login-page.ts');
  if (!openLoginPage(new URL(url), env)) ui.notify({ level: 'info', text: `Open this page: ${url}` });
}

/** Scripts of a repository may change during a session, before a server restarts. */
async function assertUnchanged(name: string, { mcpServers = [], trust }: LoadedConfig): Promise<void> {
  const server = mcpServers.find((each) => each.name === name);
  if (!trust || server?.origin.scope !== 'project' || (await trust.isUnchanged(serverSubject(server))))
    return;
  throw new Error('what it runs has changed since you approved it. Restart robota to review it');
}

function sandboxProblem(server: string, reason: string): Problem {
  return warning('mcp.sandbox', sentence`MCP server ${{ server }}: ${{ reason }}`, { subject: server });
}

function changedTools(server: string): Problem {
  const message = sentence`The MCP server ${{ server }} has changed the descriptions of its tools. New and changed tools are not used.`;
  const hint = { text: 'Approve them in a terminal, or with', run: ['mcp', 'test', server, '--approve'] };
  return warning('mcp.changed-tools', message, { subject: server, hint, isInactive: true });
}
