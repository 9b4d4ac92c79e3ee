import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { detectProject } from './detect-project.ts';

describe('detectProject', () => {
  it.each([
    [{}, { type: 'unknown', language: 'unknown' }],
    [{ 'package.json': '{"name": "web"}' }, { type: 'node', language: 'javascript', name: 'web' }],
    [
      { 'package.json': '{"devDependencies": {"typescript": "5"}}', 'pnpm-lock.yaml': '' },
      { type: 'node', language: 'typescript', packageManager: 'pnpm' },
    ],
    [
      { 'package.json': '{}', 'tsconfig.base.json': '{}', 'package-lock.json': '{}' },
      { type: 'node', language: 'typescript', packageManager: 'npm' },
    ],
    [
      { 'pyproject.toml': '', 'uv.lock': '' },
      { type: 'python', language: 'python', packageManager: 'uv' },
    ],
    [{ 'Cargo.toml': '' }, { type: 'rust', language: 'rust', packageManager: 'cargo' }],
    [{ 'go.mod': '' }, { type: 'go', language: 'go', packageManager: 'go' }],
    [{ 'app.csproj': '' }, { type: 'dotnet', language: 'csharp', packageManager: 'dotnet' }],
    [{ 'package.json': 'not json' }, { type: 'node', language: 'javascript' }],
    [{ 'package.json': '{"name": 7, "dependencies": null}' }, { type: 'node', language: 'javascript' }],
  ])('%j', async (files, expected) => {
    proves('R-6', 'R-45');
    const { cwd, put } = await makeTestProject();
    for (const [name, text] of Object.entries(files)) await put(name, text);
    expect(await detectProject(cwd)).toEqual(expected);
  });

  it.each([
    ['pom.xml', 'java'],
    ['build.gradle', 'java'],
    ['build.gradle.kts', 'kotlin'],
    ['build.sbt', 'scala'],
    ['Gemfile', 'ruby'],
    ['composer.json', 'php'],
    ['mix.exs', 'elixir'],
    ['Package.swift', 'swift'],
    ['pubspec.yaml', 'dart'],
    ['CMakeLists.txt', 'c++'],
    ['meson.build', 'c'],
    ['setup.py', 'python'],
    ['lib.fsproj', 'fsharp'],
    ['app.sln', 'csharp'],
    ['deno.json', 'typescript'],
  ])('%s tells of %s', async (file, language) => {
    proves('R-45');
    const { cwd, put } = await makeTestProject();
    await put(file, '');
    expect(await detectProject(cwd)).toMatchObject({ language });
  });

  it('a directory that is not there is unknown', async () => {
    proves('R-45');
    expect(await detectProject('/nowhere/at/all')).toEqual({ type: 'unknown', language: 'unknown' });
  });
});
