import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { describe, expect } from 'vitest';
import { openTerminal, type Terminal } from './terminal.ts';
import { hangingAnswer, keys, openShop, pasted, prompt, tuiHarness } from './tui.ts';

const desk = tuiHarness(openShop);
const { open } = desk;

const wide = { columns: 100, rows: 32 };
const reply = (...replies: Parameters<typeof anthropicReply>[0][]) =>
  desk.stage.server.reply(...replies.map((each) => anthropicReply(each)));
const bash = (command: string) => ({ name: 'Bash', input: { command } });
const write = (file_path: string, content = 'x\n') => ({ name: 'Write', input: { file_path, content } });
const ctrlL = '\u000c';

/** The lines of an answer that fills the screen. */
const essay = Array.from({ length: 40 }, (_, index) => `- line ${index}`).join('\n');

/** The screen after something is shown. */
async function viewAfter(tui: Terminal, shown: string | RegExp): Promise<string> {
  await tui.shows(shown);
  return (await tui.viewport()).join('\n');
}

describe('the screen', () => {
  stillOpen('is drawn again by ctrl+l, as in every shell', {
    observe: async () => {
      const tui = await open();
      await tui.shows(prompt);
      tui.type('draft');
      await tui.shows('> draft');
      const from = tui.raw.length;
      tui.type(ctrlL);
      const painted = () => tui.raw.slice(from);
      await expect.poll(painted).toMatch(/Search:|draft/);
      return { isPicker: painted().includes('Search:') };
    },
    today: { isPicker: true },
    wanted: ({ isPicker }) => expect(isPicker).toBe(false),
  });

  stillOpen('is full again after a list over it was closed', {
    observe: async () => {
      reply({ text: essay });
      const tui = await open(['go'], wide);
      await tui.shows('line 39');
      await tui.shows(prompt);
      const lines = async () => (await tui.viewport()).filter((line) => /line \d+/.test(line)).length;
      const before = await lines();
      tui.type(`/model${keys.enter}`);
      await tui.shows(/❯[^\n]*Claude/);
      tui.type(keys.escape);
      await tui.shows(prompt);
      const shown = await tui.viewport();
      const used = shown.findLastIndex((line) => line !== '') + 1;
      return { isLess: (await lines()) < before - 5, hasBlankRows: wide.rows - used > 10 };
    },
    today: { isLess: true, hasBlankRows: true },
    wanted: (outcome) => expect(outcome).toEqual({ isLess: false, hasBlankRows: false }),
  });

  stillOpen('shows figures of the context and the number of messages at its foot', {
    observe: async () => {
      reply({ text: 'Fine.' });
      const tui = await open(['go']);
      await tui.shows('Fine.');
      await tui.shows(prompt);
      const foot = (await tui.viewport()).findLast((line) => line !== '') ?? '';
      return {
        hasContext: foot.includes('ctx'),
        hasFigures: /\([\d.]+K?\/[\d.]+[KM]\)/.test(foot),
        hasMessages: /\d+ msgs/.test(foot),
      };
    },
    today: { hasContext: true, hasFigures: false, hasMessages: false },
    wanted: ({ hasFigures, hasMessages }) => expect([hasFigures, hasMessages]).toEqual([true, true]),
  });

  stillOpen('names the skills at the start', {
    observe: async () => {
      const folder = join(desk.stage.home, '.rab/skills/tidy');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'SKILL.md'), '---\nname: tidy\ndescription: Tidies.\n---\nTidy up.\n');
      const shown = await viewAfter(await open([], wide), /1 skill|tidy/);
      return { isCounted: shown.includes('1 skill'), isNamed: shown.includes('tidy') };
    },
    today: { isCounted: true, isNamed: false },
    wanted: ({ isNamed }) => expect(isNamed).toBe(true),
  });
});

