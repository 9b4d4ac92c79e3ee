import type { CommandRow } from '@robota-sdk/agent-config';

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
      description: 'Tell what would be decided about a command',
      takesCommand: true,
      variants: [
        { argumentHint: '-- WORDS', description: 'The same; everything after -- is the command' },
        {
          argumentHint: '--tool TOOL --path PATH',
          description: 'The same for Read, Write, Edit, Glob or Grep (WebFetch: --url URL)',
        },
        { argumentHint: '< cases.jsonl', description: 'Read one case per line, print one answer per line' },
      ],
    },
    {
      name: 'suggest',
      description: 'Suggest rules that would have avoided recent questions',
      where: ['shell'],
    },
  ],
  options: [
    { name: 'mode', value: 'MODE', description: 'plan, default, acceptEdits or bypassPermissions' },
    {
      name: 'allow',
      value: 'RULE',
      description: 'Use these rules instead of those in the settings (also --ask, --deny)',
      of: ['list', 'check'],
    },
    { name: 'ask', value: 'RULE', description: 'See --allow', of: ['list', 'check'] },
    { name: 'deny', value: 'RULE', description: 'See --allow', of: ['list', 'check'] },
    { name: 'tool', value: 'TOOL', description: 'Check this tool', of: ['check'] },
    { name: 'path', value: 'PATH', description: 'The path it is called with', of: ['check'] },
    { name: 'url', value: 'URL', description: 'The URL it is called with', of: ['check'] },
    { name: 'cwd', value: 'DIR', description: 'Use the project in DIR' },
    { name: 'trust-project', description: "Include the repository's own allow rules" },
    { name: 'json', description: 'Print JSON' },
    { name: 'all', description: 'Include every project', of: ['suggest'] },
    { name: 'save', description: 'Add the rules to .robota/settings.local.json', of: ['suggest'] },
  ],
  notes: `A case is {"rules": {"allow": [], "ask": [], "deny": []}, "mode": "default", "command": "npm test"}, or has "tool" and "path"
instead of "command"; "id", "cwd" (default /ws) and "home" (default /home/u) are optional. An answer is
{"id", "decision", "rule", "why"}.`,
};
