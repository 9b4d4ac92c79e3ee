import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply, temporaryDirectory } from '@robota-sdk/agent-testing';
import { findSandbox } from '@robota-sdk/agent-tools';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openStage, type Stage } from './stage.ts';

const tool = await findSandbox();
const reason = tool.kind === 'missing' ? ` (not here: ${tool.reason})` : '';

let stage: Stage;

beforeEach(async () => {
  stage = await openStage();
});

afterEach(() => stage.server.close());

/** Lets the model run one command, and gives back what it was told of it. */
async function run(command: string, flags: readonly string[]) {
  stage.server.reply(
    anthropicReply({ toolCalls: [{ name: 'Bash', input: { command } }] }),
    anthropicReply({ text: 'Done.' }),
  );
  const result = await stage.robota(['-p', 'go', '--permission-mode', 'bypassPermissions', ...flags]);
  expect(result).toMatchObject({ code: 0, stdout: 'Done.\n' });
  return stage.results(1)[0]?.text ?? '';
}

describe.skipIf(tool.kind !== 'bubblewrap')(`--sandbox${reason}`, () => {
  it('lets commands write the workspace and nothing else, and names the grant', async () => {
    const outside = `/etc/robota-sandbox-test-${process.pid}`;
    onTestFinished(() => rm(outside, { force: true }));
    const text = await run(`echo in > in.txt; echo out > ${outside}`, ['--sandbox', 'required']);
    expect(await readFile(join(stage.cwd, 'in.txt'), 'utf8')).toBe('in\n');
    expect(existsSync(outside)).toBe(false);
    expect(text).toContain(`[sandbox: writing ${outside}`);
    expect(text).toContain('--sandbox-write');
  });

  it('lets them write what is granted by a flag or a setting', async () => {
    const outside = await temporaryDirectory('robota-outside');
    await run(`echo out > ${outside}/out.txt`, ['--sandbox', 'required', '--sandbox-write', outside]);
    expect(await readFile(join(outside, 'out.txt'), 'utf8')).toBe('out\n');
    await stage.settings({ sandbox: { mode: 'required', writable: [outside] } });
    await run(`echo more > ${outside}/more.txt`, []);
    expect(await readFile(join(outside, 'more.txt'), 'utf8')).toBe('more\n');
  });
});

it('a repository can not switch the sandbox off', async () => {
  await stage.file('.robota/settings.json', '{"sandbox": "off"}');
  stage.server.reply(anthropicReply({ text: 'Done.' }));
  const { stderr } = await stage.robota(['-p', 'go']);
  expect(stderr).toContain('"sandbox" is ignored: a project can never set it');
});

it('a wrong setting is named', async () => {
  await stage.settings({ sandbox: { mode: 'sometimes' } });
  const { code, stderr } = await stage.robota(['-p', 'go']);
  expect(code).toBe(2);
  expect(stderr).toContain('The sandbox mode is off, auto, required');
});
