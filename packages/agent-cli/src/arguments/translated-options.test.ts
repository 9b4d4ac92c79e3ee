import { AgentError } from '@robota-sdk/agent-sdk/front-end';
import { describe, expect, it } from 'vitest';
import { adviceFor } from './advice.ts';
import { parseArguments } from './args.ts';
import { optionSpecs } from './options.ts';
import { translatedOptions, translateOptions, translateWord } from './translated-options.ts';

const words = (line: string) => translateOptions(line.split(' ')).join(' ');

describe('options of other agents', () => {
  it.each([
    ['--yolo fix it', '--dangerously-skip-permissions fix it'],
    ['--dangerously-bypass-approvals-and-sandbox', '--dangerously-skip-permissions --sandbox off'],
    ['--approval-mode auto_edit', '--permission-mode acceptEdits'],
    ['--approval-mode=yolo', '--permission-mode bypassPermissions'],
    ['-a never -p hi', '--permission-mode dontAsk -p hi'],
    ['--sandbox workspace-write', '--sandbox required'],
    ['-s danger-full-access', '--sandbox off'],
    ['--include-directories a,b', '--add-dir a --add-dir b'],
    ['--prompt hi', '--print hi'],
    ['--prompt-interactive hi', 'hi'],
    ['-o stream-json', '--output-format stream-json'],
    ['--mode json hi', '--print --output-format stream-json hi'],
    ['--format json', '--output-format stream-json'],
    ['--resume latest -p hi', '--continue -p hi'],
    ['--resume=latest', '--continue'],
    ['--search hi', 'hi'],
    ['--screen-reader hi', '--plain hi'],
    ['-nt -ne -t read,grep hi', '--no-tools --no-extensions --tools read,grep hi'],
    ['--output-schema=schema.json', '--json-schema schema.json'],
    ['-- --yolo', '-- --yolo'],
    ['-p -- --prompt x', '-p -- --prompt x'],
  ])('%s is %s', (given, ours) => {
    expect(words(given)).toBe(ours);
  });

  it.each([
    '--sandbox off',
    '--resume 01a1',
    '--resume',
    '--sandbox read-only',
    '-a on-request',
    '--approval-mode odd',
    '-o out.md',
    '--prompt',
  ])('leaves %s as it is', (line) => {
    expect(words(line)).toBe(line);
  });

  it('that take a value with no counterpart have an advice, and none hides an option of ours', () => {
    for (const { names, value, means } of translatedOptions)
      for (const name of names) {
        const bare = name.replace(/^--?/, '');
        const isOurs = optionSpecs.some((spec) => spec.name === bare && spec.value !== undefined);
        if (value !== undefined && !isOurs && means('odd') === undefined)
          expect(adviceFor(name), name).toBeDefined();
        if (value === undefined)
          expect(
            optionSpecs.some((spec) => spec.name === bare),
            name,
          ).toBe(false);
      }
  });

  it('translate to options that we have', () => {
    const values = ['', 'default', 'plan', 'never', 'json', 'text', 'workspace-write', 'DIR'];
    for (const { means } of translatedOptions)
      for (const value of values) {
        const ours = means(value) ?? [];
        try {
          parseArguments(ours);
        } catch (thrown) {
          expect(AgentError.is(thrown) && thrown.message).not.toContain('Unknown option');
        }
      }
  });
});

describe('verbs of other agents', () => {
  it.each([
    ['resume --last', '--continue'],
    ['chat', ''],
    ['chat --model offline', '--model offline'],
    ['chat about tests', 'chat about tests'],
    ['continue', '--continue'],
    ['upgrade --check', 'update --check'],
    ['run fix it', '--print fix it'],
    ['run task.md', 'run task.md'],
  ])('%s is "%s"', (given, ours) => {
    expect(translateWord(given.split(' ')).join(' ')).toBe(ours);
  });
});
