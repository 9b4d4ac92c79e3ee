import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { lineReader } from './line-interface.ts';

afterEach(() => void vi.useRealTimers());

/** A reader at a separate terminal; keys arrive at once. */
function open() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const input = new PassThrough();
  const lines = createInterface({ input, output: new PassThrough().resume(), terminal: true });
  const type = async (keys: string) => {
    input.write(keys);
    await settled();
  };
  return { lines, reader: lineReader(lines), type };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const read = () => vi.advanceTimersByTime(1000);

describe('a question', () => {
  it('in the middle of a prompt is not answered by the Enter that was meant for that', async () => {
    const { lines, reader, type } = open();
    const prompt = reader.next('> ');
    await type('fix the');
    const answer = reader.ask('yes or no? ');
    await type(' bug\r');
    read();
    expect(lines.line).toBe('');
    await type('no\r');
    expect(await answer).toBe('no');
    await settled();
    expect(lines.getPrompt()).toBe('> ');
    expect(lines.line.replace(/ +/g, ' ')).toBe('fix the bug');
    await type('\r');
    expect((await prompt)?.typed.replace(/ +/g, ' ')).toBe('fix the bug');
  });

  it('takes what was typed before it away, and the next prompt has it', async () => {
    const { lines, reader, type } = open();
    await type('3');
    const answer = reader.ask('1-4: ');
    await type('1');
    read();
    expect(lines.line).toBe('');
    await type('4\r');
    expect(lines.getPrompt()).toMatch(/was not used as an answer.*\n1-4: $/);
    await type('2\r');
    expect(await answer).toBe('2');
    expect(reader.draft).toBe('314');
    void reader.next('> ');
    expect(lines.line).toBe('314');
  });

  it('says that a line begun too soon is no answer, also one whose Enter came later', async () => {
    const { lines, reader, type } = open();
    const first = reader.ask('1-4: ');
    await type('2\r');
    expect(lines.getPrompt()).toBe('Your input was not used as an answer and is kept. Answer now:\n1-4: ');
    read();
    await type('2\r');
    expect(await first).toBe('2');
    const second = reader.ask('1-4: ');
    await type('3');
    read();
    await type('\r');
    expect(lines.getPrompt()).toMatch(/was not used as an answer.*\n1-4: $/);
    await type('\r');
    expect(await second).toBe('');
  });

  it('never becomes the end of a slowly typed line', async () => {
    const { lines, reader, type } = open();
    void reader.next('> ');
    for (const letter of 'als') await type(letter);
    const answer = reader.ask('y/n ');
    for (const letter of 'o, yes') {
      vi.advanceTimersByTime(2_900);
      await type(letter);
    }
    await type('\r');
    expect(lines.getPrompt()).toMatch(/was not used as an answer/);
    await type('n\r');
    expect(await answer).toBe('n');
    await settled();
    expect(lines.line.trim()).toBe('also, yes');
  });

  it('can be cancelled at once, and ends with the input', async () => {
    const { lines, reader, type } = open();
    const cancelled = reader.ask('1-4: ');
    expect(reader.cancel()).toBe(true);
    expect(await cancelled).toBeUndefined();
    const ended = reader.ask('1-4: ');
    await type('half');
    lines.close();
    expect(await ended).toBeUndefined();
    expect(reader.draft).toBe('half');
  });
});
