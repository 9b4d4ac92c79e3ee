import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, Question, UserInterface } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';

/** Gives the same answer to every question. */
function person(answer: Answer): UserInterface & { readonly asked: Question[] } {
  const asked: Question[] = [];
  return {
    asked,
    ask: async (question) => {
      asked.push(question);
      return answer;
    },
    notify: () => {},
  };
}

describe('/export', () => {
  it('asks before it replaces a file', async () => {
    const place = await makeTestProject();
    const file = join(place.cwd, 'a.md');
    writeFileSync(file, 'mine');
    for (const [yes, content] of [
      [false, /^mine$/],
      [true, /## hello/],
    ] as const) {
      const terminal = person({ kind: 'confirmed', yes });
      const { session } = await openScripted(place, [{ text: 'ok' }], { terminal });
      await session.submit('hello');
      const result = await session.executeCommand('export', 'a.md');
      expect(result?.success).toBe(yes);
      expect(terminal.asked).toMatchObject([{ kind: 'confirm', title: 'Replace a.md?' }]);
      expect(readFileSync(file, 'utf8')).toMatch(content);
      await session.shutdown();
    }
  });

  it('exports a session that is not kept, with what is remembered of it', async () => {
    const place = await makeTestProject();
    const { session } = await openScripted(place, [{ text: 'The answer.' }]);
    await session.submit('The question?');
    const result = await session.executeCommand('export', '"in here.jsonl"');
    expect(result).toMatchObject({ success: true, data: { file: join(place.cwd, 'in here.jsonl') } });
    const lines = readFileSync(join(place.cwd, 'in here.jsonl'), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).message?.role ?? 'header')).toEqual(
      expect.arrayContaining(['header', 'user', 'assistant']),
    );
    await session.shutdown();
  });

  it('names what it cannot do', async () => {
    const { session } = await openScripted(await makeTestProject());
    for (const [args, message] of [
      ['x.pdf', 'has no known export format'],
      ['x.html --raw', 'Only JSONL'],
      ['--frce', 'Unknown option --frce'],
      ['-', 'needs a file'],
    ] as const)
      expect(await session.executeCommand('export', args)).toMatchObject({
        success: false,
        message: expect.stringContaining(message),
      });
    await session.shutdown();
  });
});
