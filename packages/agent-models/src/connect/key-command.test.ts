import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessAlive } from '@robota-sdk/agent-core';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
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

  it('ends with the run that waits for it, also where it ignores the polite signal', async () => {
    const interrupt = new AbortController();
    const file = join(await temporaryDirectory(), 'id');
    const command = `!trap "" TERM; echo $$ > ${file}; while :; do sleep 1; done`;
    const ended = expect(runKeyCommand(command, env, interrupt.signal)).rejects.toThrow('was interrupted');
    const idOf = () => Number(existsSync(file) ? readFileSync(file, 'utf8') : 0);
    await expect.poll(idOf).toBeGreaterThan(0);
    interrupt.abort();
    await ended;
    await expect.poll(() => isProcessAlive(idOf())).toBe(false);
  });

  it('continues for the others where one of those that wait for it is interrupted', async () => {
    const folder = await temporaryDirectory();
    const ready = join(folder, 'ready');
    const command = `!echo run >> ${join(folder, 'runs')}; until [ -e ${ready} ]; do sleep 0.05; done; echo key-2`;
    const [first, second] = [new AbortController(), new AbortController()];
    const given = [first, second].map(({ signal }) => runKeyCommand(command, env, signal));
    first.abort();
    await expect(given[0]).rejects.toThrow('was interrupted');
    writeFileSync(ready, '');
    expect(await given[1]).toBe('key-2');
    second.abort();
    await expect(runKeyCommand(command, env, second.signal)).rejects.toThrow('was interrupted');
    expect(await runKeyCommand(command, env)).toBe('key-2');
    expect(readFileSync(join(folder, 'runs'), 'utf8')).toBe('run\n');
  });

  it('gives it without blanks, and takes no input', async () => {
    expect(await runKeyCommand('!cat; echo "  key-1  "', env)).toBe('key-1');
  });
});
