import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply, jsonReply } from '@robota-sdk/agent-testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

/** A tenth of a dollar at the price of the model that is used. */
const expensive = { input: 33_333, output: 0 };
const asJson = ['--output-format', 'json', '--model', 'claude-sonnet-4-6'];

const stage = stagePerTest();
beforeEach(async () => {
  stage.server.handle(() => anthropicReply({ text: 'done', usage: expensive }));
});

it('names each model whose price is unknown, fallbacks too, where the cost is limited', async () => {
  const models = ['--model', 'openai/odd-1', '--fallback-model', 'openai/odd-2', '--max-cost', '1'];
  const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${stage.server.url}/v1` };
  // Not retried, unlike an answer in another vendor's format.
  stage.server.handle(() => jsonReply(400, { error: { message: 'No.' } }));
  const { stderr } = await stage.robota(['-p', 'one', ...models], { env });
  for (const name of ['openai/odd-1', 'openai/odd-2'])
    expect(stderr).toContain(`No price is known for ${name}, so a limit on the cost cannot be enforced.`);
});

describe('budgets of the settings', () => {
  it('the budget of a session outlives the process and ends the run with a code of its own', async () => {
    await stage.settings({ budget: { session: 0.15 } });
    const first = JSON.parse((await stage.robota(['-p', 'one', ...asJson])).stdout);
    expect(first).toMatchObject({ subtype: 'success' });
    expect(first.total_cost_usd).toBeCloseTo(0.1, 3);
    expect(JSON.parse((await stage.robota(['-c', '-p', 'two', ...asJson])).stdout)).toMatchObject({
      subtype: 'success',
    });
    const third = await stage.robota(['-c', '-p', 'three', ...asJson]);
    expect(third.code).toBe(1);
    expect(JSON.parse(third.stdout)).toMatchObject({
      subtype: 'error',
      error_code: 'budget',
      error: expect.stringContaining('this session has cost $0.20 and the limit is $0.15'),
    });
    expect(stage.server.requests).toHaveLength(2);
    const { stdout } = await stage.robota(['-c', '-p', '/tree']);
    expect(stdout).not.toContain('three');
    expect(JSON.parse((await stage.robota(['-p', 'a new session', ...asJson])).stdout)).toMatchObject({
      subtype: 'success',
    });
  });

  it('the budget of a day counts every session, kept or not', async () => {
    await stage.settings({ budget: { day: 0.1 } });
    await stage.robota(['-p', 'one', '--no-session', ...asJson]);
    expect(await readdir(join(stage.home, '.robota', 'spending'))).toHaveLength(1);
    const second = JSON.parse((await stage.robota(['-p', 'two', ...asJson])).stdout);
    expect(second).toMatchObject({ error_code: 'budget', error: expect.stringContaining('of today') });
    expect(stage.server.requests).toHaveLength(1);
  });

  it('a repository can lower a limit of its user, and never raise it', async () => {
    await stage.settings({ budget: { session: '0.05', turn: 5 } });
    await mkdir(join(stage.cwd, '.robota'));
    await writeFile(
      join(stage.cwd, '.robota', 'settings.json'),
      JSON.stringify({ budget: { session: 100, turn: 0.01 } }),
    );
    await stage.robota(['-p', 'one', ...asJson]);
    const second = JSON.parse((await stage.robota(['-c', '-p', 'two', ...asJson])).stdout);
    expect(second).toMatchObject({ error_code: 'budget', error: expect.stringContaining('limit is $0.05') });
  });
});
