import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionHandle } from '@robota-sdk/agent-sessions';
import { MemorySessionStore } from '@robota-sdk/agent-sessions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ExportRequest, exportTarget } from './export-target.ts';

let cwd: string;
let session: SessionHandle;
const today = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'robota-export-'));
  mkdirSync(join(cwd, 'out'));
  session = await new MemorySessionStore().create({ cwd, id: 'session-1' });
  await session.setName('../Émile & co: "a/b"');
});

afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const target = (wish: Partial<ExportRequest>) => exportTarget({ session, cwd, ...wish });

describe('where an export goes', () => {
  it('is told by the name of the session, in which nothing leads elsewhere', () => {
    const name = `robota-Émile-co-a-b-${today}`;
    expect(target({})).toEqual({ file: join(cwd, `${name}.html`), format: 'html' });
    expect(target({ format: 'markdown' })).toEqual({ file: join(cwd, `${name}.md`), format: 'md' });
    expect(target({ output: 'out' })).toEqual({ file: join(cwd, 'out', `${name}.html`), format: 'html' });
    expect(target({ output: 'new/', format: 'jsonl' }).file).toBe(join(cwd, 'new', `${name}.jsonl`));
  });

  it('is told by the file, whose ending is the format unless another is named', () => {
    expect(target({ output: 'x.MD' })).toEqual({ file: join(cwd, 'x.MD'), format: 'md' });
    expect(target({ output: '~/x.htm' })).toEqual({ file: join(homedir(), 'x.htm'), format: 'html' });
    expect(target({ output: 'x.txt', format: 'md' })).toEqual({ file: join(cwd, 'x.txt'), format: 'md' });
    expect(target({ output: '-' })).toEqual({ file: undefined, format: 'md' });
    expect(() => target({ output: 'x.pdf' })).toThrow('x.pdf has no known export format');
    expect(() => target({ output: 'x.md', format: 'html' })).toThrow('x.md is the name of md');
    expect(() => target({ format: 'constructor' })).toThrow('Unknown format "constructor"');
    expect(() => target({ output: 'x.constructor' })).toThrow('has no known export format');
  });
});
