import type { CommandOption, CommandRow } from '@robota-sdk/agent-config';

const json = { name: 'json', description: 'Print JSON', isShellOnly: true } as const;
const cwd = { name: 'cwd', value: 'DIR', description: 'Use the project in DIR', isShellOnly: true } as const;
const trustProject = {
  name: 'trust-project',
  description: 'Use what the repository supplies, for this call',
  isShellOnly: true,
} as const;

/** `/config` and `robota config`. */
export const configRow: CommandRow = {
  name: 'config',
  isCommon: true,
  aliases: ['settings'],
  description: 'Show, explain and change settings',
  needs: [],
  during: 'run',
  where: ['prompt', 'shell'],
  screen: 'settings',
  completes: true,
  subcommands: [
    { name: 'list', description: 'List every setting that is set, with file and line' },
    { name: 'get', argumentHint: 'KEY', description: 'Print the value in effect' },
    {
      name: 'set',
      argumentHint: 'KEY VALUE',
      description: 'Set a value: JSON or plain text; comments in the file are kept',
      variants: [{ argumentHint: '--add KEY VALUE', description: 'Add to a list, such as permissions.deny' }],
    },
    { name: 'unset', argumentHint: 'KEY', description: 'Remove a setting from the file' },
    {
      name: 'explain',
      argumentHint: 'KEY',
      description: 'Print the value, its file and line, and what other files say',
    },
    { name: 'path', description: 'List every settings file, strongest first, and the folders of Robota' },
    { name: 'edit', description: 'Open the file in $VISUAL or $EDITOR and check it afterwards' },
    {
      name: 'schema',
      argumentHint: '[NAME]',
      description: 'Print the JSON Schema of settings, models or credentials',
    },
    { name: 'warnings', description: 'List all warnings of this session', where: ['prompt'] },
  ],
  options: [
    {
      name: 'scope',
      value: 'SCOPE',
      description: 'user (the default), project (.robota/settings.json) or local (settings.local.json)',
      of: ['set', 'unset', 'edit'],
    },
    { name: 'add', description: 'Add to a list', of: ['set'] },
    cwd,
    trustProject,
    { ...json, isShellOnly: false },
  ],
  notes: 'Write keys as permissions.defaultMode, models.profiles[0].name or compaction.models["vendor/id"].',
};

/** `/mcp` and `robota mcp`. */
export const mcpRow: CommandRow = {
  name: 'mcp',
  description: 'Manage MCP servers and their tools',
  needs: [],
  during: 'run',
  where: ['prompt', 'shell'],
  completes: true,
  subcommands: [
    {
      name: 'list',
      aliases: ['ls', 'status'],
      description: 'List configured servers, their source and state',
    },
    { name: 'get', aliases: ['show'], argumentHint: 'NAME', description: 'Show one server' },
    {
      name: 'tools',
      argumentHint: '[NAME]',
      description: 'List the tools of a server and their cost',
      where: ['prompt'],
    },
    { name: 'restart', argumentHint: 'NAME', description: 'Restart a server', where: ['prompt'] },
    {
      name: 'approve',
      argumentHint: 'NAME',
      description: 'Approve the changed tools of a server',
      where: ['prompt'],
    },
    {
      name: 'add',
      argumentHint: 'NAME [--env KEY=value] -- COMMAND [ARGS]',
      description: 'Add a server that runs as a command',
      variants: [
        {
          argumentHint: '--transport http NAME URL [--header "Name: value"]',
          description: 'Add a server by its URL',
        },
      ],
    },
    { name: 'add-json', argumentHint: 'NAME JSON', description: 'Add a server as JSON' },
    {
      name: 'remove',
      aliases: ['rm'],
      argumentHint: 'NAME',
      description: "Remove a server from Robota's files",
    },
    { name: 'enable', argumentHint: 'NAME', description: 'Enable a server in this project' },
    {
      name: 'disable',
      argumentHint: 'NAME',
      description: 'Disable a server in this project; everywhere with --scope user',
    },
    {
      name: 'test',
      argumentHint: '[NAME]',
      description: 'Start a server and report what it offers or why it fails',
    },
    { name: 'login', argumentHint: 'NAME', description: 'Log in to a server' },
    { name: 'logout', argumentHint: 'NAME', description: 'Log out of a server' },
    {
      name: 'serve',
      description: 'Run Robota as an MCP server on standard input and output',
      where: ['shell'],
    },
  ],
  options: [
    { name: 'transport', short: 't', value: 'KIND', description: 'stdio (a command), http or sse (a URL)' },
    { name: 'env', short: 'e', value: 'KEY=value', description: 'Set a variable for the command' },
    { name: 'header', short: 'H', value: '"Name: value"', description: 'Send a header to the URL' },
    {
      name: 'scope',
      short: 's',
      value: 'SCOPE',
      description: 'local (you, in this project; the default), project (.robota/mcp.json) or user',
    },
    { name: 'client-id', value: 'ID', description: 'OAuth client id of a registered client' },
    { name: 'client-secret', value: 'SECRET', description: 'OAuth client secret' },
    { name: 'client-secret-env', value: 'VAR', description: 'Variable with the OAuth client secret' },
    { name: 'client-metadata-url', value: 'URL', description: 'URL of the OAuth client metadata' },
    { name: 'callback-port', value: 'PORT', description: 'Port of the login callback' },
    {
      name: 'grant',
      value: 'GRANT',
      description: 'client_credentials (log in as the program) or cross_app_access (by an identity provider)',
    },
    { name: 'private-key', value: 'FILE', description: 'client_credentials: key that signs the request' },
    { name: 'signing-algorithm', value: 'NAME', description: 'client_credentials: such as ES256' },
    { name: 'idp-token-endpoint', value: 'URL', description: 'cross_app_access: token endpoint' },
    { name: 'idp-client-id', value: 'ID', description: 'cross_app_access: client id' },
    { name: 'id-token-env', value: 'VAR', description: 'cross_app_access: variable with the id token' },
    {
      name: 'elicitation',
      value: 'WAY',
      description: "defaults: answer the server's questions with its defaults; otherwise you are asked",
    },
    { name: 'no-browser', description: 'Print the login URL only', of: ['login'] },
    { name: 'approve', description: 'Approve the changed tools of a server', of: ['test'] },
    trustProject,
    json,
    cwd,
  ],
  notes:
    'Servers are also read from .mcp.json, .rab/mcp.json, ~/.claude.json and the like; those of a project need your approval.',
};

