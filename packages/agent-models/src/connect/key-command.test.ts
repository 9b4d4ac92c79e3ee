import { describe, expect, it } from 'vitest';
import { runKeyCommand } from './key-command.ts';

const env = { PATH: process.env.PATH };

describe('a command that prints a key', () => {
  it.each([
    ['echo s3cret-key >&2; exit 4', 'echo, failed (exit code 4)'],
    ['TOKEN=s3cret-key false', 'TOKEN, failed (exit code 1)'],
    ['yes s3cret-key', 'yes, printed too much'],
    ['printf "s3cret-key\\nmore"', 'printf, printed more than one line'],
    ['true s3cret-key', 'true, printed nothing'],
    ['"/no such/program" s3cret-key', 'The command for the key failed (exit code 127)'],
    ['kill -9 $$ # s3cret-key', 'kill, failed'],
  ])('%s: the error says %s, and no secret', async (command, why) => {
    const failure = await runKeyCommand(`!${command}`, env).catch((thrown: Error) => thrown);
    expect(String(failure)).toContain(why);
    expect(JSON.stringify(failure) + String(failure)).not.toContain('s3cret');
  });

  it('gives it without blanks, and takes no input', async () => {
    expect(await runKeyCommand('!cat; echo "  key-1  "', env)).toBe('key-1');
  });
});
