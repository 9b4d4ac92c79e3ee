import type { JsonObject } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { converse, type ToolAnswer, type ToolScript } from '../fixtures/converse.ts';

const numbered = (text: string, first = 1) =>
  text
    .split('\n')
    .map((line, index) => `${index + first}\t${line}`)
    .join('\n');

/** Answers by tool name; a function sees the input. */
function script(
  answers: Readonly<Record<string, ToolAnswer | ((input: JsonObject) => ToolAnswer)>>,
): ToolScript {
  return (name, input) => {
    const answer = answers[name] ?? { error: `unexpected ${name} ${JSON.stringify(input)}` };
    return typeof answer === 'function' ? answer(input) : answer;
  };
}

const denied = {
  error:
    'Permission denied: It needs your confirmation: no rule allows it. No user is available to approve this',
};
const notFound = { error: 'NotFound: "x" does not exist.' };

describe('list', () => {
  it('lists a folder', async () => {
    const { calls, text } = await converse('list the files in src', script({ Glob: 'src/b.ts\nsrc/a.ts' }));
    expect(calls).toEqual(['Glob {"pattern":"**/*","path":"src"}']);
    expect(text).toBe('2 files in `src`:\n\n- src/a.ts\n- src/b.ts');
  });

  it('finds a folder that is deeper, and says so', async () => {
    const { text } = await converse(
      'list the files in src',
      script({ Glob: ({ path }) => (path ? notFound : 'packages/a/src/x.ts\npackages/b/src/y.ts') }),
    );
    expect(text).toMatch(
      /no `src` at the root; I found it deeper, as `packages\/a\/src`, `packages\/b\/src`/,
    );
    expect(text).toContain('- packages/a/src/x.ts');
  });

  it('counts by folder where there are many', async () => {
    const many = Array.from({ length: 100 }, (_, index) => `${index % 2 ? 'src' : 'test'}/f${index}.ts`).join(
      '\n',
    );
    const { text } = await converse('what files are there?', script({ Glob: many }));
    expect(text).toBe('100 files in this folder, by folder:\n\n- src/: 50 files\n- test/: 50 files');
  });

  it('counts also the files the tool left out', async () => {
    const many = Array.from({ length: 70 }, (_, index) => `src/f${index}.ts`).join('\n');
    const { text } = await converse(
      'list the files',
      script({ Glob: `${many}\n[70 of 4200 files; narrow the pattern]` }),
      ['Glob'],
    );
    expect(text).toMatch(/^4,200 files in this folder; the first 70 by folder:/);
  });

  it('says that it may not look', async () => {
    const refused = { error: 'Permission denied: Glob is refused by the deny rule Glob.' };
    for (const request of ['list the files in src', 'list', 'rename a.ts to b.ts']) {
      const { text, calls } = await converse(request, script({ Glob: refused }));
      expect(text).toBe('Glob was not permitted: Glob is refused by the deny rule Glob.');
      expect(calls.every((call) => call.startsWith('Glob'))).toBe(true);
    }
  });

  it('says that a folder is nowhere', async () => {
    const { text } = await converse(
      'list lib',
      script({ Glob: ({ path }) => (path ? notFound : 'No files match "x".') }),
    );
    expect(text).toMatch(/No folder `lib`/);
  });
});

