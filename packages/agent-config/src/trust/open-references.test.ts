import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { describe, expect } from 'vitest';
import { referencedFiles, scriptsOf } from './referenced-files.ts';

/** A command, and a file that it runs or that names what it runs. */
const pairs: readonly (readonly [command: string, file: string])[] = [
  ['npx eslint --fix .', 'eslint.config.ts'],
  ['npx eslint --fix .', 'eslint.config.cjs'],
  ['npx eslint --fix .', '.eslintrc.yml'],
  ['npx prettier -w .', '.prettierrc'],
  ['npx prettier -w .', '.prettierrc.mjs'],
  ['npx prettier -w .', 'prettier.config.mjs'],
  ['npx vitest run', 'vitest.config.mts'],
  ['npx vitest run', 'vitest.config.js'],
  ['npx vitest run', 'vite.config.mjs'],
  ['npx jest', 'jest.config.mjs'],
  ['npx jest', 'jest.config.cjs'],
  ['npx jest', 'babel.config.js'],
  ['npx mocha', '.mocharc.cjs'],
  ['npx mocha', '.mocharc.yml'],
  ['npx lint-staged', '.lintstagedrc.json'],
  ['npx stylelint a.css', '.stylelintrc.js'],
  ['npx commitlint --edit', 'commitlint.config.js'],
  ['npx gulp', 'gulpfile.js'],
  ['npx grunt', 'Gruntfile.js'],
  ['npx ava', 'ava.config.js'],
  ['npx tailwindcss -i a.css', 'tailwind.config.js'],
  ['npx postcss a.css', 'postcss.config.js'],
  ['python3 -c "from tools import guard"', 'tools/guard.py'],
  ['ruby -Itools -rguard -e1', 'tools/guard.rb'],
  ['perl -Itools -MGuard -e1', 'tools/Guard.pm'],
  ['go run ./cmd/guard', 'cmd/guard/other.go'],
  ['git commit -m x', '.git/hooks/pre-commit'],
  ['git -c core.hooksPath=tools/hooks commit -m x', 'tools/hooks/pre-commit'],
  ['lefthook run pre-commit', '.lefthook.yml'],
  ['lefthook run pre-commit', 'lefthook.yaml'],
  ['docker build .', 'Containerfile'],
  ['docker compose up', 'docker-compose.override.yml'],
  ['./gradlew x', 'app/build.gradle'],
  ['mix test', 'mix.exs'],
  ['sbt test', 'build.sbt'],
  ['zig build', 'build.zig'],
  ['dotnet run', 'app.csproj'],
  ['swift run', 'Package.swift'],
  ['nix develop', 'flake.nix'],
  ['terraform plan', 'main.tf'],
  ['cargo run -p guard', 'crates/guard/src/main.rs'],
];

describe('a command that was trusted', () => {
  for (const [command, file] of pairs)
    stillOpen(`is bound to ${file}, or its question says that changes are not noticed: ${command}`, {
      observe: () => {
        const cwd = mkdtempSync(join(tmpdir(), 'robota-trust-'));
        for (const name of ['.git/HEAD', file]) {
          mkdirSync(dirname(join(cwd, name)), { recursive: true });
          writeFileSync(join(cwd, name), 'x\n');
        }
        const files = referencedFiles(command, cwd).map((path) => relative(cwd, path));
        const isSaid = scriptsOf(command, cwd).isPartlyFollowed?.() ?? false;
        return { isBound: files.includes(file), isSaid };
      },
      today: { isBound: false, isSaid: false },
      wanted: ({ isBound, isSaid }) => expect(isBound || isSaid).toBe(true),
    });
});
