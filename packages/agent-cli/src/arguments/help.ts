import type { CommandRow } from '@robota-sdk/agent-sdk/front-end';
import { type OptionSpec, optionSpecs, runOptions } from './options.ts';
import { programName, repository } from './program-name.ts';
import { shellRows } from './shell-rows.ts';

/** The text of `robota --help`; the build puts it into the launcher as it is. */
export function helpText(): string {
  return helpPage(programName());
}

/** The same for a program that is called by this name. */
export function helpPage(program: string): string {
  const width = Math.max(...optionSpecs.map((spec) => syntaxOf(spec).length));
  const lines = optionSpecs.map((spec) => `  ${syntaxOf(spec).padEnd(width)}  ${spec.help}`);
  const usage: readonly (readonly [string, string])[] = [
    [`${program} [options]`, 'start an interactive session'],
    [`${program} -p "prompt" [options]`, 'print the answer to one prompt and exit'],
    [`cat log | ${program} -p "why?"`, 'pipe input into the prompt'],
    [`${program} -p "/help"`, 'run a slash command'],
    ...shellRows.map((row) => [callOf(row, program), row.description] as const),
  ];
  const callWidth = Math.max(33, ...usage.map(([call]) => call.length));
  const calls = usage.map(([call, meaning]) => `  ${call.padEnd(callWidth)}  ${meaning}`).join('\n');
  return `robota: a coding agent for the terminal

Usage
${calls}

Options
${lines.slice(0, runOptions.length).join('\n')}

Options that can be stored as settings (${program} config set)
${lines.slice(runOptions.length).join('\n')}

API keys are read from ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY and the like; --model offline needs none.
Exit codes: 0 success or interrupted, 1 error, 2 usage error or no model configured.
Documentation: ${repository}/docs
`;
}

function callOf({ name, argumentHint }: CommandRow, program: string): string {
  return [program, name, argumentHint].filter((word) => word !== undefined).join(' ');
}

function syntaxOf(spec: OptionSpec): string {
  const short = spec.short === undefined ? '    ' : `-${spec.short}, `;
  return `${short}--${spec.name}${spec.value === undefined ? '' : ` ${spec.value}`}`;
}
