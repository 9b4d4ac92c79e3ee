import type { CommandOption, CommandRow } from '@robota-sdk/agent-config';

const json = { name: 'json', description: 'Print JSON', isShellOnly: true } as const;
const cwd = { name: 'cwd', value: 'DIR', description: 'Use the project in DIR', isShellOnly: true } as const;
const trustProject = {
  name: 'trust-project',
  description: 'Trust the settings of the repository for this command',
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
    { name: 'list', description: 'List all settings with their file and line' },
    { name: 'get', argumentHint: 'KEY', description: 'Print the value in effect' },
    {
      name: 'set',
      argumentHint: 'KEY VALUE',
      description: 'Set a value (JSON or plain text)',
      variants: [{ argumentHint: '--add KEY VALUE', description: 'Add to a list, such as permissions.deny' }],
    },
    { name: 'unset', argumentHint: 'KEY', description: 'Remove a setting from the file' },
    {
      name: 'explain',
      argumentHint: 'KEY',
      description: 'Show where a value comes from and what it overrides',
    },
    { name: 'path', description: 'List settings files by precedence, and the folders of Robota' },
    { name: 'edit', description: 'Open the settings file in $VISUAL or $EDITOR' },
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
      choices: ['user', 'project', 'local'],
      description: 'File: user (default), project (.robota/settings.json) or local (settings.local.json)',
      of: ['set', 'unset', 'edit'],
    },
    { name: 'add', description: 'Add to a list', of: ['set'] },
    cwd,
    trustProject,
    { ...json, isShellOnly: false },
  ],
  notes:
    'Examples of keys: permissions.defaultMode, models.profiles[0].name, compaction.models["vendor/id"].',
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
      description: 'List servers with source and state',
    },
    { name: 'get', aliases: ['show'], argumentHint: 'NAME', description: 'Show one server' },
    {
      name: 'tools',
      argumentHint: '[NAME]',
      description: 'List tools and their token cost',
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
      description: 'Remove a server',
    },
    { name: 'enable', argumentHint: 'NAME', description: 'Enable a server in this project' },
    {
      name: 'disable',
      argumentHint: 'NAME',
      description: 'Disable a server in this project, or everywhere with --scope user',
    },
    {
      name: 'test',
      argumentHint: '[NAME]',
      description: 'Start a server and show what it offers or why it fails',
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
    {
      name: 'transport',
      short: 't',
      value: 'KIND',
      choices: ['stdio', 'http', 'sse'],
      description: 'Transport: stdio (a command), http or sse (a URL)',
    },
    {
      name: 'env',
      short: 'e',
      value: 'KEY=value',
      description: 'Set an environment variable of the command',
    },
    { name: 'header', short: 'H', value: '"Name: value"', description: 'Send a header to the URL' },
    {
      name: 'scope',
      short: 's',
      value: 'SCOPE',
      choices: ['local', 'project', 'user'],
      description: 'Scope: local (only you, in this project; default), project (.robota/mcp.json) or user',
    },
    { name: 'client-id', value: 'ID', description: 'OAuth client ID' },
    { name: 'client-secret', value: 'SECRET', description: 'OAuth client secret' },
    {
      name: 'client-secret-env',
      value: 'VAR',
      description: 'Environment variable with the OAuth client secret',
    },
    { name: 'client-metadata-url', value: 'URL', description: 'URL of the OAuth client metadata' },
    { name: 'callback-port', value: 'PORT', description: 'Port of the OAuth callback' },
    {
      name: 'grant',
      value: 'GRANT',
      choices: ['client_credentials', 'cross_app_access'],
      description: 'OAuth grant: client_credentials (machine login) or cross_app_access (identity provider)',
    },
    {
      name: 'private-key',
      value: 'FILE',
      description: 'Private key that signs the request (client_credentials)',
    },
    {
      name: 'signing-algorithm',
      value: 'NAME',
      description: 'Signing algorithm, such as ES256 (client_credentials)',
    },
    { name: 'idp-token-endpoint', value: 'URL', description: 'Token endpoint (cross_app_access)' },
    { name: 'idp-client-id', value: 'ID', description: 'Client ID (cross_app_access)' },
    {
      name: 'id-token-env',
      value: 'VAR',
      description: 'Environment variable with the ID token (cross_app_access)',
    },
    {
      name: 'elicitation',
      value: 'WAY',
      choices: ['defaults'],
      description: "defaults: answer the server's questions with its default values instead of asking you",
    },
    { name: 'no-browser', description: 'Print the login URL instead of opening a browser', of: ['login'] },
    { name: 'approve', description: 'Approve the changed tools of a server', of: ['test'] },
    trustProject,
    json,
    cwd,
  ],
  notes:
    'Servers are also loaded from .mcp.json, .rab/mcp.json, ~/.claude.json and similar files. Project servers need your approval.',
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
          description: 'Install from ./folder, owner/repo[#ref], a git URL, a .tar.gz or a .zip',
        },
        { argumentHint: 'FILE.wasm', description: 'Install a WebAssembly extension' },
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
      description: 'Enable a plugin; asks again if its files have changed',
    },
    { name: 'disable', argumentHint: 'NAME', description: 'Disable a plugin without removing it' },
    {
      name: 'update',
      argumentHint: '[NAME]',
      description: 'Update marketplaces and plugins',
    },
    {
      name: 'search',
      argumentHint: '[WORDS]',
      description: 'Search plugins by name, keyword and description',
    },
    {
      name: 'marketplace',
      argumentHint: '[add SOURCE | remove NAME | update [NAME] | list]',
      description: 'List available plugins, or manage marketplaces',
    },
    {
      name: 'new',
      argumentHint: 'NAME',
      description: 'Create a new plugin',
      variants: [
        { argumentHint: 'NAME --wasm', description: 'Create a WebAssembly extension in TypeScript' },
      ],
    },
    {
      name: 'approve',
      argumentHint: 'NAME',
      description: 'Approve the permissions of a WebAssembly extension',
    },
    {
      name: 'toolchain',
      description: 'Install the build tools for WebAssembly extensions (about 300 MB)',
    },
    {
      name: 'validate',
      argumentHint: 'DIR',
      description: 'Check a plugin; exits with 1 if there are problems',
    },
  ],
  options: [
    {
      name: 'scope',
      value: 'SCOPE',
      choices: ['user', 'project'],
      description: 'Scope: user (~/.robota/plugins) or project (.robota/plugins, shared with the team)',
    },
    { name: 'category', value: 'NAME', description: 'Search in one category', of: ['search'] },
    { name: 'wasm', description: 'Create a WebAssembly extension', of: ['new'] },
    { name: 'yes', short: 'y', description: 'Skip confirmation' },
    json,
    cwd,
  ],
  notes:
    'Before installing, the command shows what a plugin adds, what it runs, and its token cost per request.',
};

/** The options of a command that are about the request, not about the call. */
export function requestOptions({ options = [] }: CommandRow): readonly CommandOption[] {
  return options.filter(({ isShellOnly }) => !isShellOnly);
}
