import { describe, expect, it } from 'vitest';
import { parseMany, parseSingle, parseUnique } from './parse.ts';
import type { ParseOptions } from './parser.ts';
import { XnlParseError } from './xnl-error.ts';
import { DataElement, TextElement } from './xnl-node.ts';

function failure(text: string, options?: ParseOptions): XnlParseError {
  try {
    parseMany(text, options);
  } catch (error) {
    if (error instanceof XnlParseError) return error;
    throw error;
  }
  throw new Error(`was read: ${text}`);
}

const textOf = (source: string, options?: ParseOptions) => {
  const element = parseSingle(source, options);
  return element instanceof TextElement ? element.text : undefined;
};

describe('parseSingle', () => {
  it('reads an element with metadata alone', () => {
    const server = parseSingle('<server host="localhost" port=8080 tls=false>');
    expect(server).toBeInstanceOf(DataElement);
    expect(server).toEqual({
      kind: 'DataElement',
      tag: 'server',
      metadata: { host: 'localhost', port: 8080, tls: false },
    });
  });

  it('reads attributes and a body of values and elements', () => {
    const job = parseSingle(`<job id="j1" retries=3 {
      title = "Nightly build"
      tags = ["ci" 'nightly']
      env = { CI = true "key with space" = null }
    } [
      1 -2.5 6.02e23 "text" [1 2] { k = 'v' }
      <step name="lint">
      <step name="test">
    ]>`);
    expect(job).toEqual({
      kind: 'DataElement',
      tag: 'job',
      metadata: { id: 'j1', retries: 3 },
      attributes: {
        title: 'Nightly build',
        tags: ['ci', 'nightly'],
        env: { CI: true, 'key with space': null },
      },
      body: [
        1,
        -2.5,
        6.02e23,
        'text',
        [1, 2],
        { k: 'v' },
        { kind: 'DataElement', tag: 'step', metadata: { name: 'lint' } },
        { kind: 'DataElement', tag: 'step', metadata: { name: 'test' } },
      ],
    });
  });

  it('takes blocks in any order, comments wherever blanks may stand, and no blanks where none are needed', () => {
    const element = parseSingle(
      '<!-- a --><t<!-- b -->k<!-- c -->=<!-- d -->1(<c>)[2 <!-- > -->]{x=1y="z"}<!---->>',
    );
    expect(element).toEqual({
      kind: 'DataElement',
      tag: 't',
      metadata: { k: 1 },
      attributes: { x: 1, y: 'z' },
      body: [2],
      extend: { order: ['c'], children: { c: { kind: 'DataElement', tag: 'c', metadata: {} } } },
    });
  });

  it('tells a block that is empty from one that is not there', () => {
    expect(parseSingle('<a {} [] ()>')).toMatchObject({
      attributes: {},
      body: [],
      extend: { order: [], children: {} },
    });
    expect(Object.keys(parseSingle('<a>'))).toEqual(['kind', 'tag', 'metadata']);
  });

  it('reads every escape, strings over several lines and signs of numbers', () => {
    const { metadata } =
      parseSingle(String.raw`<a s="\n\t\r\b\f\"\'\\\q\u00e9\ud83d\ude00" p=+5 e=1E-2 z=-0 l='a
b'>`);
    expect(metadata).toEqual({ s: '\n\t\r\b\f"\'\\qé😀', p: 5, e: 0.01, z: -0, l: 'a\nb' });
  });

  it('takes keys for what they are, whatever objects inherit', () => {
    const { metadata } = parseSingle('<a __proto__=1 {constructor = {__proto__ = 2}}>');
    expect(Object.entries(metadata)).toEqual([['__proto__', 1]]);
    expect(parseSingle('<a toString=1>').metadata.valueOf).toBeUndefined();
  });

  it('keeps the last of equal keys', () => {
    expect(parseSingle('<a k=1 k=2 "k"=3>').metadata).toEqual({ k: 3 });
  });

  it('wants one element and nothing behind it', () => {
    expect(parseSingle('\uFEFF <a> <!-- the end -->').tag).toBe('a');
    expect(() => parseSingle('<a><b>')).toThrow(/end of the text should be \(at 1:4\)$/);
    expect(() => parseSingle(' \n ')).toThrow(expect.objectContaining({ code: 'UNEXPECTED_EOF', line: 2 }));
  });
});

