import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseArguments } from './args.ts';
import { flagOptions } from './flag-options.ts';
import { type OptionName, type OptionSpec, optionSpecs } from './options.ts';
import { sessionOptions } from './session-options.ts';

const specs: readonly OptionSpec[] = optionSpecs;

/** One option in a form that users write: long, short, an alias, with `=` or without. */
const written = fc.constantFrom(...specs).chain((spec) => {
  const names = [`--${spec.name}`, ...(spec.aliases ?? []).map((alias) => `--${alias}`)];
  const spelt = fc.constantFrom(...names, ...(spec.short === undefined ? [] : [`-${spec.short}`]));
  if (spec.value === undefined) return spelt.map((name) => ({ spec, value: '', words: [name] }));
  const value = spec.choices
    ? fc.constantFrom(...spec.choices)
    : fc.string().filter((text) => !text.startsWith('-'));
  return fc.record({ name: spelt, value, inline: fc.boolean() }).map(({ name, value, inline }) => ({
    spec,
    value,
    words: inline && name.startsWith('--') ? [`${name}=${value}`] : [name, value],
  }));
});

describe('parseArguments', () => {
  it('reads every option back, whatever the order and the spelling', () => {
    const options = fc.uniqueArray(written, { selector: ({ spec }) => spec.name });
    const prompt = fc.array(fc.string().filter((text) => !text.startsWith('-')));
    void fc.assert(
      fc.property(options, prompt, fc.infiniteStream(fc.nat()), (given, words, numbers) => {
        const args = parseArguments(
          interleave(
            given.map((option) => option.words),
            words,
            numbers,
          ),
        );
        expect(args.words).toEqual(words);
        for (const { name } of specs) {
          const option = given.find(({ spec }) => spec.name === name);
          expect(args.has(name as OptionName)).toBe(option !== undefined);
          expect(args.value(name as OptionName)).toBe(option?.value);
        }
      }),
    );
  });

  it('any order of different options parses the same', () => {
    const options = fc.uniqueArray(written, { selector: ({ spec }) => spec.name });
    const shuffled = options.chain((given) =>
      fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })),
    );
    void fc.assert(
      fc.property(shuffled, ([given, other]) => {
        const [a, b] = [given, other].map((list) => parseArguments(list.flatMap(({ words }) => words)));
        for (const { name } of specs)
          expect(a?.values(name as OptionName)).toEqual(b?.values(name as OptionName));
      }),
    );
  });

  it('never fails but with what to do', () => {
    void fc.assert(
      fc.property(fc.array(fc.string()), (argv) => {
        try {
          parseArguments(argv);
        } catch (thrown) {
          expect(thrown).toMatchObject({
            code: 'usage',
            message: expect.stringMatching(/[.?]$|: robota --help$/),
          });
        }
      }),
    );
  });

  it('keeps every value of an option that may be repeated, and the last of any other', () => {
    const args = parseArguments(['--allow', 'A', '--allowedTools', 'B', '--model', 'x', '--model', 'y']);
    expect(args.values('allow')).toEqual(['A', 'B']);
    expect(args.value('model')).toBe('y');
  });

  it('takes what follows -- for words, and a lone dash too', () => {
    expect(parseArguments(['-', '--', '-p', '--', 'x']).words).toEqual(['-', '-p', '--', 'x']);
  });

  it('reads short switches in one word, and the value of the last', () => {
    const joined = parseArguments(['-pc', 'fix it']);
    expect([joined.has('print'), joined.has('continue'), joined.words]).toEqual([true, true, ['fix it']]);
    expect(parseArguments(['-pcm', 'sonnet']).value('model')).toBe('sonnet');
    expect(() => parseArguments(['-pmc'])).toThrow('Unknown option -pmc.');
    expect(() => parseArguments(['-px'])).toThrow('Unknown option -px.');
  });

  it('reads pi’s -nc', () => {
    expect(parseArguments(['-nc']).has('no-context-files')).toBe(true);
  });
});

describe('flagOptions', () => {
  const read = (text: string) => flagOptions(parseArguments([`--max-turns=${text}`])).maxTurns;

  it('reads a flag as the row of its setting describes it, and nothing else', () => {
    expect(read('3')).toBe(3);
    for (const text of ['', ' ', '0', '-1', 'NaN', 'Infinity', '1.5', '3 turns']) {
      expect(() => read(text)).toThrow(/expected an integer of at least 1/);
    }
  });
});

/** Mixes two lists in any way that keeps the order of each. */
it('names the option where its language is empty', () => {
  expect(() => sessionOptions(parseArguments(['-p', 'hi', '--language', ' ']))).toThrow(
    '--language  : expected a language code such as ko, or the name of a language.',
  );
});

it.each([
  ['--ignore-user-config', '--setting-sources project,local'],
  ['--dangerously-bypass-hook-trust', '--trust-project'],
  ['--ignore-rules', '--setting-sources'],
  ['--strict-config', 'robota doctor'],
  ['--advisor', 'Leave it out'],
  ['--append-subagent-system-prompt', '.robota/agents/NAME.md'],
  ['--output-style', '--append-system-prompt'],
  ['--safe-mode', '--setting-sources ""'],
  ['--rewind-files', '/rewind'],
  ['--enable-auto-mode', '--permission-mode acceptEdits'],
  ['--yes-always', '--permission-mode bypassPermissions'],
  ['--no-auto-commits', 'Leave it out'],
  ['--message-file', 'robota -p < FILE'],
  ['--print-logs', '--debug'],
  ['--acp', 'robota acp'],
  ['--approve-for-me', '--permission-mode acceptEdits'],
  ['--no-daemon', 'Leave it out'],
  ['-ns', '--setting-sources ""'],
])('says what to use instead of %s, which other agents have', (option, counterpart) => {
  expect(() => parseArguments(['-p', 'hi', option])).toThrow(`Unknown option ${option}. `);
  expect(() => parseArguments(['-p', 'hi', option])).toThrow(counterpart);
});

function interleave(
  groups: readonly (readonly string[])[],
  words: readonly string[],
  numbers: Iterable<number>,
): string[] {
  const left = [...groups];
  const right = words.map((word) => [word]);
  const result: string[] = [];
  for (const number of numbers) {
    const next = (number % 2 === 0 ? left.shift() : right.shift()) ?? left.shift() ?? right.shift();
    if (!next) break;
    result.push(...next);
  }
  return result;
}

describe('settings behind -c, as Codex has them', () => {
  it.each([
    [['-c', 'model="o3"', 'do it']],
    [['-cmodel_reasoning_effort=high']],
    [['-p', '-c', 'approval_policy=never', 'do it']],
    [['-c', 'shell_environment_policy.inherit=all']],
  ])('%j is refused with our counterpart', (argv) => {
    expect(() => parseArguments(argv)).toThrow('-c continues the last session; it takes no settings');
    expect(() => parseArguments(argv)).toThrow('Use robota config set KEY VALUE');
  });

  it('a prompt behind -c stays one', () => {
    for (const prompt of ['fix it', 'why is a=b here?', 'fix'])
      expect(parseArguments(['-c', prompt])).toMatchObject({ words: [prompt] });
    expect(parseArguments(['-c', '--', 'a=b'])).toMatchObject({ words: ['a=b'] });
  });
});
