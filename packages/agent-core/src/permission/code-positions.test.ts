// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines of bash.
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RealWorkspace } from './fixtures/real-workspace.ts';

let place: RealWorkspace;
beforeAll(() => {
  place = new RealWorkspace();
  place.write('a.txt', 'x\n');
  place.git('init', '-q');
});
afterAll(() => place.remove());

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
/** A string of a program's own language, whole, in two parts, or with an escape. */
const string = (text: string, { joint, isEscaped }: Spelling): string => {
  const literal = (part: string) => JSON.stringify(part).replaceAll('$', '\\$');
  if (isEscaped) return literal(text).replace('t', '\\x74');
  return joint === undefined ? literal(text) : literal(text.slice(0, 2)) + joint + literal(text.slice(2));
};

interface Spelling {
  readonly joint?: string | undefined;
  readonly isEscaped?: boolean;
}

interface Position {
  readonly program: string;
  readonly joint?: string;
  readonly line: (command: string, spelling: Spelling) => string;
}

/** Places where a program takes text and runs it. */
const positions: readonly Position[] = [
  { program: 'perl', joint: '.', line: (text, how) => `perl -e ${quoted(`system ${string(text, how)}`)}` },
  {
    program: 'perl',
    joint: '.',
    line: (text, how) => `perl -e ${quoted(`open F, "|".${string(text, how)}`)}`,
  },
  { program: 'perl', line: (text) => `perl -e ${quoted('open F, "-|", @ARGV; <F>')} sh -c ${quoted(text)}` },
  { program: 'perl', line: (text) => `perl <<< ${quoted(`qx{${text}}`)}` },
  { program: 'perl', line: (text) => `echo ${quoted(text)} | perl -ne ${quoted('system $_')}` },
  {
    program: 'python3',
    joint: '+',
    line: (text, how) => `python3 -c ${quoted(`import os; os.system(${string(text, how)})`)}`,
  },
  {
    program: 'python3',
    joint: ' ',
    line: (text, how) => `python3 - <<'E'\nimport os\nos.popen(${string(text, how)}).read()\nE`,
  },
  {
    program: 'node',
    joint: '+',
    line: (text, how) => `node -e ${quoted(`require("child_process").execSync(${string(text, how)})`)}`,
  },
  {
    program: 'awk',
    joint: ' ',
    line: (text, how) => `awk ${quoted(`BEGIN { system(${string(text, { ...how, isEscaped: false })}) }`)}`,
  },
  { program: 'awk', line: (text) => `awk ${quoted('{ print | $0 }')} <<< ${quoted(text)}` },
  { program: 'sed', line: (text) => `sed ${quoted(`1e ${text}`)} a.txt` },
  { program: 'sed', line: (text) => `sed e <<< ${quoted(text)}` },
  { program: 'ed', line: (text) => `ed -s a.txt <<< ${quoted(`!${text}`)}` },
  { program: 'ed', line: (text) => `printf '%s\\n' ${quoted(`r !${text}`)} | ed -s` },
  { program: 'ex', line: (text) => `ex -sc ${quoted(`!${text}`)} -c 'q!' a.txt` },
  { program: 'vim', line: (text) => `vim -es ${quoted(`+!${text}`)} '+q!' a.txt` },
  { program: 'gdb', line: (text) => `gdb -nx -batch -ex ${quoted(`shell ${text}`)}` },
  { program: 'sqlite3', line: (text) => `sqlite3 :memory: ${quoted(`.shell ${text}`)}` },
  { program: 'tclsh', line: (text) => `tclsh <<< ${quoted(`exec sh -c {${text}}`)}` },
  { program: 'make', line: (text) => `make --eval=${quoted(`x: ; ${text}`)} x` },
  { program: 'make', line: (text) => `make -f - C=${quoted(text)} <<< 'x: ; $(C)'` },
  { program: 'git', line: (text) => `git -c alias.x=${quoted(`!${text}`)} x` },
  {
    program: 'git',
    line: (text) =>
      `GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0=${quoted(`!${text}`)} git x`,
  },
  {
    program: 'git',
    line: (text) =>
      `env GIT_EDITOR=${quoted(`${text};`)} git -c user.name=a -c user.email=b commit --allow-empty`,
  },
  { program: 'env', line: (text) => `env -S${quoted(`sh -c "${text.replaceAll(/["\\$]/g, '')}"`)}` },
  { program: 'bash', line: (text) => `env 'BASH_FUNC_ls%%=() { '${quoted(text)}$'\\n}' bash -c ls` },
  { program: 'bash', line: (text) => `bash -c 'eval "$1"' _ ${quoted(text)}` },
];
/** Ways to write the command. */
const commands = [
  'touch MARK',
  "t''ouch MARK",
  '"touch" MARK',
  'to\\uch MARK',
  'true; touch MARK',
  'true | touch MARK',
  'X=1 touch MARK',
  'env touch MARK',
  'nice -n 1 touch MARK',
  '(touch MARK)',
  '{ touch MARK; }',
  '/usr/bin/touch MARK',
  'sh -c "touch MARK"',
  'echo MARK | xargs touch',
];
const around = [
  (line: string) => line,
  (line: string) => `true && ${line}`,
  (line: string) => `{ ${line}\n}`,
  (line: string) => `( ${line}\n)`,
  (line: string) => `bash -c ${quoted(line)}`,
  (line: string) => `echo "$( ${line}\n)"`,
];

describe('positions of code', () => {
  it.each(positions.map((position, index) => ({ ...position, index })))(
    '$program runs what position $index gives it, and the deny rule refuses it',
    async ({ line, program }) => {
      proves('R-10');
      const command = line(`touch ${place.canary}`, {});
      const isHere = place.run(`command -v ${program}`).output !== '';
      if (isHere) expect(place.run(command), command).toMatchObject({ hasCanary: true });
      const decision = await place.judge(command, { deny: ['Bash(touch *)'] }, { mode: 'bypassPermissions' });
      expect(decision.verdict, command).not.toBe('allow');
    },
  );

  it('no spelling of a denied command gets through any of them', async () => {
    proves('E-39', 'R-10');
    const cases = fc.record({
      position: fc.constantFrom(...positions),
      command: fc.constantFrom(...commands),
      wrap: fc.constantFrom(...around),
      isJoined: fc.boolean(),
      isEscaped: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ position, command, wrap, isJoined, isEscaped }) => {
        const joint = isJoined ? position.joint : undefined;
        const line = wrap(position.line(command.replaceAll('MARK', place.canary), { joint, isEscaped }));
        const { verdict } = await place.judge(
          line,
          { deny: ['Bash(touch *)'] },
          { mode: 'bypassPermissions' },
        );
        if (verdict === 'allow')
          expect(place.run(`timeout 5 bash -c ${quoted(line)}`).hasCanary, line).toBe(false);
      }),
      { numRuns: 1_500 },
    );
  });
});
