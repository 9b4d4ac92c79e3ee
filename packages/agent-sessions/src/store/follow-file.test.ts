import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { followFile } from './follow-file.ts';
import type { FollowedLine } from './session-store.ts';

let directory: string;
let file: string;
let controller: AbortController;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'robota-follow-'));
  file = join(directory, 'session.jsonl');
  controller = new AbortController();
  writeFileSync(file, '{"type":"session","version":3,"id":"S"}\n');
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

const line = (id: string) =>
  `{"type":"message","id":"${id}","parentId":null,"timestamp":"","message":{"role":"user","content":"${id}"}}`;

const idOf = (followed: FollowedLine) => {
  if (followed.kind === 'entry') return followed.entry.id;
  return followed.kind === 'problem' ? followed.reason : followed.kind;
};

/** Follows the file and does something after each line that was seen. */
async function follow(after: (seen: readonly string[]) => void): Promise<string[]> {
  const seen: string[] = [];
  for await (const followed of followFile(file, controller.signal)) {
    seen.push(idOf(followed));
    after(seen);
  }
  return seen;
}

describe('following a file', () => {
  it('sees what another process appends, in whole lines however they are written', async () => {
    const halves = `printf '%s' '${line('a').slice(0, 30)}' >>"$0"; sleep 0.05; printf '%s\\n%s\\n' '${line('a').slice(30)}' '${line('b')}' >>"$0"`;
    const seen = await follow((all) => {
      if (all.length === 1) spawn('sh', ['-c', halves, file]);
      if (all.length === 3) controller.abort();
    });
    expect(seen).toEqual(['header', 'a', 'b']);
  });

  it('continues after a torn line was cut off, and tells of lines that cannot be read', async () => {
    appendFileSync(file, `${line('a')}\n{"torn":"in the midd`);
    const whole = Buffer.byteLength(`{"type":"session","version":3,"id":"S"}\n${line('a')}\n`);
    const seen = await follow((all) => {
      if (all.length === 2)
        setTimeout(() => {
          truncateSync(file, whole);
          appendFileSync(file, `${line('b')}\n\xff{\n\n${line('c')}\n`, 'latin1');
        }, 50);
      if (all.at(-1) === 'c') controller.abort();
    });
    expect(seen).toEqual(['header', 'a', 'b', 'not-json', 'c']);
  });

  it('says so when the file is no longer the one that was read', async () => {
    appendFileSync(file, `${line('a')}\n`);
    const following = follow((all) => {
      if (all.length === 2) setTimeout(() => truncateSync(file, 10), 20);
    });
    await expect(following).rejects.toThrow(/became shorter or was replaced while/);
  });

  it('ends at once when it is told to before anything happens', async () => {
    controller.abort();
    expect(await follow(() => {})).toEqual([]);
  });
});
