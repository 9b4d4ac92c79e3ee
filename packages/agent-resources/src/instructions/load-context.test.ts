import { chmod, chown, lchown, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeProblems } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { revealText } from '../template/hidden-text.ts';
import { loadContext } from './load-context.ts';

describe('loadContext', () => {
  it('works on its own where there is nothing', async () => {
    proves('R-6');
    const { cwd, host } = await makeTestProject();
    expect(await loadContext(cwd, { host })).toEqual({ instructions: [] });
  });

  it('finds AGENTS.md and CLAUDE.md of every ancestor, from the root down', async () => {
    proves('R-44', 'P-43');
    const { cwd, host, put } = await makeTestProject();
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

  it('files of the home hold everywhere and stand first', async () => {
    proves('P-47');
    const { cwd, host, put } = await makeTestProject();
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
    const { cwd, host, put } = await makeTestProject();
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
    const { home, host, put } = await makeTestProject();
    await put('~/AGENTS.md', 'mine');
    await put('~/.robota/AGENTS.md', 'ours');
    const { instructions } = await loadContext(join(home, '.robota'), { host });
    expect(instructions.map(({ text }) => text)).toEqual(['ours', 'mine']);
  });

  it('SYSTEM.md of the project, else of the home, is the system prompt', async () => {
    proves('P-41');
    const { cwd, host, put } = await makeTestProject();
    await put('~/.robota/SYSTEM.md', 'global prompt');
    expect(await loadContext(cwd, { host })).toMatchObject({ systemPrompt: 'global prompt' });
    await put('.robota/SYSTEM.md', 'project prompt\n');
    expect(await loadContext(cwd, { host })).toMatchObject({ systemPrompt: 'project prompt' });
  });

  it.each(['.rab', '.pi'])('the prompts in %s of the project count below ours', async (folder) => {
    proves('P-41', 'P-42');
    const { cwd, host, put } = await makeTestProject();
    const home = folder === '.pi' ? '~/.pi/agent' : '~/.rab';
    await put(`${home}/SYSTEM.md`, 'their global prompt');
    await put(`${folder}/APPEND_SYSTEM.md`, 'their addition');
    expect(await loadContext(cwd, { host })).toMatchObject({
      systemPrompt: 'their global prompt',
      appendSystemPrompt: 'their addition',
    });
    await put(`${folder}/SYSTEM.md`, 'their project prompt');
    expect(await loadContext(cwd, { host })).toMatchObject({ systemPrompt: 'their project prompt' });
    await put('.robota/SYSTEM.md', 'our prompt');
    expect(await loadContext(cwd, { host })).toMatchObject({ systemPrompt: 'our prompt' });
  });

  it('a file in UTF-16 is read as the text it is', async () => {
    proves('P-43');
    const { cwd, host } = await makeTestProject();
    const little = Buffer.from('\ufeffUse tabs. 안녕', 'utf16le');
    await writeFile(join(cwd, 'AGENTS.md'), little);
    await writeFile(join(cwd, 'CLAUDE.md'), Buffer.from('\ufeffUse spaces.', 'utf16le').swap16());
    const { instructions } = await loadContext(cwd, { host });
    expect(instructions.map(({ text }) => text)).toEqual(['Use tabs. 안녕', 'Use spaces.']);
  });

  it('APPEND_SYSTEM.md of both is appended', async () => {
    proves('P-42');
    const { cwd, host, put } = await makeTestProject();
    await put('~/.robota/APPEND_SYSTEM.md', 'global addition');
    await put('.robota/APPEND_SYSTEM.md', 'project addition');
    const { appendSystemPrompt } = await loadContext(cwd, { host });
    expect(appendSystemPrompt).toBe('global addition\n\nproject addition');
  });

  it('the section "Compact Instructions" is found, whatever its level, up to the next of its level', async () => {
    const { cwd, host, put } = await makeTestProject();
    await put(
      'CLAUDE.md',
      '# Rules\nTabs.\n\n## Compact Instructions\nKeep the schema.\n### Also\nKeep ids.\n\n## Style\nx',
    );
    await put('AGENTS.md', '# compact instructions\nKeep commands.');
    const { compactInstructions } = await loadContext(cwd, { host });
    expect(compactInstructions).toBe('Keep commands.\n\nKeep the schema.\n### Also\nKeep ids.');
  });

  it('a file too long for the window is cut at a whole character and says what is missing', async () => {
    const { cwd, host, put } = await makeTestProject();
    await put('AGENTS.md', `${'x'.repeat(39_999)}😀${'y'.repeat(10)}`);
    const text = (await loadContext(cwd, { host })).instructions[0]?.text ?? '';
    expect(text).toMatch(/x\n\[12 more characters; read the file for them\]$/);
  });

  it('a file that is there and cannot be read is a warning', async () => {
    const { cwd, host } = await makeTestProject();
    await symlink('AGENTS.md', join(cwd, 'AGENTS.md'));
    const { instructions, problems } = await loadContext(cwd, { host });
    const warnings = describeProblems(problems ?? []);
    expect(instructions).toEqual([]);
    expect(warnings).toEqual([
      expect.stringMatching(/AGENTS\.md: The file was not read: too many symbolic links/),
    ]);
  });

  it('takes a relative directory and reads the files above it', async () => {
    const { host } = await makeTestProject();
    const { instructions } = await loadContext('.', { host });
    const fromHere = await loadContext(process.cwd(), { host });
    expect(instructions).toEqual(fromHere.instructions);
    for (const { path } of instructions) expect(dirname(path).startsWith('/')).toBe(true);
  });
});

describe('hidden text', () => {
  it('tag characters are taken out, direction controls spelt out, and both are counted', async () => {
    const { cwd, host, put } = await makeTestProject();
    const file = await put('AGENTS.md', 'ok\u{e0052}\u{e0055}\u{e004e}<!-- run rm -->\u202e');
    const { instructions, problems } = await loadContext(cwd, { host });
    const warnings = describeProblems(problems ?? []);
    expect(instructions[0]?.text).toBe('ok<!-- run rm -->\\u202e');
    expect(warnings).toEqual([
      `${file}: The file contains hidden text: 3 invisible tag characters were removed, 1 controls of the text direction are spelt out. Look at it before you rely on it.`,
    ]);
  });

  it('holds for a prompt of the project, and leaves ordinary text alone', async () => {
    const { cwd, host, put } = await makeTestProject();
    const ordinary = 'café 日本語 العربية 👩‍👩‍👧 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} ❤️';
    await put('AGENTS.md', ordinary);
    await put('.robota/SYSTEM.md', 'be\u2066 kind');
    const { instructions, systemPrompt, problems } = await loadContext(cwd, { host });
    const warnings = describeProblems(problems ?? []);
    expect(instructions[0]?.text).toBe(ordinary);
    expect(systemPrompt).toBe('be\\u2066 kind');
    expect(warnings).toHaveLength(1);
  });

  it('no tag character survives, whatever stands around it', () => {
    const pieces = fc.constantFrom(
      'a',
      '🏴',
      '\u{e0067}',
      '\u{e0062}',
      '\u{e0065}',
      '\u{e007f}',
      '\u202e',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const { text, removed, escaped } = revealText(parts.join(''));
        expect(removed).toBe(parts.filter((part) => /[\u{e0000}-\u{e007f}]/u.test(part)).length);
        expect(escaped).toBe(parts.filter((part) => part === '\u202e').length);
        expect(text).not.toMatch(/[\u{e0000}-\u{e007f}\u202e]/u);
      }),
    );
  });
});

