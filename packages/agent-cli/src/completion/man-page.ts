import { commandHelp } from '../arguments/command-help.ts';
import { repository } from '../arguments/program-name.ts';
import { shellRows } from '../arguments/shell-rows.ts';
import { type TranslatedOption, translatedOptions } from '../arguments/translated-options.ts';
import { version } from '../arguments/version.ts';
import { type CompletedOption, completionTable } from './completion-table.ts';

/** The manual page `robota(1)`, from the tables of options and commands. */
export function manPage(): string {
  const { options, commands } = completionTable();
  return [
    `.TH ROBOTA 1 "" "robota ${version}" "User Commands"`,
    '.SH NAME',
    'robota \\- a coding agent for the terminal',
    '.SH SYNOPSIS',
    '.B robota',
    '[\\fIoptions\\fR] [\\fIprompt\\fR]',
    '.br',
    '.B robota \\-p',
    '\\fIprompt\\fR [\\fIoptions\\fR]',
    '.br',
    '.B robota',
    '\\fIcommand\\fR [\\fIarguments\\fR]',
    '.SH DESCRIPTION',
    roff(
      'Reads, edits and runs code in your project with a model of your choice. Without -p it starts an interactive session',
    ),
    roff('in the terminal; with -p it answers one prompt and exits.'),
    '.SH OPTIONS',
    ...options.flatMap(optionLines),
    '.SH COMMANDS',
    ...commands.flatMap(({ name, help }) => ['.TP', `.B ${roff(name)}`, roff(help)]),
    ...shellRows.flatMap((row) => [
      `.SS robota ${roff(row.name)}`,
      '.nf',
      ...commandHelp(row).split('\n').slice(2).map(roff),
      '.fi',
    ]),
    '.SH "OPTIONS OF OTHER AGENTS"',
    'Aliases of the options above. Robota explains others when you use them.',
    ...translatedOptions.flatMap(translatedLines),
    '.SH "EXIT STATUS"',
    '0 success or interrupted, 1 error, 2 usage error or no model configured.',
    '.SH FILES',
    '.TP',
    '.I ~/.robota',
    'Settings, keys and sessions of the user.',
    '.TP',
    '.I .robota/settings.json, AGENTS.md',
    'Settings and instructions of a project.',
    '.SH "SEE ALSO"',
    roff(`${repository}/docs`),
    '',
  ].join('\n');
}

function optionLines({ names, help, value }: CompletedOption): string[] {
  const flags = [...names].reverse().map((name) => `\\fB${roff(name)}\\fR`);
  const shown = value === undefined ? '' : ` \\fI${roff(value.name)}\\fR`;
  return ['.TP', `${flags.join(', ')}${shown}`, roff(help)];
}

/** The values of an option decide about ours, so only those without one name them. */
function translatedLines({ names, agents, value, means }: TranslatedOption): string[] {
  const flags = names.map((name) => `\\fB${roff(name)}\\fR`).join(', ');
  if (value !== undefined) return ['.TP', `${flags} \\fI${roff(value)}\\fR`, roff(`As in ${agents}.`)];
  const ours = means('')?.join(' ') ?? '';
  return [
    '.TP',
    flags,
    roff(ours === '' ? `Accepted for ${agents}; no effect.` : `As in ${agents}: ${ours}.`),
  ];
}

/** A line of text in which roff sees no command. */
function roff(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(
      /[^\t -~]/gu,
      (character) => `\\[u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    );
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}
