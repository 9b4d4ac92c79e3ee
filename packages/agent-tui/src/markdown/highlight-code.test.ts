import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRenderStyle } from '../components/render-style.ts';
import { highlightCode } from './highlight-code.ts';

const marking = createRenderStyle({ paint: (token, text) => `<${token.replace('syntax', '')}:${text}>` });
const plain = createRenderStyle();
const languages = [
  ...[
    'ts',
    'json',
    'python',
    'java',
    'kotlin',
    'swift',
    'cpp',
    'csharp',
    'go',
    'rust',
    'php',
    'ruby',
    'bash',
    'sql',
    'css',
  ],
  ...['yaml', 'toml', 'dockerfile', 'makefile', 'lua', 'html', 'diff'],
];

describe('highlightCode', () => {
  it('knows the languages that models write', () => {
    proves('C-100');
    const cases: readonly (readonly [language: string, code: string, shown: string])[] = [
      [
        'py',
        'def f(): return None # x',
        '<Keyword:def> <Function:f><Punctuation:()><Operator::> <Keyword:return> <Number:None> <Comment:# x>',
      ],
      [
        'json',
        '  "a": [1, true]',
        '<Variable:  "a"><Operator::> <Punctuation:[><Number:1><Punctuation:,> <Number:true><Punctuation:]>',
      ],
      ['sh', 'echo "$A" --all $B # x', 'echo <String:"$A"> <Variable:--all> <Variable:$B> <Comment:# x>'],
      ['yaml', 'key: "a" # x', '<Variable:key><Operator::> <String:"a"> <Comment:# x>'],
      [
        'html',
        '<a href="x">text</a>',
        '<Keyword:<a> <Variable:href><Operator:=><String:"x"><Punctuation:>>text<Keyword:</a><Punctuation:>>',
      ],
      ['SQL', 'SELECT 1', '<Keyword:SELECT> <Number:1>'],
      ['diff', '+ new', '<diffAdded:+ new>'],
      [
        'rust',
        'let a: Vec<u8> = vec![1];',
        '<Keyword:let> a<Operator::> <Type:Vec><Operator:<><Type:u8><Operator:>> <Operator:=> <Keyword:vec!><Punctuation:[><Number:1><Punctuation:];>',
      ],
    ];
    for (const [language, code, shown] of cases)
      expect(highlightCode(code, { language }, marking)).toEqual([shown]);
  });

  it('knows a language by the name of its file, and leaves what it does not know as it is', () => {
    proves('C-100');
    expect(highlightCode('let a', { path: 'src/x.ts' }, marking)).toEqual(['<Keyword:let> a']);
    expect(highlightCode('FROM node', { path: 'app/Dockerfile' }, marking)).toEqual(['<Keyword:FROM> node']);
    expect(highlightCode('let a\x1b[2J', { path: 'notes' }, marking)).toEqual(['let a']);
    expect(highlightCode('a', { language: 'constructor' }, marking)).toEqual(['a']);
  });

  it('keeps every character, in every language', () => {
    proves('C-100');
    const code = fc
      .array(
        fc.constantFrom(
          '"',
          "'",
          '`',
          '/*',
          '*/',
          '//',
          '#',
          '<!--',
          '-->',
          '<a',
          '>',
          '\\',
          '\n',
          ' ',
          'x',
          '한',
          '12e',
          '$',
          '@',
          '"""',
          '{',
          '-',
        ),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.constantFrom(...languages), code, (language, text) => {
        expect(highlightCode(text, { language }, plain).join('\n')).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });
});