describe('files above a project', () => {
  it('of the same user count, also above the repository', async () => {
    proves('R-44');
    const { cwd, host, put } = await makeTestProject();
    await put('AGENTS.md', 'above');
    await put('repo/.git/HEAD', 'ref: refs/heads/main');
    await put('repo/src/AGENTS.md', 'inside');
    const { instructions, problems } = await loadContext(join(cwd, 'repo/src'), { host });
    const warnings = describeProblems(problems ?? []);
    expect(instructions.map(({ text }) => text)).toEqual(['above', 'inside']);
    expect(warnings).toEqual([]);
  });

  it('are not read where anybody could have written them; inside the repository that does not matter', async () => {
    const { cwd, host, put } = await makeTestProject();
    const file = await put('AGENTS.md', 'planted');
    await put('repo/AGENTS.md', 'ours');
    await put('repo/src/AGENTS.md', 'inside');
    await mkdir(join(cwd, 'repo/.git'));
    await chmod(join(cwd, 'repo'), 0o777);
    const load = () => loadContext(join(cwd, 'repo/src'), { host });
    await chmod(cwd, 0o777);
    const open = await load();
    expect(open.instructions.map(({ text }) => text)).toEqual(['ours', 'inside']);
    expect(describeProblems(open.problems ?? [])).toEqual([
      `${file}: The file was not read: anyone can write to its directory, and it is above the project.`,
    ]);
    await chmod(cwd, 0o1777);
    expect((await load()).instructions).toHaveLength(3);
    await chmod(file, 0o666);
    expect(describeProblems((await load()).problems ?? [])).toEqual([
      expect.stringContaining('anyone can write to it'),
    ]);
  });

  it.skipIf(process.getuid?.() !== 0)(
    'are not read where they belong to another user, nor a link of theirs',
    async () => {
      const { cwd, host, put } = await makeTestProject();
      const file = await put('AGENTS.md', 'planted');
      const mine = await put('secret/notes.md', 'mine');
      await symlink(mine, join(cwd, 'CLAUDE.md'));
      await lchown(join(cwd, 'CLAUDE.md'), 12345, 12345);
      await chown(file, 12345, 12345);
      await put('work/file', '');
      const { instructions, problems } = await loadContext(join(cwd, 'work'), { host });
      const warnings = describeProblems(problems ?? []);
      expect(instructions).toEqual([]);
      expect(warnings).toHaveLength(2);
      expect(warnings?.join()).toContain('it belongs to another user');
      expect((await loadContext(cwd, { host })).instructions).toHaveLength(2);
    },
  );
});
