import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { anthropicReply, robotaBin, sharedCode } from '@robota-sdk/agent-testing';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { findSandbox } from '@robota-sdk/agent-tools';
import { describe, expect } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();
const sandbox = await findSandbox();
const hasLess = existsSync('/usr/bin/less');

describe('a call', () => {
  stillOpen('that cannot be carried out is refused for that, and not asked about', {
    observe: async () => {
      await stage.file('cart.js', 'const a = 1;\n');
      const edit = { file_path: 'cart.js', old_string: 'no such text', new_string: 'x' };
      stage.server.reply(
        anthropicReply({ toolCalls: [{ name: 'Read', input: { file_path: 'cart.js' } }] }),
        anthropicReply({ toolCalls: [{ name: 'Edit', input: edit }] }),
        anthropicReply({ text: 'Done.' }),
      );
      const { stderr } = await stage.robota(['-p', 'go']);
      return {
        isDenied: stderr.includes('denied Edit'),
        isFound: /not found|no such text|does not contain/i.test(stage.results(2)[0]?.text ?? ''),
      };
    },
    today: { isDenied: true, isFound: false },
    wanted: (outcome) => expect(outcome).toEqual({ isDenied: false, isFound: true }),
  });
});

describe.skipIf(!hasLess)('a command that only reads', () => {
  stillOpen('starts no filter of less', {
    observe: async () => {
      await stage.file('f.txt', 'text\n');
      const hit = join(stage.home, 'HIT');
      stage.server.reply(
        anthropicReply({ toolCalls: [{ name: 'Bash', input: { command: 'less f.txt' } }] }),
        anthropicReply({ text: 'Done.' }),
      );
      await stage.robota(['-p', 'go'], { env: { LESSOPEN: `|touch ${hit}; cat %s` } });
      return { text: stage.results(1)[0]?.text.trim(), isStarted: existsSync(hit) };
    },
    today: { text: 'text', isStarted: true },
    wanted: ({ isStarted }) => expect(isStarted).toBe(false),
  });
});

describe.skipIf(sandbox.kind !== 'bubblewrap')('a command in the sandbox', () => {
  stillOpen('gets no descriptor that the program was started with', {
    observe: async () => {
      await mkdir(join(stage.home, '.ssh'));
      await writeFile(join(stage.home, '.ssh/id_rsa'), 'KEY OF THE USER');
      const commands = ['cat "$HOME/.ssh/id_rsa"', 'cat /proc/self/fd/200/id_rsa'];
      stage.server.reply(
        anthropicReply({ toolCalls: commands.map((command) => ({ name: 'Bash', input: { command } })) }),
        anthropicReply({ text: 'Done.' }),
      );
      const options =
        '-p go --model claude-sonnet-4-6 --sandbox required --permission-mode bypassPermissions';
      const start = `exec 200<"$HOME/.ssh"; exec "$NODE" "$ROBOTA" ${options} </dev/null`;
      await promisify(execFile)('bash', ['-c', start], {
        cwd: stage.cwd,
        env: {
          PATH: process.env['PATH'],
          HOME: stage.home,
          NODE: process.execPath,
          ROBOTA: robotaBin,
          ANTHROPIC_API_KEY: 'sk-test',
          ANTHROPIC_BASE_URL: stage.server.url,
          ...sharedCode(),
        },
      });
      return stage.results(1).map(({ text }) => text.includes('KEY OF THE USER'));
    },
    today: [false, true],
    wanted: (isShown) => expect(isShown).toEqual([false, false]),
  });
});

describe('robota config explain', () => {
  stillOpen('knows a setting by the last part of its name', {
    observe: async () => {
      const { code, stdout, stderr } = await stage.robota(['config', 'explain', 'defaultMode']);
      return { code, isNamed: `${stdout}${stderr}`.includes('permissions.defaultMode') };
    },
    today: { code: 2, isNamed: false },
    wanted: ({ isNamed }) => expect(isNamed).toBe(true),
  });
});

describe('/permissions', () => {
  stillOpen('lists the rules of the user before those that are built in', {
    observe: async () => {
      await stage.settings({ permissions: { allow: ['Bash(npm test)'] } });
      const { stdout } = await stage.robota(['-p', '/permissions']);
      const lines = stdout.split('\n');
      const own = lines.findIndex((line) => line.includes('Bash(npm test)'));
      const builtIn = lines.findIndex((line) => line.includes('Read(//'));
      return { own: own >= 0, builtIn: builtIn >= 0, isFirst: own < builtIn };
    },
    today: { own: true, builtIn: true, isFirst: false },
    wanted: ({ own, builtIn, isFirst }) => expect(own && (!builtIn || isFirst)).toBe(true),
  });
});
