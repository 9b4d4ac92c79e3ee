import { asCalled } from './as-called.ts';
import { type OptionSpec, optionSpecs } from './options.ts';

/** The text of `robota --help`. */
export function helpText(): string {
  const specs: readonly OptionSpec[] = optionSpecs;
  const rows = specs.map((spec) => [syntaxOf(spec), spec.help] as const);
  const width = Math.max(...rows.map(([syntax]) => syntax.length));
  const options = rows.map(([syntax, help]) => `  ${syntax.padEnd(width)}  ${help}`).join('\n');
  return asCalled(`robota: a coding agent for the terminal

Usage
  robota [options]                   talk to the agent
  robota -p "prompt" [options]       answer one prompt and exit
  cat log | robota -p "why?"         standard input joins the prompt
  robota -p "/help"                  run a command
  robota permissions                 what is allowed and why: list, check, suggest
  robota sessions                    what was kept: list, show, search, name, delete, export, import
  robota plugin                      what others made: list, install, update, enable, disable, search, marketplace
  robota mcp                         servers that bring tools: list, add, remove, test, login; serve is one
  robota config                      settings: list, get, set, unset, explain, path, edit, schema
  robota login [VENDOR]              store a key; robota logout VENDOR removes it
  robota schema [NAME]               what programs read and write, as JSON Schema
  robota acp                         work in an editor: Zed, JetBrains, Neovim
  robota doctor                      what works here, what does not, and what to do
  robota help [COMMAND]              this help, or that of one of the commands above

Options
${options}

Keys are read from ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY and the like; --model offline needs none.
Exit codes: 0 done or interrupted, 1 error, 2 wrong usage or no model configured.
`);
}

function syntaxOf(spec: OptionSpec): string {
  const short = spec.short === undefined ? '    ' : `-${spec.short}, `;
  return `${short}--${spec.name}${spec.value === undefined ? '' : ` ${spec.value}`}`;
}
