import { describe, expect, it } from 'vitest';
import { asTyped } from './claude-message.ts';

describe('commands of Claude Code', () => {
  it.each([
    [
      '<command-message>code-review</command-message>\n<command-name>/code-review</command-name>\n<command-args>12 --deep</command-args>',
      '/code-review 12 --deep',
    ],
    [
      '<command-name>/compact</command-name>\n            <command-message>compact</command-message>',
      '/compact',
    ],
    ['<command-message>init is analyzing</command-message>', '/init is analyzing'],
    ['<command-name></command-name>', '<command-name></command-name>'],
    ['<local-command-stdout>x</local-command-stdout>', '<local-command-stdout>x</local-command-stdout>'],
    ['what does <command-name> mean?', 'what does <command-name> mean?'],
  ])('%j is %j', (written, typed) => {
    expect(asTyped(written)).toBe(typed);
  });
});
