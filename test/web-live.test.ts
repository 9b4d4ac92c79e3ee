import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openStage } from './stage.ts';
import { keys, tuiHarness } from './tui.ts';
import { type Streamed, WebProcess } from './web-process.ts';

const desk = tuiHarness(openStage);
const servers: WebProcess[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.kill();
});

async function startWeb(): Promise<WebProcess> {
  const web = await WebProcess.start(desk.stage);
  servers.push(web);
  return web;
}

interface Row {
  readonly id: string;
  readonly column: string;
  readonly holder: string;
}

interface Question {
  readonly id: string;
  readonly digest: string;
}

interface Page {
  readonly state: {
    readonly holder: string;
    readonly heldBy?: { readonly text: string; readonly handsOver: boolean };
    readonly questions: readonly Question[];
    readonly runningSince?: number;
  };
}

function until<T>(read: () => Promise<T | undefined>): Promise<T> {
  const look = async () => {
    const found = await read();
    if (found === undefined) throw new Error('It did not happen.');
    return found;
  };
  return vi.waitFor(look, { timeout: 40_000, interval: 50 });
}

const rowIn = (web: WebProcess, fits: (row: Row) => boolean) =>
  until(async () => (await web.get<{ rows: readonly Row[] }>('/api/board')).rows.find(fits));
const page = (web: WebProcess, id: string) => web.get<Page>(`/api/sessions/${id}`);
const questionOf = (web: WebProcess, id: string) =>
  until(async () => (await page(web, id)).state.questions[0]);
const idle = (web: WebProcess, id: string) =>
  until(async () => ((await page(web, id)).state.runningSince === undefined ? true : undefined));
const touch = (name: string) => ({ name: 'Bash', input: { command: `touch ${name}` } });

describe('a session in a terminal, seen in a browser', () => {
  it('is answered wherever the user is first, and handed over and back', async () => {
    desk.stage.server.reply(
      anthropicReply({ toolCalls: [touch('one')] }),
      anthropicReply({ toolCalls: [touch('two')] }),
      anthropicReply({ text: 'Both are there.' }),
      anthropicReply({ text: 'Hello from the browser.' }),
    );
    const web = await startWeb();
    const tui = await desk.open(['go']);
    await tui.shows('❯ 1  Allow once');
    const { id } = await rowIn(web, ({ column, holder }) => column === 'needs-you' && holder === 'elsewhere');
    const first = await questionOf(web, id);
    expect((await page(web, id)).state.heldBy).toMatchObject({
      text: expect.stringContaining('a terminal'),
      handsOver: true,
    });
    // Read-only until it is handed over.
    const refused = await web.post(`/api/sessions/${id}/prompt`, { text: 'x', as: 'prompt' });
    expect(refused).toMatchObject({ status: 409, json: { code: 'session-in-use' } });

    // The terminal is first: the browser is told so.
    tui.type(keys.enter);
    await until(async () => ((await page(web, id)).state.questions[0]?.id === first.id ? undefined : true));
    const late = { questionId: first.id, digest: first.digest, answer: { choice: 'once' } };
    expect(await web.post(`/api/sessions/${id}/answers`, late)).toMatchObject({
      status: 409,
      json: {
        code: 'question-settled',
        message: 'Already answered in the terminal: allowed once.',
        settled: { by: 'terminal' },
      },
    });

    // The browser is first: the question leaves the terminal.
    const second = await questionOf(web, id);
    const answer = { questionId: second.id, digest: second.digest, answer: { choice: 'once' } };
    expect(await web.post(`/api/sessions/${id}/answers`, answer)).toMatchObject({ status: 200 });
    await tui.shows('Answered in the browser');
    await tui.shows('Both are there.');
    expect(await readdir(desk.stage.cwd)).toEqual(expect.arrayContaining(['one', 'two']));

    // The browser takes the session over once its run is over, and writes.
    await idle(web, id);
    expect(await web.post(`/api/sessions/${id}/take-over`, {})).toMatchObject({ status: 200 });
    await tui.shows('This session continues in robota web.');
    expect((await page(web, id)).state.holder).toBe('here');
    expect(await web.post(`/api/sessions/${id}/prompt`, { text: 'hi', as: 'prompt' })).toMatchObject({
      status: 200,
    });
    await idle(web, id);

    // The terminal takes it back.
    tui.type(`/resume ${id}${keys.enter}`);
    await tui.shows('Take it over from robota web');
    tui.type(keys.enter);
    await tui.shows('Hello from the browser.');
    await until(async () => ((await page(web, id)).state.holder === 'elsewhere' ? true : undefined));
    await web.kill('SIGTERM');
  });

  it('streams to two viewers without loss or repetition, also over kill -9 of the server', async () => {
    let next: () => void = () => {};
    const gates = Array.from({ length: 2 }, () => {
      let open: () => void = () => {};
      const gate = new Promise<void>((resolve) => {
        open = resolve;
      });
      return { gate, open };
    });
    next = () => gates.shift()?.open();
    const waiting = gates.map(({ gate }) => gate);
    const replies = [
      anthropicReply({ toolCalls: [{ name: 'Glob', input: { pattern: '*' } }] }),
      anthropicReply({ text: 'First part.', toolCalls: [{ name: 'Glob', input: { pattern: '*' } }] }),
      anthropicReply({ text: 'The end.' }),
    ];
    let asked = 0;
    desk.stage.server.handle(async () => {
      const turn = asked++;
      if (turn > 0) await waiting[turn - 1];
      return replies[turn] ?? anthropicReply({ text: 'more' });
    });
    const web = await startWeb();
    const tui = await desk.open(['go']);
    const { id } = await rowIn(web, ({ column }) => column === 'running');
    const read = async (stream: AsyncIterable<Streamed>, isEnough: (so: readonly Streamed[]) => boolean) => {
      const events: Streamed[] = [];
      for await (const each of stream) {
        events.push(each);
        if (isEnough(events)) break;
      }
      return events;
    };
    const idsOf = (events: readonly Streamed[]) => events.flatMap((each) => each.id ?? []);
    const saysText = (events: readonly Streamed[], text: string) =>
      events.some(({ event }) => event.type === 'entry' && JSON.stringify(event).includes(text));
    const toTheEnd = read(web.stream(id), () => false);
    const other = read(web.stream(id), (events) => saysText(events, 'First part.'));
    // Both see what is under way before the next turn begins.
    await until(async () => (asked === 2 ? true : undefined));
    next();
    const half = await other;
    await web.kill('SIGKILL');
    const before = await toTheEnd;
    // The terminal works on while no server is there.
    next();
    await tui.shows('The end.');
    const again = await startWeb();
    const done = (events: readonly Streamed[]) => saysText(events, 'The end.');
    const whole = idsOf(await read(again.stream(id), done));
    for (const cut of [before, half]) {
      const known = idsOf(cut);
      const rest = idsOf(await read(again.stream(id, known.at(-1)), done));
      expect([...known, ...rest]).toEqual(whole);
    }
    expect(new Set(whole).size).toBe(whole.length);
    // Of the killed server nothing is left behind, and the terminal's link still works.
    expect((await page(again, id)).state.holder).toBe('elsewhere');
    const links = await readdir(join(desk.stage.home, '.robota', 'links'));
    expect(links.filter((name) => name.endsWith('.json'))).toHaveLength(1);
  });
});
