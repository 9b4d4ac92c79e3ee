import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { withVersionEverywhere } from '../release/version-places.mjs';
import { checkDirection } from './direction.mjs';
import { checkDocs } from './docs.mjs';
import { checkExports, publicExports } from './exports.mjs';
import { checkFolders } from './folders.mjs';
import { checkMessages } from './messages.mjs';
import { checkNames } from './names.mjs';
import { checkOutside } from './outside.mjs';
import { checkPackages } from './packages.mjs';
import { findRiddles, findUnplainEnglish } from './plain-english.mjs';
import { createProject } from './project.mjs';
import { checkRegexes } from './regexes.mjs';
import { checkWords } from './words.mjs';

const placesOf = (problems: { file: string; line: number }[]) =>
  problems.map(({ file, line }) => `${file}:${line}`);
const messagesOf = (problems: { message: string }[]) => problems.map(({ message }) => message);

describe('checkPackages', () => {
  it('wants every published package to be complete', () => {
    const manifest = {
      description: 'd',
      license: 'MIT',
      author: 'a',
      homepage: 'https://github.com/robota-sdk/robota#readme',
      repository: {
        type: 'git',
        url: 'git+https://github.com/robota-sdk/robota.git',
        directory: 'packages/whole',
      },
      bugs: { url: 'https://github.com/robota-sdk/robota/issues' },
      keywords: ['k'],
      publishConfig: { access: 'public' },
    };
    const project = createProject({
      'packages/whole/package.json': JSON.stringify(manifest),
      'packages/whole/README.md': 'r',
      'packages/whole/LICENSE': 'l',
      'packages/bare/package.json': JSON.stringify({ description: 'd', license: 'MIT', author: 'a' }),
      'packages/own/package.json': JSON.stringify({ private: true }),
    });
    const problems = checkPackages(project);
    expect(new Set(problems.map(({ file }) => file))).toEqual(new Set(['packages/bare/package.json']));
    expect(messagesOf(problems).join()).toMatch(
      /README.*LICENSE.*"homepage".*"repository".*"bugs".*"keywords".*"publishConfig"/,
    );
  });

  it('wants one version everywhere, in the files that a release changes', () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const read = (file: string) => readFileSync(join(root, file), 'utf8');
    const files = withVersionEverywhere(read, '3.2.1');
    const manifest = (version: string) => JSON.stringify({ private: true, version });
    const project = (version: string) =>
      createProject({ ...Object.fromEntries(files), 'packages/agent-cli/package.json': manifest(version) });
    expect(checkPackages(project('3.2.1'))).toEqual([]);
    expect(placesOf(checkPackages(project('3.2.2'))).toSorted()).toEqual(
      files.map(([file]) => `${file}:1`).toSorted(),
    );
    expect(() => withVersionEverywhere(() => 'no version', '1.0.0')).toThrow('no longer names the version');
  });
});

describe('checkNames', () => {
  it('refuses vague names, inner index files and other spellings', () => {
    const project = createProject({
      'packages/agent-core/package.json': '{}',
      'packages/agent-core/src/index.ts': '',
      'packages/agent-core/src/run-agent.test.ts': '',
      'packages/agent-core/src/utils.ts': '',
      'packages/agent-core/src/path-helpers.ts': '',
      'packages/agent-core/src/tool/index.ts': '',
      'packages/agent-core/src/runAgent.ts': '',
      'packages/agent-core/src/fixtures/Any_Name.ts': '',
    });
    expect(placesOf(checkNames(project))).toEqual([
      'packages/agent-core/src/path-helpers.ts:1',
      'packages/agent-core/src/runAgent.ts:1',
      'packages/agent-core/src/tool/index.ts:1',
      'packages/agent-core/src/utils.ts:1',
    ]);
  });

  it('refuses types that are named for a metaphor or a container', () => {
    const project = createProject({
      'packages/agent-core/src/place.ts':
        'export interface GitPlace {}\ntype Place = string;\ntype Paths = string;',
      'test/a.test.ts': 'class Desk {}\nconst parts = 1;',
    });
    expect(placesOf(checkNames(project))).toEqual([
      'packages/agent-core/src/place.ts:1',
      'packages/agent-core/src/place.ts:2',
      'test/a.test.ts:1',
    ]);
  });
});

