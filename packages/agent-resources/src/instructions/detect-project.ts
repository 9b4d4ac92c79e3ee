import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { readProjectFile } from '@robota-sdk/agent-config';
import {
  anyObject,
  checkArguments,
  object,
  orElse,
  parseJson,
  pathShape,
  text,
} from '@robota-sdk/agent-core';

/** The kind of project in a directory, detected from its files. */
export interface ProjectInfo {
  /** Such as `node`, `python`, `rust`; `unknown` otherwise. */
  readonly type: string;
  /** The main programming language. */
  readonly language: string;
  readonly name?: string;
  /** `npm`, `pnpm`, `yarn`, `bun`, `uv`, `cargo`… */
  readonly packageManager?: string;
}

interface Marker {
  readonly file: RegExp;
  readonly type: string;
  readonly language: string;
  readonly packageManager?: string;
}

/** Files that identify a project; the first that exists decides. */
const markers: readonly Marker[] = [
  { file: /^package\.json$/, type: 'node', language: 'javascript' },
  { file: /^deno\.jsonc?$/, type: 'deno', language: 'typescript' },
  { file: /^pyproject\.toml$/, type: 'python', language: 'python' },
  { file: /^(requirements\.txt|setup\.py|Pipfile)$/, type: 'python', language: 'python' },
  { file: /^Cargo\.toml$/, type: 'rust', language: 'rust', packageManager: 'cargo' },
  { file: /^go\.mod$/, type: 'go', language: 'go', packageManager: 'go' },
  { file: /^pom\.xml$/, type: 'java', language: 'java', packageManager: 'maven' },
  { file: /^build\.gradle\.kts$/, type: 'jvm', language: 'kotlin', packageManager: 'gradle' },
  { file: /^build\.gradle$/, type: 'java', language: 'java', packageManager: 'gradle' },
  { file: /^build\.sbt$/, type: 'jvm', language: 'scala', packageManager: 'sbt' },
  { file: /^(deps\.edn|project\.clj)$/, type: 'jvm', language: 'clojure' },
  { file: /\.fsproj$/, type: 'dotnet', language: 'fsharp', packageManager: 'dotnet' },
  { file: /\.(csproj|slnx?)$/, type: 'dotnet', language: 'csharp', packageManager: 'dotnet' },
  { file: /^Gemfile$/, type: 'ruby', language: 'ruby', packageManager: 'bundler' },
  { file: /^composer\.json$/, type: 'php', language: 'php', packageManager: 'composer' },
  { file: /^mix\.exs$/, type: 'elixir', language: 'elixir', packageManager: 'mix' },
  { file: /^Package\.swift$/, type: 'swift', language: 'swift', packageManager: 'swift' },
  { file: /^pubspec\.yaml$/, type: 'dart', language: 'dart', packageManager: 'pub' },
  { file: /^build\.zig$/, type: 'zig', language: 'zig', packageManager: 'zig' },
  { file: /^(stack\.yaml|cabal\.project)$|\.cabal$/, type: 'haskell', language: 'haskell' },
  { file: /^dune-project$/, type: 'ocaml', language: 'ocaml', packageManager: 'opam' },
  { file: /^rebar\.config$/, type: 'erlang', language: 'erlang', packageManager: 'rebar3' },
  { file: /^Project\.toml$/, type: 'julia', language: 'julia' },
  { file: /^CMakeLists\.txt$/, type: 'cmake', language: 'c++' },
  { file: /^(meson\.build|configure\.ac)$/, type: 'native', language: 'c' },
  { file: /^main\.tf$/, type: 'terraform', language: 'hcl' },
  { file: /^Makefile$/, type: 'make', language: 'unknown' },
];

const lockFiles: readonly (readonly [string, string])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['uv.lock', 'uv'],
  ['poetry.lock', 'poetry'],
];

/** Identifies the project in a directory by its files. */
export async function detectProject(cwd: string): Promise<ProjectInfo> {
  checkArguments('detectProject', { cwd: [cwd, pathShape] });
  const names = await namesIn(cwd);
  const marker = markers.find(({ file }) => names.some((name) => file.test(name)));
  if (!marker) return { type: 'unknown', language: 'unknown' };
  const packageManager = lockFiles.find(([lock]) => names.includes(lock))?.[1] ?? marker.packageManager;
  const manifest = marker.type === 'node' ? readManifest(join(cwd, 'package.json')) : undefined;
  const typescript =
    names.some((name) => /^tsconfig(\..+)?\.json$/.test(name)) || manifest?.typescript === true;
  return {
    type: marker.type,
    language: marker.type === 'node' && typescript ? 'typescript' : marker.language,
    ...(manifest?.name === undefined ? {} : { name: manifest.name }),
    ...(packageManager === undefined ? {} : { packageManager }),
  };
}

/** Directories with more entries contain data; a marker is unlikely among so many. */
const maxEntries = 5_000;

async function namesIn(directory: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(directory, { bufferSize: 512 })) {
      names.push(name);
      if (names.length === maxEntries) break;
    }
  } catch {
    return names;
  }
  return names;
}

function readManifest(path: string): { name?: string; typescript: boolean } {
  const written = orElse(() => readProjectFile(path, undefined), '');
  const { name, devDependencies, dependencies } = manifestShape.parse(parseJson(written)) ?? {};
  const typescript = Object.hasOwn({ ...dependencies, ...devDependencies }, 'typescript');
  return { ...(name === undefined ? {} : { name }), typescript };
}

const manifestShape = object({}, { name: text, devDependencies: anyObject, dependencies: anyObject });
