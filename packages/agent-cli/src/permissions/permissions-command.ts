import { AgentError } from '@robota-sdk/agent-sdk/front-end';

const help = `robota permissions: which calls are allowed, and why

Usage
  robota permissions list                    the mode and every rule, with file and line
  robota permissions check "COMMAND"         what would be decided about a command
  robota permissions check -- WORDS          the same; whatever follows -- is the command
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

const commands: Readonly<Record<string, (words: readonly string[]) => Promise<number>>> = {
  list: async (words) => (await import('./list-command.ts')).listCommand(words),
  check: async (words) => (await import('./check-command.ts')).checkCommand(words),
  suggest: async (words) => (await import('./suggest-command.ts')).suggestCommand(words),
};

/** Runs `robota permissions …`; options without a verb are those of `list`. */
export async function permissionsCommand(given: readonly string[]): Promise<number> {
  const [verb = 'list', ...words] = given[0]?.startsWith('-') ? ['list', ...given] : given;
  if (words[0] === '--help' || words[0] === '-h') {
    process.stdout.write(help);
    return 0;
  }
  const command = commands[verb];
  if (command) return command(words);
  throw new AgentError('usage', `There is no robota permissions ${verb}. See robota permissions --help.`);
}
