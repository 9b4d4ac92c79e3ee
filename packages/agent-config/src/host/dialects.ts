import { join } from 'node:path';
import { having, objectInstance, pathShape, robotaDirectories } from '@robota-sdk/agent-core';

/** One tool family whose files we read; only `robota` is ever written. */
export interface Dialect {
  readonly name: 'robota' | 'agents' | 'claude' | 'pi' | 'rab' | 'eidolon';
  /** The folder in a project, and the one in the home directory. */
  readonly projectFolder: string;
  readonly userFolder: string;
  /** Settings files below those folders, the strongest first. */
  readonly projectSettings: readonly string[];
  readonly userSettings: readonly string[];
  /** Files below those folders that hold model profiles and are no settings otherwise. */
  readonly profiles: readonly string[];
  /** Files below the user's folder with keys and with models of the user's own. */
  readonly credentials?: string;
  readonly models?: string;
  /** True if `SYSTEM.md` and `APPEND_SYSTEM.md` below those folders change the system prompt. */
  readonly prompts?: true;
  /** A file below the user's folder with key bindings. */
  readonly keybindings?: string;
  /** Instructions for every project, in the user's folder. */
  readonly userInstructions: readonly string[];
  /** Instructions in a directory of a project: of each group the first file that is there. */
  readonly instructions: readonly (readonly string[])[];
  /** A folder below those folders with further instructions, some of them for certain files only. */
  readonly rules?: string;
  /** A folder below those folders with output styles. */
  readonly outputStyles?: string;
  /** Folders below those folders that hold resources, the strongest first. */
  readonly resources: Readonly<Record<ResourceKind, readonly string[]>>;
  readonly sessions?: SessionFolders;
  /** A file below the user's folder with the marketplaces of plugins that the tool knows. */
  readonly marketplaces?: string;
  /** Files with MCP servers, below the folder of the project and below the user's. */
  readonly servers?: { readonly project: string; readonly user: string };
}

/** The folders or files of a tool's sessions: in the home directory, unless a variable names another. */
interface SessionFolders {
  readonly folders: readonly string[];
  /** Variables, the strongest first, each with the folders below what it names. */
  readonly variables?: Readonly<Record<string, readonly string[]>>;
  /** A key of `settings.json` that names the folder: in a folder that a variable moves, unless another one is set. */
  readonly setting?: {
    readonly key: string;
    readonly folder: string;
    readonly variable: string;
    readonly unless: string;
  };
  /** The folder of a project's sessions, for a tool whose sessions do not say where they were held. */
  readonly projectFolder?: (cwd: string) => string;
}

/** Kinds of resources that a project or user can add as files. */
export type ResourceKind = 'skills' | 'commands' | 'agents' | 'extensions' | 'themes';

const none: readonly string[] = [];

/** The folders of each tool family, in order of precedence; no other code knows these paths. */
export const dialects: readonly Dialect[] = [
  {
    name: 'robota',
    projectFolder: '.robota',
    userFolder: '.robota',
    projectSettings: ['settings.local.json', 'settings.json'],
    userSettings: ['settings.json'],
    profiles: [],
    prompts: true,
    keybindings: 'keybindings.json',
    credentials: 'auth.json',
    models: 'models.json',
    servers: { project: 'mcp.json', user: 'mcp.json' },
    outputStyles: 'output-styles',
    userInstructions: ['AGENTS.md'],
    instructions: [],
    resources: {
      skills: ['skills'],
      commands: ['commands'],
      agents: ['agents'],
      extensions: ['extensions'],
      themes: ['themes'],
    },
  },
  {
    name: 'agents',
    projectFolder: '.agents',
    userFolder: '.agents',
    projectSettings: [],
    userSettings: [],
    profiles: [],
    userInstructions: ['AGENTS.md'],
    instructions: [['AGENTS.override.md', 'AGENTS.md', 'AGENTS.MD']],
    resources: {
      skills: ['skills'],
      commands: ['commands'],
      agents: ['agents'],
      extensions: none,
      themes: none,
    },
  },
  {
    name: 'claude',
    projectFolder: '.claude',
    userFolder: '.claude',
    projectSettings: ['settings.local.json', 'settings.json'],
    userSettings: ['settings.json'],
    profiles: [],
    userInstructions: ['CLAUDE.md'],
    instructions: [['CLAUDE.md', 'CLAUDE.MD'], ['.claude/CLAUDE.md'], ['CLAUDE.local.md']],
    rules: 'rules',
    outputStyles: 'output-styles',
    marketplaces: 'plugins/known_marketplaces.json',
    // Both stand beside the folder.
    servers: { project: '../.mcp.json', user: '../.claude.json' },
    sessions: {
      folders: ['.claude/projects', '.config/claude/projects'],
      variables: { CLAUDE_CONFIG_DIR: ['projects'] },
    },
    resources: {
      skills: ['skills', 'commands'],
      commands: ['commands'],
      agents: ['agents'],
      extensions: none,
      themes: none,
    },
  },
  {
    name: 'pi',
    projectFolder: '.pi',
    userFolder: '.pi/agent',
    projectSettings: ['settings.json'],
    userSettings: ['settings.json'],
    profiles: [],
    prompts: true,
    keybindings: 'keybindings.json',
    credentials: 'auth.json',
    models: 'models.json',
    servers: { project: 'mcp.json', user: 'mcp.json' },
    userInstructions: ['AGENTS.md'],
    instructions: [],
    sessions: {
      folders: ['.pi/agent/sessions'],
      variables: { PI_CODING_AGENT_SESSION_DIR: [''], PI_CODING_AGENT_DIR: ['sessions'] },
      setting: {
        key: 'sessionDir',
        folder: '.pi/agent',
        variable: 'PI_CODING_AGENT_DIR',
        unless: 'PI_CODING_AGENT_SESSION_DIR',
      },
    },
    resources: {
      skills: ['skills'],
      commands: ['prompts'],
      agents: ['agents'],
      extensions: none,
      themes: ['themes'],
    },
  },
  {
    name: 'rab',
    projectFolder: '.rab',
    userFolder: '.rab',
    projectSettings: ['settings.json'],
    userSettings: ['agent/settings.json'],
    profiles: [],
    prompts: true,
    keybindings: 'keybindings.json',
    credentials: 'agent/auth.json',
    models: 'models.json',
    servers: { project: 'mcp.json', user: 'agent/mcp.json' },
    userInstructions: ['AGENTS.md'],
    instructions: [],
    sessions: { folders: ['.rab/sessions', '.rab/agent/sessions'] },
    resources: {
      skills: ['skills'],
      commands: ['prompts'],
      agents: none,
      extensions: none,
      themes: ['themes'],
    },
  },
  {
    name: 'eidolon',
    projectFolder: '.eidolon',
    userFolder: '.eidolon',
    projectSettings: [],
    userSettings: [],
    // The folder's neighbour of the same name is older, and stronger.
    profiles: ['../.eidolon.json', 'config.json'],
    userInstructions: [],
    instructions: [],
    sessions: { folders: ['.eidolon/projects'], projectFolder: eidolonProject },
    resources: { skills: none, commands: ['commands'], agents: ['agents'], extensions: none, themes: none },
  },
];

