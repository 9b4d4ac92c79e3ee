import type { InteractiveSession, UserInterface } from '@robota-sdk/agent-sdk/front-end';
import type { InputEvent } from '@robota-sdk/agent-tui';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TourGuide } from './tour-guide.ts';
import { tourPrompts } from './tour-project.ts';
import { type CallStatus, sceneOf } from './tour-script.ts';
import { type TourSignal, tourStops } from './tour-stops.ts';

const escapeKey: InputEvent = { type: 'key', id: 'escape', otherIds: [], text: '', action: 'press' };
const enter: InputEvent = { type: 'key', id: 'enter', otherIds: [], text: '', action: 'press' };
const letter: InputEvent = { type: 'key', id: 'a', otherIds: [], text: 'a', action: 'press' };

type Listener = Parameters<InteractiveSession['subscribe']>[0];

/** A guide with a program that only remembers what it was told. */
function guided() {
  const told = { text: '', ends: 0, questions: 0 };
  let listener: Listener = () => {};
  const guide = new TourGuide('/tmp/tour');
  const session = {
    subscribe: (each: Listener) => {
      listener = each;
      return () => {};
    },
  } as unknown as InteractiveSession;
  const editor = {
    get text() {
      return told.text;
    },
    set text(text: string) {
      told.text = text;
    },
  };
  const terminal: UserInterface = {
    ask: async () => {
      told.questions++;
      return { kind: 'dismissed' };
    },
    notify: () => {},
  };
  const app = { editor, refresh: () => {} } as Parameters<TourGuide['begin']>[0]['app'];
  guide.begin({ app, session, terminal, end: () => void told.ends++ });
  return { guide, told, emit: (event: unknown) => listener(event as Parameters<Listener>[0]) };
}

type Guided = ReturnType<typeof guided>;

/** Does what completes each stop, in their order. */
const completions: readonly ((tour: Guided) => void)[] = [
  (tour) => run(tour, 'Bash', 'error'),
  (tour) => run(tour, 'Edit', 'success'),
  (tour) => run(tour, 'Bash', 'denied'),
  (tour) => run(tour, 'Edit', 'success'),
  ({ guide }) => guide.entered('/rewind 4 both'),
  ({ guide }) => guide.screenClosed(),
  ({ guide }) => guide.entered('/new'),
  ({ guide }) => guide.entered('/resume 1'),
];

function run({ emit }: Guided, toolName: string, status: CallStatus): void {
  emit({ type: 'run-start' });
  emit({ type: 'message-append', message: { role: 'tool', toolName, status } });
  emit({ type: 'run-end' });
}

describe('the guide of the tour', () => {
  it('goes from stop to stop, each with its prompt in the editor, and esc leaves at every one', () => {
    const tour = guided();
    for (const [index, stop] of tourStops.entries()) {
      expect(tour.told.text).toBe(stop.prompt ?? '');
      expect(tour.guide.handleInput(letter)).toBe(false);
      expect(tour.guide.handleInput(escapeKey)).toBe(true);
      expect(tour.told.ends).toBe(index + 1);
      expect(tour.guide.end).toBe('left');
      completions[index]?.(tour);
    }
    expect(tour.told.questions).toBe(1);
  });

  it('fills in a deleted prompt again at enter, and leaves enter to what is typed and to questions', () => {
    const tour = guided();
    expect(tour.guide.handleInput(enter)).toBe(false);
    tour.told.text = '';
    expect(tour.guide.handleInput(enter)).toBe(true);
    expect(tour.told.text).toBe(tourPrompts.explain);
    tour.told.text = '';
    tour.emit({ type: 'run-start' });
    expect(tour.guide.handleInput(enter)).toBe(false);
  });

  it('stays where something else was done, and fills the prompt in again', () => {
    const tour = guided();
    completions[0]?.(tour);
    tour.told.text = '';
    run(tour, 'Edit', 'denied');
    expect(tour.told.text).toBe(tourPrompts.fix);
    tour.guide.entered('/help');
    tour.guide.screenClosed();
    run(tour, 'Edit', 'success');
    expect(tour.told.text).toBe(tourPrompts.push);
  });

  it('explains each stop in one line of 80 columns', () => {
    const hints = tourStops.flatMap(({ choosing, asking = {}, again = '', during = '', ...stop }) => [
      stop,
      ...(choosing ? [choosing] : []),
      ...Object.values(asking),
      { what: again, press: during },
    ]);
    for (const { what, press } of hints) expect([what, press].filter((line) => line.length > 80)).toEqual([]);
  });
});

describe('the scripted model', () => {
  it('knows every prompt of the tour and says that it is a script for any other', () => {
    for (const { prompt } of tourStops.filter(({ prompt = '/' }) => !prompt.startsWith('/')))
      expect(Object.values<string | undefined>(tourPrompts)).toContain(prompt);
    expect(sceneOf('write a poem').next([]).value).toMatch(/script, not AI/);
  });

  it('comes to an end with any outcome of its calls', () => {
    const status = fc.constantFrom<CallStatus>('success', 'error', 'denied', 'aborted');
    const prompt = fc.constantFrom(...Object.values(tourPrompts));
    fc.assert(
      fc.property(
        prompt,
        fc.array(fc.array(status, { maxLength: 2 }), { minLength: 8, maxLength: 8 }),
        (text, all) => {
          const scene = sceneOf(text);
          let state = scene.next([]);
          for (const statuses of all) if (!state.done) state = scene.next(statuses);
          expect(state.done).toBe(true);
        },
      ),
    );
  });

  it('needs nothing but a run to complete a stop of a prompt', () => {
    const closed: TourSignal = { kind: 'closed' };
    for (const stop of tourStops.filter(({ prompt = '/' }) => !prompt.startsWith('/')))
      expect(stop.isDone(closed)).toBe(false);
  });
});
