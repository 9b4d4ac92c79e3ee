import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  anthropicReply,
  type RecordedRequest,
  type Reply,
  robotaBin,
  sharedCode,
} from '@robota-sdk/agent-testing';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { afterEach, describe, expect } from 'vitest';
import { programHarness } from './program-harness.ts';
import { openStage, type Stage } from './stage.ts';
import { hangingAnswer, keys, tuiHarness } from './tui.ts';
import { WebProcess } from './web-process.ts';

const model = ['--model', 'claude-haiku-4-5'];

async function forkSkill({ home }: Pick<Stage, 'home'>): Promise<void> {
  const folder = join(home, '.robota', 'skills', 'deep');
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'SKILL.md'),
    '---\nname: deep\ndescription: d\ncontext: fork\n---\nThink about $ARGUMENTS.\n',
  );
}

const isAgent = ({ text }: RecordedRequest) => /You work for another agent|Think about it/.test(text);

describe('a question about a call with several accesses in the terminal', () => {
  const desk = tuiHarness(openStage);

  stillOpen('is about the one that needs approval', {
    observe: async () => {
      const { home, server } = desk.stage;
      await mkdir(join(home, '.robota', 'extensions'), { recursive: true });
      await writeFile(
        join(home, '.robota', 'extensions', 'copy.mjs'),
        `export default ({ jsonSchema, textOutput }) => ({ name: 'copy', setup: (host) => host.tool({
          name: 'Copy', description: 'x', input: jsonSchema({ type: 'object', properties: {} }),
          access: (_, { workspace: { cwd } }) => [
            { kind: 'read', path: cwd + '/a', real: cwd + '/a' },
            { kind: 'run', command: 'make deploy', cwd },
          ],
          execute: async () => textOutput('copied') }) });`,
      );
      server.reply(anthropicReply({ toolCalls: [{ name: 'Copy', input: {} }] }));
      const terminal = await desk.open(['go']);
      const screen = await terminal.shows('❯ 1  Allow once');
      const [above = ''] = screen.split('❯ 1  Allow once');
      return {
        namesFile: above.includes('a is outside the workspace'),
        namesCommand: above.includes('make deploy'),
      };
    },
    today: { namesFile: true, namesCommand: false },
    wanted: (question) => expect(question).toEqual({ namesFile: false, namesCommand: true }),
  });
});

describe('a skill with its own context in the terminal', () => {
  const desk = tuiHarness(openStage);

  stillOpen('shows its answer once, and nothing that only the model reads', {
    observe: async () => {
      await forkSkill(desk.stage);
      desk.stage.server.handle(() => anthropicReply({ text: 'The result.' }));
      const terminal = await desk.open();
      terminal.send('/deep find it');
      terminal.type(keys.enter);
      await terminal.shows('The result.');
      // Answered after the skill has ended.
      terminal.send('/todo');
      terminal.type(keys.enter);
      const screen = await terminal.shows('The todo list is empty.');
      return { answers: screen.split('The result.').length - 1, hasMarks: screen.includes('<skill-answer') };
    },
    today: { answers: 2, hasMarks: true },
    wanted: (shown) => expect(shown).toEqual({ answers: 1, hasMarks: false }),
  });

  stillOpen('shows nothing that only the model reads in a session that is resumed', {
    observe: async () => {
      await forkSkill(desk.stage);
      desk.stage.server.handle(() => anthropicReply({ text: 'The result.' }));
      await desk.stage.robota(['-p', '/deep find it', ...model]);
      const terminal = await desk.open(['-c']);
      return (await terminal.shows('The result.')).includes('<skill-answer');
    },
    today: true,
    wanted: (hasMarks) => expect(hasMarks).toBe(false),
  });

  stillOpen('shows the prompt and that it works while it runs', {
    observe: async () => {
      await forkSkill(desk.stage);
      desk.stage.server.handle(() => hangingAnswer([]));
      const terminal = await desk.open();
      terminal.send('/deep quokka');
      terminal.type(keys.enter);
      await expect.poll(() => desk.stage.server.requests.length, { timeout: 20_000 }).toBe(1);
      // Both would come at once; neither comes today.
      let shown = { prompt: false, works: false };
      for (let look = 0; look < 20 && !(shown.prompt && shown.works); look++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        const screen = await terminal.screen();
        shown = { prompt: screen.includes('/deep quokka'), works: /esc|Thinking|Working/.test(screen) };
      }
      return shown;
    },
    today: { prompt: false, works: false },
    wanted: (shown) => expect(shown).toEqual({ prompt: true, works: true }),
  });
});

