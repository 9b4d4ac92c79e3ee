import { describeProblem, type Problem, Robota } from '@robota-sdk/agent-sdk';
import { expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';
import { openTerminal } from './terminal.ts';

const stage = stagePerTest();

const line = 'Unknown tool "Bsh" in rule "Bsh(ls)". Did you mean Bash?';

/** The problem of a rule that names no tool, as data. */
const expected = (file: string) => ({
  code: 'rule.unknown-tool',
  severity: 'warning',
  message: 'Unknown tool "Bsh" in rule "Bsh(ls)".',
  template: 'Unknown tool "{tool}" in rule "{rule}".',
  values: { tool: 'Bsh', rule: 'Bsh(ls)' },
  subject: 'Bsh',
  source: { file, line: 3 },
  hint: 'Did you mean Bash?',
});

it('one problem is a line on the screen and on stderr, and data in stream-json, doctor --json and the SDK', async () => {
  await stage.settings('{\n  "permissions": { "allow": [\n    "Bsh(ls)"\n  ] }\n}\n');
  const file = `${stage.home}/.robota/settings.json`;
  const shown = `${file}:3: ${line}`;

  const print = ['-p', 'hello', '--model', 'offline'];
  expect((await stage.robota(print)).stderr).toContain(`robota: ${shown}`);

  const stream = await stage.robota([...print, '--output-format', 'stream-json', '--verbose']);
  const init = JSON.parse(stream.stdout.split('\n', 1)[0] ?? '') as { readonly problems: readonly Problem[] };
  expect(init.problems).toEqual([expect.objectContaining(expected(file))]);

  const doctor = await stage.robota(['doctor', '--json']);
  expect(doctor.stdout).toContain(JSON.stringify(expected(file).template));

  const host = { home: stage.home, env: { PATH: process.env.PATH } };
  const session = new Robota(host).createSession({ cwd: stage.cwd, model: 'offline' });
  const [problem] = (await session.ready).problems;
  expect(problem).toMatchObject(expected(file));
  expect(problem && describeProblem(problem)).toBe(shown);
  await session.close();

  const terminal = openTerminal(['--model', 'offline'], { cwd: stage.cwd, home: stage.home, columns: 200 });
  try {
    await terminal.shows(line);
  } finally {
    terminal.kill('SIGKILL');
  }
});