describe('a question whether something may be done', () => {
  stillOpen('is answered by a digit', {
    observe: async () => {
      reply({ toolCalls: [bash('touch one')] }, { text: 'Done.' });
      const tui = await open(['go']);
      await tui.shows('❯ 1  Allow once');
      tui.type('2');
      return /❯ 2/.test(await viewAfter(tui, /❯ 2|Done\./));
    },
    today: true,
    wanted: (isAsked) => expect(isAsked).toBe(false),
  });

  stillOpen('is answered by shift+tab, where its row says so', {
    observe: async () => {
      reply({ toolCalls: [write('one.txt')] }, { text: 'Done.' });
      const tui = await open(['go']);
      const asked = await tui.shows(/❯ 1 [\s\S]*shift\+tab/);
      tui.type(keys.shiftTab);
      const shown = await viewAfter(tui, /❯ 2|Done\./);
      return { isOffered: asked.includes('shift+tab'), isAsked: /❯ 2/.test(shown) };
    },
    today: { isOffered: true, isAsked: true },
    wanted: ({ isAsked }) => expect(isAsked).toBe(false),
  });

  stillOpen('that was answered for a session counts in that session alone', {
    observe: async () => {
      reply(
        { toolCalls: [write('one.txt')] },
        { text: 'First.' },
        { toolCalls: [write('two.txt')] },
        { text: 'Second.' },
      );
      const tui = await open(['go']);
      await tui.shows('❯ 1');
      tui.type(keys.down);
      await tui.shows(/❯ 2 +Allow all edits in this session/);
      tui.type(keys.enter);
      await tui.shows('First.');
      await tui.shows(prompt);
      tui.type(`/new${keys.enter}`);
      await tui.shows('New session');
      await tui.shows(prompt);
      tui.type(`again${keys.enter}`);
      return /Second\./.test(await viewAfter(tui, /Second\.|❯ 1/));
    },
    today: true,
    wanted: (isAllowed) => expect(isAllowed).toBe(false),
  });

  stillOpen('about a plan with a comment has "keep planning" as its first answer', {
    observe: async () => {
      reply({ toolCalls: [{ name: 'ExitPlanMode', input: { plan: '# Tax\n\n1. Apply it\n2. Test it' } }] });
      const tui = await open(['--permission-mode', 'plan', 'add the tax']);
      await tui.shows('❯ 1  Approve, and accept all edits');
      tui.type(`${keys.tab}half-even, please`);
      await tui.shows('│ half-even, please');
      tui.type(keys.enter);
      const shown = await viewAfter(tui, /tab comment/);
      return /❯ (\d)/.exec(shown)?.[1];
    },
    today: '1',
    wanted: (row) => expect(row).toBe('3'),
  });

  stillOpen('about a file names the target of a link', {
    observe: async () => {
      await writeFile(join(desk.stage.home, 'secret.txt'), 'x\n');
      await symlink(join(desk.stage.home, 'secret.txt'), join(desk.stage.cwd, 'l'));
      reply({ toolCalls: [{ name: 'Read', input: { file_path: 'l' } }] }, { text: 'Done.' });
      const shown = await viewAfter(await open(['go'], wide), '❯ 1  Allow once');
      const head = shown.slice(shown.indexOf('── Read'), shown.indexOf('❯ 1'));
      return { isAsked: head.includes('Read l'), isNamed: head.includes('secret.txt') };
    },
    today: { isAsked: true, isNamed: false },
    wanted: ({ isNamed }) => expect(isNamed).toBe(true),
  });
});

describe('changes under review', () => {
  stillOpen('are apart where unchanged lines are between them', {
    observe: async () => {
      const lines = Array.from({ length: 22 }, (_, index) => `const value${index} = ${index};`);
      await desk.stage.file('cart.js', `${lines.join('\n')}\n`);
      const edits = [5, 10, 16].map((at) => ({
        old_string: `const value${at} = ${at};`,
        new_string: `const value${at} = ${at + 100};`,
      }));
      reply({ toolCalls: [{ name: 'Edit', input: { file_path: 'cart.js', edits } }] }, { text: 'Done.' });
      const tui = await open(['--permission-mode', 'acceptEdits', 'go']);
      await tui.shows('Done.');
      await tui.shows(prompt);
      tui.type(`/review${keys.enter}`);
      return /\d+ hunks?/.exec(await viewAfter(tui, /\d+ hunks?/))?.[0];
    },
    today: '1 hunk',
    wanted: (hunks) => expect(hunks).toBe('3 hunks'),
  });
});