describe('checkDirection', () => {
  const problemsOf = (file: string, text: string) => checkDirection(createProject({ [file]: text }));

  it.each([
    ['packages/agent-tools/src/a.ts', "import { b } from '@robota-sdk/agent-core';"],
    ['packages/agent-tools/src/a.ts', "import picomatch from 'picomatch';"],
    ['packages/agent-tools/src/a.ts', "import data from './data.json' with { type: 'json' };"],
    ['packages/agent-tools/src/a.ts', "export const text = `import x from '@robota-sdk/agent-cli'`;"],
    [
      'packages/agent-models/src/a.ts',
      "export const load = () => import('@robota-sdk/agent-provider-openai');",
    ],
    ['packages/agent-core/src/a.test.ts', "import { serve } from '@robota-sdk/agent-testing';"],
    ['packages/agent-core/src/a.test.ts', "import cases from '../../../test/fixtures/cases.json';"],
  ])('allows in %s: %s', (file, text) => {
    expect(problemsOf(file, text)).toEqual([]);
  });

  it.each([
    ['packages/agent-core/src/a.ts', "import { b } from '@robota-sdk/agent-tools';", 'may not import'],
    ['packages/agent-core/src/a.ts', "import type { B } from '@robota-sdk/agent-sdk';", 'may not import'],
    ['packages/agent-core/src/a.ts', "export { b } from '@robota-sdk/agent-sdk';", 'may not import'],
    ['packages/agent-core/src/a.ts', "await import('@robota-sdk/agent-sdk');", 'may not import'],
    ['packages/agent-core/src/a.ts', "import { serve } from '@robota-sdk/agent-testing';", 'tests only'],
    ['packages/agent-core/src/a.ts', "import { b } from '@robota-sdk/agent-core';", 'own files'],
    ['packages/agent-core/src/a.ts', "import { b } from '../../agent-tui/src/b.ts';", 'by its name'],
    ['packages/agent-core/src/a.ts', "import { b } from './b.js';", 'extension'],
    ['packages/agent-core/src/a.test.ts', "import { b } from '@robota-sdk/agent-cli';", 'may not import'],
    [
      'packages/agent-models/src/a.ts',
      "import { b } from '@robota-sdk/agent-provider-openai';",
      'import() only',
    ],
  ])('refuses in %s: %s', (file, text, reason) => {
    expect(messagesOf(problemsOf(file, `\n${text}`))).toEqual([expect.stringContaining(reason)]);
    expect(problemsOf(file, `\n${text}`)[0]?.line).toBe(2);
  });

  it('compares manifests with the table and with the build order', () => {
    const project = createProject({
      'packages/agent-tools/package.json': JSON.stringify({
        dependencies: { '@robota-sdk/agent-core': '0.1.0', '@robota-sdk/agent-sdk': '0.1.0', diff: '9.0.0' },
      }),
      'packages/agent-tools/tsconfig.json': JSON.stringify({
        references: [{ path: '../agent-sdk' }, { path: '../xnl' }],
      }),
    });
    expect(messagesOf(checkDirection(project))).toEqual([
      expect.stringContaining('may not depend on agent-sdk'),
      'add a reference to ../agent-core',
      expect.stringContaining('drop the reference to ../xnl'),
    ]);
  });
});

describe('checkDirection of a bundled package', () => {
  it('lets it contain what it uses, and be installed alone', () => {
    const project = createProject({
      'packages/agent-cli/package.json': JSON.stringify({
        dependencies: { yaml: '2.9.1' },
        devDependencies: { '@robota-sdk/agent-sdk': '0.1.0', '@robota-sdk/agent-import': '0.1.0' },
      }),
      'packages/agent-cli/tsconfig.json': JSON.stringify({
        references: [{ path: '../agent-sdk' }, { path: '../agent-import' }],
      }),
    });
    expect(messagesOf(checkDirection(project))).toEqual([
      expect.stringContaining('may not depend on agent-import'),
      'agent-cli is bundled: yaml belongs to its devDependencies',
    ]);
  });
});

