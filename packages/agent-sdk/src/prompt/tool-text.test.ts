import { toolText } from '@robota-sdk/agent-models';
import { proves } from '@robota-sdk/agent-testing/proves';
import { builtinTools } from '@robota-sdk/agent-tools';
import { expect, it } from 'vitest';

it('the example of every tool is one that the tool takes', () => {
  proves('E-8');
  for (const { name, description, input } of builtinTools()) {
    const text = toolText({ name, description, input: input.json });
    const [, json = ''] = /#>\s*SysBuiltIn\.\w+\(([\s\S]*?)\)\s*<\/#>/.exec(text) ?? [];
    const example = JSON.parse(json) as { readonly pattern?: string };
    expect(input.parse(example), name).toMatchObject({ ok: true });
    if (name === 'Grep') expect(new RegExp(example.pattern ?? '(').test('README.md')).toBe(true);
  }
});
