import { asCalled } from '@robota-sdk/agent-screen';
import type { CommandRow } from '@robota-sdk/agent-sdk/front-end';
import { type OptionSpec, optionSpecs } from './options.ts';
import { shellRows } from './shell-rows.ts';

/** The text of `robota --help`. */
export function helpText(): string {
  const specs: readonly OptionSpec[] = optionSpecs;
  const rows = specs.map((spec) => [syntaxOf(spec), spec.help] as const);
  const width = Math.max(...rows.map(([syntax]) => syntax.length));
  const options = rows.map(([syntax, help]) => `  ${syntax.padEnd(width)}  ${help}`).join('\n');
  const commands = shellRows.map(commandLine).join('\n');
  return asCalled(`robota: a coding agent for the terminal

Usage
  robota [options]                   talk to the agent
  robota -p "prompt" [options]       answer one prompt and exit
  cat log | robota -p "why?"         standard input joins the prompt
  robota -p "/help"                  run a command
${commands}

Options
${options}

Keys are read from ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY and the like; --model offline needs none.
Exit codes: 0 done or interrupted, 1 error, 2 wrong usage or no model configured.
`);
}

function commandLine({ name, argumentHint, description }: CommandRow): string {
  const syntax = ['robota', name, argumentHint].filter((word) => word !== undefined).join(' ');
  return `  ${syntax.padEnd(33)}  ${description}`;
}

function syntaxOf(spec: OptionSpec): string {
  const short = spec.short === undefined ? '    ' : `-${spec.short}, `;
  return `${short}--${spec.name}${spec.value === undefined ? '' : ` ${spec.value}`}`;
}