/** `/plugin` and `robota plugin`. */
export const pluginRow: CommandRow = {
  name: 'plugin',
  aliases: ['plugins'],
  description: 'Install, update and remove plugins, and browse marketplaces',
  needs: [],
  during: 'idle',
  where: ['prompt', 'shell'],
  subcommands: [
    { name: 'list', aliases: ['ls'], description: 'List installed plugins and their state' },
    {
      name: 'install',
      aliases: ['i'],
      argumentHint: 'NAME[@MARKETPLACE]',
      description: 'Install from a marketplace',
      variants: [
        {
          argumentHint: 'SOURCE',
          description: 'Install ./folder, owner/repo[#ref], a git URL, a .tar.gz or .zip',
        },
        { argumentHint: 'FILE.wasm', description: 'Prepare and install a WebAssembly extension' },
      ],
    },
    {
      name: 'uninstall',
      aliases: ['remove', 'rm'],
      argumentHint: 'NAME',
      description: 'Remove a plugin',
    },
    {
      name: 'enable',
      argumentHint: 'NAME',
      description: 'Enable a plugin; shows it again if its files have changed',
    },
    { name: 'disable', argumentHint: 'NAME', description: 'Disable a plugin and keep its files' },
    {
      name: 'update',
      argumentHint: '[NAME]',
      description: 'Refresh marketplaces and install newer versions',
    },
    {
      name: 'search',
      argumentHint: '[WORDS]',
      description: 'Search by name, keyword and description',
    },
    {
      name: 'marketplace',
      argumentHint: '[add SOURCE | remove NAME | update [NAME] | list]',
      description: 'List what can be installed, or manage marketplaces',
    },
    {
      name: 'new',
      argumentHint: 'NAME',
      description: 'Create a small plugin to start from',
      variants: [
        { argumentHint: 'NAME --wasm', description: 'Create a WebAssembly extension in TypeScript' },
      ],
    },
    {
      name: 'approve',
      argumentHint: 'NAME',
      description: 'Grant a WebAssembly extension of yours what it asks for',
    },
    {
      name: 'toolchain',
      description: 'Install the tools that prepare WebAssembly extensions (about 300 MB)',
    },
    {
      name: 'validate',
      argumentHint: 'DIR',
      description: 'Report everything wrong with a plugin; exit code 1 if anything is',
    },
  ],
  options: [
    {
      name: 'scope',
      value: 'SCOPE',
      description: 'user (~/.robota/plugins) or project (.robota/plugins, for everyone who works on it)',
    },
    { name: 'category', value: 'NAME', description: 'Search in one category', of: ['search'] },
    { name: 'wasm', description: 'Create a WebAssembly extension', of: ['new'] },
    { name: 'yes', short: 'y', description: 'Approve in advance, for scripts' },
    json,
    cwd,
  ],
  notes:
    'Before an installation you see what it adds, which parts of it run, and what it costs in every request.',
};

/** The options of a command that are about the request, not about the call. */
export function requestOptions({ options = [] }: CommandRow): readonly CommandOption[] {
  return options.filter(({ isShellOnly }) => !isShellOnly);
}
