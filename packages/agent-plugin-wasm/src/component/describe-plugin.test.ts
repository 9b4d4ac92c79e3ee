import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { describePlugin } from './describe-plugin.ts';
import { PluginError, type PluginInstance } from './plugin-instance.ts';

const tool = { name: 'Count', description: 'Counts.', input: '{"type":"object"}', label: undefined };

/** A plugin that gives these answers, whatever its interface says. */
function plugin(answers: Readonly<Record<string, unknown>>): PluginInstance {
  const all: Readonly<Record<string, unknown>> = { name: 'it', tools: [tool], commands: [], ...answers };
  const call = async ({ name }: { readonly name: string }) => {
    const answer = all[name];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { call } as unknown as PluginInstance;
}

describe('describePlugin', () => {
  it('takes the name, tools and commands of a plugin', async () => {
    proves('P-126');
    const commands = [{ name: 'greet', description: 'Greets', argumentHint: '[name]' }];
    expect(await describePlugin(plugin({ commands }), { selfTest: false })).toEqual({
      name: 'it',
      tools: [{ name: 'Count', description: 'Counts.', input: { type: 'object' } }],
      commands,
    });
  });

  it('leaves out a plugin whose self-test fails, with its words', async () => {
    proves('P-130');
    const failing = plugin({ selfTest: new PluginError('the moon is wrong') });
    await expect(describePlugin(failing, { selfTest: true })).rejects.toThrow(
      'its self-test failed: the moon is wrong',
    );
    await expect(describePlugin(failing, { selfTest: false })).resolves.toMatchObject({ name: 'it' });
  });

  it.each([
    ['a name that is none', { name: '../it' }, 'name: expected 1 to 64 letters'],
    ['tools that are not a list', { tools: 'many' }, 'tools: expected a list'],
    ['tools that are texts', { tools: ['Count'] }, 'tools[0]: expected an object'],
    ['too many tools', { tools: Array.from({ length: 101 }, () => tool) }, 'more than 100 tools'],
    [
      'a name no vendor takes',
      { tools: [{ ...tool, name: 'Räd' }] },
      'tools[0].name: expected 1 to 64 letters',
    ],
    [
      'a name of ours',
      { tools: [{ ...tool, name: 'Read' }] },
      'a tool of it is called "Read", like a built-in one',
    ],
    ['two of a name', { tools: [tool, tool] }, 'two of its tools are called "Count"'],
    [
      'a schema that is no JSON',
      { tools: [{ ...tool, input: '{' }] },
      'tools[0].input: expected the JSON Schema of an object',
    ],
    [
      'a schema that is a list',
      { tools: [{ ...tool, input: '[]' }] },
      'tools[0].input: expected the JSON Schema of an object',
    ],
    ['no description', { tools: [{ ...tool, description: 7 }] }, 'tools[0].description: expected a string'],
    [
      'a command with a blank',
      { commands: [{ name: 'a b', description: '' }] },
      'commands[0].name: expected 1 to 64 letters',
    ],
  ])('refuses %s', async (_, answers, message) => {
    proves('P-126');
    await expect(describePlugin(plugin(answers), { selfTest: false })).rejects.toThrow(message);
  });
});