describe('a session', () => {
  stillOpen('says so if its last run was killed while the answer came', {
    observe: async () => {
      desk.stage.server.reply(hangingAnswer(['The first ', 'half of it.']));
      const first = await open(['slow please']);
      await first.shows('half of it.');
      first.kill('SIGKILL');
      await first.exit;
      const shown = await viewAfter(
        await open(['-c']),
        /Resumed[\s\S]*slow please|slow please[\s\S]*Resumed/,
      );
      return {
        hasText: shown.includes('half of it.'),
        isSaid: /did not finish|cut off|interrupted|was killed/i.test(shown),
      };
    },
    today: { hasText: false, isSaid: false },
    wanted: ({ hasText, isSaid }) => expect(hasText || isSaid).toBe(true),
  });

  stillOpen('says that a key was found, where the offline model was chosen before there was one', {
    observe: async () => {
      await desk.stage.settings({ model: 'offline' });
      const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: desk.stage.server.url };
      desk.terminal = openTerminal([], {
        cwd: desk.stage.cwd,
        home: desk.stage.home,
        ...wide,
        env,
      });
      const shown = await viewAfter(desk.terminal, /\n[^\n]*Offline[^\n]*$/);
      return /\bkey\b|Anthropic/.test(shown);
    },
    today: false,
    wanted: (isSaid) => expect(isSaid).toBe(true),
  });

  stillOpen('says that a model chosen by /model is for this session, and how to keep it', {
    observe: async () => {
      const tui = await open();
      await tui.shows(prompt);
      tui.type(`/model claude-haiku-4-5${keys.enter}`);
      const shown = await viewAfter(tui, /The model is now[^\n]*/);
      const said = /The model is now[^\n]*(?:\n[^\n>]+)?/.exec(shown)?.[0] ?? '';
      const saved = await readFile(join(desk.stage.home, '.robota/settings.json'), 'utf8').catch(() => '');
      return { isSaid: /session|default|saved/.test(said), isSaved: saved.includes('haiku') };
    },
    today: { isSaid: false, isSaved: false },
    wanted: ({ isSaid, isSaved }) => expect(isSaid || isSaved).toBe(true),
  });

  stillOpen('gives advice after a rewind that works in the editor as it is then', {
    observe: async () => {
      reply({ toolCalls: [write('one.txt')] }, { text: 'Done.' });
      const tui = await open(['--permission-mode', 'acceptEdits', 'multi refactor']);
      await tui.shows('Done.');
      await tui.shows(prompt);
      tui.type(`/rewind${keys.enter}`);
      await tui.shows('before which prompt');
      tui.type(keys.enter);
      await tui.shows(/[>❯] Conversation and files/);
      tui.type(keys.enter);
      const shown = await viewAfter(tui, /takes this back/);
      return {
        isAdvised: shown.includes('/rewind undo takes this back'),
        editor: /\n> (.*)/.exec(shown)?.[1],
      };
    },
    today: { isAdvised: true, editor: 'multi refactor' },
    wanted: ({ isAdvised, editor }) => expect(isAdvised && editor !== '').toBe(false),
  });

  stillOpen('takes a permission back that was given in it', {
    observe: async () => {
      reply({ toolCalls: [bash('touch one')] }, { text: 'Done.' });
      const tui = await open(['go']);
      await tui.shows('❯ 1  Allow once');
      tui.type(keys.down);
      await tui.shows(/❯ 2 +Allow touch one in this session/);
      tui.type(keys.enter);
      await tui.shows('Done.');
      await tui.shows(prompt);
      tui.type(`/permissions remove Bash(touch one)${keys.enter}`);
      const shown = await viewAfter(tui, /Use \/permissions|[Rr]emoved|no longer/);
      return /Use \/permissions[^\n]*/.exec(shown)?.[0];
    },
    today: 'Use /permissions, or /permissions check COMMAND.',
    wanted: (refusal) => expect(refusal).toBeUndefined(),
  });
});

describe('the first start', () => {
  stillOpen('does not take a key for a prompt', {
    observe: async () => {
      const nowhere = 'http://127.0.0.1:1/v1';
      const env = {
        ANTHROPIC_API_KEY: '',
        OLLAMA_HOST: nowhere,
        LMSTUDIO_BASE_URL: nowhere,
        LLAMA_CPP_BASE_URL: nowhere,
      };
      const tui = desk.start([], { ...wide, env });
      await tui.shows(/❯ 1 +Anthropic/);
      tui.type(pasted('sk-ant-api03-secretsecret'));
      await tui.shows(/sk-ant|\*{5}|looks like/);
      tui.type(keys.enter);
      const shown = await viewAfter(tui, /next: |looks like|\*{5}/);
      return /next: sk-ant-api03-secretsecret/.test(shown);
    },
    today: true,
    wanted: (isShown) => expect(isShown).toBe(false),
  });
});

