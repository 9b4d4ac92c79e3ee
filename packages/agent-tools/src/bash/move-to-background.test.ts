import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ToolContext, textOf } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { bashTool } from './bash-tool.ts';
import { toolContext, until } from './fixtures/tool-context.ts';
import { killJob, readJob } from './job-actions.ts';
import { processes } from './processes.ts';

const waiting = 'echo begun; printf "half "; until [ -e go ]; do sleep 0.05; done; echo whole; echo finished';

/** Starts a command, and moves it to the background as soon as it has printed something. */
async function moved(input: { readonly command: string; readonly timeout?: number }, context: ToolContext) {
  let printed = '';
  const progress = (text: string) => {
    printed += text;
  };
  const running = bashTool.execute(input, { ...context, progress });
  await until(() => printed.includes('begun'));
  const count = context.state.get(processes).moveToBackground();
  const output = await running;
  return { count, output, text: textOf(output.content) };
}

describe('a command that is moved to the background', () => {
  it('answers at once with its output so far and its id, and runs on to its end', async () => {
    const context = toolContext();
    const { count, output, text } = await moved({ command: waiting }, context);
    expect(count).toBe(1);
    expect(output.isError).toBeUndefined();
    expect(text).toMatch(
      /^begun\nhalf ?\n\[moved to the background as bash-1 after [\d.]+ s; it still runs\. /,
    );
    expect(output.display).toMatchObject({ kind: 'text', task: 'bash-1' });
    writeFileSync(join(context.workspace.cwd, 'go'), '');
    const [background] = context.state.get(processes).list();
    await until(() => background?.job.exit !== undefined);
    expect(await readJob(1, context)).toMatch(
      /^whole\nfinished\n\[bash-1: ended after [\d.]+ s: exit code 0\]$/,
    );
    // The file is written behind the process.
    const file = background?.output.file ?? '';
    await until(() => readFileSync(file, 'utf8') === 'begun\nhalf whole\nfinished\n');
  });

  it('keeps no time-out, and an interruption of the call does not end it', async () => {
    const controller = new AbortController();
    const context = toolContext({ signal: controller.signal });
    const startedAt = Date.now();
    await moved({ command: `${waiting}; touch done`, timeout: 1500 }, context);
    controller.abort();
    await until(() => Date.now() - startedAt > 2000);
    writeFileSync(join(context.workspace.cwd, 'go'), '');
    await until(() => existsSync(join(context.workspace.cwd, 'done')));
    const [background] = context.state.get(processes).list();
    await until(() => background?.job.exit !== undefined);
    expect(background?.job.stopped).toBeUndefined();
    expect(background?.job.exit?.code).toBe(0);
  });

  it('is one of all that are waited for, and each gets a number', async () => {
    const context = toolContext();
    const table = context.state.get(processes);
    const calls = ['a', 'b'].map((name) =>
      bashTool.execute({ command: `touch ${name}; sleep 60` }, { ...context, callId: name }),
    );
    await until(() => ['a', 'b'].every((name) => existsSync(join(context.workspace.cwd, name))));
    expect(table.movable).toBe(2);
    expect(table.moveToBackground()).toBe(2);
    const texts = (await Promise.all(calls)).map(({ content }) => textOf(content));
    expect(texts.join('\n')).toMatch(/as bash-1 [\s\S]*as bash-2 /);
    expect(table.movable).toBe(0);
    expect(table.moveToBackground()).toBe(0);
    expect(await killJob(2, context)).toContain('killed on request');
  });

  it('names the file with the whole output where that is long', async () => {
    const context = toolContext();
    const command = 'seq 1 20000; echo begun; until [ -e go ]; do sleep 0.05; done; echo finished';
    const { text } = await moved({ command }, context);
    const [background] = context.state.get(processes).list();
    expect(text).toContain('characters (');
    writeFileSync(join(context.workspace.cwd, 'go'), '');
    await until(() => background?.job.exit !== undefined);
    await background?.output.close();
    const log = readFileSync(background?.output.file ?? '', 'utf8');
    expect(log).toMatch(/^1\n2\n[\s\S]*full text in \S+[\s\S]*begun\nfinished\n$/);
  });

  it('can no longer be moved once it has ended', async () => {
    const context = toolContext();
    await bashTool.execute({ command: 'true' }, context);
    expect(context.state.get(processes).movable).toBe(0);
  });
});
