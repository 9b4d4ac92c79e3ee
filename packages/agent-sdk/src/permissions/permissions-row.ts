import type { CommandRow } from '@robota-sdk/agent-config';
import { permissionModes } from '@robota-sdk/agent-core';

/** `/permissions` and `robota permissions`. */
export const permissionsRow: CommandRow = {
  name: 'permissions',
  description: 'Show the permission mode and rules, or check a command',
  needs: [],
  during: 'run',
  where: ['prompt', 'shell'],
  subcommands: [
    { name: 'list', description: 'Show the mode and every rule, with file and line' },
    {
      name: 'check',
      argumentHint: 'COMMAND',
      description: 'Show whether a command would be allowed',
      takesCommand: true,
      variants: [
        { argumentHint: '-- WORDS', description: 'Same, with everything after -- as the command' },
        {
          argumentHint: '--tool TOOL --path PATH',
          description: 'Same for Read, Write, Edit, Glob or Grep (WebFetch: --url URL)',
        },
        {
          argumentHint: '< cases.jsonl',
          description: 'Check one case per line and print one result per line',
        },
      ],
    },
    {
      name: 'suggest',
      description: 'Suggest rules that would have avoided recent questions',
      where: ['shell'],
    },
  ],
  options: [
    {
      name: 'mode',
      value: 'MODE',
      choices: permissionModes,
      description: 'Permission mode: plan, default, acceptEdits or bypassPermissions',
    },
    {
      name: 'allow',
      value: 'RULE',
      description: 'Use these rules instead of the settings (also --ask, --deny)',
      of: ['list', 'check'],
    },
    { name: 'ask', value: 'RULE', description: 'See --allow', of: ['list', 'check'] },
    { name: 'deny', value: 'RULE', description: 'See --allow', of: ['list', 'check'] },
    { name: 'tool', value: 'TOOL', description: 'Check this tool', of: ['check'] },
    { name: 'path', value: 'PATH', description: 'Path to check', of: ['check'] },
    { name: 'url', value: 'URL', description: 'URL to check', of: ['check'] },
    { name: 'cwd', value: 'DIR', description: 'Use the project in DIR' },
    { name: 'trust-project', description: "Include the repository's own allow rules" },
    { name: 'json', description: 'Print JSON' },
    { name: 'all', description: 'Include all projects', of: ['suggest'] },
    { name: 'save', description: 'Add the rules to .robota/settings.local.json', of: ['suggest'] },
  ],
  notes: `A case is {"rules": {"allow": [], "ask": [], "deny": []}, "mode": "default", "command": "npm test"}, or has "tool" and "path"
instead of "command"; "id", "cwd" (default: /ws) and "home" (default: /home/u) are optional. A result is
{"id", "decision", "rule", "why"}.`,
};
