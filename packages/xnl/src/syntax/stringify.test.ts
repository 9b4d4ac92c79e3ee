import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryElement } from '../fixtures/arbitrary-element.ts';
import { parseMany, parseSingle } from './parse.ts';
import { stringify } from './stringify.ts';
import { XnlStringifyError, type XnlStringifyErrorCode } from './xnl-error.ts';
import { Comment, DataElement, TextElement, XnlDocument, type XnlElement, type XnlNode } from './xnl-node.ts';

/** Markers are replaced where they would end a text too early, so they are no part of what has to stay. */
function withoutMarkers(node: XnlNode | undefined): unknown {
  if (node instanceof TextElement) return new TextElement(node.tag, { ...node, textMarker: '' });
  if (!(node instanceof DataElement)) return node;
  const { body, extend } = node;
  return {
    ...node,
    ...(body ? { body: body.map(withoutMarkers) } : {}),
    ...(extend ? { extend: extend.order.map((tag) => withoutMarkers(extend.children[tag])) } : {}),
  };
}

const job = () =>
  parseSingle(
    `<job id="j" o={a=1} { title = "x" list = [1 "b" {}] } [ 1 { k = [] } <step { n = 1 }> ] ( <a> <b #m>t</#m> )>`,
  );

describe('stringify', () => {
  it('writes one line', () => {
    expect(stringify(job())).toBe(
      '<job id="j" o={ a = 1 } { title = "x" list = [1 "b" {}] } [ 1 { k = [] } <step { n = 1 }> ] ( <a> <b #m>t</#m> )>',
    );
    expect(stringify(parseMany('<a> <b>'))).toBe('<a><b>');
  });

  it('writes a line per entry when pretty', () => {
    expect(stringify(parseMany(`${stringify(job())}<end>`), { pretty: true })).toBe(`<job id="j" o={ a = 1 } {
  title = "x"
  list = [
    1
    "b"
    {}
  ]
} [
  1
  {
    k = []
  }
  <step {
    n = 1
  }>
] (
  <a>
  <b #m>t</#m>
)>
<end>`);
    expect(stringify(parseSingle('<a {x=1}>'), { pretty: true, indent: 4 })).toBe('<a {\n    x = 1\n}>');
  });

  it('writes a chat record as people know it', () => {
    const attributes = {
      reasoning_content: '',
      content: '\n\nLooking.',
      toolCalls: [{ id: '019abc', name: 'bash', input: { command: 'ls -la' } }],
      name: undefined as unknown as string,
    };
    expect(stringify(new DataElement('assistant', { attributes }), { pretty: true })).toBe(`<assistant {
  reasoning_content = ""
  content = "\\n\\nLooking."
  toolCalls = [
    {
      id = "019abc"
      name = "bash"
      input = {
        command = "ls -la"
      }
    }
  ]
}>`);
  });

  it('escapes what would end a string, act on a terminal or be lost in a file', () => {
    expect(stringify('a"\\\n\t\r\b\u001b[2J\u009b\ud800é😀')).toBe(
      String.raw`"a\"\\\n\t\r\u0008\u001b[2J\u009b\ud800é😀"`,
    );
    expect(stringify({ 'a b': 1, 'a-b': 2, '': 3, é: 4 })).toBe('{ "a b" = 1 a-b = 2 "" = 3 "é" = 4 }');
  });

  it('marks a text that holds its own closer', () => {
    expect(stringify(new TextElement('t', { text: 'a</#>b' }))).toBe('<t #text>a</#>b</#text>');
    expect(stringify(new TextElement('t', { text: '</#></#text></#text2>' }))).toMatch(/^<t #text3>/);
    expect(stringify(new TextElement('t', { text: '</#>', textMarker: 'm' }))).toBe('<t #m></#></#m>');
    expect(stringify(new TextElement('t', { text: 'x', textMarker: '1-a' }))).toBe('<t #text>x</#text>');
  });

  it('takes data that looks like an element for data', () => {
    const data = { kind: 'DataElement', tag: 'x', metadata: {}, nodes: [], warnings: [] };
    const text = stringify(new DataElement('a', { body: [data], attributes: { data } }));
    expect(parseSingle(text)).toMatchObject({ body: [data], attributes: { data } });
    expect(stringify({ nodes: [] })).toBe('{ nodes = [] }');
  });

  it('writes comments, which readers drop', () => {
    const document = new XnlDocument([
      new Comment('first'),
      new DataElement('a', { body: [new Comment('x'), 1] }),
    ]);
    expect(stringify(document)).toBe('<!-- first --><a [ <!-- x --> 1 ]>');
    expect(parseMany(stringify(document)).nodes).toEqual([new DataElement('a', { body: [1] })]);
  });

  const itself: { self?: XnlNode } = {};
  itself.self = itself as XnlNode;
  const element = new DataElement('b');
  it.each<[string, unknown, XnlStringifyErrorCode]>([
    ['a tag that is no name', new DataElement('a b'), 'INVALID_NAME'],
    ['an empty tag', new TextElement(''), 'INVALID_NAME'],
    ['a number without end', [Number.POSITIVE_INFINITY], 'INVALID_VALUE'],
    ['what is no number', new DataElement('a', { metadata: { x: Number.NaN } }), 'INVALID_VALUE'],
    ['a function', [() => 1], 'INVALID_VALUE'],
    ['an element among values', [element], 'INVALID_VALUE'],
    [
      'children that are not in the order',
      new DataElement('a', { extend: { order: [], children: { b: element } } }),
      'INVALID_VALUE',
    ],
    [
      'an order with a missing child',
      new DataElement('a', { extend: { order: ['c'], children: { b: element } } }),
      'INVALID_VALUE',
    ],
    ['a text that ends in a line of blanks', new TextElement('t', { text: 'a\n  ' }), 'INVALID_TEXT'],
    ['a comment that ends itself', new Comment('-->'), 'INVALID_TEXT'],
    ['what contains itself', itself, 'TOO_DEEP'],
  ])('refuses %s', (_, node, code) => {
    const writing = () => stringify(node as XnlNode);
    expect(writing).toThrow(XnlStringifyError);
    expect(writing).toThrow(expect.objectContaining({ code }));
  });

  it.each([false, true])('gives a text that reads as the same tree (pretty: %s)', (pretty) => {
    fc.assert(
      fc.property(fc.array(arbitraryElement, { maxLength: 3 }), (elements) => {
        const text = stringify(new XnlDocument(elements), { pretty });
        const { nodes, warnings } = parseMany(text);
        expect(nodes.map(withoutMarkers)).toEqual(elements.map(withoutMarkers));
        expect(warnings).toEqual([]);
        expect(stringify(new XnlDocument(nodes), { pretty })).toBe(text);
      }),
      { numRuns: 400 },
    );
  });

  it('writes as deep as a parser reads', () => {
    const nested = (levels: number, inner: XnlElement): XnlElement =>
      levels === 0 ? inner : nested(levels - 1, new DataElement('a', { body: [inner] }));
    const text = stringify(nested(499, new DataElement('a')), { pretty: true });
    expect(stringify(parseSingle(text), { pretty: true })).toBe(text);
    expect(() => stringify(nested(500, new DataElement('a')))).toThrow(
      expect.objectContaining({ code: 'TOO_DEEP' }),
    );
    expect(() => parseSingle(`<a [${'<a ['.repeat(499)}<a>${']>'.repeat(500)}`)).toThrow(/levels deep/);
  });
});

it('refuses what would be read as something else', () => {
  class Mine {
    readonly own = 1;
  }
  const values = [
    new Date(0),
    new Map([['a', 1]]),
    new Set([1]),
    /x/,
    new Error('e'),
    new Mine(),
    Object('boxed'),
  ];
  for (const value of [...values, Promise.resolve(), new Uint8Array(2)])
    for (const attributes of [{ value }, { list: [{ value }] }])
      expect(() => stringify(new DataElement('a', { attributes: attributes as never }))).toThrow(
        'has no XNL',
      );
  const plain = Object.assign(Object.create(null) as Record<string, number>, { a: 1 });
  expect(stringify(new DataElement('a', { attributes: { plain } }))).toBe('<a { plain = { a = 1 } }>');
});
