import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseFrontMatter } from './front-matter.ts';
import { colonText, plainEntries } from './plain-yaml.ts';

const fileOf = (head: string, body = 'Body.\n') => `---\n${head}\n---\n${body}`;

describe('parseFrontMatter', () => {
  it('splits a file and reads simple lines', async () => {
    const text = fileOf(
      'name: review\ndescription: "Reviews a change"\nmax-turns: 5\nuser-invocable: false\nmodel:',
    );
    expect(await parseFrontMatter(text)).toEqual({
      data: {
        name: 'review',
        description: 'Reviews a change',
        'max-turns': 5,
        'user-invocable': false,
        model: null,
      },
      head: 'name: review\ndescription: "Reviews a change"\nmax-turns: 5\nuser-invocable: false\nmodel:\n',
      body: 'Body.\n',
      problems: [],
    });
  });

  it('reads lists, maps and long texts as YAML does', async () => {
    const text = fileOf(
      'allowed-tools: [Read, "Bash(git *)"]\ntools:\n  - Read\n  - Grep\ndescription: >\n  one\n  two',
    );
    expect((await parseFrontMatter(text)).data).toEqual({
      'allowed-tools': ['Read', 'Bash(git *)'],
      tools: ['Read', 'Grep'],
      description: 'one two\n',
    });
  });

  it('reads what is no YAML but what people write: colons in a text, brackets in a hint', async () => {
    const text = fileOf('description: Use when: the user asks\nargument-hint: [file] [line]\n  more of it');
    expect(await parseFrontMatter(text)).toMatchObject({
      data: { description: 'Use when: the user asks', 'argument-hint': '[file] [line] more of it' },
      problems: [],
    });
  });

  it('names the line of what cannot be read, and still gives the body', async () => {
    const broken = await parseFrontMatter(fileOf('name: ok\n\tbroken: "'));
    expect(broken).toMatchObject({ body: 'Body.\n' });
    const worse = await parseFrontMatter(fileOf('name: "a\n} nonsense ]'));
    expect(worse).toMatchObject({ data: {}, body: 'Body.\n', problems: [{ line: expect.any(Number) }] });
    expect((await parseFrontMatter(fileOf('- a\n- b'))).problems).toHaveLength(1);
  });

  it('names a front matter that has no end, and takes a line of dashes for what it is', async () => {
    for (const text of [
      '---\nname: a\n\nBody.',
      '\uFEFF---\r\n\r\ndescription:\r\nx',
      '---\nname: a\n--- x\nB',
    ]) {
      const read = await parseFrontMatter(text);
      expect(read).toMatchObject({ data: {}, isUnfinished: true, problems: [{ line: 1 }] });
      expect(read.body).toBe(text.replace('\uFEFF', ''));
    }
    for (const text of ['---\n\nWords follow.', '---', '---\n# Title\nurl: x'])
      expect((await parseFrontMatter(text)).isUnfinished).toBeUndefined();
  });

  it('names a list or a quoted text without an end, and takes it as it stands', async () => {
    const read = await parseFrontMatter(fileOf('name: a\ndescription: [unclosed'));
    expect(read).toMatchObject({
      data: { name: 'a', description: '[unclosed' },
      problems: [{ line: 3, message: expect.stringContaining('"description" starts with [ but has no ]') }],
    });
  });

  const examples = `name: creator
description: Use this agent to "create an agent". Examples:

<example>
Context: The user wants a review
user: "Create an agent, please: now"
assistant: "I'll use it."
tags: inside the example stay a field
</example>
model: inherit
color: magenta
tools: ["Read", "Bash(git log, git diff)", 'Grep']`;

  it('reads a description with examples in it, and the fields behind it', async () => {
    const { data, problems } = await parseFrontMatter(fileOf(examples));
    expect(data).toMatchObject({
      name: 'creator',
      description: expect.stringContaining('user: "Create an agent, please: now"\nassistant:'),
      model: 'inherit',
      color: 'magenta',
      tools: ['Read', 'Bash(git log, git diff)', 'Grep'],
    });
    expect(problems).toEqual([
      {
        line: 3,
        message: expect.stringMatching(/not valid YAML\. It is read as .*model "inherit".*tools "Read, Bash/),
      },
    ]);
  });

  it.each([
    ['description: Use: it: often\ntools: ["Read", "Grep"]', ['Read', 'Grep']],
    ['description: Use: it: often\ntools: [Read, Grep]', ['Read', 'Grep']],
    ['description: Use: it: often\ntools:\n  - Read\n  - "Grep"', ['Read', 'Grep']],
    ['description: Use: it: often\ntools:\n- Read\n- Grep', ['Read', 'Grep']],
    ['description: Use: it: often\ntools: Read, Grep', 'Read, Grep'],
    ['description: Use: it: often\ntools: []', []],
    ['tools: [Read,\n  Grep]\ndescription: Use: it: often', ['Read', 'Grep']],
  ])('understands lists in %j, which is no YAML', async (head, tools) => {
    const { data, problems } = await parseFrontMatter(fileOf(head));
    expect(data).toMatchObject({ description: 'Use: it: often', tools });
    expect(problems).toEqual([]);
  });

  it('finds every field behind any description, and no tools that are not there', async () => {
    const text = fc
      .array(
        fc.constantFrom(
          '<example>',
          'Context: a',
          'user: "b: c"',
          ' - x',
          '',
          'it: is: so',
          '**Note**: d',
          '# e',
          '"f',
        ),
      )
      .map((lines) => lines.join('\n'));
    await fc.assert(
      fc.asyncProperty(text, async (below) => {
        const head = `name: a\ndescription: x: y: z\n${below}\nmodel: haiku\ntools: ["Read", "Grep"]`;
        const { data } = await parseFrontMatter(fileOf(head));
        expect(data).toMatchObject({ name: 'a', model: 'haiku', tools: ['Read', 'Grep'] });
      }),
    );
  });

  it('takes files without front matter, with Windows line ends or a byte order mark', async () => {
    expect(await parseFrontMatter('just text')).toEqual({
      data: {},
      head: '',
      body: 'just text',
      problems: [],
    });
    expect(await parseFrontMatter('---\nno end')).toMatchObject({ data: {}, body: '---\nno end' });
    expect(await parseFrontMatter('\uFEFF---\r\nname: a\r\n---\r\nB')).toMatchObject({
      data: { name: 'a' },
      body: 'B',
      problems: [],
    });
    expect(await parseFrontMatter('---\n---\nB')).toMatchObject({ data: {}, body: 'B', problems: [] });
  });

  it('is not led astray by aliases that grow without end or by the names of prototypes', async () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'.split('').map((name, at) => `${name}: &${name} [${`*${'abcdefg'[at]},`.repeat(9)}x]`),
    ];
    expect((await parseFrontMatter(fileOf(bomb.join('\n')))).problems).toHaveLength(1);
    const { data } = await parseFrontMatter(fileOf('name: x\n__proto__:\n  polluted: true'));
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('reads every simple value as YAML would', async () => {
    const value = fc.oneof(
      fc.string({ maxLength: 20 }).filter((text) => !/[\r\n]/.test(text)),
      fc.constantFrom(
        'true',
        'no',
        'null',
        '~',
        '1e3',
        '0x1f',
        '-5',
        '1.5',
        '2026-01-01',
        'a: b',
        'a #b',
        '012',
      ),
    );
    await fc.assert(
      fc.asyncProperty(value, async (text) => {
        const head = `key: ${text}`;
        let expected: unknown;
        try {
          expected = (parse(head, { logLevel: 'error' }) as { key: unknown }).key;
        } catch {
          return;
        }
        if (typeof expected === 'object' && expected !== null) return;
        const { data } = await parseFrontMatter(fileOf(head));
        if (Number.isNaN(expected) || expected === Number.POSITIVE_INFINITY) return;
        expect(data.key ?? null).toEqual(expected ?? null);
      }),
    );
  });

  it('reads lists, quoted texts, texts of several lines and maps as YAML would, or leaves them to it', async () => {
    const word = fc.constantFrom(
      'a',
      'b c',
      'x: y',
      '- d',
      '#e',
      'f #g',
      '"q"',
      "'it''s'",
      '',
      '  ',
      '1',
      '[h]',
      ']',
      ',',
      'é\\n',
      '*',
      'k:',
    );
    const line = fc
      .tuple(fc.constantFrom('', ' ', '  ', '    ', '- ', '  - ', 'm: ', '  n: ', '\t'), word)
      .map(([start, text]) => start + text);
    const first = fc.oneof(
      fc.constantFrom(
        '',
        '|',
        '>',
        '|-',
        '>-',
        '>+',
        '|2',
        '[]',
        '[a, b]',
        '[a, "b c"]',
        '[a,]',
        '[a: b]',
        "'a'",
        '"a\\tb"',
        '"a\\x41"',
        'a',
      ),
      fc.array(word, { maxLength: 3 }).map((words) => `[${words.join(', ')}]`),
      word,
    );
    await fc.assert(
      fc.asyncProperty(first, fc.array(line, { maxLength: 4 }), async (value, below) => {
        const head = ['key: '.concat(value), ...below].join('\n');
        const { parseDocument } = await import('yaml');
        const document = parseDocument(head, { uniqueKeys: false, logLevel: 'silent' });
        const plain = plainEntries(head);
        if (plain === undefined) return;
        expect(document.errors).toEqual([]);
        expect(plain).toEqual(document.toJS());
      }),
      { numRuns: 2000 },
    );
  });

  it('takes a text with a colon as it is only where YAML cannot read it', async () => {
    const { parseDocument } = await import('yaml');
    const text = fc.tuple(fc.string(), fc.string()).map(([a, b]) => `${a}: ${b}`);
    fc.assert(
      fc.property(text, (value) => {
        if (/[\r\n]/.test(value) || colonText(value) === undefined) return;
        expect(parseDocument(`key: ${value}`, { logLevel: 'silent' }).errors).not.toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('front matter that is too much', () => {
  const bombs: Readonly<Record<string, string>> = {
    brackets: `a: ${'['.repeat(100_000)}`,
    'a few brackets': `a: ${'['.repeat(200)}${']'.repeat(200)}`,
    braces: `a: ${'{a: '.repeat(1_000)}`,
    'brackets on many lines': `a: ${'[\n '.repeat(1_000)}`,
    dashes: `a:\n  ${'- '.repeat(1_000)}x`,
    questions: `${'? '.repeat(1_000)}a`,
    indentation: Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
    length: `a: ${'x'.repeat(70_000)}`,
  };

  it.each(Object.keys(bombs))('is ignored and named: %s', async (name) => {
    const { data, body, problems } = await parseFrontMatter(`---\nname: x\n${bombs[name]}\n---\nText`);
    expect(data).toEqual({});
    expect(body).toBe('Text');
    expect(problems).toEqual([
      { line: 2, message: expect.stringMatching(/^The front matter is (?:longer|nested deeper) than/) },
    ]);
  });

  it('is not what a user writes', async () => {
    const text =
      '---\nname: x\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          args: [a, [b, {c: d}]]\ndescription: see [1, [2 and {3\n---\n';
    const { data, problems } = await parseFrontMatter(text);
    expect(problems).toEqual([]);
    expect(data).toMatchObject({ name: 'x', description: 'see [1, [2 and {3' });
  });
});
