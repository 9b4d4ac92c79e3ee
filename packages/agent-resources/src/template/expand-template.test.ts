// biome-ignore-all lint/suspicious/noTemplateCurlyInString: such texts are what is tested here.
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandTemplate, type TemplateInput, withArguments } from './expand-template.ts';
import { splitArguments } from './split-arguments.ts';

const expand = async (template: string, args = '', more: Partial<TemplateInput> = {}) =>
  (await expandTemplate(template, { arguments: args, ...more })).text;

describe('splitArguments', () => {
  it.each([
    ['a  b\tc', ['a', 'b', 'c']],
    [`one "two three" 'four five'`, ['one', 'two three', 'four five']],
    ["don't break it's", ["don't", 'break', "it's"]],
    [String.raw`a\ b "say \"hi\"" \\`, ['a b', 'say "hi"', '\\']],
    ['"never closed', ['"never', 'closed']],
    ['"" x', ['', 'x']],
    ['--name="a b"', ['--name=a b']],
    ['   ', []],
  ])('splits %j', (text, list) => {
    expect(splitArguments(text)).toEqual(list);
  });

  it('gives back any list of arguments that was quoted', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (list) => {
        const quoted = list.map((each) => `"${each.replace(/["\\]/g, '\\$&')}"`).join(' ');
        expect(splitArguments(quoted)).toEqual(list);
      }),
    );
  });
});

