import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import * as parser from 'unbash';
import { describe, expect, it } from 'vitest';
import { extractCommands } from '../commands/extract-commands.ts';
import { builtinAssignments } from './assigning-builtins.ts';
import type { SimpleCommand } from './shell-script.ts';
import { unknownText } from './shell-word.ts';

const hasBash = spawnSync('/bin/bash', ['-c', 'true']).status === 0;

/** Prints all variables, and those after each line, which runs in a function of its own subshell. */
const driver = `
try() { eval "$1" >/dev/null 2>&1; declare -p; }
line=
( try : ) </dev/null; printf '\\0'
while IFS= read -r -d '' line; do
  ( try "$line" ) 2>/dev/null </dev/null; printf '\\0'
done`;
/** Variables that bash changes with every command, and those of directories and options. */
const always =
  /^(?:_|BASH_(?:ARGC|ARGV|COMMAND|LINENO|SUBSHELL|SOURCE)|BASHPID|DIRSTACK|EPOCH\w+|FUNCNAME|LINENO|line|OLDPWD|PIPESTATUS|PWD|S?RANDOM|SECONDS|SHELLOPTS|BASHOPTS)$/;

/** The names of the variables that each line changes in a real bash. */
function changedByBash(lines: readonly string[]): readonly ReadonlySet<string>[] {
  const input = lines.map((line) => `${line}\0`).join('');
  const options = { input, cwd: tmpdir(), env: { PATH: '/nowhere', HOME: '/' }, maxBuffer: 1 << 28 };
  const { stdout } = spawnSync('/bin/bash', ['--noprofile', '--norc', '-c', driver], options);
  const [before = new Map(), ...dumps] = stdout
    .toString()
    .split('\0')
    .map((text) => new Map(text.split('\n').flatMap(declarationIn)));
  return lines.map((_, at) => {
    // A line may end its shell.
    const after = dumps[at]?.size ? dumps[at] : before;
    const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => !always.test(name));
    return new Set(names.filter((name) => before.get(name) !== after.get(name)));
  });
}

function declarationIn(line: string): [string, string][] {
  const [, name] = /^declare -\S+ ([A-Za-z_]\w*)/.exec(line) ?? [];
  return name === undefined ? [] : [[name, line]];
}

function changedByList(line: string): ReadonlySet<string> {
  const inside = (command: SimpleCommand): SimpleCommand[] => [command, ...command.runs.flatMap(inside)];
  const commands = extractCommands(line, parser).commands.flatMap(inside);
  return new Set(commands.flatMap((command) => builtinAssignments(command).assigned.map(({ name }) => name)));
}

const name = fc.constantFrom('x', 'PATH', 'HOME', 'x[1]', 'y', '9', '-', '');
const option = fc
  .tuple(fc.constantFrom(...'abcdefghijklmnoprstuvxAEFINOPVW'), fc.constantFrom('', ' ', 'n', '1'))
  .map(([letter, rest]) => `-${letter}${rest}`);
const word = fc.oneof(
  name,
  option,
  name.map((text) => `${text}=7`),
  fc.constantFrom('%n', 'ab%n', '%5n', '%%n', '%s%n', '%-+*.*lln', '%d', '--', '+x', '":x"', '$z', '*'),
);
const line = (builtin: fc.Arbitrary<string>) =>
  fc
    .tuple(
      fc.constantFrom('', '', 'builtin ', 'command ', 'time '),
      builtin,
      fc.array(word, { maxLength: 5 }),
      fc.constantFrom('', ' <<< "1 2"'),
    )
    .map(([wrapper, program, words, input]) => `${wrapper}${program} ${words.join(' ')}${input}`);

describe.runIf(hasBash)('the variables that builtins assign', () => {
  it.each([
    ['printf %n PATH', ['PATH']],
    ["printf 'abc%n' x", ['x']],
    ['printf %ln x', ['x']],
    ['printf -- %n x', ['x']],
    ['printf %%n x', []],
    ['printf %s%n a x b y', ['x', 'y']],
    ['printf -v x a', ['x']],
    ['printf -vx a', ['x']],
    ['read <<< a', ['REPLY']],
    ['read x y <<< "a b"', ['x', 'y']],
    ['read -ra x <<< a', ['x']],
    ['mapfile -t -O 2 x <<< a', ['x']],
    ['readarray <<< a', ['MAPFILE']],
    ['getopts a x -a', ['x', 'OPTARG', 'OPTIND']],
    ['let x=5 y=x', ['x', 'y']],
    ['declare x=5', ['x']],
    ['local -a x', ['x']],
    ['export -n PATH', ['PATH']],
    ['unset PATH', ['PATH']],
    ['set -o posix', ['POSIXLY_CORRECT']],
    ['set -eu', []],
  ])('%s', (text, names) => {
    proves('R-11');
    expect([...(changedByBash([text])[0] ?? [])].sort()).toEqual([...names].sort());
    for (const each of names) expect(changedByList(text)).toContain(each);
  });

  it('are all in the list, whatever the builtin and its words', () => {
    proves('R-11');
    const assigning =
      'bind compgen declare export getopts let local mapfile printf read readarray readonly typeset unset wait set';
    const lines = fc.sample(line(fc.constantFrom(...assigning.split(' '))), { numRuns: 1_500 });
    expectListed(lines);
  });

  it('are none for every other builtin that runs no code and changes no directory', () => {
    proves('R-11');
    const runners = '. builtin command eval exec exit logout source suspend trap return fc';
    const all = spawnSync('/bin/bash', ['-c', 'compgen -b']).stdout.toString().trim().split('\n');
    const others = all.filter((each) => !runners.split(' ').includes(each));
    expect(others.length).toBeGreaterThan(40);
    expectListed(fc.sample(line(fc.constantFrom(...others)), { numRuns: 1_500 }));
  });
});

function expectListed(lines: readonly string[]): void {
  const changed = changedByBash(lines);
  expect(changed.some((names) => names.size > 0)).toBe(true);
  const missing = lines.flatMap((text, at) => {
    const listed = changedByList(text);
    const unlisted = [...(changed[at] ?? [])].filter((each) => !listed.has(each) && !listed.has(unknownText));
    return unlisted.length === 0 ? [] : [`${text} → ${unlisted.join(' ')}`];
  });
  expect(missing).toEqual([]);
}
