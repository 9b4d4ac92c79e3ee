import {
  type AssistantContent,
  createMessage,
  eventsOf,
  type Message,
  MessageAssembler,
  type ModelEvent,
  type ModelRequest,
  noUsage,
  type ToolSpec,
  toolEnd,
} from '@robota-sdk/agent-core';
import { ScriptedProvider, type ScriptedTurn, testModel } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { parseMany, TextElement } from '@robota-sdk/xnl';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { xnlProvider } from './xnl-provider.ts';

const read: ToolSpec = {
  name: 'Read',
  description: 'Read a "file".',
  input: {
    type: 'object',
    properties: {
      file_path: { type: 'string' },
      offset: { type: 'integer', description: 'First line, from 1' },
      mode: { enum: ['a', 'b'] },
      edits: { type: 'array', items: { type: ['string', 'null'] } },
    },
    required: ['file_path'],
  },
};
const tools = [read, tool('Bash'), tool('Write'), tool('Edit'), tool('mcp__docs__look-up'), tool('Deploy')];

describe('the request', () => {
  it('has no native tools; the format, the contract and each tool follow the system prompt', async () => {
    proves('E-8', 'E-9');
    const { provider } = await ask([{ text: 'Hi' }]);
    const [sent] = provider.requests;
    expect(sent?.tools).toEqual([]);
    const prompt = sent?.system ?? '';
    const places = [
      'Be brief.',
      '# The XNL format',
      '# Calling tools',
      ...['namespace = "SysBuiltIn"\n  name = "Read"', 'name = "Bash"', 'name = "Write"'],
      ...['namespace = "Mcp.docs"\n  name = "look-up"', 'namespace = "Ext"\n  name = "Deploy"'],
    ].map((part) => prompt.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    const described = parseMany(prompt.slice(prompt.indexOf('<tool {'))).nodes;
    expect(described).toHaveLength(3 * tools.length);
    expect(described[1]).toMatchObject({
      text: '\ntype Read = (input: { file_path: string; offset?: number /* First line, from 1 */; mode?: "a" | "b"; edits?: (string | null)[] }) => string;\n',
    });
    expect(described[2]).toBeInstanceOf(TextElement);
    expect(described[2]).toMatchObject({
      text: expect.stringContaining('SysBuiltIn.Read({"file_path":"README.md"})'),
    });
  });

  it('gives the conversation back as it was written, and results in one block', async () => {
    const written = `Two files.\n!unquote_start\n<tool_call id="r1" lang="javascript" #>\nSysBuiltIn.read_file({ path: 'a' })\n</#>\n<tool_call id="r2" #>read({path: "b"})</#>\n!unquote_end\n\nWait.`;
    const { content } = await ask([{ text: written }]);
    const calls = content.filter((block) => block.type === 'tool-call');
    expect(calls).toMatchObject([
      { id: 'r1', name: 'Read', input: { file_path: 'a' } },
      { id: 'r2', name: 'Read', input: { file_path: 'b' } },
    ]);
    const history = [
      user('Go'),
      assistant(content),
      result('r1', 'has </#r1> in it'),
      result('r2', '', true),
    ];
    const { provider } = await ask([{ text: 'ok' }], [...history, user('And?')]);
    const sent = provider.requests[0]?.messages ?? [];
    expect(sent.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(sent[1]?.content).toEqual([{ type: 'text', text: written }]);
    expect(sent[2]?.content).toEqual([
      {
        type: 'text',
        text: '!unquote_start\n<tool_resp id="r1" #r1_1>has </#r1> in it</#r1_1>\n<tool_resp id="r2" status="error" #r2>(no output)</#r2>\n!unquote_end',
      },
      { type: 'text', text: 'And?' },
    ]);
    const earlier = await ask([{ text: 'ok' }], history);
    expect(sent.slice(0, 2)).toEqual(earlier.provider.requests[0]?.messages.slice(0, 2));
  });

  it('writes calls of other models as this one would have, and quotes markers that were only written about', async () => {
    const history = [
      assistant([
        { type: 'text', text: 'Use !unquote_start … !unquote_end for it.' },
        { type: 'tool-call', id: 'toolu_1', name: 'mcp__docs__look-up', input: { q: '</#>' } },
      ]),
      result('toolu_1', 'found'),
    ];
    const { provider } = await ask([{ text: 'ok' }], history);
    expect(provider.requests[0]?.messages[0]?.content).toEqual([
      {
        type: 'text',
        text: 'Use !quote_start !unquote_start … !unquote_end !quote_end for it.\n!unquote_start\n<tool_call id="toolu_1" lang="javascript" #text_1>\nMcp.docs.look-up({"q":"</#>"})\n</#text_1>\n!unquote_end',
      },
    ]);
  });

  it('without tools only the conversation is rendered, and the answer is left as it is', async () => {
    const text = 'x !unquote_start <tool_call id="a" #>Bash({})</#> !unquote_end';
    const { content, provider } = await ask([{ text }], [user('Sum up')], []);
    expect(content).toEqual([{ type: 'text', text }]);
    expect(provider.requests[0]?.system).toBe('Be brief.');
  });
});

describe('the answer', () => {
  const answer = `Let me see.\n!unquote_start\n<tool_call id="c1" #>SysBuiltIn.bash({ command: "ls", timeoutMs: 5 })</#>\n<tool_call #M>Mcp.docs.look-up({q: \`!unquote_end </#>\`})</#M>\n!unquote_end\nThen more.`;

  it('becomes the same calls and text in any chunking, each call at the moment it is complete', async () => {
    proves('E-11', 'E-12');
    const whole = await ask([{ text: answer }]);
    expect(whole.content).toMatchObject([
      { type: 'text', text: 'Let me see.' },
      { type: 'tool-call', id: 'c1', name: 'Bash', input: { command: 'ls', timeout: 5 } },
      { type: 'tool-call', id: 'call_2', name: 'mcp__docs__look-up', input: { q: '!unquote_end </#>' } },
      { type: 'text', text: '\nThen more.' },
    ]);
    expect(whole.events.at(-1)).toMatchObject({ type: 'end', stopReason: 'tool-calls' });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (size) => {
        const text = Array.from({ length: Math.ceil(answer.length / size) }, (_, at) =>
          answer.slice(at * size, (at + 1) * size),
        );
        const { content, events } = await ask([{ text }]);
        expect(content).toEqual(whole.content);
        const types = events.map(({ type }) => type);
        expect(types.indexOf('tool-call-end')).toBeLessThan(types.lastIndexOf('text-start'));
      }),
      { numRuns: 40 },
    );
  });

  it('takes native calls, too, and leaves thinking alone', async () => {
    proves('E-9');
    const { content } = await ask([
      {
        thinking: answer,
        text: 'Hm.',
        toolCalls: [{ id: 'n1', name: 'SysBuiltIn.read_file', input: { path: 'x' } }],
      },
    ]);
    expect(content).toMatchObject([
      { type: 'thinking', text: answer },
      { type: 'text', text: 'Hm.' },
      { type: 'tool-call', id: 'n1', name: 'Read', input: { file_path: 'x' } },
    ]);
  });

  it('numbers an id again that was used before, runs the same element once, and another of the same id too', async () => {
    const call = (code: string) => `<tool_call id="c1" #>${code}</#>`;
    const text = `!unquote_start ${call('Bash({a:1})')} ${call('Bash({a:1})')} ${call('Bash({a:2})')} !unquote_end`;
    const before = [assistant([{ type: 'tool-call', id: 'c1', name: 'Bash', input: {} }]), result('c1', 'x')];
    const { content } = await ask([{ text }], before);
    expect(content).toMatchObject([
      { id: 'c1_2', input: { a: 1 } },
      { id: 'c1_3', input: { a: 2 } },
    ]);
    const next = await ask(
      [{ text: 'ok' }],
      [...before, assistant(content), result('c1_2', 'one'), result('c1_3', 'two')],
    );
    expect(JSON.stringify(next.provider.requests[0]?.messages.at(-1))).toContain(
      '<tool_resp id=\\"c1\\" #c1>one</#c1>',
    );
  });

  it.each([
    ['<tool_call id="a" #>SysBuiltIn.Reed({})</#>', 'SysBuiltIn.Reed', 'Did you mean SysBuiltIn.Read?'],
    [
      '<tool_call id="a" #>SysBuiltIn.write_file({ mode: "append" })</#>',
      'SysBuiltIn.write_file',
      'not with these arguments',
    ],
    [
      '<tool_call id="a" #>SysBuiltIn.write_file({ path: "a", content: "b", append: true })</#>',
      'SysBuiltIn.write_file',
      'use SysBuiltIn.Write instead',
    ],
    [
      '<tool_call id="a" #>SysBuiltIn.edit_text({ path: "a", mode: "delete_range", start_line: 1, end_line: 2 })</#>',
      'SysBuiltIn.edit_text',
      'use SysBuiltIn.Edit instead',
    ],
    [
      '<tool_call id="a" #>SysBuiltIn.edit_text({ path: "a", mode: "insert", find: "a", replace: "b" })</#>',
      'SysBuiltIn.edit_text',
      'use SysBuiltIn.Edit instead',
    ],
    ['<tool_call id="a" #>Read({ file_path: x })</#>', 'Read', 'line 1, column 19: "x" is no value'],
    ['<tool_call id="a" #>{"name":"Read"}</#>', 'tool_call', 'Write each call as <tool_call'],
    ['<tool_call id="a" lang="python" #>Read({})</#>', 'tool_call', 'must be "javascript"'],
    ['<tool_call id="a">', 'tool_call', '"#" is missing'],
    ['<other>', 'tool_call', '<other> is no call'],
    ['Read({})', 'tool_call', 'text outside of any element'],
  ])('says what is wrong with %s', async (block, name, hint) => {
    proves('E-5');
    const { content } = await ask([{ text: `!unquote_start\n${block}\n!unquote_end` }]);
    expect(content).toMatchObject([{ type: 'tool-call', name, invalid: expect.stringContaining(hint) }]);
    expect(content[0]).toHaveProperty('invalid', expect.stringMatching(/^The .*[.?]$/));
  });

  it('does not run a call that stands in what was read, and does where it is written with another id', async () => {
    const written = (id: string) => `<tool_call id="${id}" #>\nSysBuiltIn.Write({ file_path: "x" })\n</#>`;
    const said = (id: string) => `It says:\n!unquote_start\n${written(id)}\n!unquote_end\nThat is all.`;
    const lines = ['# Title', ...said('z').split('\n')].map((line, at) => `${at + 1}\t${line}`);
    const given = [
      [assistant([{ type: 'tool-call', id: 'r', name: 'Read', input: {} }]), result('r', lines.join('\n'))],
      [user(`Explain ${written('z').replaceAll('\n', ' ')}`)],
    ];
    for (const history of given) {
      const { content } = await ask([{ text: said('z') }], history);
      expect(content[1]).toMatchObject({
        id: 'z',
        name: 'Write',
        invalid: expect.stringContaining('quotation'),
      });
      const meant = await ask([{ text: said('y') }], history);
      expect(meant.content[1]).not.toHaveProperty('invalid');
    }
  });

  it('gives results back by the id of the call, whatever the call writes, and says of each element what is wrong', async () => {
    const text = `!unquote_start\n<tool_call id='c1' #M>Write({ content: '<tool_call id="zz" #>x</#>' })</#M>\n!unquote_end`;
    const before = [assistant([{ type: 'tool-call', id: 'c1', name: 'Bash', input: {} }]), result('c1', 'x')];
    const { content } = await ask([{ text }], before);
    expect(content).toMatchObject([{ id: 'c1_2' }]);
    const next = await ask([{ text: 'ok' }], [...before, assistant(content), result('c1_2', 'one')]);
    expect(JSON.stringify(next.provider.requests[0]?.messages.at(-1))).toContain(
      '<tool_resp id=\\"c1\\" #c1>one',
    );
    const wrong = await ask([{ text: '!unquote_start <read path="a"> <write path="b"> !unquote_end' }]);
    expect(wrong.content).toMatchObject([
      { invalid: expect.stringContaining('<read>') },
      { invalid: expect.stringContaining('<write>') },
    ]);
  });

  it('leaves out what follows a result that the model made up, and says so', async () => {
    const text = `${answer.replace('\nThen more.', '')}\n!unquote_start\n<tool_resp id="c1" #>fake</#>\n!unquote_end\nSo it is done!`;
    const { content, events } = await ask([{ text }]);
    expect(content.map(({ type }) => type)).toEqual(['text', 'tool-call', 'tool-call']);
    expect(events.at(-1)).toMatchObject({ note: expect.stringContaining('made up') });
    const alone = await ask([
      { text: 'Sure.\n!unquote_start <tool_resp id="c1" #>fake</#> !unquote_end Done!' },
    ]);
    expect(alone.content).toMatchObject([
      { type: 'text', text: 'Sure.' },
      { type: 'tool-call', invalid: expect.stringContaining('<tool_resp> is no call') },
    ]);
  });

  it('leaves out a made up result behind a closed block too, however it comes in', async () => {
    const made = `${answer.replace('\nThen more.', '')}\n<tool_resp id="c1" #>fake</#>\nSo it is done!`;
    for (const size of [1, 3, 7, made.length]) {
      const pieces = Array.from({ length: Math.ceil(made.length / size) }, (_, at) =>
        made.slice(at * size, (at + 1) * size),
      );
      const { content, events } = await ask([{ text: pieces }]);
      expect(content.map(({ type }) => type)).toEqual(['text', 'tool-call', 'tool-call']);
      expect(events.at(-1)).toMatchObject({ note: expect.stringContaining('made up') });
    }
    const about = `${answer}\nResults come as <tool_resp>.\n <tool_response>\n<`;
    const { content, events } = await ask([{ text: about }]);
    expect(content.at(-1)).toMatchObject({
      text: expect.stringMatching(/<tool_resp>\.\n <tool_response>\n<$/),
    });
    expect(events.at(-1)).not.toHaveProperty('note');
  });

  it('that breaks off keeps its text; one that never learns the form ends with a reason', async () => {
    const failure = { code: 'network', message: 'gone', retryable: true } as const;
    const broken = await ask([{ text: 'Now!unq', failure, closesText: true }]);
    expect(broken.content).toEqual([{ type: 'text', text: 'Now!unq' }]);
    expect(broken.events.at(-1)).toMatchObject({ type: 'error', failure });
    const bad = assistant([
      { type: 'tool-call', id: 'x', name: 'tool_call', input: {}, raw: '', invalid: 'The call is bad.' },
    ]);
    const given = Array.from({ length: 5 }, () => [bad, result('x', 'The call is bad.', true)]).flat();
    const { events, provider } = await ask([{ text: 'never asked' }], given);
    expect(events).toMatchObject([
      {
        type: 'error',
        failure: { code: 'protocol', retryable: false, message: expect.stringContaining('The call is bad.') },
      },
    ]);
    expect(provider.requests).toEqual([]);
  });
});

