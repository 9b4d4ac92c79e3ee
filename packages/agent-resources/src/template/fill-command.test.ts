// biome-ignore-all lint/suspicious/noTemplateCurlyInString: such texts are what is tested here.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillCommand, mayEvaluate } from './fill-command.ts';
import { splitArguments } from './split-arguments.ts';

const cwd = mkdtempSync(join(tmpdir(), 'robota-fill-'));

/** The output of bash for a command with its arguments, as a template runs it. */
function printed(command: string, args: string): string {
  const env = { PATH: process.env.PATH ?? '', ARGUMENTS: args.trim() };
  return execFileSync('/bin/bash', ['--norc', '-c', fillCommand(command, args)], {
    cwd,
    env,
    encoding: 'utf8',
  });
}

/** Texts that a shell could take for more than a text. */
const hostile = fc
  .array(
    fc.constantFrom(
      'a',
      ' ',
      '"',
      "'",
      '\\',
      '$(touch evil)',
      '`touch evil`',
      ';touch evil;',
      '\n',
      '&',
      '|',
      '>',
      'evil',
      '*',
      '~',
      '${x}',
      '$1',
      '#',
      '!',
      '(',
      ')',
      '-',
      '=',
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

describe('arguments in shell commands of templates', () => {
  it('are the words that were typed, and never code', () => {
    fc.assert(
      fc.property(hostile, (args) => {
        const words = splitArguments(args);
        const shown = words.map((word) => `[${word}]`).join('');
        expect(printed("printf '[%s]' $ARGUMENTS", args)).toBe(words.length === 0 ? '[]' : shown);
        expect(printed('printf "[%s]" "$ARGUMENTS"', args)).toBe(`[${args.trim()}]`);
        expect(printed('printf "[%s]" "$@"', args)).toBe(words.length === 0 ? '[]' : shown);
        expect(printed('printf "[%s]" "$1"', args)).toBe(`[${words[0] ?? ''}]`);
        expect(existsSync(join(cwd, 'evil'))).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it('never become code, whatever the command looks like', () => {
    const pieces = [
      'echo ',
      '$ARGUMENTS',
      '"',
      "'",
      '$1',
      ' ',
      '\\',
      '$(echo ',
      ')',
      '`',
      '# it',
      '\n',
      '<<E\n',
      'E\n',
      "$'",
      '${1}',
    ];
    const command = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        command,
        fc.constantFrom(
          "';touch evil;'",
          '";touch evil;"',
          '$(touch evil)',
          '`touch evil`',
          'x\ntouch evil\n',
        ),
        (text, args) => {
          rmSync(join(cwd, 'evil'), { force: true });
          try {
            execFileSync('/bin/bash', ['--norc', '-c', fillCommand(text, args)], {
              cwd,
              env: { PATH: process.env.PATH ?? '', ARGUMENTS: args },
              stdio: 'ignore',
            });
          } catch {
            // Many of these are no commands.
          }
          expect(existsSync(join(cwd, 'evil'))).toBe(false);
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each([
    ['"/p/setup.sh" $ARGUMENTS', '"Build it" --max 5', `/p/setup.sh 'Build it' '--max' '5'`],
    ['"/p q/setup.sh" $1', 'a', `"/p q/setup.sh" 'a'`],
    ['gh pr view $1 --repo $2', '7', "gh pr view '7' --repo $2"],
    ['echo $ARGUMENTS[1] ${ARGUMENTS}', 'a b', "echo 'b' 'a' 'b'"],
    ["awk '{print $1}' $1", 'f', "awk '{print $1}' 'f'"],
    ["jq '$ARGUMENTS'", 'f', "jq '$ARGUMENTS'"],
    ['echo "$(cat $1)"', 'f', 'echo "$(cat $1)"'],
    ['git log', 'f', 'git log'],
    ['echo $1', '', 'echo $1'],
  ])('%s with %s', (command, args, filled) => {
    expect(fillCommand(command, args)).toBe(filled);
  });

  it('are not given to a command that would calculate with a command in them', () => {
    expect(mayEvaluate('[[ $1 -eq 0 ]]', 'a[$(touch evil)]')).toBe(true);
    expect(mayEvaluate('echo $(( $1 + 1 ))', 'a[`touch evil`]')).toBe(true);
    expect(mayEvaluate('echo $1', 'a[$(touch evil)]')).toBe(false);
    expect(mayEvaluate('[[ $1 -eq 0 ]]', 'costs $5')).toBe(false);
  });
});
