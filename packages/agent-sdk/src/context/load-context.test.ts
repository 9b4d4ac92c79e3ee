import { symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePlace } from '../fixtures/place.ts';
import { loadContext } from './load-context.ts';

describe('loadContext', () => {
  it('R-6 works on its own where there is nothing', async () => {
    const { cwd, host } = await makePlace();
    expect(await loadContext(cwd, { host })).toEqual({ instructions: [] });
  });

  it('R-44 P-43 finds AGENTS.md and CLAUDE.md of every ancestor, from the root down', async () => {
    const { cwd, host, put } = await makePlace();
    await put('a/b/file.txt', '');
    const files = [
      await put('AGENTS.md', 'top'),
      await put('CLAUDE.md', 'top claude'),
      await put('a/CLAUDE.md', 'middle'),
      await put('a/b/AGENTS.md', 'bottom'),
    ];
    const { instructions } = await loadContext(join(cwd, 'a/b'), { host });
    expect(instructions.map(({ path }) => path)).toEqual(files);
    expect(instructions.map(({ text }) => text)).toEqual(['top', 'top claude', 'middle', 'bottom']);
  });

  it('P-47 files of the home hold everywhere and stand first', async () => {
    const { cwd, host, put } = await makePlace();
    await put('AGENTS.md', 'of the project');
    await put('~/.robota/AGENTS.md', 'of ours');
    await put('~/.claude/CLAUDE.md', 'of claude');
    await put('~/.rab/AGENTS.md', 'of rab');
    const { instructions } = await loadContext(cwd, { host });
    expect(instructions.map(({ text }) => text)).toEqual([
      'of ours',
      'of claude',
      'of rab',
      'of the project',
    ]);
  });

  it('a CLAUDE.md that is a link to or a copy of AGENTS.md is not said twice', async () => {
    const { cwd, host, put } = await makePlace();
    await put('AGENTS.md', 'the same');
    await symlink('AGENTS.md', join(cwd, 'CLAUDE.md'));
    await put('sub/AGENTS.md', 'the same');
    const { instructions } = await loadContext(join(cwd, 'sub'), { host });
    expect(instructions.map(({ path }) => path)).toEqual([
      join(cwd, 'AGENTS.md'),
      join(cwd, 'sub/AGENTS.md'),
    ]);
  });

  it('a file in the home directory is read once when that is where the session is', async () => {
    const { home, host, put } = await makePlace();
    await put('~/AGENTS.md', 'mine');
    await put('~/.robota/AGENTS.md', 'ours');
    const { instructions } = await loadContext(join(home, '.robota'), { host });
    expect(instructions.map(({ text }) => text)).toEqual(['ours', 'mine']);
  });

  it('P-41 SYSTEM.md of the project, else of the home, is the system prompt', async () => {
    const { cwd, host, put } = await makePlace();
    await put('~/.robota/SYSTEM.md', 'global prompt');
    expect(await loadContext(cwd, { host })).toMatchObject({ systemPrompt: 'global prompt' });
    await put('.robota/SYSTEM.md', 'project prompt\n');
    expect(await loadContext(cwd, { host })).toMatchObject({ systemPrompt: 'project prompt' });
  });

  it('P-42 APPEND_SYSTEM.md of both is appended', async () => {
    const { cwd, host, put } = await makePlace();
    await put('~/.robota/APPEND_SYSTEM.md', 'global addition');
    await put('.robota/APPEND_SYSTEM.md', 'project addition');
    const { appendSystemPrompt } = await loadContext(cwd, { host });
    expect(appendSystemPrompt).toBe('global addition\n\nproject addition');
  });

  it('R-47 the section "Compact Instructions" is found, whatever its level, up to the next of its level', async () => {
    const { cwd, host, put } = await makePlace();
    await put(
      'CLAUDE.md',
      '# Rules\nTabs.\n\n## Compact Instructions\nKeep the schema.\n### Also\nKeep ids.\n\n## Style\nx',
    );
    await put('AGENTS.md', '# compact instructions\nKeep commands.');
    const { compactInstructions } = await loadContext(cwd, { host });
    expect(compactInstructions).toBe('Keep commands.\n\nKeep the schema.\n### Also\nKeep ids.');
  });

  it('a file too long for the window is cut at a whole character and says what is missing', async () => {
    const { cwd, host, put } = await makePlace();
    await put('AGENTS.md', `${'x'.repeat(39_999)}😀${'y'.repeat(10)}`);
    const text = (await loadContext(cwd, { host })).instructions[0]?.text ?? '';
    expect(text).toMatch(/x\n\[12 more characters; read the file for them\]$/);
  });

  it('a file that is there and can not be read is a warning', async () => {
    const { cwd, host } = await makePlace();
    await symlink('AGENTS.md', join(cwd, 'AGENTS.md'));
    const { instructions, warnings } = await loadContext(cwd, { host });
    expect(instructions).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(/AGENTS\.md can not be read: ELOOP/)]);
  });

  it('takes a relative directory and reads the files above it', async () => {
    const { host } = await makePlace();
    const { instructions } = await loadContext('.', { host });
    const fromHere = await loadContext(process.cwd(), { host });
    expect(instructions).toEqual(fromHere.instructions);
    for (const { path } of instructions) expect(dirname(path).startsWith('/')).toBe(true);
  });
});
