import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SimpleCommand } from '@robota-sdk/agent-shell';
import { extractCommands } from '@robota-sdk/agent-shell';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import * as parser from 'unbash';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readingsOf } from '../match-command.ts';

const hasBash = spawnSync('/bin/bash', ['-c', 'true']).status === 0;
const names = ['alpha', 'beta', 'gamma', 'delta'];
let directory = '';
let runs = 0;

/** Every program of the scripts writes its own name to a log; there is nothing else on the PATH. */
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'differential-'));
  mkdirSync(join(directory, 'bin'));
  for (const name of names) {
    const file = join(directory, 'bin', name);
    writeFileSync(
      file,
      `#!/bin/bash\nwhile IFS= read -r -t 0.01 _; do :; done\necho ${name} >> "$LOG"\necho out\n`,
    );
    chmodSync(file, 0o755);
  }
  for (const name of ['bash', 'env', 'xargs', 'timeout', 'nohup']) {
    const real = execFileSync('/bin/bash', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    writeFileSync(join(directory, 'bin', name), `#!/bin/bash\nexec ${real} "$@"\n`);
    chmodSync(join(directory, 'bin', name), 0o755);
  }
});

// A command of the last case may still be writing.
afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));

const name = fc.constantFrom(...names);
const spelling = fc.oneof(
  name,
  name.map((text) => `"${text}"`),
  name.map((text) => `\\${text}`),
  name.map((text) => `${text.slice(0, 2)}''${text.slice(2)}`),
  name.map((text) => `$'\\x${text.charCodeAt(0).toString(16)}${text.slice(1)}'`),
  name.map((text) => `./bin/${text}`),
  name.map((text) => `FOO=1 ${text}`),
);
const wrapper = fc.constantFrom(
  '',
  '',
  '',
  'env ',
  'env A=1 ',
  'command ',
  'exec ',
  'timeout 5 ',
  'nohup ',
  'time ',
  '! ',
);

const { statement } = fc.letrec<{ statement: string; simple: string; quoted: string }>((tie) => ({
  simple: fc
    .tuple(wrapper, spelling, fc.constantFrom('', ' x', " 'a; b'", ' "c $d"', ' >/dev/null', ' 2>&1'))
    .map((parts) => parts.join('')),
  quoted: tie('statement').map((text) => `'${text.replaceAll("'", `'\\''`)}'`),
  statement: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'statement' },
    tie('simple'),
    fc
      .tuple(tie('statement'), fc.constantFrom(' && ', ' || ', '; ', ' | ', '\n'), tie('statement'))
      .map((parts) => parts.join('')),
    tie('statement').map((text) => `(${text}\n)`),
    tie('statement').map((text) => `{ ${text}\n}`),
    tie('statement').map((text) => `if ${text}\nthen ${text}\nelse ${text}\nfi`),
    tie('statement').map((text) => `for v in 1 2; do ${text}\ndone`),
    tie('statement').map((text) => `f() { ${text}\n}; f`),
    tie('statement').map((text) => `case x in y) ${text}\n;; *) ${text}\n;; esac`),
    tie('statement').map((text) => `: "$(${text}\n)"`),
    tie('statement').map((text) => `: <(${text}\n)`),
    tie('statement').map((text) => `: <<EOF\n$(${text}\n)\nEOF`),
    tie('statement').map((text) => `: <<'EOF'\n${text}\nEOF`),
    tie('quoted').map((text) => `bash -c ${text}`),
    tie('quoted').map((text) => `eval ${text}`),
    fc.tuple(name, fc.constantFrom('', ' x')).map(([text, rest]) => `C=${text}; $C${rest}`),
    name.map((text) => `{${text},x}`),
    name.map((text) => `: \${UNSET:-$(${text})}`),
    name.map((text) => `: $(( 1 + $(${text} >/dev/null; : ) 1 ))`),
  ),
}));

describe.skipIf(!hasBash)('commands under a real bash', () => {
  it('whatever runs was extracted, or the script was called uncertain', () => {
    proves('E-39');
    fc.assert(
      fc.property(statement, (script) => {
        const extracted = extractCommands(script, parser);
        if (extracted.doubts.length > 0) return;
        const known = namesIn(extracted.commands);
        for (const ran of runUnderBash(script)) expect(known, script).toContain(ran);
      }),
      { numRuns: 80 },
    );
  });
});

/** Names of the programs that really ran. */
function runUnderBash(script: string): string[] {
  // A new file for each: background processes of a script may still write after the next has begun.
  runs += 1;
  const log = join(directory, `log-${runs}`);
  writeFileSync(log, '');
  spawnSync('/bin/bash', ['--noprofile', '--norc', '-c', script], {
    cwd: directory,
    env: { PATH: join(directory, 'bin'), LOG: log },
    stdio: 'ignore',
    timeout: 60_000,
  });
  return [...new Set(readFileSync(log, 'utf8').split('\n'))].filter((line) => line !== '');
}

function namesIn(commands: readonly SimpleCommand[], assigned = new Map([['C', names]])): string[] {
  const variables = { home: '/home/u', cwd: '/ws', assigned };
  return commands.flatMap((command) => [
    ...readingsOf(command, variables).map((reading) => reading.split(' ')[0] ?? ''),
    ...namesIn(command.runs, assigned),
  ]);
}