describe('texts', () => {
  it('are raw, and lose the indentation of their closer', () => {
    const note = parseSingle(`<note lang="md" {draft=true} #>
  first line
    indented <b> & "quotes" need no escape
  </#>`);
    expect(note).toEqual({
      kind: 'TextElement',
      tag: 'note',
      metadata: { lang: 'md' },
      attributes: { draft: true },
      text: 'first line\n  indented <b> & "quotes" need no escape\n',
    });
  });

  it.each([
    ['<t#>abc</#>', 'abc'],
    ['<t #m>has </#> inside</#m>', 'has </#> inside'],
    ['<t #>\nCODE\n</#>', '\nCODE\n'],
    ['<t #>a\n\tb\n\t</#>', 'a\nb\n'],
    ['<t #>\n  \n \n    x\n  </#>', '\n\n  x\n'],
    ['<t #>   </#>', '   '],
    ['<t #>\n  </#>', ''],
    ['<t #>\r\n  a\r\n  </#>', 'a\r\n'],
    ['<t #>a<!-- kept --></#>', 'a<!-- kept -->'],
    ['<t #m></#></#mm></#m>', '</#></#mm>'],
    ['<t #>x</</#>', 'x</'],
  ])('reads %j', (source, text) => {
    expect(textOf(source)).toBe(text);
  });

  it('may hold the description of a tool with closers of its own', () => {
    const { nodes } = parseMany(`<demo #good_usage_demo1>
!unquote_start
<tool_call id="count1" lang="javascript" #>
SysBuiltIn.count_lines({ path: "README.md" })
</#>
!unquote_end
</#good_usage_demo1>
<warning #>
Free-text caution.
</#>`);
    expect(nodes).toMatchObject([
      { tag: 'demo', textMarker: 'good_usage_demo1', text: expect.stringContaining('})\n</#>\n') },
      { tag: 'warning', text: '\nFree-text caution.\n' },
    ]);
  });

  it('may be closed and opened as other dialects do, if that is asked for', () => {
    expect(textOf('<t #m>a<#m>', { accept: ['hash-closer'] })).toBe('a');
    expect(textOf('<t #m>a</#m>', { accept: ['hash-closer'] })).toBe('a');
    expect(textOf('<t #m>a<#m></#m>')).toBe('a<#m>');
    expect(textOf('<t ?1-a>x</#></?1-a>', { accept: ['question-mark'] })).toBe('x</#>');
    expect(textOf('<t ?>x</?>', { accept: ['question-mark'] })).toBe('x');
    expect(failure('<t ?m>x</?m>')).toMatchObject({ code: 'UNEXPECTED_TOKEN', position: 3 });
  });
});

describe('parseMany', () => {
  it('reads elements one after the other, and none of an empty text', () => {
    expect(parseMany('<a>\n<b #>x</#><c>').nodes.map((node) => ('tag' in node ? node.tag : ''))).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(parseMany(' <!-- nothing --> ')).toEqual({ nodes: [], warnings: [] });
  });

  it('keeps the last of named children with one tag, and says so', () => {
    const { nodes, warnings } = parseMany(
      '<page (\n  <header {text="Hi"}> <footer> <header {text="Bye"}> )>',
    );
    expect(nodes[0]).toMatchObject({
      extend: { order: ['footer', 'header'], children: { header: { attributes: { text: 'Bye' } } } },
    });
    expect(warnings).toEqual([
      {
        code: 'DUPLICATE_CHILD',
        parentName: 'page',
        childName: 'header',
        message: expect.stringContaining('<header>'),
        position: 40,
        line: 2,
        column: 33,
      },
    ]);
  });
});

