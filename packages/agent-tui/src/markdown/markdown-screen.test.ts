import { proves } from '@robota-sdk/agent-testing/proves';
import xterm from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { createRenderStyle } from '../components/render-style.ts';
import { Screen } from '../frame/screen.ts';
import { VirtualTerminal } from '../terminal/virtual-terminal.ts';
import { plainText } from '../text/styled-text.ts';
import { darkTheme } from '../theme/built-in-themes.ts';
import { Theme } from '../theme/theme.ts';
import { Markdown } from './markdown.ts';

const columns = 40;
const rows = 10;
const look = createRenderStyle({ paint: (token, text) => new Theme(darkTheme(), 'true').paint(token, text) });
const answer = Array.from({ length: 8 }, (_, index) => [
  `## Part ${index} 부분`,
  '',
  `Words of part ${index} that go on for longer than one line, with **marks** 그리고 한국어 문장.`,
  '',
  `- item ${index}`,
  '  - inner 中文',
  '',
  '```ts',
  ...Array.from({ length: 14 }, (_line, line) => `const value${index}_${line} = "${line}"; // 주석`),
  '```',
  '',
  '| a | b |',
  '|---|---|',
  `| ${index} | 값 |`,
  '',
])
  .flat()
  .join('\n');

describe('Markdown on a screen', () => {
  it('comes into the scrollback line by line, none missing and none twice, while it streams', async () => {
    proves('P-107', 'C-100');
    const terminal = new VirtualTerminal(columns, rows);
    const markdown = new Markdown({ look });
    const screen = new Screen(terminal, {
      render: (size) => ({ lines: [...markdown.render(size.columns), '> '] }),
      input: () => undefined,
    });
    screen.start();
    for (let start = 0; start < answer.length; start += 11) {
      markdown.append(answer.slice(start, start + 11));
      screen.commit(markdown.takeStable(columns));
      screen.flush();
    }
    markdown.finish();
    screen.commit(markdown.takeStable(columns));
    await screen.stop();

    expect(terminal.output).not.toMatch(/\[[23]J/);
    const whole = new Markdown({ look });
    whole.append(answer);
    whole.finish();
    const lines = whole.render(columns).map((line) => plainText(line).trimEnd());
    expect(await seen(terminal.output)).toEqual(lines);
  });
});

/** The scrollback and screen that a user sees. */
async function seen(output: string): Promise<string[]> {
  const emulator = new xterm.Terminal({ cols: columns, rows, scrollback: 1000, allowProposedApi: true });
  await new Promise<void>((resolve) => emulator.write(output, resolve));
  const { active } = emulator.buffer;
  const lines = Array.from({ length: active.length }, (_, row) =>
    active.getLine(row)!.translateToString(true).trimEnd(),
  );
  while (lines.at(-1) === '') lines.pop();
  return lines;
}
