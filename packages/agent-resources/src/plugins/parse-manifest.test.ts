import { AgentError, describeProblems, type JsonObject, type JsonValue } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSource } from '../plugin-source/parse-source.ts';
import { parseManifest } from './parse-manifest.ts';

function parse(value: JsonObject, written = '') {
  return parseManifest({ file: 'plugin.json', text: written, value });
}

const texts = (values: readonly unknown[] = []) => values.every((each) => typeof each === 'string');

describe('the manifest of a plugin', () => {
  it('of any JSON has fields of the right types', () => {
    const names = ['version', 'description', 'author', 'keywords', 'tags', 'skills', 'commands', 'hooks'];
    const more = ['mcpServers', 'permissions', 'systemPrompt', 'features', 'lspServers', 'homepage', 'x'];
    const near = fc.constantFrom('./a', ['./a', 5], { allow: ['x', 1], deny: 'y' }, { name: 1 }, '1.0');
    const value = fc.dictionary(fc.constantFrom(...names, ...more), fc.oneof(fc.jsonValue(), near));
    fc.assert(
      fc.property(value, (written) => {
        const { manifest, fields, problems } = parse({ ...(written as JsonObject), name: 'p' });
        const { keywords, ...about } = manifest;
        expect(texts([...keywords, ...Object.values(about)])).toBe(true);
        const { skills, commands, permissions, hooks = [], mcpServers = [] } = fields;
        expect(texts([...(skills ?? []), ...(commands ?? [])])).toBe(true);
        expect(texts(Object.values(permissions ?? {}).flat())).toBe(true);
        for (const part of [...hooks, ...mcpServers])
          expect(typeof part === 'string' || !Array.isArray(part)).toBe(true);
        for (const { source } of problems) expect(source.file).toBe('plugin.json');
      }),
      { numRuns: 300 },
    );
  });

  it('names what it cannot use, and is silent about fields of other programs that do no harm', () => {
    const written = '{\n"name": "p",\n"version": "one two",\n"skills": ["./a", 5]\n}';
    const value = {
      name: 'p',
      version: 'one two',
      skills: ['./a', 5],
      author: { name: 'Ann', email: 'a@x.test', url: 'https://x.test' },
      keywords: 'one',
      customField: 1,
    };
    const { manifest, fields, problems } = parse(value, written);
    expect(manifest).toEqual({ name: 'p', author: 'Ann <a@x.test>', keywords: [] });
    expect(fields.skills).toEqual(['./a']);
    expect(describeProblems(problems)).toEqual([
      'plugin.json:3: version: expected a version like 1.2.0, got the string "one two"',
      'plugin.json:4: skills[1]: expected a path, got 5',
    ]);
  });
});

describe('the source of a plugin', () => {
  it('of any JSON is a source, or an error for users', () => {
    const names = ['source', 'type', 'repo', 'url', 'path', 'ref', 'sha', 'package'];
    const near = fc.constantFrom('github', 'git', 'npm', 'a/b', 'https://x.test/a.git', './a', 'name');
    const value = fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.jsonValue(), near));
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), value), (written) => {
        try {
          expect(texts(Object.values(readSource(written as JsonValue, { local: true })))).toBe(true);
        } catch (thrown) {
          expect(AgentError.is(thrown) && thrown.code).toBe('config');
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is refused where its pin cannot be used, rather than taken without it', () => {
    const source = { source: 'github', repo: 'a/b', sha: 5 };
    expect(() => readSource(source, { local: false })).toThrow(
      'the "source" is invalid: sha: expected a string, got 5.',
    );
  });
});
