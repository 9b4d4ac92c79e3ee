import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as zlib from 'node:zlib';
import { AgentError } from '@robota-sdk/agent-core';
import { sessionLabel } from '@robota-sdk/agent-sessions';
import { describe, expect, it } from 'vitest';
import { bytesOf, type Fixture, ImportStage } from './fixtures/import-stage.ts';

const json = ['claude.jsonl', 'pi-3.jsonl', 'codex.jsonl', 'gemini.jsonl', 'opencode.json'] as const;

/** Writes a file that looks like a fixture, with changes. */
function hostile(stage: ImportStage, fixture: Fixture, change: (text: string) => string): string {
  const path = stage.copy(fixture);
  const text = change(readFileSync(path, 'utf8'));
  expect(text).not.toBe(bytesOf(fixture).toString());
  writeFileSync(path, text);
  return path;
}

const reasonOf = (thrown: unknown) => (AgentError.is(thrown) ? thrown.message : thrown);

describe('a hostile file', () => {
  it.each(json)('%s with values nested a hundred thousand deep loses them, or says why', async (fixture) => {
    const stage = new ImportStage();
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const path = hostile(stage, fixture, (text) =>
      text.replace(/("(?:input|arguments|args|content)"\s*:\s*)("(?:[^"\\]|\\.)*"|\{[^{}]*\})/, `$1${deep}`),
    );
    const outcome = await stage.importer().import(path).catch(reasonOf);
    if (typeof outcome === 'string') expect(outcome).toContain(path);
    else expect(outcome).toMatchObject({ path });
  });

  it.each(json)('%s with escape sequences everywhere has a title without them', async (fixture) => {
    const stage = new ImportStage();
    const path = hostile(stage, fixture, (text) =>
      text.replace(
        /("(?:title|name|summary|customTitle|aiTitle|text|content)"\s*:\s*")/g,
        '$1\\u001b]0;x\\u0007\\u202e\\u0000',
      ),
    );
    const { name = '', sessionId = '' } = await stage.importer().import(path);
    const listed = (await stage.store.list()).find(({ id }) => id === sessionId);
    expect(listed).toBeDefined();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
    expect(name + (listed ? sessionLabel(listed) : '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  });

  it.each(['claude.jsonl', 'pi-3.jsonl'] as const)(
    '%s whose entries are parents of each other is a sound session',
    async (fixture) => {
      const stage = new ImportStage();
      const ids = [
        ...bytesOf(fixture)
          .toString()
          .matchAll(/"(?:uuid|id)":"([^"]+)"/g),
      ].map(([, id]) => id);
      let at = 0;
      const path = hostile(stage, fixture, (text) =>
        text.replace(
          /("parent(?:Uuid|Id)":)(?:"[^"]*"|null)/g,
          (_, field) => `${field}"${ids[++at % ids.length]}"`,
        ),
      );
      const { sessionId = '' } = await stage.importer().import(path);
      const session = await stage.store.open(sessionId, { mode: 'read' });
      expect(session.problems).toEqual([]);
      expect(session.messages().length).toBeGreaterThan(0);
    },
  );

  it('of opencode reads nothing outside of its folder', async () => {
    const stage = new ImportStage();
    const put = (path: string, value: object) => {
      const file = join(stage.root, 'opencode', 'storage', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(value));
      return file;
    };
    const secret = { id: 'msg_1', role: 'user', time: { created: 1 } };
    put('../../secrets/msg_1.json', secret);
    put('../../texts/prt_1.json', { id: 'prt_1', type: 'text', text: 'the secret' });
    const message = { ...secret, id: 'msg_2/../../../../texts' };
    for (const id of ['ses_1/../../../../secrets', 'ses_2']) {
      put('message/ses_2/msg_2.json', message);
      const path = put('session/p/ses_1.json', {
        id,
        title: 'x',
        directory: stage.root,
        time: { created: 1 },
      });
      const outcome = await stage.importer().import(path).catch(reasonOf);
      const { sessionId } = outcome as { sessionId?: string };
      const session = sessionId && (await stage.store.open(sessionId, { mode: 'read' }));
      expect(JSON.stringify(session ? session.messages() : [])).not.toContain('secret');
    }
  });

  const hasSqlite = process.getBuiltinModule('node:sqlite') !== undefined;
  it.each([
    ['nothing but the first bytes of a database', 'SQLite format 3\0'],
    ['a database of zeros', `SQLite format 3\0${'\0'.repeat(8192)}`],
    ['a database of noise', `SQLite format 3\0${'\u0010\u0000\u0001\u0001\u0000@  '.repeat(2000)}`],
  ])('that is %s is refused by its name', async (_, bytes) => {
    const stage = new ImportStage();
    const path = join(stage.root, 'opencode.db');
    writeFileSync(path, bytes, 'latin1');
    const outcome = await stage.importer().import(`${path}#ses_1`).catch(reasonOf);
    expect(outcome).toContain(hasSqlite ? `${path} cannot be read as a database of opencode` : path);
  });

  it('that decompresses to more than memory is for is refused', async () => {
    const { zstdCompressSync } = zlib as { zstdCompressSync?: (bytes: Buffer) => Buffer };
    const stage = new ImportStage();
    const path = join(stage.root, 'rollout.jsonl.zst');
    const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
    writeFileSync(path, zstdCompressSync?.(Buffer.alloc(300 * 1024 * 1024, 32)) ?? magic);
    expect(await stage.importer().import(path).catch(reasonOf)).toContain(path);
    writeFileSync(path, Buffer.concat([magic, Buffer.from('no frame at all')]));
    expect(await stage.importer().import(path).catch(reasonOf)).toContain(path);
  });
});
