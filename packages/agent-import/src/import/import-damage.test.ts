import { readFileSync, writeFileSync } from 'node:fs';
import { AgentError } from '@robota-sdk/agent-core';
import { MemorySessionStore } from '@robota-sdk/agent-sessions';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, fixtures, ImportStage } from './fixtures/import-stage.ts';

/** Something that happens to files: a cut, lost lines, lines twice or elsewhere, bytes that are none of it. */
type Damage = (bytes: Buffer, at: number, by: number) => Buffer;

const damages: readonly Damage[] = [
  (bytes, at) => bytes.subarray(0, at % bytes.length),
  (bytes, at) => bytes.subarray(at % bytes.length),
  (bytes, at, by) => {
    const copy = Buffer.from(bytes);
    const start = at % bytes.length;
    copy.fill(0, start, Math.min(start + (by % 200), bytes.length));
    return copy;
  },
  (bytes, at, by) => {
    const copy = Buffer.from(bytes);
    copy[at % bytes.length] = by % 256;
    return copy;
  },
  (bytes, at, by) =>
    changedLines(bytes, (lines) => lines.filter((_, index) => (index * 7 + at) % (2 + (by % 5)) !== 0)),
  (bytes, at, by) =>
    changedLines(bytes, (lines) => {
      const moved = lines.splice(at % lines.length, 1);
      lines.splice(by % (lines.length + 1), 0, ...moved, ...(by % 2 === 0 ? moved : []));
      return lines;
    }),
  // Values of the wrong kind, instead of a string, a number or a parent.
  (bytes, at, by) => {
    const values = ['null', '[]', '{}', '-1', '1e999', '"\\ud800"', '"__proto__"', '[[{}]]'];
    const text = bytes.toString('utf8');
    const colons = [...text.matchAll(/:("[^"\\]*"|\d+|null|true|false)/g)];
    const chosen = colons[at % Math.max(colons.length, 1)];
    if (!chosen) return bytes;
    const end = chosen.index + chosen[0].length;
    return Buffer.from(`${text.slice(0, chosen.index)}:${values[by % values.length]}${text.slice(end)}`);
  },
];

function changedLines(bytes: Buffer, change: (lines: string[]) => string[]): Buffer {
  return Buffer.from(change(bytes.toString('utf8').split('\n')).join('\n'));
}

const damage = fc.array(fc.tuple(fc.constantFrom(...damages), fc.nat(100_000), fc.nat(100_000)), {
  minLength: 1,
  maxLength: 3,
});

describe('damage', () => {
  for (const fixture of fixtures) {
    it(`to ${fixture} costs what it hit: the import gives a sound session or says why not`, async () => {
      const stage = new ImportStage();
      const path = stage.copy(fixture);
      await fc.assert(
        fc.asyncProperty(damage, async (hits) => {
          const broken = hits.reduce(
            (bytes, [hit, at, by]) => (bytes.length === 0 ? bytes : hit(bytes, at, by)),
            bytesOf(fixture),
          );
          writeFileSync(path, broken);
          const store = new MemorySessionStore();
          const outcome = await stage
            .importer({ store })
            .import(path)
            .catch((thrown: unknown) => thrown);
          expect(readFileSync(path).equals(broken)).toBe(true);
          if (AgentError.is(outcome)) {
            expect(outcome.message).toContain(path);
            return;
          }
          if (outcome instanceof Error) throw outcome;
          const { sessionId, messages } = outcome as { sessionId?: string; messages: number };
          expect(sessionId === undefined).toBe(messages === 0);
          if (sessionId === undefined) return;
          const session = await store.open(sessionId, { mode: 'read' });
          expect(session.problems).toEqual([]);
          expectSound(session.messages());
        }),
        { numRuns: 60 },
      );
    });
  }
});

/** Every vendor requires exactly one result after each call. */
function expectSound(
  messages: ReturnType<Awaited<ReturnType<MemorySessionStore['open']>>['messages']>,
): void {
  let open: string[] = [];
  for (const message of messages) {
    expect(typeof message.id).toBe('string');
    expect(Number.isFinite(message.timestamp)).toBe(true);
    if (message.role === 'tool') {
      expect(message.toolCallId).toBe(open.shift());
      continue;
    }
    expect(open).toEqual([]);
    if (message.role === 'assistant') {
      expect(message.content.length).toBeGreaterThan(0);
      open = message.content.flatMap((block) => (block.type === 'tool-call' ? [block.id] : []));
    }
  }
  expect(open).toEqual([]);
}