/** The environment a session is born into; read once, at the edge. */
export interface HostEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /**
   * The owners whose files are read: settings, instructions, skills, commands, agents, MCP servers and
   * plugins. All unless given.
   */
  readonly settingSources?: readonly SettingOwner[] | undefined;
  /** False: reads no settings files of any owner. Other files are read. */
  readonly settingFiles?: boolean | undefined;
}

/** The shape of a host that a program gives. */
export const hostShape = having({ home: pathShape, env: objectInstance });

/** The owner of a file; `local` files are the user's in a project, and not shared. */
export const settingOwners = ['user', 'project', 'local'] as const;
export type SettingOwner = (typeof settingOwners)[number];

/** True if files of an owner are read. */
export function readsFilesOf({ settingSources }: HostEnvironment, owner: SettingOwner): boolean {
  return settingSources?.includes(owner) ?? true;
}

/** The folder of the user's settings and resources: `ROBOTA_HOME`, else `~/.robota`, else that of XDG. */
export function robotaHome(host: HostEnvironment): string {
  return robotaDirectories(host).config;
}

/** A dialect's folder in the user's home. */
export function userFolder(dialect: Dialect, host: HostEnvironment): string {
  return dialect.name === 'robota' ? robotaHome(host) : join(host.home, dialect.userFolder);
}

/** Files with the user's key bindings, the strongest first; they may not exist. */
export function keybindingFiles(host: HostEnvironment): readonly string[] {
  return dialects.flatMap((dialect) =>
    dialect.keybindings === undefined ? [] : [join(userFolder(dialect, host), dialect.keybindings)],
  );
}

/** A tool whose sessions can be imported. */
export interface ImportSource {
  readonly name: string;
  readonly sessions: SessionFolders;
}

/** Tools of which only sessions are read. */
const sessionTools: readonly ImportSource[] = [
  {
    name: 'codex',
    sessions: {
      folders: ['.codex/sessions', '.codex/archived_sessions'],
      variables: { CODEX_HOME: ['sessions', 'archived_sessions'] },
    },
  },
  {
    name: 'opencode',
    // Versions before the database kept each session in many files.
    sessions: {
      folders: ['.local/share/opencode/opencode.db', '.local/share/opencode/storage/session'],
      variables: { XDG_DATA_HOME: ['opencode/opencode.db', 'opencode/storage/session'] },
    },
  },
  { name: 'gemini', sessions: { folders: ['.gemini/tmp'], variables: { GEMINI_CLI_HOME: ['.gemini/tmp'] } } },
];

/** Every tool whose sessions can be imported. */
export const sessionSources: readonly ImportSource[] = [
  ...dialects.flatMap(({ name, sessions }) => (sessions ? [{ name, sessions }] : [])),
  ...sessionTools,
];

/** The folders and files that hold a tool's sessions; they may not exist. */
export function sessionFolders(
  { sessions }: ImportSource,
  { env, home }: HostEnvironment,
): readonly string[] {
  for (const [variable, below] of Object.entries(sessions.variables ?? {})) {
    const place = env[variable];
    if (place) return below.map((folder) => join(place.replace(/^~(?=\/|$)/, home), folder));
  }
  return sessions.folders.map((folder) => join(home, folder));
}

/** eidolon names a project by its path, in small letters and with dashes for slashes. */
function eidolonProject(cwd: string): string {
  const path = cwd.trim().toLowerCase().replace(/\\/g, '/').replace(/\/+/g, '/');
  const name = path
    .replaceAll('/', '-')
    .replace(/[^a-z0-9_-]/g, '_')
    .replace(/^-+/, '');
  return name === '' ? 'project' : name;
}