describe('search', () => {
  it('answers with file and line', async () => {
    const { calls, text } = await converse(
      'find a.b( in src',
      script({ Grep: 'src/x.ts\n3:   a.b(1)\n\nsrc/y.ts\n9: a.b()' }),
    );
    expect(calls).toEqual(['Grep {"pattern":"a.b(","literal":true,"path":"src"}']);
    expect(text).toBe('2 matching lines for `a.b(` in 2 files:\n\n- src/x.ts:3  a.b(1)\n- src/y.ts:9  a.b()');
  });

  it('searches everywhere where the named folder cannot be searched, and says so', async () => {
    const { calls, text } = await converse(
      'find TODO in src',
      script({ Grep: ({ path }) => (path ? notFound : 'lib/x.ts\n3: // TODO') }),
    );
    expect(calls).toHaveLength(2);
    expect(text).toMatch(
      /^I could not search in `src`, so I searched everywhere\. 1 matching line .*lib\/x\.ts:3/s,
    );
    const refused = { error: 'Permission denied: Grep is refused by the deny rule Grep.' };
    expect((await converse('find TODO in src', script({ Grep: refused }))).calls).toHaveLength(1);
  });

  it('tries other capitals, and says that it did', async () => {
    const answers = script({
      Grep: (input) => (input.ignore_case ? 'a.md\n1: Foo' : 'No matches for "foo".'),
    });
    expect((await converse('search for foo', answers)).text).toMatch(
      /^Not in that spelling.*\n\n- a.md:1 {2}Foo/,
    );
    expect((await converse('find foo', script({ Grep: 'No matches for "x".' }))).text).toBe(
      'Nothing matches `foo`.',
    );
  });

  it('looks for definitions first', async () => {
    const { calls, text } = await converse(
      'Where is runAgent defined?',
      script({ Grep: 'a.ts\n7: export function runAgent() {' }),
    );
    expect(calls).toHaveLength(1);
    expect(text).toMatch(/1 matching line for a definition of `runAgent`.*\n\n- a.ts:7/);
  });
});

