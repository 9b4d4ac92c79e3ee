import { createRedactor, toolEnd } from '@robota-sdk/agent-core';
import type { SessionHandle } from '@robota-sdk/agent-sessions';
import { MemorySessionStore } from '@robota-sdk/agent-sessions';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { assistant, call, result, user } from '../../../agent-sessions/src/fixtures/messages.ts';
import { buildView } from './build-view.ts';
import { exportJsonl } from './export-jsonl.ts';
import { exportMarkdown, type MarkdownExportOptions } from './export-markdown.ts';

async function session(): Promise<SessionHandle> {
  return new MemorySessionStore().create({ cwd: '/work' });
}

const markdownOf = (handle: SessionHandle, options?: MarkdownExportOptions) =>
  [...exportMarkdown(buildView(handle, createRedactor()), options)].join('');

describe('an export to Markdown', () => {
  it('has prompts as headings, folded calls with their outputs, and thinking', async () => {
    const handle = await session();
    await handle.append({ type: 'message', message: user('Do # it *now*') });
    const blocks = [
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: 'Sure.' },
      { type: 'tool-call', id: 't1', name: 'Bash', input: { command: 'ls </details> -l' } },
    ] as const;
    await handle.append({ type: 'message', message: assistant(blocks) });
    await handle.append({ type: 'message', message: result('t1', '\u001b[31mred\u001b[0m\n```\nfence') });
    const text = markdownOf(handle);
    expect(text).toContain('## Do \\# it \\*now\\*\n');
    expect(text).toContain('<details><summary>Thinking</summary>\n\n```text\nhm\n```\n\n</details>');
    expect(text).toContain(
      '<details><summary>Bash ls &#60;/details&#62; -l</summary>\n\n```sh\nls </details> -l\n```',
    );
    expect(text).toContain('````text\nred\n```\nfence\n````');
  });

  it('shows edits as differences, told by the result or by the call', async () => {
    const handle = await session();
    await handle.append({
      type: 'message',
      message: call('t1', 'Edit', { file_path: 'a.ts', old_string: 'a\nb', new_string: 'a\nc' }),
    });
    await handle.append({ type: 'message', message: result('t1', 'ok') });
    await handle.append({
      type: 'message',
      message: call('t2', 'Edit', { file_path: 'b.ts', old_string: 'x', new_string: 'y' }),
    });
    const lines = [{ kind: 'added', text: 'told', line: 3 }] as const;
    await handle.append({
      type: 'message',
      message: result('t2', 'ok', { display: { kind: 'diff', path: 'b.ts', lines } }),
    });
    expect(markdownOf(handle)).toContain('```diff\n a\n-b\n+c\n```');
    expect(markdownOf(handle)).toContain('```diff\n+told\n```');
  });

  it('shows no change that was not made, how each call ended, and what is missing', async () => {
    const handle = await session();
    const edit = { file_path: 'a.ts', old_string: 'old', new_string: 'new' };
    const ends = [
      toolEnd('denied'),
      toolEnd('error'),
      { ...toolEnd('aborted'), permission: { kind: 'skipped' } as const },
    ];
    for (const [index, end] of ends.entries()) {
      await handle.append({ type: 'message', message: call(`e${index}`, 'Edit', edit) });
      await handle.append({ type: 'message', message: result(`e${index}`, 'no', end) });
    }
    await handle.append({ type: 'message', message: call('lost', 'Edit', edit) });
    await handle.append({ type: 'message', message: call('big', 'Bash', { command: 'make\u200b' }) });
    const omitted = { lines: 900, note: 'full text in /tmp/out.txt' };
    const display = { kind: 'terminal', command: 'make', output: 'a', exitCode: 0, omitted } as const;
    await handle.append({ type: 'message', message: result('big', 'a', { display }) });
    const cut = assistant('Half an', { stopReason: 'length' });
    await handle.append({ type: 'message', message: cut });
    const text = markdownOf(handle);
    expect(text).not.toContain('```diff');
    for (const end of ['denied', 'failed', 'did not run', 'no result'])
      expect(text).toContain(`<summary>Edit a.ts (${end})</summary>`);
    expect(text).toContain('900 more lines; full text in /tmp/out.txt');
    expect(text).toContain('make\\u{200b}\n```');
    expect(text.match(/cut off/g)).toHaveLength(1);
  });

  it('shows the active branch, and the others when asked to', async () => {
    proves('P-21');
    const handle = await session();
    await handle.append({ type: 'message', message: user('start') });
    const fork = handle.leafId;
    await handle.append({ type: 'message', message: assistant('first way') });
    await handle.setLeaf(fork);
    await handle.append({ type: 'message', message: assistant('second way') });
    expect(markdownOf(handle)).not.toContain('first way');
    const all = markdownOf(handle, { allBranches: true });
    expect(all.indexOf('second way')).toBeLessThan(all.indexOf('# Another branch'));
    expect(all).toContain('Continues from what followed "start":\n\nfirst way');
    expect(all.match(/## start/g)).toHaveLength(1);
  });

  it('tells pins, what was brought back, context of the model and summaries of branches from prompts', async () => {
    const handle = await session();
    const say = (text: string, origin: 'pin' | 'recall' | 'reminder') =>
      handle.append({ type: 'message', message: user(text, { origin }) });
    await say('[Pinned by the user: this holds]\n\nNever touch the tests.', 'pin');
    await say('<reminder>Say nothing of this.</reminder>', 'reminder');
    await say('[Brought back from earlier]\n\nan old answer', 'recall');
    await handle.append({ type: 'branch_summary', fromId: 'root', summary: 'what was done there' });
    await handle.append({ type: 'message', message: user('the first prompt') });
    const text = markdownOf(handle);
    expect(text).toMatch(/^# the first prompt\n/);
    expect(text.match(/^## .*$/gm)).toEqual(['## the first prompt']);
    expect(text).toContain('<summary>Pinned</summary>\n\n```text\nNever touch the tests.\n```');
    expect(text).toContain('<summary>Restored</summary>\n\n```text\nan old answer\n```');
    expect(text).toContain('<summary>Context given to the model</summary>');
    expect(text).toContain('<summary>Summary of another branch</summary>');
    expect(text).not.toMatch(/\[Pinned by|\[Brought back/);
  });

  it('tells how calls and commands of the user ended, and nothing of private ones', async () => {
    const handle = await session();
    await handle.append({ type: 'message', message: user('start') });
    for (const status of ['success', 'error', 'denied', 'aborted'] as const) {
      await handle.append({ type: 'message', message: call(status) });
      const end = { ...toolEnd(status), ...(status === 'error' ? { exitCode: 3 } : {}) };
      await handle.append({
        type: 'message',
        message: result(status, 'Permission denied: said the tool', end),
      });
    }
    const run = { type: 'shell', output: 'printed', exitCode: 4, status: 'error' } as const;
    await handle.append({ ...run, command: 'npm test', isPrivate: false });
    await handle.append({ ...run, command: 'cat hidden', output: 'hidden text', isPrivate: true });
    const text = markdownOf(handle);
    expect(text.match(/(?<=<summary>).*(?=<\/summary>)/g)).toEqual([
      'Read a.ts',
      'Read a.ts (failed, exit code 3)',
      'Read a.ts (denied)',
      'Read a.ts (interrupted)',
      '! npm test (failed, exit code 4)',
    ]);
    expect(text).toContain('A private command was run here');
    const lines = [...exportJsonl(handle)].join('');
    for (const exported of [text, lines]) expect(exported).not.toContain('hidden');
  });

  it('closes the fences of an answer that was cut off, and hides secrets', async () => {
    const handle = await session();
    await handle.append({
      type: 'message',
      message: assistant('```ts\nconst key = "sk-abcdefghijklmnopqrstuv"'),
    });
    await handle.append({ type: 'message', message: user('go on') });
    const text = markdownOf(handle);
    expect(text).toContain('const key = "[redacted]"\n```\n\n## go on');
  });
});
