import type { JsonObject } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { converse, type ToolAnswer, type ToolScript } from './fixtures/converse.ts';

/** Answers by tool name; a function sees the input. */
function script(
  answers: Readonly<Record<string, ToolAnswer | ((input: JsonObject) => ToolAnswer)>>,
): ToolScript {
  return (name, input) => {
    const answer = answers[name] ?? { error: `unexpected ${name} ${JSON.stringify(input)}` };
    return typeof answer === 'function' ? answer(input) : answer;
  };
}

const ok = script({
  Glob: 'package.json',
  Read: '1\tx',
  Grep: 'a.ts',
  Edit: 'Edited.',
  Write: 'Wrote.',
  Bash: 'ok',
});

describe('the first call of a request', () => {
  it.each([
    ['list the files in src', 'Glob {"pattern":"**/*","path":"src"}'],
    ['List all files.', 'Glob {"pattern":"**/*"}'],
    ['show the tree', 'Glob {"pattern":"**/*"}'],
    ['what files are there?', 'Glob {"pattern":"**/*"}'],
    ['list the markdown files in the docs folder', 'Glob {"pattern":"**/*.md","path":"docs"}'],
    ['ls src/', 'Glob {"pattern":"**/*","path":"src"}'],
    ['find the file config.ts', 'Glob {"pattern":"**/*config.ts*"}'],
    ['explain this project', 'Glob {"pattern":"**/*"}'],
    ['what does this repo do?', 'Glob {"pattern":"**/*"}'],
    ['read package.json', 'Read {"file_path":"package.json"}'],
    ["what's in @a.ts", 'Read {"file_path":"a.ts"}'],
    ['show me the README', 'Read {"file_path":"README"}'],
    ['show lines 10-11 of a.ts', 'Read {"file_path":"a.ts","offset":10,"limit":2}'],
    ['read @a.ts:10-11', 'Read {"file_path":"a.ts","offset":10,"limit":2}'],
    ['show src/a.ts:7', 'Read {"file_path":"src/a.ts","offset":7,"limit":1}'],
    ['read notes:12', 'Read {"file_path":"notes:12"}'],
    ['find a.b( in src', 'Grep {"pattern":"a.b(","literal":true,"ignore_case":true,"path":"src"}'],
    ['search for "connection Refused"', 'Grep {"pattern":"connection Refused","literal":true}'],
    ['Where is runAgent defined?', 'Grep {"pattern":"runAgent","literal":true}'],
    ['who calls runAgent in the project', 'Grep {"pattern":"runAgent","literal":true}'],
    [
      'replace foo with $& in src',
      'Grep {"pattern":"foo","literal":true,"output_mode":"files","path":"src"}',
    ],
    ['replace "a b" by c everywhere', 'Grep {"pattern":"a b","literal":true,"output_mode":"files"}'],
    ['create hello.txt with the text "hi there"', 'Write {"file_path":"hello.txt","content":"hi there\\n"}'],
    ['write hi to hello.txt', 'Write {"file_path":"hello.txt","content":"hi\\n"}'],
    ['touch a.txt', 'Write {"file_path":"a.txt","content":""}'],
    ["run echo 'a  b' | cat", `Bash ${JSON.stringify({ command: "echo 'a  b' | cat" })}`],
    ['run `git log -5`', 'Bash {"command":"git log -5"}'],
    ['what changed?', 'Bash {"command":"git status --short --branch"}'],
    ['show the diff', 'Bash {"command":"git diff"}'],
    ['show the recent commits', 'Bash {"command":"git log --oneline -20"}'],
    [
      'plan: read a; fix it',
      'TodoWrite {"todos":[{"content":"read a","status":"pending"},{"content":"fix it","status":"pending"}]}',
    ],
  ])('%s', async (request, call) => {
    expect((await converse(request, ok)).calls[0]).toBe(call);
  });
});

