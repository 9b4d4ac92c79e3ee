import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextElement } from '../syntax/xnl-node.ts';
import { type Extracted, XnlExtractor } from './xnl-extractor.ts';

const answer = `I will look at two files.
!unquote_start
<tool_call id="r1" lang="javascript" #>
SysBuiltIn.read_file({ path: "README.md", startLine: 1, endLine: 20 })
</#>
<tool_call id="b1" lang="javascript" #SH>
SysBuiltIn.bash({ command: "printf '%s' '</#> !unquote_end'", timeoutMs: 5000 })
</#SH>
!unquote_end
To call a tool one writes !quote_start !unquote_start … !unquote_end !quote_end.`;

describe('an answer with calls', () => {
  it('gives the text around the blocks, and each element with the words it was written in', () => {
    proves('E-10');
    const { text, elements, problems, raw } = extract([answer]);
    expect(text).toBe('I will look at two files.\nTo call a tool one writes !unquote_start … !unquote_end.');
    expect(elements.map(({ tag, metadata }) => [tag, metadata.id])).toEqual([
      ['tool_call', 'r1'],
      ['tool_call', 'b1'],
    ]);
    expect(elements[1]).toMatchObject({ text: expect.stringContaining('</#> !unquote_end') });
    expect(problems).toEqual([]);
    expect(raw.join('')).toBe(answer.slice(answer.indexOf('\n!'), answer.indexOf('</#SH>') + 6));
  });

  it('gives each element at the very character that completes it, and holds no other text back', () => {
    proves('E-10', 'E-11');
    const extractor = new XnlExtractor();
    const when: [string, string][] = [];
    let shown = '';
    for (const [index, character] of [...answer].entries())
      for (const found of extractor.push(character)) {
        if (found.kind === 'text') shown += found.text;
        else if (found.kind === 'element')
          when.push([found.raw.slice(-5), answer.slice(0, index + 1).slice(-5)]);
      }
    expect(when).toEqual([
      ['\n</#>', '\n</#>'],
      ['/#SH>', '/#SH>'],
    ]);
    expect(shown).toContain('!unquote_start … !unquote_end');
    const prose = new XnlExtractor();
    expect(textOf(prose.push('Wow! That is !un'))).toBe('Wow! That is ');
    expect(textOf(prose.push('usual'))).toBe('!unusual');
    expect(textOf(prose.push(' and !unquote_star'))).toBe(' and ');
    expect(textOf(prose.end())).toBe('!unquote_star');
  });

  it.each(['', ' ', 'and then\n'])('the words of a second block are its own, behind %j', (between) => {
    proves('E-10', 'E-29');
    const block = (id: string) => `!unquote_start\n<tool_call id="${id}" #>f()</#>\n!unquote_end`;
    const { raw } = extract([...`${block('a')}\n${between}${block('b')}`]);
    expect(raw.map((each) => each.trim())).toEqual(
      ['a', 'b'].map((id) => `!unquote_start\n<tool_call id="${id}" #>f()</#>`),
    );
  });

  it.each([
    ['the word goes on', 'say !unquote_started now', 'say !unquote_started now'],
    ['a backtick stands before it', 'write `!unquote_start` or `!unquote_start x', undefined],
    ['a call stands outside a block', 'so: <tool_call id="a" #>x</#>', undefined],
    ['a quote is never ended', 'see !quote_start !unquote_start x', 'see !unquote_start x'],
  ])('a marker is only text where %s', (_, written, shown = written) => {
    expect(extract([...written])).toEqual({ text: shown, thinking: '', elements: [], problems: [], raw: [] });
  });

  it('takes thinking at the beginning as such, and calls in it for thoughts', () => {
    const thought = 'maybe !unquote_start\n<tool_call id="x" #>f()</#>\n!unquote_end';
    const found = extract([...`\n<think>${thought}</think>\n\nHello <think>`]);
    expect(found).toMatchObject({ thinking: thought, text: 'Hello <think>', elements: [], problems: [] });
    expect(extract(['<thinking>never ended'])).toMatchObject({ thinking: 'never ended', text: '' });
  });

  it('overlooks code fences, closing tags, comments and a missing end behind whole elements', () => {
    const written =
      '!unquote_start\n```xnl\n<!-- one --><tool_call id="a" #>f()</#>\n</tool_call>\n```\n<data [1 <t #>"</#>]>\n';
    for (const end of ['', '!unquote_end\n\n'])
      expect(extract([...`${written}${end}`])).toMatchObject({
        text: '',
        problems: [],
        elements: [{ tag: 'tool_call' }, { tag: 'data' }],
      });
  });
});

