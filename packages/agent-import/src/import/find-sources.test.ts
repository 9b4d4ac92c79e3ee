import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSources } from './find-sources.ts';
import { fixtures, ImportStage } from './fixtures/import-stage.ts';

describe('findSources', () => {
  it('finds sessions at any depth by what they hold, and one of those that say the same', async () => {
    const stage = new ImportStage();
    for (const fixture of fixtures) stage.copy(fixture);
    const root = join(stage.root, 'sources');
    writeFileSync(join(root, 'package.json'), '{"name":"x"}');
    writeFileSync(join(root, 'empty.jsonl'), '');
    mkdirSync(join(root, 'deep/er'), { recursive: true });
    writeFileSync(join(root, 'deep/er/odd-name.json'), '{"id":"m","role":"user","content":"x"}\n');
    const { files, leftOut } = await findSources(root);
    expect(files.map((file) => file.slice(root.length + 1))).toEqual([
      '2025-12-01T08-00-00-000Z/history.json',
      'claude.jsonl',
      'codex-older.jsonl',
      'codex.jsonl',
      'deep/er/odd-name.json',
      'flat.jsonl',
      'gemini-older.json',
      'gemini.jsonl',
      'opencode.json',
      'pi-1.jsonl',
      'pi-2.jsonl',
      'pi-3.jsonl',
      'pi-4.jsonl',
    ]);
    expect(leftOut).toEqual([
      { reason: expect.stringContaining('the same conversation'), count: 1 },
      { reason: 'of subagents (name one to import it)', count: 1 },
      { reason: 'that are not sessions', count: 2 },
    ]);
  });

  it('takes those of one directory where that is asked for', async () => {
    const stage = new ImportStage();
    stage.copy('claude.jsonl');
    const root = join(stage.root, 'sources');
    expect((await findSources(root, { cwd: '/home/ada/shop' })).files).toHaveLength(1);
    const { files, leftOut } = await findSources(root, { cwd: '/elsewhere' });
    expect(files).toEqual([]);
    expect(leftOut).toMatchObject([{ count: 1 }]);
  });

  it('passes over our own sessions, whose history looks like that of eidolon', async () => {
    const stage = new ImportStage();
    const directory = dirname(stage.copy('2025-12-01T08-00-00-000Z/history.xnl'));
    writeFileSync(
      join(directory, 'session.jsonl'),
      '{"type":"session","version":3,"id":"S","writer":"robota"}\n',
    );
    expect(await findSources(directory)).toEqual({
      files: [],
      leftOut: [{ reason: 'of Robota itself', count: 2 }],
    });
  });

  it('takes a file that is named whatever it is called, and says where there is none', async () => {
    const stage = new ImportStage();
    const path = join(stage.root, 'transcript');
    writeFileSync(path, 'x');
    expect(await findSources(path)).toEqual({ files: [path], leftOut: [] });
    await expect(findSources(join(stage.root, 'nowhere'))).rejects.toThrow('File not found');
  });
});