describe('the tour', () => {
  stillOpen('ends with a command that works in the project of the user, also where npm started it', {
    observe: async () => {
      const env = {
        ANTHROPIC_API_KEY: '',
        npm_lifecycle_event: 'start',
        npm_package_name: 'robota-workspace',
      };
      const tui = desk.start(['demo'], { ...wide, env });
      const steps: readonly (readonly [shown: string, pressed: string])[] = [
        ['Press enter to send', keys.enter],
        ['Tour 2 of 8', keys.enter],
        ['❯ 1  Allow once', keys.enter],
        ['Tour 3 of 8', keys.enter],
        ['Tour 4 of 8', keys.enter],
        ['❯ 1  Approve, and accept', keys.enter],
        ['Tour 5 of 8', keys.enter],
        ['Go back to before which prompt?', keys.enter],
        ['Conversation and files', keys.enter],
        ['Tour 6 of 8', keys.ctrlO],
        ['q back', 'q'],
        ['Tour 7 of 8', keys.enter],
        ['Tour 8 of 8', keys.enter],
        ['Press enter to resume the one you left.', keys.enter],
        ['❯ 1  Remove everything', keys.enter],
      ];
      for (const [shown, pressed] of steps) {
        await tui.shows(shown);
        tui.type(pressed);
      }
      await tui.exit;
      return /Next: ([^;]*)/.exec(await tui.screen())?.[1]?.replace(/\s+/g, ' ');
    },
    today: 'npm start -- in your project',
    wanted: (advice) => expect(advice).not.toMatch(/npm start -- in your project/),
  });

  stillOpen('tells the key that answers in a small window', {
    observe: async () => {
      const tui = desk.start(['demo'], { columns: 60, rows: 24, env: { ANTHROPIC_API_KEY: '' } });
      await tui.shows('Press enter to send');
      tui.type(keys.enter);
      await tui.shows('Tour 2 of 8');
      tui.type(keys.enter);
      const shown = await viewAfter(tui, /\n(?:enter (?:select|show more)|1-\d)[^\n]*/);
      return {
        isTold: /Press enter to[\s]+allow it once/.test(shown),
        scrolls: shown.includes('enter show more'),
        isTitleCut: /Tour 2 of 8[^\n]*…/.test(shown),
      };
    },
    today: { isTold: true, scrolls: true, isTitleCut: true },
    wanted: ({ isTold, scrolls }) => expect(isTold && scrolls).toBe(false),
  });
});

describe('a project', () => {
  stillOpen('whose settings lie behind a link gets no rule, and the transcript says so', {
    observe: async () => {
      await mkdir(join(desk.stage.home, 'elsewhere'));
      await writeFile(join(desk.stage.home, 'elsewhere/local.json'), '{}\n');
      await mkdir(join(desk.stage.cwd, '.robota'));
      const link = join(desk.stage.cwd, '.robota/settings.local.json');
      await symlink(join(desk.stage.home, 'elsewhere/local.json'), link);
      reply({ toolCalls: [bash('touch a')] }, { text: 'Done.' });
      const tui = await open(['go'], wide);
      await tui.shows('❯ 1  Allow once');
      tui.type('3');
      await tui.shows(/❯ 3/);
      tui.type(keys.enter);
      const shown = await viewAfter(tui, 'Done.');
      return {
        kept: (await readFile(link, 'utf8')).trim(),
        isSaid: /Saved Bash\(touch a\) to|allowed in this project/.test(shown),
      };
    },
    today: { kept: '{}', isSaid: true },
    wanted: ({ kept, isSaid }) => expect({ kept, isSaid }).toEqual({ kept: '{}', isSaid: false }),
  });

  stillOpen('that was trusted and names an unknown model starts with the model of the user', {
    observe: async () => {
      await desk.stage.settings({ model: 'anthropic/claude-sonnet-4-6' });
      await desk.stage.file('.robota/settings.json', JSON.stringify({ model: 'nobody/nothing' }));
      const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: desk.stage.server.url };
      const { cwd, home } = desk.stage;
      desk.terminal = openTerminal([], { cwd, home, ...wide, env });
      await desk.terminal.shows('❯ 1  Skip for now');
      desk.terminal.type('2');
      await desk.terminal.shows(/❯ 2 +Trust/);
      desk.terminal.type(keys.enter);
      const ended = desk.terminal.exit.then((code) => `ended with ${code}`);
      const started = desk.terminal.shows(/\n[^\n]*Claude Sonnet 4\.6[^\n]*$/).then(
        () => 'started',
        () => ended,
      );
      return Promise.race([ended, started]);
    },
    today: 'ended with 2',
    wanted: (outcome) => expect(outcome).toBe('started'),
  });
});