describe('a session that a browser takes over', () => {
  const desk = tuiHarness(openStage);
  const servers: WebProcess[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.kill();
  });

  stillOpen('keeps the messages that wait in sight, in the browser or in the terminal', {
    observe: async () => {
      desk.stage.server.handle(() => hangingAnswer(['Working on it.']));
      const web = await WebProcess.start(desk.stage);
      servers.push(web);
      const terminal = await desk.open(['go']);
      await terminal.shows('Working on it.');
      terminal.send('then the docs');
      terminal.type(keys.altEnter);
      await terminal.shows(/later: then the docs/);
      const sessionOf = async () => {
        const { rows } = await web.get<{
          readonly rows: readonly { readonly id: string; readonly holder: string }[];
        }>('/api/board');
        return rows.find(({ holder }) => holder === 'elsewhere')?.id;
      };
      await expect.poll(sessionOf, { timeout: 20_000 }).toBeDefined();
      const path = `/api/sessions/${await sessionOf()}`;
      interface Page {
        readonly state: { readonly heldBy?: object; readonly queue: readonly { readonly text: string }[] };
      }
      const page = async () => (await web.get<Page>(path)).state;
      await expect.poll(page, { timeout: 20_000 }).toMatchObject({ heldBy: { handsOver: true } });
      const { status, json } = await web.post(`${path}/take-over`, { stop: true });
      expect(status).toBe(200);
      await terminal.shows('This session continues in robota web.');
      let isInTerminal = true;
      for (let look = 0; look < 100 && isInTerminal; look++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        isInTerminal = (await terminal.viewport()).join('\n').includes('then the docs');
      }
      const { queue } = await page();
      return { isInTerminal, queue: queue.map(({ text }) => text), json };
    },
    today: { isInTerminal: false, queue: [], json: {} },
    wanted: ({ isInTerminal, queue, json }) => {
      if (!isInTerminal) expect(JSON.stringify([queue, json])).toContain('then the docs');
    },
  });
});

describe('a run without a terminal', () => {
  const desk = programHarness();

  const resultOf = (stdout: string) => {
    const { is_error, error_code, result, permission_denials = [] } = JSON.parse(stdout);
    const denied = (permission_denials as readonly { tool_name: string }[]).map(({ tool_name }) => tool_name);
    return { is_error, error_code, result, denied };
  };

  describe('lists the calls that were denied', () => {
    const write = { id: 'w1', name: 'Write', input: { file_path: 'a.txt', content: 'x' } };
    const agent = {
      id: 'a1',
      name: 'Agent',
      input: { description: 'write', prompt: 'Write a.txt.', subagent_type: 'general-purpose' },
    };
    /** Agents write a file once; the conversation starts an agent once, unless a command has. */
    const answer = (request: RecordedRequest): Reply => {
      const hasResult = request.text.includes('"tool_result"');
      if (hasResult) return anthropicReply({ text: 'done' });
      return anthropicReply({ toolCalls: [isAgent(request) ? write : agent] });
    };
    const ways = {
      'to an agent of the model': 'start one',
      'to a skill with its own context': '/deep it',
      'to agents of a command': '/agent parallel a:"Write a.txt."',
    };
    for (const [way, prompt] of Object.entries(ways))
      stillOpen(way, {
        observe: async () => {
          await forkSkill(desk.stage);
          desk.stage.server.handle(answer);
          const { code, stdout, stderr } = await desk.stage.robota([
            '-p',
            prompt,
            '--output-format',
            'json',
            ...model,
          ]);
          const refused = desk.stage.server.requests.filter(
            ({ text }) => text.includes('"tool_use_id":"w1"') && text.includes('"is_error":true'),
          );
          expect(refused).toHaveLength(1);
          return { code, stderr, denied: resultOf(stdout).denied };
        },
        today: { code: 0, stderr: '', denied: [] },
        wanted: ({ denied }) => expect(denied).toEqual(['Write']),
      });
  });

  stillOpen('streams the text of a skill with its own context', {
    observe: async () => {
      await forkSkill(desk.stage);
      desk.stage.server.handle(() => anthropicReply({ text: 'The result.' }));
      const isStreamed = async (prompt: string) => {
        const format = ['--output-format', 'stream-json'];
        const { stdout } = await desk.stage.robota(['-p', prompt, ...format, ...model]);
        return stdout.split('\n').some((line) => line.includes('text_delta'));
      };
      return { prompt: await isStreamed('hi'), skill: await isStreamed('/deep it') };
    },
    today: { prompt: true, skill: false },
    wanted: ({ skill }) => expect(skill).toBe(true),
  });

  stillOpen('names the limit of turns that a skill with its own context reached', {
    observe: async () => {
      await forkSkill(desk.stage);
      const glob = { name: 'Glob', input: { pattern: '*' } };
      desk.stage.server.handle(() => anthropicReply({ toolCalls: [glob] }));
      const words = ['-p', '/deep it', '--max-turns', '2', '--output-format', 'json', ...model];
      const { stdout } = await desk.stage.robota(words);
      return resultOf(stdout).error_code;
    },
    today: 'command',
    wanted: (code) => expect(code).toBe('max-turns'),
  });

  stillOpen('keeps the partial answer of an interrupted skill as its result', {
    observe: async () => {
      await forkSkill(desk.stage);
      desk.stage.server.handle(() => hangingAnswer(['The first half']));
      const { cwd, home, server } = desk.stage;
      const env = { PATH: process.env.PATH, HOME: home, ...sharedCode() };
      const words = ['-p', '/deep it', '--output-format', 'json', ...model];
      const child = spawn(process.execPath, [robotaBin, ...words], {
        cwd,
        env: { ...env, ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.url },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const ended = once(child, 'close');
      let stdout = '';
      child.stdout.setEncoding('utf8').on('data', (part: string) => {
        stdout += part;
      });
      await expect.poll(() => server.requests.length, { timeout: 20_000 }).toBe(1);
      child.kill('SIGINT');
      await ended;
      return { code: child.exitCode, ...resultOf(stdout) };
    },
    today: { code: 1, is_error: true, error_code: 'command', result: '', denied: [] },
    wanted: ({ code, error_code }) => {
      expect(code).toBe(0);
      expect(error_code).not.toBe('command');
    },
  });
});