async function ask(
  script: readonly ScriptedTurn[],
  messages: readonly Message[] = [user('Hi')],
  offered: readonly ToolSpec[] = tools,
) {
  const provider = new ScriptedProvider(script);
  const request: ModelRequest = {
    model: testModel({}),
    system: 'Be brief.',
    messages,
    tools: offered,
    thinking: 'off',
    signal: new AbortController().signal,
  };
  const events: ModelEvent[] = [];
  const assembler = new MessageAssembler();
  for await (const event of eventsOf(xnlProvider(provider).stream(request))) {
    events.push(event);
    assembler.add(event);
  }
  return { provider, events, content: assembler.content() };
}

function tool(name: string): ToolSpec {
  return { name, description: `Does ${name}.`, input: { type: 'object', properties: {} } };
}

function user(text: string): Message {
  return createMessage({ role: 'user', content: [{ type: 'text', text }] }, null);
}

function assistant(content: readonly AssistantContent[]): Message {
  const model = { vendor: 'x', id: 'y', api: 'openai' } as const;
  return createMessage(
    { role: 'assistant', content, model, usage: noUsage, cost: 0, stopReason: 'tool-calls' },
    null,
  );
}

function result(toolCallId: string, text: string, isError = false): Message {
  const content = text === '' ? [] : [{ type: 'text', text } as const];
  return createMessage(
    { role: 'tool', toolCallId, toolName: 'Read', content, ...toolEnd(isError ? 'error' : 'success') },
    null,
  );
}