describe('checkExports', () => {
  const index = "export { b, a } from './a.ts';\nexport type { C } from './c.ts';\n";

  it('lists the names in order, with types marked', () => {
    const project = createProject({ 'packages/agent-core/src/index.ts': index });
    expect(publicExports(project)).toEqual({ 'agent-core': ['type C', 'a', 'b'] });
  });

  it('is content with the agreed names and with an empty index', () => {
    const project = createProject({
      'packages/agent-core/src/index.ts': index,
      'packages/agent-cli/src/index.ts': 'export {};\n',
      'scripts/check/public-exports.json': '{"agent-core": ["type C", "a", "b"], "agent-cli": []}',
    });
    expect(checkExports(project)).toEqual([]);
  });

  it('names what was added and what is gone', () => {
    const project = createProject({
      'packages/agent-core/src/index.ts': index,
      'scripts/check/public-exports.json': '{"agent-core": ["C", "a", "b"]}',
    });
    expect(messagesOf(checkExports(project))).toEqual([expect.stringContaining('changed: - C, + type C.')]);
  });

  it.each([
    "export * from './a.ts';",
    'export const a = 1;',
    "import './a.ts';",
    "export { default } from './a.ts';",
  ])('refuses %s', (text) => {
    const project = createProject({ 'packages/agent-core/src/index.ts': text });
    expect(messagesOf(checkExports(project))[0]).toContain('only named re-exports');
  });

  it('lists the sub-paths that the manifest exports on their own', () => {
    const project = createProject({
      'packages/agent-sdk/package.json': '{"exports": {".": {}, "./compat": {}}}',
      'packages/agent-sdk/src/index.ts': index,
      'packages/agent-sdk/src/compat.ts': "export { old } from './old.ts';",
      'packages/agent-sdk/src/elsewhere.ts': 'export const own = 1;',
    });
    expect(publicExports(project)).toEqual({
      'agent-sdk': ['type C', 'a', 'b'],
      'agent-sdk/compat': ['old'],
    });
  });

  it('leaves packages that are not published out of the agreement', () => {
    const project = createProject({
      'packages/agent-testing/package.json': '{"private": true}',
      'packages/agent-testing/src/index.ts': index,
    });
    expect(checkExports(project)).toEqual([]);
  });
});

