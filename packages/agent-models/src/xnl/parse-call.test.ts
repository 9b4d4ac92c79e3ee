import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCall } from './parse-call.ts';

describe('a call', () => {
  it('is read as people write objects: any quotes, bare keys, comments, commas at the end', () => {
    proves('E-11');
    const code = `
// first
SysBuiltIn . edit_text({
  path: 'a "b".txt', "quoted key": "it's", 7: null, // seven
  text: \`line one
\\\`two\\\` costs $5 and \\\${HOME}\`,
  numbers: [1, -2.5, +3, 0x1F, .5, 1e3,], /* nested */ deep: { on: true, off: false, gone: undefined },
  escapes: "\\n\\t\\x41\\u00e9\\u{1F600}\\
joined",
},);
`;
    expect(parseCall(code)).toEqual({
      ok: true,
      path: 'SysBuiltIn.edit_text',
      input: {
        7: null,
        path: 'a "b".txt',
        'quoted key': "it's",
        text: `line one\n\`two\` costs $5 and \${HOME}`,
        numbers: [1, -2.5, 3, 31, 0.5, 1000],
        deep: { on: true, off: false },
        escapes: '\n\tAé😀joined',
      },
    });
    expect(parseCall('Mcp.my-server.do-it()')).toEqual({ ok: true, path: 'Mcp.my-server.do-it', input: {} });
    const own = parseCall('f({ __proto__: { polluted: 1 } })');
    expect(Object.keys(own.ok ? own.input : {})).toEqual(['__proto__']);
  });

  it.each([
    ['', 'it ends where the name of a tool should follow'],
    ['f', 'it ends where "(" behind the name of the tool should follow'],
    ['f("x")', 'line 1, column 3: found "\\"" where an object {…} as the only argument should be'],
    ['f({ a: 1 b: 2 })', 'line 1, column 10: found "b" where "," or "}" should be'],
    ['f({\n  a: "never ended })', 'line 2, column 6: the text that begins here has no closing "'],
    ['f({ a: process.env })', '"process" is no value'],
    [`f({ a: \`x \${process.exit()}\` })`, 'nothing is computed in a text; write \\${'],
    ['f({ a: "x" + "y" })', 'texts cannot be joined with +'],
    ['f({ a: 1 }, { b: 2 })', 'found "{" where ")" behind the one object should be'],
    ['f({}) && g({})', 'something follows the call'],
    ['f({ a: /* x })', 'a comment has no closing */'],
    ['f({ a: \\u{110000} })', 'found'],
    [`f({ a: ${'['.repeat(200)} })`, 'nothing may be nested more than'],
    ['f({ a: Infinity })', '"Infinity" is no value'],
    ['f({ a: 1e999 })', 'a number should'],
  ])('that is wrong is refused with the place and the reason: %s', (code, error) => {
    expect(parseCall(code)).toEqual({
      ok: false,
      path: expect.any(String),
      error: expect.stringContaining(error),
    });
  });

  it('with any JSON in it gives just that, and no text at all throws or hangs', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (input) => {
        const json = JSON.parse(JSON.stringify(input)) as unknown;
        expect(parseCall(`A.b(${JSON.stringify(input)})`)).toEqual({ ok: true, path: 'A.b', input: json });
      }),
      { numRuns: 50 },
    );
    const whole = `A.b({ a: 'x', "b": [1, { c: \`t\` }], /* d */ e: -1.5 })`;
    for (let at = 0; at < whole.length; at++)
      for (const bad of ['', '"', '{', '\\', '/*', '\0', '😀'])
        expect(parseCall(whole.slice(0, at) + bad + whole.slice(at + 1))).toHaveProperty('ok');
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (code) => void parseCall(code)));
    expect(parseCall(`f({ ${'/**/ // x\n'.repeat(1_000_000)} })`)).toEqual({
      ok: true,
      path: 'f',
      input: {},
    });
    expect(parseCall('a.'.repeat(2_000_000))).toMatchObject({ ok: false });
  });
});
