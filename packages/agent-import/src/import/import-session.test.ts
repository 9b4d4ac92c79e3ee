import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentError } from '@robota-sdk/agent-core';
import { MemorySessionStore } from '@robota-sdk/agent-sessions';
import { describe, expect, it } from 'vitest';
import { type Fixture, fixtures, ImportStage } from './fixtures/import-stage.ts';

describe('an import', () => {
  it('leaves every source as it was', async () => {
    for (const fixture of fixtures) {
      const stage = new ImportStage();
      const path = stage.copy(fixture);
      const before = { bytes: readFileSync(path), time: statSync(path).mtimeMs };
      await stage.importer().import(path);
      expect({ bytes: readFileSync(path), time: statSync(path).mtimeMs }).toEqual(before);
    }
  });

  it('happens once, unless it is wanted again or the source has grown', async () => {
    const stage = new ImportStage();
    const path = stage.copy('flat.jsonl');
    const first = await stage.importer().import(path);
    expect(await stage.importer().import(path)).toMatchObject({
      status: 'already',
      sessionId: first.sessionId,
    });
    const again = await stage.importer({ again: true }).import(path);
    expect(again.sessionId).not.toBe(first.sessionId);
    appendFileSync(
      path,
      '{"id":"m5","parentId":"m4","role":"user","content":"more","timestamp":1700000004000}\n',
    );
    const grown = await stage.importer().import(path);
    expect(grown).toMatchObject({ status: 'imported', messages: 4 });
    expect([first.sessionId, again.sessionId]).toContain(grown.earlierId);
  });

  it('notices the same content in one go, and goes by the session that is still there', async () => {
    const stage = new ImportStage();
    const importer = stage.importer();
    const first = await importer.import(stage.copy('pi-1.jsonl'));
    expect(await importer.import(stage.copy('pi-1.jsonl'))).toMatchObject({ status: 'already' });
    await stage.store.delete(first.sessionId ?? '');
    expect(await stage.importer().import(stage.copy('pi-1.jsonl'))).toMatchObject({ status: 'imported' });
  });

  it('that was cut off does not count as done', async () => {
    const stage = new ImportStage();
    const path = stage.copy('flat.jsonl');
    const { sessionId } = await stage.importer().import(path);
    const [summary] = await stage.store.list();
    truncateSync(summary?.path ?? '', Math.floor((statSync(summary?.path ?? '').size * 2) / 3));
    const second = await stage.importer().import(path);
    expect(second.status).toBe('imported');
    expect(second.sessionId).not.toBe(sessionId);
  });

  it('only looks when it is to be a trial', async () => {
    const stage = new ImportStage();
    const report = await stage.importer({ dryRun: true }).import(stage.copy('claude.jsonl'));
    expect(report).toMatchObject({ status: 'would-import', messages: 12, toolCalls: 5 });
    expect(await stage.store.list()).toEqual([]);
  });

  it('gives old conversations their old place in the list', async () => {
    const stage = new ImportStage();
    await stage.importer().import(stage.copy('claude.jsonl'));
    const [summary] = await stage.store.list();
    expect(summary?.modified).toBe('2026-03-02T09:02:05.000Z');
  });

  it('puts a session whose directory means nothing here where it is told', async () => {
    const stage = new ImportStage();
    const path = stage.copy('flat.jsonl');
    for (const cwd of ['C:\\\\shop', '../shop', '\\u0000']) {
      writeFileSync(
        path,
        readFileSync(path, 'utf8').replace(/"cwd":"[^"]*"/, () => `"cwd":"${cwd}"`),
      );
      expect((await stage.importer().import(path)).cwd).toBe(stage.root);
    }
  });

  it('of a file without messages makes no session', async () => {
    const stage = new ImportStage();
    const path = join(stage.root, 'only-title.jsonl');
    writeFileSync(path, '{"type":"summary","summary":"x","leafUuid":"y"}\n');
    expect(await stage.importer().import(path)).toMatchObject({ status: 'empty' });
    expect(await stage.store.list()).toEqual([]);
  });

  it('says what is wrong with a file that is none', async () => {
    const stage = new ImportStage();
    const write = (name: string, text: string) => {
      writeFileSync(join(stage.root, name), text);
      return join(stage.root, name);
    };
    const importer = stage.importer();
    const failure = (path: string) => importer.import(path).catch((thrown: AgentError) => thrown.message);
    expect(await failure(write('a', '  \n'))).toContain('is empty');
    expect(await failure(write('b', '{"name":"x"}'))).toContain(
      'not a session of pi, rab, Claude Code, Codex, opencode, Gemini CLI or eidolon',
    );
    expect(await failure(write('c', '{"type":"session","v":999,"id":"S"}\n'))).toContain('newer');
    expect(await failure(stage.root)).toContain('not a regular file');
    expect(await failure(join(stage.root, 'nowhere'))).toContain('No such file');
    const { sessionId = '' } = await importer.import(stage.copy('flat.jsonl'));
    const own = await stage.store.open(sessionId, { mode: 'read' });
    expect(await failure(join(own.directory ?? '', 'session.jsonl'))).toContain('session of Robota itself');
  });

  it('fails as a whole when the disk does, and leaves nothing behind', async () => {
    const stage = new ImportStage();
    const importer = stage.importer({ problem: () => 'The disk is full.' });
    await expect(importer.import(stage.copy('pi-3.jsonl'))).rejects.toThrow('The disk is full.');
    expect(await stage.store.list()).toEqual([]);
  });

  it('goes into any store', async () => {
    const stage = new ImportStage();
    const store = new MemorySessionStore();
    for (const fixture of fixtures) {
      const { sessionId = '' } = await stage.importer({ store }).import(stage.copy(fixture));
      expect((await store.open(sessionId, { mode: 'read' })).messages().length).toBeGreaterThan(0);
    }
  });

  it('counts what is damaged and takes over the rest', async () => {
    const stage = new ImportStage();
    const damaged = async (fixture: Fixture, change: (text: string) => string) => {
      const path = stage.copy(fixture);
      writeFileSync(path, change(readFileSync(path, 'utf8')));
      return stage.importer().import(path);
    };
    const torn = await damaged('claude.jsonl', (text) => text.slice(0, text.indexOf('Now write a test') + 5));
    expect(torn).toMatchObject({
      messages: 10,
      skipped: [{ count: 2 }, { reason: 'damaged or cut off', count: 1 }],
    });
    const json = await damaged('2025-12-01T08-00-00-000Z/history.json', (text) => text.slice(0, -30));
    expect(json).toMatchObject({ messages: 3 });
    expect(json.skipped).toContainEqual({ reason: 'damaged or cut off', count: 1 });
    const xnl = await damaged('2025-12-01T08-00-00-000Z/history.xnl', (text) =>
      text.replace('"list the', 'list the'),
    );
    expect(xnl).toMatchObject({ messages: 3 });
    const lost = await damaged('pi-3.jsonl', (text) => text.replace(/.*"a0000005".*\n/, '\0\0\n'));
    expect(lost).toMatchObject({
      skipped: [{ reason: 'damaged or cut off', count: 1 }],
      repaired: [{ reason: 'joined to the line before, for their parent is missing', count: 1 }],
    });
  });
});