describe('read and outline', () => {
  it('reads lines', async () => {
    const { calls, text } = await converse(
      'show lines 10-11 of a.ts',
      script({ Read: numbered('x\ny', 10) }),
    );
    expect(calls).toEqual(['Read {"file_path":"a.ts","offset":10,"limit":2}']);
    expect(text).toBe('`a.ts` (lines 10–11):\n\n```ts\nx\ny\n```');
  });

  it.each([
    ['read @a.ts:10-11', 'Read {"file_path":"a.ts","offset":10,"limit":2}'],
    ['show src/a.ts:7', 'Read {"file_path":"src/a.ts","offset":7,"limit":1}'],
    ['read @Makefile:3-4', 'Read {"file_path":"Makefile","offset":3,"limit":2}'],
    ['what is in @file:a.ts:2..3', 'Read {"file_path":"a.ts","offset":2,"limit":2}'],
    ['summarize @a.ts:10-11', 'Read {"file_path":"a.ts"}'],
    ['count the lines of @a.ts:10-11', expect.not.stringContaining(':10')],
    ['read notes:12', 'Read {"file_path":"notes:12"}'],
  ])('takes lines after a path as lines: %s', async (request, call) => {
    const { calls } = await converse(request, script({ Read: numbered('x'), Glob: 'a.ts', Bash: '1 a.ts' }));
    expect(calls[0]).toEqual(call);
  });

  it('finds a file that is deeper', async () => {
    const answers = script({
      Read: ({ file_path }) => (file_path === 'deep/a.md' ? numbered('# A') : notFound),
      Glob: 'deep/a.md',
    });
    expect((await converse('read a.md', answers)).text).toBe('`deep/a.md` (1 line):\n\n```md\n# A\n```');
  });

  it('asks which one is meant where there are several', async () => {
    const { text } = await converse('read a.md', script({ Read: notFound, Glob: 'x/a.md\ny/a.md' }));
    expect(text).toMatch(/several deeper; say which:\n- x\/a.md\n- y\/a.md/);
  });

  it('lists a folder it was asked to show', async () => {
    const answers = script({ Read: { error: 'IsDirectory: "src" is a directory.' }, Glob: 'src/a.ts' });
    expect((await converse('show src', answers)).text).toContain('- src/a.ts');
  });

  it('outlines by what Read shows', async () => {
    const { text } = await converse('explain a.ts', script({ Read: numbered('export class A {\n}') }));
    expect(text).toMatch(/`a.ts`: 2 lines, 19 characters.*do not understand code/);
    expect(text).toContain('exported class `A` (line 1, about 2 lines)');
  });

  it('reports errors as they are', async () => {
    expect((await converse('read a.ts', script({ Read: { error: 'EACCES: no' } }))).text).toBe(
      'Read failed: EACCES: no',
    );
  });

  it('describes the project from its own files', async () => {
    const files: Record<string, string> = {
      'README.md': '# Tea\n\nMakes tea.\n\n## Use',
      'package.json': '{"name":"tea","version":"1.0.0","scripts":{"test":"x"},"dependencies":{"pot":"1"}}',
    };
    const answers = script({
      Glob: ({ pattern }) =>
        pattern === '*' ? 'README.md\npackage.json' : 'README.md\npackage.json\nsrc/a.ts',
      Read: ({ file_path }) => numbered(files[String(file_path)] ?? ''),
    });
    const { text } = await converse('what is this project?', answers);
    expect(text).toContain('> Makes tea.');
    expect(text).toContain('- Use (line 5)');
    expect(text).toContain('`package.json`: tea 1.0.0');
    expect(text).toContain('- scripts: test');
    expect(text).toContain('- src/: 1 file');
  });

  it('finds a file by its name without an ending', async () => {
    const answers = script({
      Read: ({ file_path }) => (file_path === 'README.md' ? numbered('# Tea') : notFound),
      Glob: ({ pattern }) =>
        pattern === '{readme,README}.*' ? 'README.ko.md\nREADME.md' : 'No files match "x".',
    });
    expect((await converse('show me the readme', answers)).text).toContain('`README.md` (1 line)');
  });

  it.each([
    {
      manifest: 'Cargo.toml',
      text: '[package]\nname = "kettle"\nversion = "1.2.0"  # next\ndescription = """\nBoils.\n"""\nlicense = "MIT"\n\n[[bin]]\nname = "kt"\npath = "main.rs"\n\n[dependencies]\nserde = { version = "1" }\nlog = "0.4"',
      facts: '`Cargo.toml`: kettle 1.2.0\n- commands: kt\n- license: MIT\n- dependencies: serde, log\n',
    },
    {
      manifest: 'pyproject.toml',
      text: '[project]\nname = "kettle"\ndynamic = ["version"]\ndescription = "Boils."\ndependencies = [\n  "click>=8",\n  "rich[x]; python_version<\'3\'",\n]\n[project.scripts]\nkt = "kettle:main"\n[tool.other]\nname = "no"',
      facts: '`pyproject.toml`: kettle\n- Boils.\n- commands: kt\n- dependencies: click, rich\n',
    },
    {
      manifest: 'go.mod',
      text: 'module example.org/kettle\n\ngo 1.24\n\nrequire (\n\texample.org/tea v1.0.0\n\texample.org/old v1.0.0 // indirect\n)',
      facts: '`go.mod`: example.org/kettle\n- go: 1.24\n- dependencies: example.org/tea\n',
    },
  ])('tells what $manifest says about the project', async ({ manifest, text: written, facts }) => {
    const readme = 'Kettle\n======\n\nBoils water.\n\nUse\n---\n\nFill it.';
    const answers = script({
      Glob: `README.md\n${manifest}`,
      Read: ({ file_path }) => numbered(file_path === manifest ? written : readme),
    });
    const { text } = await converse('list the dependencies', answers, ['Glob', 'Read']);
    expect(text).toContain(facts);
    expect(text).toContain('begins:\n> Boils water.\n\nHeadings:\n- Kettle (line 1)\n  - Use (line 6)\n');
  });

  it('describes a README without an introduction by its headings, and a long listing in its own words', async () => {
    const answers = script({
      Glob: ({ pattern }) =>
        `README.md\nsrc/a.ts${pattern === '*' ? '' : '\n[2 of 666 files; narrow the pattern to see others]'}`,
      Read: numbered('# Tea\n\n## Use'),
    });
    const { text } = await converse('what is this project?', answers, ['Glob', 'Read']);
    expect(text).toContain('`README.md`:\n');
    expect(text).not.toContain('begins');
    expect(text).toContain('666 files; the first 2 by folder (1 .md, 1 .ts):');
    expect(text).not.toContain('narrow the pattern');
  });
});

