import { anthropicReply } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();

describe('what a model nests deeply', () => {
  it('in arguments becomes an error that the model sees, and the run continues', async () => {
    const rawJson = `{"command":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'Bash', rawJson }] }),
      anthropicReply({ text: 'done' }),
    );
    const { code, stdout } = await stage.robota(['-p', 'go']);
    expect([code, stdout.trim()]).toEqual([0, 'done']);
    const [result] = stage.results(-1);
    expect(result).toMatchObject({ isError: true });
    expect(result?.text).toContain('nested more than 500 levels deep');
  });

  it.each(['Write', 'Edit', 'Read'])(
    'in the path of %s is refused, before anything looks it up',
    async (name) => {
      const file_path = `${'d/'.repeat(1_500)}f`;
      const input = { Write: { content: 'x' }, Edit: { old_string: 'a', new_string: 'b' }, Read: {} }[name];
      stage.server.reply(
        anthropicReply({ toolCalls: [{ name, input: { file_path, ...input } }] }),
        anthropicReply({ text: 'done' }),
      );
      const { code } = await stage.robota(['-p', 'go', '--permission-mode', 'acceptEdits']);
      expect(code).toBe(0);
      const [result] = stage.results(-1);
      expect(result).toMatchObject({ isError: true });
      expect(result?.text).toContain('in more than 256 nested directories');
    },
  );
});
