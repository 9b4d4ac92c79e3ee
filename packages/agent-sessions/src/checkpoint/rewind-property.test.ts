import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FileState } from './file-state.ts';
import { RewindFixture } from './fixtures/rewind-fixture.ts';

const names = ['a', 'b', 'sub/c', 'sub/deep/d', 'tracked'] as const;
const name = fc.constantFrom(...names);
const content = fc.constantFrom('', 'x', 'y\r\n', 'a longer text\n', '\0binary');

const step = fc.oneof(
  fc.record({ kind: fc.constant('prompt' as const) }),
  fc.record({ kind: fc.constant('write' as const), name, content }),
  fc.record({ kind: fc.constant('command' as const), name, content }),
  fc.record({ kind: fc.constant('remove' as const), name }),
  fc.record({ kind: fc.constant('mode' as const), name }),
  fc.record({ kind: fc.constant('outside' as const), name, content }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function play(place: RewindFixture, step: Exclude<Step, { kind: 'prompt' }>): Promise<void> {
  const quoted = `'${step.name}'`;
  if (step.kind === 'remove') return place.run(`rm -f ${quoted}`);
  if (step.kind === 'mode') return place.run(`[ ! -f ${quoted} ] || chmod u+x ${quoted}`);
  if (step.kind === 'write') return place.write(step.name, (path) => writeFileSync(path, step.content));
  const bytes = [...Buffer.from(step.content)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`);
  const command = `mkdir -p "$(dirname ${quoted})" && printf '${bytes.join('')}' > ${quoted}`;
  return step.kind === 'command' ? place.run(command) : place.outside(command);
}

/** A file since a prompt: what it was before the agent first changed it, and who changed it after that. */
interface History {
  readonly before: FileState | undefined;
  /** As the agent left it last. */
  left: FileState | undefined;
  isMixed: boolean;
  ends: 'agent' | 'others';
}

function note(
  turn: Map<string, History>,
  step: Exclude<Step, { kind: 'prompt' }>,
  { before, after }: { before: FileState | undefined; after: FileState | undefined },
): void {
  const known = turn.get(step.name);
  const who = step.kind === 'outside' ? 'others' : 'agent';
  if (known === undefined) {
    // Changes by others before the agent's stay.
    if (who === 'agent') turn.set(step.name, { before, left: after, isMixed: false, ends: who });
    return;
  }
  known.isMixed ||= who === 'others';
  known.ends = who;
  if (who === 'agent') known.left = after;
}

function isSame(a: FileState | undefined, b: FileState | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

it('brings back exactly what only the agent changed, whatever happened before', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 12 }),
      fc.nat(5),
      fc.boolean(),
      async (steps, wish, inRepository) => {
        const place = new RewindFixture();
        writeFileSync(place.path('tracked'), 'tracked');
        if (inRepository) {
          place.git('init', '-q');
          place.git('add', '-A');
        }
        const turns = [new Map<string, History>()];
        place.prompt('first');
        for (const one of steps) {
          if (one.kind === 'prompt') {
            place.prompt('next');
            turns.push(new Map());
            continue;
          }
          const before = place.state()[one.name];
          await play(place, one);
          const after = place.state()[one.name];
          if (isSame(before, after)) continue;
          for (const turn of turns) note(turn, one, { before, after });
        }
        const index = wish % turns.length;
        const last = place.state();
        await place.rewind(index + 1);
        const now = place.state();
        for (const file of names) {
          const history = turns[index]?.get(file);
          const isOurs = history !== undefined && history.ends === 'agent';
          if (!isOurs) expect([last[file], history?.before], file).toContainEqual(now[file]);
          else if (history.isMixed) expect([last[file], history.before], file).toContainEqual(now[file]);
          else expect(now[file], file).toEqual(history.before);
          // A file that others restored cannot be told from the agent's version.
          const isTold =
            history !== undefined && ![history.before, history.left].some((one) => isSame(last[file], one));
          if (history?.ends === 'others' && isTold)
            expect(history.isMixed && isSame(now[file], last[file]), file).toBe(true);
          if (history === undefined) expect(now[file], file).toEqual(last[file]);
        }
        if (await place.checkpoints.planUndo()) await place.undo();
        for (const file of names) expect(place.state()[file], file).toEqual(last[file]);
        place.remove();
      },
    ),
    { numRuns: 40 },
  );
});