describe('parseUnique', () => {
  it('makes named children of elements', () => {
    const warnings: string[] = [];
    const page = parseUnique('page', '<a> <b k=1> <a k=2>', {
      metadata: { id: 'p' },
      attributes: { x: 1 },
      onWarning: ({ childName }) => warnings.push(childName),
    });
    expect(page).toMatchObject({
      tag: 'page',
      metadata: { id: 'p' },
      attributes: { x: 1 },
      extend: { order: ['b', 'a'], children: { a: { metadata: { k: 2 } }, b: { metadata: { k: 1 } } } },
    });
    expect(warnings).toEqual(['a']);
    expect(Object.keys(parseUnique('page', '<__proto__>').extend?.children ?? {})).toEqual(['__proto__']);
  });
});

describe('what is no XNL', () => {
  it.each([
    ['<a v=abc>', 'INVALID_LITERAL', 5],
    ['<a v=truex>', 'INVALID_LITERAL', 5],
    ['<a v=true-x>', 'INVALID_LITERAL', 5],
    ['<a [1, 2]>', 'UNEXPECTED_TOKEN', 5],
    ['<a {x=1}{y=2}>', 'INVALID_CONTENT', 8],
    ['<a [1] #>x</#>', 'INVALID_CONTENT', 7],
    ['<a (<b>) #>x</#>', 'INVALID_CONTENT', 9],
    ['hello <a>', 'UNEXPECTED_TOKEN', 0],
    ['<a> hello', 'UNEXPECTED_TOKEN', 4],
    ['<a.b>', 'UNEXPECTED_TOKEN', 2],
    ['<a {k=<b>}>', 'INVALID_CONTENT', 6],
    ['<a k=[<b>]>', 'INVALID_CONTENT', 6],
    ['<a ("x")>', 'UNEXPECTED_TOKEN', 4],
    ['<a></a>', 'MISMATCHED_TAG', 4],
    ['<a {x=1} k=2>', 'UNEXPECTED_TOKEN', 9],
    ['< a>', 'UNEXPECTED_TOKEN', 1],
    ['<!a>', 'UNEXPECTED_TOKEN', 1],
    ['<é>', 'UNEXPECTED_TOKEN', 1],
    ['<a #1>x</#1>', 'UNEXPECTED_TOKEN', 4],
    ['<a # >x</# >', 'UNEXPECTED_TOKEN', 4],
    ['<a k>', 'UNEXPECTED_TOKEN', 4],
    ['<a k=.5>', 'UNEXPECTED_TOKEN', 5],
    ['<a k=1.>', 'INVALID_LITERAL', 7],
    ['<a k=- 1>', 'INVALID_LITERAL', 5],
    ['<a k=0x10>', 'UNEXPECTED_TOKEN', 9],
    ['<a k=NaN>', 'INVALID_LITERAL', 5],
    ['<a k=1e999>', 'INVALID_LITERAL', 5],
    ['<a k="\\u12x4">', 'INVALID_LITERAL', 7],
    ['<a k="x', 'UNEXPECTED_EOF', 7],
    ['<a <!-- x', 'UNEXPECTED_EOF', 9],
    ['<a #m>x</#>', 'UNEXPECTED_EOF', 11],
    ['<a [', 'UNEXPECTED_EOF', 4],
  ])('%j is refused as %s', (source, code, position) => {
    expect(failure(source)).toMatchObject({ code, position, line: 1, column: position + 1 });
  });

  it('is named with line and column, and where it began', () => {
    const error = failure('<a>\n<b\n  k = "x\n');
    expect(error).toMatchObject({ name: 'XnlParseError', code: 'UNEXPECTED_EOF', line: 4, column: 1 });
    expect(error.message).toBe('A string has no closing ", opened at 3:7 (at 4:1)');
  });

  it.each([
    ['elements', '<a ['],
    ['children', '<a ('],
    ['arrays', '['],
    ['objects', '{k='],
  ])('is a typed error for a million open %s', (_, opening) => {
    const start = opening.startsWith('<') ? '' : '<a [';
    expect(failure(start + opening.repeat(1_000_000))).toMatchObject({ code: 'TOO_DEEP' });
  });
});
