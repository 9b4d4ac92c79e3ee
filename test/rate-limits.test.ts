import { anthropicReply, jsonReply, type Reply } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { openStage } from './stage.ts';
import { keys, tuiHarness } from './tui.ts';

const desk = tuiHarness(openStage);
const model = ['--model', 'claude-sonnet-4-6'];

/** A refusal by a vendor whose limit resets in some seconds. */
function refusal(seconds: number): Reply {
  const error = { type: 'rate_limit_error', message: 'This request would exceed your rate limit.' };
  return jsonReply(429, { type: 'error', error }, { 'retry-after': String(seconds) });
}

/** Limits are not retried first, so that a short one is waited for like a long one. */
const retry = { maxRetries: 0 };

describe('a rate limit that resets', () => {
  it('ends a run without a user with its time, the option that waits, and exit code 75', async () => {
    const { stage } = desk;
    stage.server.reply(refusal(7_200), refusal(7_200));
    const { code, stderr } = await stage.robota(['-p', 'go', ...model]);
    expect(code).toBe(75);
    expect(stderr).toMatch(
      /The limit resets at \d{4}-\S+Z, in 2 h\. To wait for it, add --wait-for-limit 2h\./,
    );
    const json = await stage.robota(['-p', 'go', ...model, '--output-format', 'json']);
    const result = JSON.parse(json.stdout);
    expect(result).toMatchObject({ is_error: true, error_code: 'rate-limit' });
    expect(Date.parse(result.resets_at)).toBeGreaterThan(Date.now());
    const wrong = await stage.robota(['-p', 'go', ...model, '--wait-for-limit', 'soon']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('a time such as 30m or 6h')]);
  });

  it('is waited for with --wait-for-limit, also by another process after kill -9', async () => {
    const { stage } = desk;
    await stage.settings({ retry });
    stage.server.reply(refusal(2), anthropicReply({ text: 'All done.' }));
    const wait = ['--wait-for-limit', '1h'];
    const killed = await stage.robota(['-p', 'the task', ...model, ...wait], {
      onError: (stderr, { kill }) => stderr.includes('waiting for the limit to reset at') && kill('SIGKILL'),
    });
    expect(killed.signal).toBe('SIGKILL');
    expect(stage.server.requests).toHaveLength(1);
    const format = ['--output-format', 'stream-json'];
    const { code, stdout, stderr } = await stage.robota(['-p', '-c', ...wait, ...format]);
    expect([code, stderr]).toEqual([0, expect.stringContaining('has reset; resuming')]);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const types = lines.map(({ event, type }) => event?.type ?? type);
    expect(types.filter((type) => /limit|result/.test(type))).toEqual(['limit_wait', 'limit_end', 'result']);
    expect(lines.at(-1)).toMatchObject({ result: 'All done.', is_error: false });
    expect(stage.messages(1)).toEqual(stage.messages(0));
    const [first, second] = stage.server.requests;
    expect(second?.body).toMatchObject({ model: 'claude-sonnet-4-6' });
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_900);
    const again = await stage.robota(['-p', '-c']);
    expect([again.code, again.stderr]).toEqual([
      2,
      expect.stringContaining('No prompt, and no run that waits'),
    ]);
  });

  it('is waited for by an agent whose process was killed, and the run that started it gets its answer', async () => {
    const { stage } = desk;
    await stage.settings({ retry });
    const input = { prompt: 'Look around.' };
    stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'Agent', input, id: 'toolu_1' }] }),
      refusal(2),
      anthropicReply({ text: 'The agent has looked.' }),
      anthropicReply({ text: 'All done.' }),
    );
    const wait = ['--wait-for-limit', '1h'];
    const killed = await stage.robota(['-p', 'the task', ...model, ...wait], {
      onError: (stderr, { kill }) => stderr.includes('waiting for the limit to reset at') && kill('SIGKILL'),
    });
    expect(killed.signal).toBe('SIGKILL');
    const { code, stdout } = await stage.robota(['-p', '-c', ...wait]);
    expect([code, stdout]).toEqual([0, 'All done.\n']);
    expect(stage.server.requests).toHaveLength(4);
    // The agent continues its conversation, and the call has one result.
    expect(stage.messages(2)).toEqual(stage.messages(1));
    expect(stage.results(3)).toMatchObject([{ isError: false, text: 'The agent has looked.' }]);
  });

  it('keeps what was queued during the wait after kill -9, and the resumed run gets it', async () => {
    const { stage } = desk;
    await stage.settings({ retry });
    stage.server.reply(refusal(7_200));
    const first = await desk.open();
    first.type(`go${keys.enter}`);
    await first.shows(/resumes .* esc stop waiting/);
    first.type(`mind the tests${keys.enter}`);
    await first.shows('◷ next: mind the tests');
    first.type(`then commit${keys.altEnter}`);
    await first.shows('◷ later: then commit');
    first.kill('SIGKILL');
    await first.exit;
    stage.server.reply(anthropicReply({ text: 'First.' }), anthropicReply({ text: 'Second.' }));
    const second = await desk.open(['-c', '--model', 'claude-opus-4-6']);
    await second.shows('Second.');
    const said = (at: number) => JSON.stringify(stage.messages(at));
    expect(said(1)).toContain('mind the tests');
    expect(said(1)).not.toContain('then commit');
    expect(said(2)).toContain('then commit');
    expect(await second.screen()).not.toContain('◷');
    second.kill('SIGKILL');
    await second.exit;
    const third = await desk.open(['-c']);
    await third.shows('Resumed');
    expect(await third.screen()).not.toContain('◷');
  });

  it('counts down on the screen; esc stops, and after an exit robota -c resumes it', async () => {
    const { stage } = desk;
    await stage.settings({ retry });
    stage.server.reply(refusal(7_200), refusal(7_200));
    const first = await desk.open();
    first.type(`go${keys.enter}`);
    await first.shows(
      /Rate limited by Anthropic \(429\) · resumes \d\d:\d\d in (?:2h [01]m|1h 59m) · esc stop waiting/,
    );
    first.type(keys.escape);
    await first.shows(/Rate limited by Anthropic \(429\) for \d+s\./);
    first.type(`once more${keys.enter}`);
    await first.shows(/resumes .* in (?:2h [01]m|1h 59m) · esc stop waiting/);
    expect(stage.server.requests).toHaveLength(2);
    first.type(keys.ctrlD);
    expect(await first.exit).toBe(0);
    const second = await desk.open(['-c']);
    await second.shows(/resumes .* in (?:2h [01]m|1h 59m) · esc stop waiting/);
    expect(stage.server.requests).toHaveLength(2);
    second.type(keys.escape);
    await second.shows(/Rate limited by Anthropic \(429\) for \d+s\./);
    stage.server.reply(refusal(3), anthropicReply({ text: 'The answer.' }));
    second.type(`and now${keys.enter}`);
    await second.shows(/resumes .* in [123]s · esc stop waiting/);
    await second.shows('The answer.');
    second.type(keys.ctrlD);
    expect(await second.exit).toBe(0);
  });
});