describe('a block that is wrong', () => {
  it.each([
    ['unclosed', '!unquote_start\n<tool_call id="a" #X>f()</#>', '</#X> is missing'],
    ['unclosed', 'Now: !unquote_start', '!unquote_end is missing'],
    ['empty', '!unquote_start\n!unquote_end', 'no element'],
    ['stray', '!unquote_start\nSysBuiltIn.bash({})\n!unquote_end', 'SysBuiltIn.bash'],
    ['malformed', '!unquote_start <tool_call id=a1 #>f()</#> !unquote_end after', '"a1" is no value'],
    ['malformed', '!unquote_start <tool_call id="a") #>f()</#> !unquote_end after', 'Found ")"'],
  ] as const)('is said to be %s: %s', (problem, written, message) => {
    const found = extract([...written]);
    expect(found.problems).toMatchObject([{ problem, message: expect.stringContaining(message) }]);
    expect(found.elements).toEqual([]);
    expect(written).toContain(found.raw.join(''));
  });

  it('shows what follows it, and continues after an element whose end is known', () => {
    const written = '!unquote_start\n<a v=x><tool_call id="b" #>f()</#>\n!unquote_end\nDone.';
    expect(extract([written])).toMatchObject({
      text: '\nDone.',
      problems: [{ problem: 'malformed' }],
      elements: [{ tag: 'tool_call' }],
    });
  });
});

describe('any answer', () => {
  const parts = fc.oneof(
    fc.constantFrom(
      ...[
        '!unquote_start',
        '!unquote_end',
        '!quote_start',
        '!quote_end',
        '<tool_call id="a" #>',
        '</#>',
        '</#m>',
      ],
      ...[
        '<t #m>',
        '<a {k="v"}>',
        '\n',
        '\n\n',
        ' ',
        '`',
        '"',
        '<',
        '>',
        '#',
        '<!--',
        '-->',
        '<think>',
        '</think>',
      ],
      ...['!', '!un', 'text', '[', ']', '{', '}', '\\', '```', ' '.repeat(70)],
    ),
    fc.string({ maxLength: 6 }),
  );
  const answers = fc.array(parts, { maxLength: 40 }).map((all) => all.join(''));

  it('is taken apart alike however it is cut', () => {
    proves('E-10');
    fc.assert(
      fc.property(answers, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (written, sizes) => {
        expect(extract(cut(written, sizes))).toEqual(extract([written]));
      }),
      { numRuns: 600 },
    );
  });

  it('loses nothing but markers, and never throws, with any byte cut, put in or turned', () => {
    for (let at = 0; at <= answer.length; at++) {
      const kept = [answer.slice(0, at), answer.slice(at)] as const;
      const changed = [
        kept[0],
        `${kept[0]}<${kept[1]}`,
        `${kept[0]}"${kept[1]}`,
        `${kept[0]}~${kept[1].slice(1)}`,
      ];
      for (const written of changed) {
        const whole = extract([written]);
        expect(extract(cut(written, [7]))).toEqual(whole);
        const text = whole.text.replaceAll(/\s/g, '');
        for (const word of ['Iwilllookattwofiles.', ...(at > 60 ? ['Iwill'] : [])])
          if (written.startsWith('I will look at two files.')) expect(text).toContain(word);
      }
    }
  });
});

function extract(pieces: readonly string[]) {
  const extractor = new XnlExtractor();
  const found = [...pieces.flatMap((piece) => extractor.push(piece)), ...extractor.end()];
  return {
    text: textOf(found),
    thinking: found.flatMap((each) => (each.kind === 'thinking' ? each.text : [])).join(''),
    elements: found.flatMap((each) => (each.kind === 'element' ? each.element : [])),
    problems: found.flatMap((each) => (each.kind === 'problem' ? each : [])),
    raw: found.flatMap((each) => ('raw' in each ? each.raw : [])),
  };
}

function textOf(found: readonly Extracted[]): string {
  return found.flatMap((each) => (each.kind === 'text' ? each.text : [])).join('');
}

function cut(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}

it('reads text elements of any marker', () => {
  const [element] = extract(['!unquote_start <a #_-9>x</#_-9> !unquote_end']).elements;
  expect(element).toBeInstanceOf(TextElement);
});
