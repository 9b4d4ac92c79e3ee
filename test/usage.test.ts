import { anthropicReply, type RecordedRequest } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { openStage } from './stage.ts';
import { keys, tuiHarness } from './tui.ts';

const desk = tuiHarness(openStage);
const model = ['--model', 'claude-sonnet-4-6'];
/** A tenth of a dollar at the price of the model that is used. */
const expensive = { input: 33_333, output: 0 };

const kinds = {
  hook: ({ text }: RecordedRequest) => text.includes('You are a hook of a coding agent'),
  summary: ({ text }: RecordedRequest) => text.includes('<record>'),
  agent: ({ text }: RecordedRequest) => text.includes('Look around.') && !text.includes('"tool_use"'),
};

const judged = { Stop: [{ hooks: [{ type: 'prompt', prompt: 'Is it done?' }] }] };
const before = { UserPromptSubmit: [{ hooks: [{ type: 'prompt', prompt: 'Is it allowed?' }] }] };
const agentCall = { name: 'Agent', input: { prompt: 'Look around.', subagent_type: 'general-purpose' } };

/** Answers by what is asked; one kind of request is expensive. */
function answer(costly: keyof typeof kinds): void {
  let turn = 0;
  desk.stage.server.handle((request) => {
    const usage = kinds[costly](request) ? expensive : { input: 10, output: 1 };
    if (kinds.hook(request)) return anthropicReply({ text: '{"ok": true}', usage });
    if (kinds.summary(request)) return anthropicReply({ text: '## Goal\nto test', usage });
    if (kinds.agent(request)) return anthropicReply({ text: 'seen', usage });
    turn++;
    return turn === 1
      ? anthropicReply({ toolCalls: [agentCall], usage })
      : anthropicReply({ text: 'done', usage });
  });
}

describe('--max-cost', () => {
  it.each(['hook', 'agent'] as const)('includes what a %s costs', async (costly) => {
    await desk.stage.settings({ hooks: before });
    answer(costly);
    const format = ['--output-format', 'json', '--max-cost', '0.05'];
    const { stdout } = await desk.stage.robota(['-p', 'go', ...model, ...format]);
    expect(JSON.parse(stdout)).toMatchObject({ error_code: 'max-cost' });
    expect(desk.stage.server.requests.filter(kinds[costly])).toHaveLength(1);
    expect(kinds[costly](desk.stage.server.requests.at(-1) as RecordedRequest)).toBe(true);
  });

  it('includes what a summary costs', async () => {
    const { stage } = desk;
    await stage.file('long.txt', 'many words in a line\n'.repeat(1_000));
    let turn = 0;
    stage.server.handle((request) => {
      if (kinds.summary(request)) return anthropicReply({ text: '## Goal\nto test', usage: expensive });
      const input = { file_path: 'long.txt', offset: ++turn, limit: 900 };
      // Read from the cache, a full window costs little.
      const usage = { input: 1, cacheRead: turn === 8 ? 990_000 : 1_000 };
      return anthropicReply({ toolCalls: [{ id: `toolu_${turn}`, name: 'Read', input }], usage });
    });
    const format = ['--output-format', 'json', '--max-cost', '0.35'];
    const { stdout } = await stage.robota(['-p', 'go', ...model, ...format]);
    expect(JSON.parse(stdout)).toMatchObject({ error_code: 'max-cost' });
    expect(kinds.summary(stage.server.requests.at(-1) as RecordedRequest)).toBe(true);
  });
});

describe('robota usage', () => {
  it('shows what sessions used, with agents, hooks and summaries, as tables, JSON and CSV', async () => {
    const { stage } = desk;
    await stage.settings({ hooks: judged });
    answer('agent');
    const run = await stage.robota(['-p', 'go', ...model, '--output-format', 'json']);
    await stage.robota(['-p', '-c', '/compact', ...model]);
    const cost = await stage.robota(['-p', '-c', '/cost', '--output-format', 'json']);
    const { stdout } = await stage.robota(['usage', '--json']);
    const { rows, sessions } = JSON.parse(stdout);
    const names = (dimension: string) =>
      rows.flatMap(({ by, name }: Record<string, string>) => (by === dimension ? [name] : []));
    expect(sessions).toBe(1);
    expect(names('project')).toEqual([stage.cwd]);
    expect(names('agent')).toEqual(['general-purpose', 'main']);
    expect(names('tool')).toEqual(expect.arrayContaining(['Agent', '(answers)', '(hooks)']));
    expect(names('purpose')).toEqual(expect.arrayContaining(['answers', 'agents', 'hooks']));
    expect(rows[0].cost).toBeCloseTo(JSON.parse(cost.stdout).data.cost, 6);
    expect(rows[0].cost).toBeGreaterThanOrEqual(JSON.parse(run.stdout).total_cost_usd);
    const tables = await stage.robota(['usage', '--by', 'agent', '--project', stage.cwd]);
    expect(tables.stdout).toMatch(
      /^\$0\.1\d*, \d+ model calls, .* in 1 session\n\nBy agent\n {2}general-purpose {2}█{20} /,
    );
    const csv = await stage.robota(['usage', '--csv', '--since', '1d']);
    expect(csv.stdout).toMatch(/^by,name,calls,.*\r\ntotal,total,/);
    const none = await stage.robota(['usage', '--until', '2020-01-01']);
    expect(none.stdout).toBe('No usage is stored for this time.\n');
    const swapped = await stage.robota(['usage', '--since', '2020-01-02', '--until', '2020-01-01']);
    expect([swapped.code, swapped.stderr]).toEqual([2, expect.stringContaining('is later than --until')]);
    const twice = await stage.robota(['usage', '--by', 'agent,agent', '--by', 'agent']);
    expect(twice.stdout.match(/By agent/g)).toHaveLength(1);
    const wrong = await stage.robota(['usage', '--by', 'week']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('expected day, project, model')]);
  });

  it('says what broke the prompt cache and what it cost; /usage shows it for the session', async () => {
    const { stage } = desk;
    const cached = (usage: object) =>
      anthropicReply({ text: 'ok', usage: { input: 10, output: 1, ...usage } });
    stage.server.reply(cached({ cacheWrite: 100_000 }), cached({ cacheWrite: 100_100 }));
    const first = await desk.open();
    first.type(`hello${keys.enter}`);
    await first.shows('ok');
    first.type(`/model claude-opus-4-6${keys.enter}`);
    await first.shows(/Opus 4\.6[^\n]*$/);
    first.type(`again${keys.enter}`);
    await expect.poll(() => stage.server.requests.length).toBe(2);
    await first.shows(/ok[\s\S]*ok/);
    first.type(`/usage${keys.enter}`);
    await first.shows(/── Usage ─.* last 14 days[\s\S]*lost to a broken cache: \/context/);
    first.type('c');
    await first.shows(/\nmodel changed +\S+ +━+ +100% · 1 time/);
    first.type(keys.escape);
    await first.shows('ok');
    first.type(keys.ctrlD);
    expect(await first.exit).toBe(0);
    const { stdout } = await stage.robota(['usage', '--by', 'cache-break', '--json']);
    expect(JSON.parse(stdout).rows[1]).toMatchObject({
      name: 'model changed',
      calls: 1,
      input: 100_000,
      detail: 'from anthropic/claude-sonnet-4-6 to anthropic/claude-opus-4-6',
    });
  });
});