describe('expandTemplate', () => {
  it.each([
    ['Fix $1 in $2.', 'bug "my file.ts"', 'Fix bug in my file.ts.'],
    ['All: $ARGUMENTS', `a "b c"`, 'All: a "b c"'],
    ['All: $@', `a "b c"`, 'All: a b c'],
    ['First: $ARGUMENTS[0], then $ARGUMENTS[1]$ARGUMENTS[7]', 'x y', 'First: x, then y$ARGUMENTS[7]'],
    ['${1:-src} ${2:-test} ${3}', 'lib', 'lib test ${3}'],
    ['${@:2} | ${@:2:1} | ${@:9}', 'a b c', 'b c | b | '],
    ['${ARGUMENTS:-nothing}', '', 'nothing'],
    ['$0 and $1', 'first second', 'first and second'],
    ['All: $ARGUMENTS.', '', 'All: .'],
    ['${2:-a} ${@:-b}', '', 'a b'],
    ['It costs $1.50, $20 or $1,000; $HOME $1x', 'a', 'It costs $1.50, $20 or $1,000; $HOME ax'],
    ['\\$1 \\$ARGUMENTS \\${1} \\n', 'a', '$1 $ARGUMENTS ${1} \\n'],
    ['$ARGUMENTSX ${UNKNOWN} ${UNKNOWN:-x} ${', 'a', '$ARGUMENTSX ${UNKNOWN} ${UNKNOWN:-x} ${'],
  ])('fills %j with %j', async (template, args, text) => {
    expect(await expand(template, args)).toBe(text);
  });

  it.each([
    'awk \'{print $1}\' | exec "$@"',
    'Use `=B5*(1+$B$6)`, $0.map { $0 }, $1:$2, $5k, $8/user/month and $1M',
    'SELECT * FROM t WHERE a = $1 AND b = ${2} AND c = $ARGUMENTS[3] ${@:2}',
    'escaped \\$1 stays',
  ])('leaves %j alone without arguments', async (template) => {
    expect(await expand(template)).toBe(template);
  });

  it('fills no number beyond that of the arguments', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.stringMatching(/^[a-z]+$/), { maxLength: 9 }), async (list) => {
        const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        const filled = await expand(numbers.map((number) => `$${number}`).join(' '), list.join(' '));
        expect(filled).toBe(numbers.map((number) => list[number - 1] ?? `$${number}`).join(' '));
      }),
    );
  });

  it('knows named variables and names of arguments', async () => {
    const variables = { PROJECT_DIR: '/p q', EMPTY: '' };
    expect(await expand('${PROJECT_DIR} ${EMPTY:-none}', '', { variables })).toBe('/p q none');
    const argumentNames = ['issue', 'branch'];
    expect(await expand('$issue on $branch, $other', '7 main', { argumentNames })).toBe('7 on main, $other');
  });

  it('tells whether the arguments had a place, and puts them behind the text where not', async () => {
    const plain = await expandTemplate('Review.\n', { arguments: 'src/a.ts' });
    expect(plain.usesArguments).toBe(false);
    expect(withArguments(plain, ' src/a.ts ')).toBe('Review.\n\nsrc/a.ts');
    expect(withArguments(plain, ' ')).toBe('Review.\n');
    const placed = await expandTemplate('Review $1.', { arguments: 'src/a.ts' });
    expect(withArguments(placed, 'src/a.ts')).toBe('Review src/a.ts.');
  });

  it('puts the output of commands in their place, and only where a command is meant', async () => {
    proves('C-62');
    const run: string[] = [];
    const runShell = async (command: string) => {
      run.push(command);
      return `<${command}>`;
    };
    const template = [
      'Status: !`git status` and !`git log $1`',
      '\\!`kept` wow!`no` ``!`shown` `` `` !`shown too` ``',
      '```sh',
      '!`an example` $1',
      '```',
      '```!',
      'ls',
      'pwd',
      '```',
      'end',
    ].join('\n');
    expect(await expand(template, 'arg', { runShell })).toBe(
      [
        "Status: <git status> and <git log 'arg'>",
        '!`kept` wow!`no` ``!`shown` `` `` !`shown too` ``',
        '```sh',
        '!`an example` arg',
        '```',
        '<ls',
        'pwd>',
        'end',
      ].join('\n'),
    );
    expect(run).toEqual(['git status', "git log 'arg'", 'ls\npwd']);
  });

  it('puts a named variable into a command only if a shell can take it for nothing else', async () => {
    const runShell = async (command: string) => command;
    const at = (SKILL: string) => expand('!`${SKILL}/run.sh`', '', { runShell, variables: { SKILL } });
    expect(await at('/a/b-c')).toBe('/a/b-c/run.sh');
    expect(await at('/a; rm -rf x')).toBe('${SKILL}/run.sh');
  });

  it('runs nothing that is in an argument, whatever it is, and expands no variable in it', async () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('!`id`', '$1', '${@:1}', '${HOME}', '```!\nid\n```', '$ARGUMENTS', '`', '"', "'; id"),
      fc
        .array(fc.constantFrom('!`', '`', '$', '{', '}', '1', '@', 'ARGUMENTS', ' ', '\n', '\\', '"'))
        .map((parts) => parts.join('')),
    );
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (args, output) => {
        const run: string[] = [];
        const runShell = async (command: string) => {
          run.push(command);
          return output;
        };
        const variables = { NAME: args, HOME: '/home' };
        const text = await expand('a $ARGUMENTS b !`date` c ${NAME} d', args, { runShell, variables });
        expect(text).toBe(`a ${args.trim()} b ${output} c ${args} d`);
        expect(run).toEqual(['date']);
      }),
    );
  });

  it('counts from $0 only where the text itself does', async () => {
    const runShell = async (command: string) => command;
    expect(await expand("!`awk '{print $0}'` $1", 'first second', { runShell })).toBe(
      "awk '{print $0}' first",
    );
    expect(await expand('costs $0.50, $1', 'first second')).toBe('costs $0.50, first');
  });

  it('leaves every text without placeholders as it is', async () => {
    const plain = fc.string({ unit: 'binary' }).filter((text) => !/[$!]/.test(text));
    await fc.assert(
      fc.asyncProperty(plain, async (text) => {
        expect(await expand(text, 'x y')).toBe(text);
      }),
    );
  });
});
