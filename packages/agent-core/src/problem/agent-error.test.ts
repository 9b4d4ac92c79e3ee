import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorMessage } from './agent-error.ts';

describe('errorMessage', () => {
  it.each([
    ['/none/there.md', 'no such file or directory: /none/there.md'],
    ['/dev/null/x', 'not a directory: /dev/null/x'],
    ['/tmp', 'illegal operation on a directory'],
  ])('tells the reason and the path of a failed system call: %s', (path, text) => {
    const read = () => readFileSync(path);
    expect(read).toThrow(
      expect.toSatisfy((thrown: unknown) => errorMessage(thrown) === text) as unknown as Error,
    );
  });

  it('leaves every other text as it is', () => {
    for (const text of ['ENOENT: as a program wrote it', 'spawn x ENOENT', 'plain', ''])
      expect(errorMessage(new Error(text))).toBe(text);
    expect(errorMessage('text')).toBe('text');
    expect(errorMessage(undefined)).toBe('undefined');
  });
});
