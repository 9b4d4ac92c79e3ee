import { AgentError } from '@robota-sdk/agent-sdk';

const help = `robota permissions: which calls are allowed, and why

Usage
  robota permissions list                    the mode and every rule, with file and line
  robota permissions check [--] COMMAND      what would be decided about a command
  robota permissions check --tool TOOL --path PATH
                                             the same for Read, Write, Edit, Glob or Grep (WebFetch: --url URL)
  robota permissions check < cases.jsonl     one case per line in, one answer per line out
  robota permissions suggest                 rules that would have spared you recent questions

Options
  --mode MODE      plan, default, acceptEdits or bypassPermissions
  --allow RULE     check: these rules instead of those of the settings (also --ask, --deny)
  --cwd DIR        another project than the one here
  --trust-project  count the repository's own allow rules
  --json           answer as JSON
  --all            suggest: from every project, not only this one
  --save           suggest: add the rules to .robota/settings.local.json

A case is {"rules": {"allow": [], "ask": [], "deny": []}, "mode": "default", "command": "npm test"}, or has "tool" and "path"
instead of "command"; "id", "cwd" (else /ws) and "home" (else /home/u) may be given. An answer is {"id", "decision", "rule", "why"}.
`;

/** Runs `robota permissions …`. */
export async function permissionsCommand([verb = 'list', ...words]: readonly string[]): Promise<number> {
  if ([verb, words[0]].some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(help);
    return 0;
  }
  switch (verb) {
    case 'check':
      return (await import('./check-command.ts')).checkCommand(words);
    case 'list':
      return (await import('./list-command.ts')).listCommand(words);
    case 'suggest':
      return (await import('./suggest-command.ts')).suggestCommand(words);
    default:
      throw new AgentError(
        'usage',
        `Unknown command robota permissions ${verb}. See robota permissions --help.`,
      );
  }
}