describe('the count of the files of a project', () => {
  const cut = '\n[2 of 2011 files; narrow the pattern to see others]';

  it('is exact in a repository, by folder and kind, however long the listing is', async () => {
    const answers = script({
      Glob: ({ pattern }) => (pattern === '**/*' ? `a.ts\ndocs/b.md${cut}` : 'a.ts'),
      Read: numbered('export const a = 1;'),
      Bash: ({ command }) =>
        String(command).includes('{1,2}')
          ? '    900 docs/\n     10 docs/old/\n   1100 src/'
          : '   1500 ts\n    511 md',
    });
    const { text } = await converse('what is this project?', answers);
    expect(text).toContain('2,011 files (1,500 .ts, 511 .md):');
    expect(text).toContain(
      '- (top level): 1 file\n- docs/: 900 files\n- docs/old/: 10 files\n- src/: 1,100 files',
    );
    expect(text).toContain('Entry points:\n- `a.ts` declares `a`');
    expect(text).not.toContain('the first');
  });

  it('is followed by the entry points of the packages of a workspace, commands first', async () => {
    const manifest = {
      name: 'tea',
      workspaces: ['packages/*', '!packages/old'],
      exports: { '.': { types: './index.d.ts', default: './index.js' } },
    };
    const answers = script({
      Glob: ({ pattern }) => {
        if (pattern === '*') return 'package.json';
        if (String(pattern).startsWith('packages/*/src/'))
          return ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
            .map((name) => `packages/${name}/src/index.ts`)
            .join('\n');
        if (String(pattern).startsWith('packages/*/{')) return 'packages/c/bin.js';
        return pattern === '**/*' ? 'package.json\npackages/a/src/index.ts' : '';
      },
      Read: ({ file_path }) =>
        numbered(file_path === 'package.json' ? JSON.stringify(manifest) : 'export const a = 1;'),
    });
    const { text } = await converse('what is this project?', answers, ['Glob', 'Read']);
    expect(text).toContain('- entry points: `./index.js`');
    expect(text).toContain(
      'Entry points:\n- `packages/c/bin.js` declares `a`\n- `packages/a/src/index.ts` declares `a`',
    );
    expect(text).toContain('- 1 more file\n');
  });

  it('is exact outside a repository, folder by folder', async () => {
    const answers = script({
      Glob: ({ pattern }) => {
        if (pattern === '**/*') return `a.ts\ndocs/b.md${cut}`;
        if (pattern === 'docs/**/*') return 'docs/b.md\n[1 of 2000 files; narrow the pattern to see others]';
        if (pattern === '**/*.ts') return 'a.ts\nsrc/a.ts\nsrc/b.ts';
        if (pattern === '**/*.md') return 'docs/b.md\n[1 of 1998 files; narrow the pattern to see others]';
        return pattern === 'src/**/*' ? 'src/a.ts\nsrc/b.ts' : '';
      },
      Read: '',
      Bash: ({ command }) =>
        command === 'ls -A -p' ? 'docs/\nempty/\nnotes.txt\nsrc/' : { error: 'fatal\n[exit code 128]' },
    });
    const { text } = await converse('what is this project?', answers);
    expect(text).toContain(
      '2,011 files (1,998 .md, 3 .ts):\n- (top level): 9 files\n- docs/: 2,000 files\n- src/: 2 files',
    );
    expect(text).not.toContain('the first');
  });
});

