import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicError, anthropicReply } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('a session after a bad turn', () => {
  it('continues without an image that the vendor refuses, says so, and stays usable', async () => {
    await writeFile(join(stage.cwd, 'pixel.png'), png);
    stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'Read', input: { file_path: 'pixel.png' } }] }),
      anthropicError(400, 'messages.2.content.0.tool_result: Could not process image'),
      anthropicReply({ text: 'I could not see it.' }),
      anthropicReply({ text: 'Still here.' }),
    );
    const first = await stage.robota(['-p', 'look at pixel.png']);
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('I could not see it.') });
    expect(first.stderr).toMatch(/images and documents of one message were left out/);
    expect(JSON.stringify(stage.messages(1))).toContain('"type":"image"');
    expect(JSON.stringify(stage.messages(2))).not.toContain('"type":"image"');
    const second = await stage.robota(['-c', '-p', 'go on']);
    expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('Still here.') });
    const sent = JSON.stringify(stage.messages(3));
    expect(sent).not.toContain('"type":"image"');
    expect(sent).toContain('An image was left out');
    expect(JSON.stringify(await stage.sessionLines('session.jsonl'))).toContain(png.toString('base64'));
  });

  it('leaves out an earlier prompt that was refused, when the next one is refused for its sake', async () => {
    const refuse = ({ text }: { readonly text: string }) =>
      text.includes('poison')
        ? anthropicError(400, 'messages.0: this cannot be processed')
        : anthropicReply({ text: 'Better.' });
    stage.server.handle(refuse);
    expect((await stage.robota(['-p', 'poison'])).code).not.toBe(0);
    const next = await stage.robota(['-c', '-p', 'something else']);
    expect(next).toMatchObject({ code: 0, stdout: expect.stringContaining('Better.') });
    expect(next.stderr).toMatch(/content of one message was left out/);
    const third = stage.server.requests.length;
    expect(await stage.robota(['-c', '-p', 'and on'])).toMatchObject({ code: 0 });
    expect(stage.server.requests).toHaveLength(third + 1);
  });

  it('gives up on a refusal that leaving out does not cure, and leaves the conversation whole', async () => {
    stage.server.handle(() => anthropicError(400, 'max_tokens: must be positive'));
    await stage.robota(['-p', 'one']);
    expect((await stage.robota(['-c', '-p', 'two'])).stderr + stage.server.requests.length).toMatch(
      /max_tokens/,
    );
    stage.server.handle(() => anthropicReply({ text: 'ok' }));
    await stage.robota(['-c', '-p', 'three']);
    expect(JSON.stringify(stage.messages(-1))).toMatch(/one.*two.*three/);
  });
});

describe('a home that cannot be written', () => {
  it('lets a run end well in memory, says where and why once, and saves the session elsewhere', async () => {
    await mkdir(join(stage.home, '.robota'), { recursive: true });
    await writeFile(join(stage.home, '.robota', 'sessions'), 'a file instead of a directory');
    stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'Glob', input: { pattern: '*' } }] }),
      anthropicReply({ text: 'Done.' }),
    );
    const result = await stage.robota(['-p', 'run it'], {
      env: { TMPDIR: stage.cwd },
    });
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('Done.') });
    expect(result.stderr.match(/continues in memory/g)).toHaveLength(1);
    expect(result.stderr).toContain(join(stage.home, '.robota', 'sessions'));
    const path = /robota --session (\S+\.jsonl)/.exec(result.stderr)?.[1] ?? '';
    expect(await readFile(path, 'utf8')).toContain('Done.');
    stage.server.reply(anthropicReply({ text: 'Continued.' }));
    expect(await stage.robota(['--session', path, '-p', 'more'])).toMatchObject({ code: 0 });
    expect(JSON.stringify(stage.messages(-1))).toContain('run it');
  });
});
