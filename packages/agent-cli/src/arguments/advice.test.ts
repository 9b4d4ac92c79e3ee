import { findCommandRow } from '@robota-sdk/agent-sdk/front-end';
import { describe, expect, it } from 'vitest';
import { advice, adviceFor } from './advice.ts';
import { optionSpecs } from './options.ts';
import { findShellRow } from './shell-rows.ts';

/** Commands of the front ends. */
const screenCommands: ReadonlySet<string> = new Set(['login', 'doctor', 'trust']);
const options = new Set(
  optionSpecs.flatMap(({ name, short, shorts = [], aliases = [] }) => [
    ...[name, ...aliases].map((each) => `--${each}`),
    ...[short, ...shorts].map((each) => `-${each}`),
  ]),
);
const names = advice.flatMap(([each]) => each.split(' '));

describe('advice on what other agents have', () => {
  it('has one row for each, and few of them', () => {
    expect(new Set(names).size).toBe(names.length);
    expect(advice.length).toBeLessThanOrEqual(40);
    expect(adviceFor('/bashes')).toBe('/tasks lists what runs in the background.');
    expect(adviceFor('--nothing')).toBeUndefined();
  });

  it.each(names.filter((name) => name.startsWith('/')))('stands in for no command of ours: %s', (name) => {
    expect(findCommandRow(name.slice(1))).toBeUndefined();
  });

  it.each(names.filter((name) => /^[a-z]/.test(name)))(
    'stands in for no shell command of ours: %s',
    (name) => {
      expect(findShellRow(name)).toBeUndefined();
    },
  );

  it.each(advice)('names only options and commands that exist: %s', (_, text) => {
    for (const [option] of text.matchAll(/(?<=^|\s)--?[a-z][a-z-]*/gi)) expect(options).toContain(option);
    for (const [, word = ''] of text.matchAll(/\{program\} ([a-z]+)/g))
      expect(word === 'acp' || findShellRow(word), word).toBeTruthy();
    for (const [, name = ''] of text.matchAll(/(?:^|[\s"])\/([a-z]+)/g))
      expect(screenCommands.has(name) || findCommandRow(name), `/${name}`).toBeTruthy();
  });

  // The flags of `claude --help` and `codex --help` that are not ours: the guides promise an alternative for each.
  it.each(
    `--advisor --append-subagent-system-prompt --bare --background --bg --brief --channels --chrome --disable-slash-commands
    --enable-auto-mode --file --from-pr --ide --init --init-only --managed-settings-in-initialize --mcp-debug --maintenance
    --output-style --plugin-dir-no-mcp --plugin-url --prompt-suggestions --autocompact --forward-subagent-text --restricted
    --system-prompt-snapshot --project-config-root --remote --remote-control --remote-control-session-name-prefix
    --resume-drops-turn --rewind-files --safe-mode --session-mirror --teammate-mode --teleport --tmux -d --ask-for-approval -a
    --approval-mode --approval-policy --approve-for-me --base --color --enable --disable --config --full-auto
    --dangerously-bypass-hook-trust --dangerously-auto-approve-everything --ignore-rules --ignore-user-config --image -i --json
    --last --local-provider --no-daemon -o --oss --output-last-message --output-schema --profile -P --permission-profile
    --provider --quiet -q -s --strict-config --trust --uncommitted -y`.split(/\s+/),
  )('has an alternative for %s of Claude Code or Codex', (flag) => {
    expect(adviceFor(flag)).toMatch(/\.$/);
  });
});