describe('the count of the files of many folders outside a repository', () => {
  const converseIn = async (folders: number) => {
    const names = Array.from({ length: folders }, (_, index) => `d${index}`);
    const answers = script({
      Glob: ({ pattern }) => {
        if (pattern === '*') return 'a.ts';
        const count = Number(/^d(\d+)\//.exec(String(pattern))?.[1] ?? 4999) + 1;
        return `d0/a.ts\n[1 of ${count} files; narrow the pattern to see others]`;
      },
      Read: '',
      Bash: ({ command }) =>
        command === 'ls -A -p'
          ? names.map((name) => `${name}/`).join('\n')
          : { error: 'fatal\n[exit code 128]' },
    });
    return (await converse('what is this project?', answers)).text;
  };

  it('names the largest folders, and counts the others together', async () => {
    const text = await converseIn(40);
    expect(text).toContain('5,000 files (5,000 .ts):\n- (top level): 4,180 files\n- d10/: 11 files\n');
    expect(text).toMatch(/- d39\/: 40 files\n- \(10 other folders\): 55 files$/);
  });

  it('counts hundreds of folders together', async () => {
    const text = await converseIn(200);
    expect(text).toMatch(
      /5,000 files \(5,000 \.ts\):\n- \(top level\): 1 file\n- \(in folders\): 4,999 files$/,
    );
  });
});

describe('replace and rename', () => {
  const files = { Grep: 'a.ts\nb.ts', Read: numbered('foo foo\nfooBar'), Edit: 'Edited.' };

  it('replaces in every file and counts the places', async () => {
    const { calls, text } = await converse('replace foo with $& in src', script(files));
    expect(calls).toContain(
      'Edit {"file_path":"b.ts","old_string":"foo","new_string":"$&","replace_all":true}',
    );
    expect(text).toBe('Replaced `foo` with `$&`: 6 places in 2 files.\n\n- a.ts: 3\n- b.ts: 3');
  });

  it('stops when it may not edit, and names the flag', async () => {
    const { text } = await converse('replace foo with bar', script({ ...files, Edit: denied }));
    expect(text).toMatch(
      /^Nothing was changed \(2 files\)\. Edit was not permitted: It needs your confirmation: no rule allows it\./,
    );
    expect(text).toContain('--permission-mode acceptEdits');
  });

  it('says which files failed beside those that did not', async () => {
    const answers = script({
      ...files,
      Edit: ({ file_path }) => (file_path === 'a.ts' ? 'Edited.' : { error: 'no space' }),
    });
    const { text } = await converse('replace foo with bar', answers);
    expect(text).toMatch(/3 places in 1 file\.[\s\S]*Not changed \(1 file\):\n- b.ts: Edit failed: no space/);
  });

  it('renames whole words only', async () => {
    const Grep = ({ pattern }: JsonObject) => (pattern === '\\bfoo\\b' ? 'a.ts' : 'No matches for "x".');
    const { calls, text } = await converse('rename function foo to baz', script({ ...files, Grep }));
    expect(calls.at(-1)).toBe(
      'Edit {"file_path":"a.ts","edits":[{"old_string":"foo foo","new_string":"baz baz"}]}',
    );
    expect(text).toMatch(/Renamed `foo` to `baz`: 2 places in 1 file/);
  });

  it('does not rename to a name that is taken', async () => {
    const { text, calls } = await converse('rename foo to bar', script({ Grep: 'a.ts' }));
    expect(text).toMatch(/`bar` is already used, for example in a.ts.*Nothing was changed/);
    expect(calls.every((call) => call.startsWith('Grep'))).toBe(true);
  });

  it('reads on in a long file before it changes it', async () => {
    const long = `${numbered('foo')}\n\n[There are more lines; read on with offset 2.]`;
    const answers = script({
      Grep: 'a.ts',
      Edit: 'ok',
      Read: ({ offset }) => (offset === 2 ? numbered('foo', 2) : long),
    });
    expect((await converse('replace foo with bar', answers)).text).toMatch(/2 places in 1 file/);
  });

  it('renames a file by git, with names quoted for the shell', async () => {
    const Glob = ({ pattern }: JsonObject) => (String(pattern).includes('new') ? 'No files match "x".' : 'x');
    const { calls, text } = await converse(
      `rename "it's old.ts" to "new one.ts"`,
      script({ Glob, Bash: '(no output)' }),
    );
    expect(calls.at(-1)).toBe(`Bash ${JSON.stringify({ command: `git mv 'it'\\''s old.ts' 'new one.ts'` })}`);
    expect(text).toMatch(/^Renamed `it's old.ts` to `new one.ts`/);
  });

  it('keeps an existing file, and falls back to mv outside git', async () => {
    expect((await converse('rename a.ts to b.ts', script({ Glob: 'x' }))).text).toMatch(
      /`b.ts` exists already/,
    );
    const found = ({ pattern }: JsonObject) => (pattern === 'src/a.ts' ? 'src/a.ts' : 'No files match "x".');
    const Glob = (input: JsonObject) => (input.path === 'lib' ? { error: 'There is no lib.' } : found(input));
    const Bash = ({ command }: JsonObject) =>
      String(command).startsWith('git') ? { error: 'fatal\n[exit code 128]' } : '(no output)';
    const { calls } = await converse('move src/a.ts to lib/', script({ Glob, Bash }));
    const commands = calls.filter((call) => call.startsWith('Bash'));
    expect(commands).toEqual([
      'Bash {"command":"mkdir -p lib"}',
      'Bash {"command":"git mv src/a.ts lib/a.ts"}',
      'Bash {"command":"mv -n src/a.ts lib/a.ts"}',
    ]);
    const empty = await converse('move src/a.ts to lib/', script({ Glob: found, Bash: '(no output)' }));
    expect(empty.calls.filter((call) => call.startsWith('Bash'))).toEqual([
      'Bash {"command":"git mv src/a.ts lib/a.ts"}',
    ]);
  });
});

describe('write', () => {
  it('creates a file that is not there', async () => {
    const { calls, text } = await converse(
      'create hello.txt with the text "hi there"',
      script({ Glob: 'No files match "hello.txt".', Write: 'ok' }),
    );
    expect(calls).toEqual([
      'Glob {"pattern":"hello.txt"}',
      'Write {"file_path":"hello.txt","content":"hi there\\n"}',
    ]);
    expect(text).toBe('Wrote `hello.txt` (1 line).');
  });

  it('leaves an existing file alone', async () => {
    const { calls, text } = await converse('write hi to hello.txt', script({ Glob: 'hello.txt' }));
    expect(text).toMatch(/exists already; it was left alone/);
    expect(calls).toHaveLength(1);
  });

  it('overwrites when told to', async () => {
    const { calls } = await converse(
      'overwrite a.txt with new',
      script({ Read: numbered('old'), Write: 'ok' }),
    );
    expect(calls.at(-1)).toBe('Write {"file_path":"a.txt","content":"new\\n"}');
  });

  it('appends after the last lines', async () => {
    const { calls } = await converse(
      'append "c" to a.txt',
      script({ Read: numbered('a\nb\na\nb'), Edit: 'ok' }),
    );
    expect(calls.at(-1)).toBe(
      'Edit {"file_path":"a.txt","old_string":"b\\na\\nb","new_string":"b\\na\\nb\\nc"}',
    );
  });

  it('says what would permit it', async () => {
    const needsYes = {
      error: 'Permission denied: Writing a.txt needs your confirmation: no rule allows it.',
    };
    const { text } = await converse(
      'create a.txt',
      script({ Glob: 'No files match "a.txt".', Write: needsYes }),
    );
    expect(text).toMatch(/Write was not permitted: .* or start with `--permission-mode acceptEdits`\.$/);
  });

  it.each([
    'Refused in every mode by the built-in rule Bash(rm /): it would remove /.',
    'Plan mode only reads. No rule allows `touch q`: touch is not a built-in read-only command.',
    'The user declined.',
    'a hook declined.',
    'Bash needs your confirmation by the ask rule * (.robota/settings.json). No user is available to approve this.',
  ])('gives no advice that would not help: %s', async (reason) => {
    const { text } = await converse(
      'run touch q',
      script({ Bash: { error: `Permission denied: ${reason}` } }),
    );
    expect(text).toBe(`Bash was not permitted: ${reason}`);
  });
});

describe('run', () => {
  const node = {
    Glob: 'package.json',
    Read: ({ file_path }: JsonObject) =>
      file_path === 'package.json' ? numbered('{"scripts":{"test":"vitest","types":"tsc"}}') : notFound,
  };

  it('finds the test command and reports the lines that failed', async () => {
    const output = 'ok 1\nFAIL a.test.ts\n  expected 1, received 2\n0 errors\n[exit code 1]';
    const { calls, text } = await converse('run the tests', script({ ...node, Bash: { error: output } }));
    expect(calls.at(-1)).toBe('Bash {"command":"npm test","timeout":600000}');
    expect(text).toBe(
      '`npm test` failed (exit 1). The lines that tell of failures:\n\n```\nFAIL a.test.ts\n  expected 1, received 2\n```',
    );
  });

  it.each([
    ['Cargo.toml', 'cargo test'],
    ['go.mod', 'go test ./...'],
    ['pyproject.toml', 'python3 -m pytest -q'],
  ])('knows %s', async (file, command) => {
    const { calls } = await converse('run the tests', script({ Glob: file, Read: notFound, Bash: 'ok' }));
    expect(calls.at(-1)).toContain(JSON.stringify(command));
  });

  it('uses a target of the Makefile', async () => {
    const Read = ({ file_path }: JsonObject) =>
      file_path === 'Makefile' ? numbered('all:\nlint:\n\ttool') : notFound;
    const { calls } = await converse('run the linter', script({ Glob: 'Makefile', Read, Bash: 'ok' }));
    expect(calls.at(-1)).toContain('"make lint"');
  });

  it('says that it found no way', async () => {
    const { text } = await converse('build', script({ Glob: 'a.txt', Read: notFound }));
    expect(text).toMatch(/no way to build this project/);
  });

  it('names the command instead of running it where it is asked how', async () => {
    const { calls, text } = await converse('How do I run the tests?', script(node));
    expect(calls.filter((call) => call.startsWith('Bash'))).toEqual([]);
    expect(text).toBe('Run `npm test`, or ask me: "run npm test".');
  });

  it.each([
    ['delete notes.txt', 'run rm notes.txt'],
    ['commit my changes', 'run git commit -am "message"'],
  ])('leaves "%s" to a command of the user', async (request, command) => {
    const { calls, text } = await converse(request);
    expect(calls).toEqual([]);
    expect(text).toMatch(new RegExp(`${command}$`));
  });

  it('runs scripts by name and commands as they are', async () => {
    expect((await converse('run types', script({ ...node, Bash: 'ok' }))).calls.at(-1)).toBe(
      'Bash {"command":"npm run types"}',
    );
    const { calls, text } = await converse("run echo 'a  b' | cat", script({ Bash: 'a  b' }));
    expect(calls).toEqual([`Bash ${JSON.stringify({ command: "echo 'a  b' | cat" })}`]);
    expect(text).toMatch(/succeeded \(exit 0\)[\s\S]*a {2}b/);
  });

  it('says how a command ended that did not end by itself, or was not permitted', async () => {
    const { text } = await converse('run sleep 999', script({ Bash: { error: '[timed out after 120 s]' } }));
    expect(text).toBe('`sleep 999` timed out after 120 s, with no output.');
    expect((await converse('run rm x', script({ Bash: denied }))).text).toContain("--allow 'Bash(rm x)'");
  });

  it('tells what git says has changed', async () => {
    const { text } = await converse('what changed?', script({ Bash: '## main\n M a.ts\n?? b.ts' }));
    expect(text).toBe('On branch main; 2 changed:\n\n```\n M a.ts\n?? b.ts\n```');
    const clean = await converse('git status', script({ Bash: '## main' }));
    expect(clean.text).toBe('On branch main: nothing changed since the last commit.');
  });
});

describe('count', () => {
  it('adds up lines', async () => {
    const { calls, text } = await converse(
      'count the lines in src',
      script({ Grep: 'src/a.ts: 10\nsrc/b.ts: 1200\n[1210 matches in 2 files]' }),
    );
    expect(calls).toEqual(['Grep {"pattern":"^","path":"src","output_mode":"count"}']);
    expect(text).toMatch(/^1,210 lines in 2 text files in `src`\.[\s\S]*- src\/b.ts: 1,200\n- src\/a.ts: 10/);
  });
});

describe('several things at once', () => {
  it('keeps a todo list and does one after the other', async () => {
    const answers = script({ TodoWrite: '{}', Glob: 'a.ts', Grep: 'a.ts\n1: foo' });
    const { calls, text } = await converse('First list the files, then find foo.', answers);
    expect(calls.map((call) => call.split(' ')[0])).toEqual([
      'TodoWrite',
      'Glob',
      'TodoWrite',
      'Grep',
      'TodoWrite',
    ]);
    expect(calls[2]).toBe(
      'TodoWrite {"todos":[{"content":"list the files","status":"completed"},{"content":"find foo","status":"in_progress"}]}',
    );
    expect(text).toMatch(
      /Step 1 of 2, list the files: done\.[\s\S]*Step 2 of 2, find foo: done\.[\s\S]*a\.ts:1/,
    );
  });

  it('stops at a part that fails and says what was not begun', async () => {
    const answers = script({ TodoWrite: '{}', Read: { error: 'EACCES: no' }, Glob: 'a.ts' });
    const { text } = await converse('read a.ts; list the files', answers);
    expect(text).toMatch(/Step 1 of 2, read a\.ts: failed[\s\S]*Not begun:\n- list the files/);
  });

  it('writes a plan down without doing it', async () => {
    const { calls, text } = await converse('plan: read the code, write a test', script({ TodoWrite: '{}' }));
    expect(calls).toHaveLength(1);
    expect(text).toBe('Kept as todos, none of them begun:\n\n1. read the code\n2. write a test');
  });

  it('continues without a todo list where the tool is off', async () => {
    const answers = script({ Glob: 'a.ts', Grep: 'a.ts\n1: foo' });
    const { calls } = await converse('list the files; find foo', answers, ['Glob', 'Grep']);
    expect(calls.map((call) => call.split(' ')[0])).toEqual(['Glob', 'Grep']);
  });
});

describe('text that comes with the request', () => {
  const log = ['start', 'warning: old', 'error: no such thing', '0 errors', 'end'].join('\n');

  it.each([
    [
      'a block of its own',
      [
        { type: 'text' as const, text: log },
        { type: 'text' as const, text: 'why?' },
      ],
    ],
    ['a tag', [{ type: 'text' as const, text: `why?\n\n<stdin>\n${log}\n</stdin>` }]],
  ])('counts errors and warnings of a log in %s', async (_, content) => {
    const { text, calls } = await converse(content);
    expect(calls).toEqual([]);
    expect(text).toMatch(/5 lines: 1 line with errors, 1 line with warnings/);
    expect(text).toContain('3: error: no such thing');
  });

  it('summarizes the record of a conversation by what was asked and called', async () => {
    const record =
      '## User\nlist the files\n\n## Assistant\n-> Glob {"pattern":"**/*"}\n\n## Result of Glob\na.ts\n\n## User\nread a.ts';
    const prompt = `<earlier-notes>\nBefore that.\n</earlier-notes>\n\n<record>\n${record}\n</record>\n\nWrite the notes.`;
    const { text } = await converse(prompt, () => '', []);
    expect(text).toBe(
      'Before that.\n## Goal\n- list the files\n- read a.ts\n## Progress\n1 tool call made; the last of them:\n- Glob {"pattern":"**/*"}',
    );
  });

  it('finds the question above or below a long paste', async () => {
    const paste = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n');
    expect((await converse(`what is wrong?\n\n${paste}`)).text).toMatch(/20 lines/);
    expect((await converse(`${paste}\n\nwhat is wrong?`)).text).toMatch(/20 lines/);
    expect((await converse(paste)).text).toMatch(/20 lines/);
  });
});