describe('list and search', () => {
  it('tell what the tool said', async () => {
    const { text } = await converse(
      'list src',
      script({ Glob: 'src/a.ts\n[1 of 900 files; narrow the pattern]' }),
    );
    expect(text).toBe('Files in `src`:\n\n```\nsrc/a.ts\n[1 of 900 files; narrow the pattern]\n```');
    expect((await converse('find foo', script({ Grep: 'No matches for "foo".' }))).text).toBe(
      'No matches for "foo".',
    );
  });

  it('show the first of many lines', async () => {
    const many = Array.from({ length: 100 }, (_, index) => `f${index}.ts`).join('\n');
    const { text } = await converse('list the files', script({ Glob: many }));
    expect(text).toContain('f59.ts\n… and 40 more lines');
  });

  it('say that they may not look', async () => {
    const refused = { error: 'Permission denied: Glob is refused by the deny rule Glob.' };
    const { text } = await converse('list the files', script({ Glob: refused }));
    expect(text).toBe('Glob was not permitted: Glob is refused by the deny rule Glob.');
  });
});

describe('read', () => {
  const notFound = { error: 'NotFound: "x" does not exist.' };

  it('shows the text in a longer fence than any in it', async () => {
    const { text } = await converse('read a.md', script({ Read: '1\t```\n2\tx' }));
    expect(text).toBe('`a.md`:\n\n````md\n1\t```\n2\tx\n````');
  });

  it.each([
    ['read a.md', 'deep/a.md\ndeeper/down/a.md', 'deep/a.md'],
    ['show me the readme', 'README.md\ndocs/README.md', 'README.md'],
  ])('finds the file nearest to the root: %s', async (request, found, path) => {
    const Read = ({ file_path }: JsonObject) => (file_path === path ? '1\t# A' : notFound);
    expect((await converse(request, script({ Read, Glob: found }))).text).toContain(`\`${path}\`:`);
  });

  it('asks which one is meant where there are several', async () => {
    const { text } = await converse('read a.md', script({ Read: notFound, Glob: 'x/a.md\ny/a.md' }));
    expect(text).toMatch(/several deeper; say which:\n\n```\nx\/a.md\ny\/a.md/);
  });

  it('lists a folder, and reports other failures as they are', async () => {
    const answers = script({ Read: { error: 'IsDirectory: "src" is a directory.' }, Glob: 'src/a.ts' });
    expect((await converse('show src', answers)).text).toContain('src/a.ts');
    expect((await converse('read a.ts', script({ Read: { error: 'EACCES: no' } }))).text).toBe(
      'Read failed: EACCES: no',
    );
  });

  it('shows the README and the files of a project', async () => {
    const answers = script({ Glob: 'docs/README.md\nREADME.md\nsrc/a.ts', Read: '1\t# Tea' });
    const { calls, text } = await converse('what is this project?', answers);
    expect(calls[1]).toBe('Read {"file_path":"README.md","limit":60}');
    expect(text).toMatch(/^`README.md`:\n\n```md\n1\t# Tea\n```\n\nIts files:\n\n```\ndocs/);
    expect((await converse('what is this project?', script({ Glob: 'a.ts' }))).text).toMatch(/^Its files/);
  });
});

describe('change', () => {
  const needsYes = 'Permission denied: It needs your confirmation: no rule allows it.';
  const files = { Grep: 'a.ts\nb.ts', Read: '1\tfoo', Edit: 'Edited.' };

  it('replaces in every file after reading it', async () => {
    const Edit = ({ file_path }: JsonObject) => `Edited ${String(file_path)} at line 1.`;
    const { calls, text } = await converse('replace foo with $&', script({ ...files, Edit }));
    expect(calls.slice(1, 3)).toEqual(['Read {"file_path":"a.ts"}', 'Read {"file_path":"b.ts"}']);
    expect(calls.at(-1)).toBe(
      'Edit {"file_path":"b.ts","old_string":"foo","new_string":"$&","replace_all":true}',
    );
    expect(text).toBe('- Edited a.ts at line 1.\n- Edited b.ts at line 1.');
  });

  it('stops at the first edit that is denied, and names the flag', async () => {
    const { calls, text } = await converse(
      'replace foo with bar',
      script({ ...files, Edit: { error: needsYes } }),
    );
    expect(calls.filter((call) => call.startsWith('Edit'))).toHaveLength(1);
    expect(text).toMatch(
      /^- Not changed: 2 files\.\n- a.ts: Edit was not permitted: .*`--permission-mode acceptEdits`/,
    );
  });

  it('says which files failed beside those that did not', async () => {
    const Edit = ({ file_path }: JsonObject) =>
      file_path === 'a.ts' ? 'Edited a.ts.' : { error: 'no space' };
    const { text } = await converse('replace foo with bar', script({ ...files, Edit }));
    expect(text).toBe('- Edited a.ts.\n- Not changed: 1 file.\n- b.ts: Edit failed: no space');
    const { text: nothing } = await converse(
      'replace foo with bar',
      script({ Grep: 'No matches for "foo".' }),
    );
    expect(nothing).toBe('No matches for "foo". Nothing was changed.');
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

  it('names the rule that would permit a command', async () => {
    const { text } = await converse('run echo "it\'s"', script({ Bash: { error: needsYes } }));
    expect(text).toContain(`--allow 'Bash(echo "it'\\''s")'`);
  });
});

describe('run', () => {
  it.each([
    ['run the tests', 'Makefile\npackage.json', 'npm test'],
    ['lint', 'Makefile', 'make lint'],
    ['build the project', 'Cargo.toml', 'cargo build'],
  ])('%s with %s', async (request, found, command) => {
    const { calls } = await converse(request, script({ Glob: found, Bash: 'ok' }));
    expect(calls.at(-1)).toBe(`Bash ${JSON.stringify({ command, timeout: 600_000 })}`);
  });

  it('says that it found no way', async () => {
    const { text } = await converse('build', script({ Glob: 'No files match "x".' }));
    expect(text).toMatch(/no way to build this project: it has none of package.json, Makefile/);
  });

  it('shows the end of the output, and whether it failed', async () => {
    const output = `${'line\n'.repeat(200)}FAIL\n[exit code 1]`;
    const { text } = await converse('run make', script({ Bash: { error: output } }));
    expect(text).toMatch(/^`make` failed:\n\n```\nline\n(?:line\n){57}FAIL\n\[exit code 1\]\n```$/);
    expect((await converse('run make', script({ Bash: 'a' }))).text).toMatch(
      /^`make` succeeded:\n\n```\na\n```$/,
    );
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
    expect(text).toMatch(/Step 1, list the files: done\.[\s\S]*Step 2, find foo: done\.[\s\S]*1: foo/);
  });

  it('stops at a part that fails and says what was not begun', async () => {
    const answers = script({ TodoWrite: '{}', Read: { error: 'EACCES: no' }, Glob: 'a.ts' });
    const { text } = await converse('read a.ts; list the files', answers);
    expect(text).toMatch(/Step 1, read a\.ts: failed[\s\S]*Not begun:\n- list the files/);
  });

  it('writes a plan down without doing it', async () => {
    const { calls, text } = await converse('plan: read the code; write a test', script({ TodoWrite: '{}' }));
    expect(calls).toHaveLength(1);
    expect(text).toBe('Kept as todos, none of them begun:\n\n- read the code\n- write a test');
  });

  it('continues without a todo list where the tool is off', async () => {
    const answers = script({ Glob: 'a.ts', Grep: 'a.ts\n1: foo' });
    const { calls } = await converse('list the files; find foo', answers, ['Glob', 'Grep']);
    expect(calls.map((call) => call.split(' ')[0])).toEqual(['Glob', 'Grep']);
  });
});

describe('text that comes with the request', () => {
  it.each([
    ['a tag', [{ type: 'text' as const, text: 'list the files\n\n<stdin>\nfind foo\n</stdin>' }]],
    [
      'a long block of its own',
      ['x\n'.repeat(500), 'list the files'].map((text) => ({ type: 'text' as const, text })),
    ],
  ])('is no part of it: %s', async (_, content) => {
    expect((await converse(content, ok)).calls).toEqual(['Glob {"pattern":"**/*"}']);
  });
});