describe('checkWords', () => {
  const problemsOf = (text: string, file = 'docs/a.md') => checkWords(createProject({ [file]: text }));
  const joined = (...parts: string[]) => parts.join('');

  it.each([
    joined('see /wo', 'rk/main/a.ts'),
    joined('in /ho', 'me/jsmith/a'),
    joined('in /Us', 'ers/jsmith/a'),
    joined('as in iss', 'ue #12'),
    joined('fix', 'es #12'),
    joined('Co-authored', '-by: someone'),
    joined('written by', ' an AI'),
    joined('Generated', ' with [Claude Code](https://example.com)'),
  ])('refuses: %s', (text) => {
    expect(placesOf(problemsOf(`fine\n${text}\n`))).toEqual(['docs/a.md:2']);
  });

  it.each([
    joined("it('C", "-1 runs', run);"),
    joined("  ['C", "-1', '--help'],"),
    joined("it('stream", "-007 retries', run);"),
  ])('refuses an id as a title: %s', (text) => {
    expect(placesOf(problemsOf(`fine\n${text}\n`, 'test/a.test.ts'))).toEqual(['test/a.test.ts:2']);
  });

  it.each([
    'in /home/user/a',
    'https://example.com/work/a',
    './work/a',
    '/home/u',
    '# 12 issues',
    'settings written by Claude Code',
  ])('allows: %s', (text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  it('refuses unfinished work in comments, not in strings', () => {
    const mark = joined('TO', 'DO');
    expect(placesOf(problemsOf(`a();\n// ${mark} later\n`, 'packages/agent-core/src/a.ts'))).toHaveLength(1);
    expect(problemsOf(`search('// ${mark}');\n`, 'packages/agent-core/src/a.ts')).toEqual([]);
  });
});

describe('findUnplainEnglish', () => {
  const code = 'packages/agent-core/src/a.ts';
  const joined = (...parts: string[]) => parts.join('');
  const exception = { file: code, text: joined('user no', 'body'), reason: 'a name' };
  const problemsOf = (text: string, file = code) =>
    findUnplainEnglish(createProject({ [file]: text }), [exception]).filter(
      ({ message }) => !message.includes('exception'),
    );

  it.each([
    joined('it can', ' not be read'),
    joined('No', 'body is asked'),
    joined('if some', 'body agrees'),
    joined('who', 'ever asks'),
    joined('the run goes', ' on'),
    joined('the answer begins an', 'ew'),
    joined('the older part is summed', ' up'),
    joined('it sha', 'll stop'),
    joined('to look', ' back'),
    joined('warnings told', ' before'),
  ])('refuses in a comment: %s', (text) => {
    expect(placesOf(problemsOf(`a();\n// ${text}\n`))).toEqual([`${code}:2`]);
  });

  it('reads a comment of several lines as one text', () => {
    expect(problemsOf(joined('/**\n * The run goes\n * ', 'on.\n */\na();\n'))).toHaveLength(1);
  });

  it('reads messages of product code, and documentation', () => {
    const words = joined('goes', ' on');
    expect(placesOf(problemsOf(`a();\nfail('The run ${words}.');\n`))).toEqual([`${code}:2`]);
    expect(placesOf(problemsOf(`# Runs\n\nA run ${words}.\n`, 'docs/a.md'))).toEqual(['docs/a.md:3']);
    expect(problemsOf(`A run ${words}.\n`, 'docs/fixtures/a.md')).toEqual([]);
  });

  it('reads titles of tests, but not what tests type', () => {
    const words = joined('goes', ' on');
    const test = 'packages/agent-core/src/a.test.ts';
    expect(placesOf(problemsOf(`it('a run ${words}', () => {\n  type('${words}');\n});\n`, test))).toEqual([
      `${test}:1`,
    ]);
  });

  it('allows an exception in its file only, and reports one that is not used', () => {
    const text = `// The ${exception.text} of the system.\n`;
    expect(problemsOf(text)).toEqual([]);
    expect(problemsOf(text, 'packages/agent-core/src/b.ts')).toHaveLength(1);
    expect(messagesOf(findUnplainEnglish(createProject({ [code]: '// Fine.\n' }), [exception]))).toEqual([
      `an unused exception: "${exception.text}"`,
    ]);
  });
});

describe('findRiddles', () => {
  const linesOf = (text: string) =>
    findRiddles(createProject({ 'packages/xnl/src/a.ts': text })).map(({ line }) => line);

  it('refuses comments that begin with a question word', () => {
    expect(
      linesOf('/** What a file says. */\nf();\n// Who asks.\ng();\n/**\n * Where it lies.\n */\nh();\n'),
    ).toEqual([1, 3, 5]);
  });

  it('allows questions, and lines that continue a comment', () => {
    expect(
      linesOf(
        '// What if it is empty? Then skip it.\nf();\n// Read the file.\n// Where it lies is known.\ng();\n',
      ),
    ).toEqual([]);
  });
});

describe('checkDocs', () => {
  it('follows relative links outside code', () => {
    const project = createProject({
      'docs/a.md':
        '[b](b.md#part) [up](../README.md) [folder](../docs/) [web](https://example.com) [gone](c.md)\n`[x](y)`\n',
      'docs/b.md': '```text\n[not](a-link)\n```\n\n```\nnpm test\n```\n',
      'README.md': '[a](docs/a.md)\n[lost](lost.md)\n',
    });
    expect(placesOf(checkDocs(project))).toEqual(['README.md:2', 'docs/a.md:1', 'docs/b.md:5']);
  });
});

describe('checkRegexes', () => {
  const file = 'packages/agent-core/src/a.ts';
  const problemsOf = (text: string, exceptions: object[] = []) => {
    const listed = { 'scripts/check/regex-exceptions.json': JSON.stringify(exceptions) };
    return messagesOf(checkRegexes(createProject({ [file]: text, ...listed })));
  };

  it('refuses expressions that take more than linear time', () => {
    expect(problemsOf('export const a = /^(a+)+$/;')).toEqual([expect.stringContaining('exponential')]);
    expect(problemsOf('export const a = /\\s+$/;')).toEqual([expect.stringContaining('polynomial')]);
    expect(problemsOf('export const a = /^a+b$/;')).toEqual([]);
  });

  it('puts together the texts that an expression is built from', () => {
    const built = [
      'const part = String.raw`(a+)+`;\nexport const a = new RegExp(`^$',
      "{part}$`, 's');",
    ].join('');
    expect(problemsOf(built)).toEqual([expect.stringContaining('/^(a+)+$/s takes exponential')]);
  });

  it('wants a reason for what it cannot analyse, and no reason that is not needed', () => {
    const text = 'export const a = (b: string) => new RegExp(b);';
    const exception = { file, text: 'new RegExp(b)', reason: 'never run' };
    expect(problemsOf(text)).toEqual([expect.stringContaining('cannot be analysed')]);
    expect(problemsOf(text, [exception])).toEqual([]);
    expect(problemsOf('', [exception])).toEqual([expect.stringContaining('unused exception')]);
  });
});

describe('checkFolders', () => {
  it('names every import that is part of a cycle of folders, by value or on demand', () => {
    const project = createProject({
      'packages/p/src/a/one.ts': "import { two } from '../b/two.ts';\nexport const one = two;\n",
      'packages/p/src/b/two.ts': "export const two = () => import('../c/three.ts');\n",
      'packages/p/src/c/three.ts': "import { one } from '../a/one.ts';\nexport const three = one;\n",
      'packages/p/src/d/four.ts':
        "import type { three } from '../c/three.ts';\nexport type Four = typeof three;\n",
      'packages/p/src/index.ts': "export { one } from './a/one.ts';\n",
    });
    const cycles = checkFolders(project).filter(({ message }) => message.includes('in turn'));
    expect(placesOf(cycles)).toEqual([
      'packages/p/src/a/one.ts:1',
      'packages/p/src/b/two.ts:1',
      'packages/p/src/c/three.ts:1',
    ]);
  });
});

describe('checkMessages', () => {
  const file = 'packages/agent-core/src/a.ts';
  const codesIn = (text: string) => messagesOf(checkMessages(createProject({ [file]: text })));

  it.each([
    "thrown.message.includes('x');",
    "errorMessage(thrown).startsWith('x');",
    "describeProblem(problem).trim().split('. ');",
    'const said = errorMessage(thrown); /x/.test(said);',
    "const { message: text } = problem; text.indexOf('x');",
    "function read(warning: string) { return warning.endsWith('x'); }",
    "event.problem?.replace(/x/, '');",
    "(thrown.message ?? '').match(/x/);",
  ])('finds what reads a message: %s', (text) => {
    expect(codesIn(text)).toEqual([expect.stringContaining('reads a message')]);
  });

  it.each([
    "if (problem.code === 'rule.unknown-tool') report(problem);",
    "code.startsWith('mcp.');",
    "describeProblem(problem).split('\\n');",
    'console.log(thrown.message.slice(0, 100));',
    "const said = errorMessage(thrown); { const f = (said: string) => said.includes('x'); }",
    'names.includes(message);',
  ])('lets pass what reads none: %s', (text) => {
    expect(codesIn(text)).toEqual([]);
  });

  it('knows exceptions with a reason, and reports those that nothing needs', () => {
    const exceptions = [
      { file, text: "thrown.message.includes('x')", reason: 'another program' },
      { file, text: 'gone', reason: 'none' },
    ];
    const project = createProject({
      [file]: "thrown.message.includes('x');\nthrown.message.includes('y');",
      'packages/agent-core/src/a.test.ts': "thrown.message.includes('x');",
      'scripts/check/message-exceptions.json': JSON.stringify(exceptions),
    });
    expect(messagesOf(checkMessages(project))).toEqual([
      expect.stringContaining("includes('y') reads a message"),
      'unused exception gone',
    ]);
  });
});

describe('checkOutside', () => {
  const file = 'packages/agent-sdk/src/read.ts';
  const problemsOf = (text: string) => messagesOf(checkOutside(createProject({ [file]: text })));

  it.each([
    ['const value: Row[] = JSON.parse(written);', 'parse JSON with parseJson'],
    ['const value = parseJson(written) as Row[];', '"as Row[]" trusts'],
    ['const value = parseJson(written);\nuse(value as Row);', '"as Row" trusts'],
    ['const read = decodeJson(written);\nif (read.ok) use(read.value as Row);', '"as Row" trusts'],
    ["if (typeof a !== 'string' || typeof b !== 'string' || typeof c !== 'number') end();", 'three fields'],
    [
      "function isRow(value: any): value is Row {\n  return typeof value.a === 'string' && typeof value.b === 'number';\n}",
      'a type guard checks fields',
    ],
  ])('finds %j', (text, reason) => {
    expect(problemsOf(text)).toEqual([expect.stringContaining(reason)]);
  });

  it.each([
    'const copy = JSON.parse(JSON.stringify(value)) as JsonObject;',
    'const value = parseJson(written) as JsonValue;',
    'const row = rowShape.parse(parseJson(written));\nuse(row as Narrow);',
    "const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';",
    "const shape = instance('a tool', (value): value is Tool => typeof value.a === 'string' && typeof value.b === 'function');",
  ])('accepts %j', (text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  it('leaves tests, fixtures and packages without shapes alone', () => {
    const files = ['agent-sdk/src/a.test.ts', 'agent-sdk/src/fixtures/a.ts', 'agent-tui/src/a.ts'];
    const text = 'export const row = JSON.parse(written) as Row;';
    const project = createProject(Object.fromEntries(files.map((each) => [`packages/${each}`, text])));
    expect(checkOutside(project)).toEqual([]);
  });
});
