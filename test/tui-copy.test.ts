import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Terminal } from './terminal.ts';
import { keys, openClassicShop, openShop, tuiHarness } from './tui.ts';

const columns = 60;

const words = fc.constantFrom(
  'const total = 1;',
  '한국어',
  '漢字、かな。',
  'ширина',
  'مرحبا',
  'שלום עולם',
  'cafe\u0301',
  'नमस्ते',
  'ไทย',
  '👍',
  '👩\u200d🚀',
  '❤\ufe0f',
  '→ ─ │ ✓ …',
  '  ',
  '`a` **b** # c',
  'https://example.com/a/very/long/path?with=a&query=string',
);
const indents = fc.constantFrom('', '\t', '\t\t', '    ', '  ', '\t ');
/** A line of code; terminals copy no blanks at the end of a line. */
const codeLine = fc.oneof(
  fc.constant(''),
  fc
    .tuple(indents, fc.array(words, { minLength: 1, maxLength: 14 }))
    .map(([indent, parts]) => (indent + parts.join(' ')).trimEnd()),
  fc
    .tuple(fc.constantFrom('all:', 'a', ''), words)
    .map(([name, text]) => `${name}\t${text.trim()}`.trimEnd()),
);
const blocks = fc.array(
  fc.record({
    language: fc.constantFrom('', 'ts', 'go', 'make', 'sh', 'text'),
    lines: fc.array(codeLine, { minLength: 1, maxLength: 8 }),
    container: fc.constantFrom('', '- ', '1. '),
  }),
  { minLength: 12, maxLength: 12 },
);

/** An answer with code, each block between two lines by which it is found again. */
function answerOf(made: readonly CodeBlock[]): string {
  return made
    .map(({ language, lines, container }, index) => {
      const indent = ' '.repeat(container.length);
      const code = [`begin-${index}.`, ...lines, `end-${index}.`].map((line) => indent + line);
      return `${container}Block ${index}:\n\n${indent}\`\`\`\`${language}\n${code.join('\n')}\n${indent}\`\`\`\`\n`;
    })
    .join('\n');
}

type CodeBlock = ReturnType<typeof sampled>[number][number];

function sampled() {
  return fc.sample(blocks, 2);
}

async function expectCopied(tui: Terminal, made: readonly CodeBlock[]): Promise<void> {
  for (const [index, { lines }] of made.entries()) {
    const copied = await tui.copied(`begin-${index}.`, `end-${index}.`);
    expect(copied).toBe([`begin-${index}.`, ...lines, `end-${index}.`].join('\n'));
  }
}

for (const [view, openStage] of [
  ['compact', openShop],
  ['classic', openClassicShop],
] as const)
  describe(`a selection in the ${view} view`, () => {
    const desk = tuiHarness(openStage);

    it('pastes code of any script exactly as it was written, live, resumed and in another width', async () => {
      for (const made of sampled()) {
        const text = answerOf(made);
        const pieces = text.match(/[\s\S]{1,23}/g) ?? [];
        desk.stage.server.reply(anthropicReply({ text: [...pieces, '\n\nThat is all.'] }));
        const tui = await desk.open([], { columns, rows: 30 });
        tui.type(`how?${keys.enter}`);
        await tui.shows('That is all.');
        await expectCopied(tui, made);
        tui.resize(47, 30);
        await tui.shows(/─{47}\n> Ask/);
        await expectCopied(tui, made);
        tui.type(`/exit${keys.enter}`);
        await tui.exit;
        const again = await desk.open(['-c'], { columns, rows: 30 });
        await again.shows(/That is all\.[\s\S]*Resumed/);
        await expectCopied(again, made);
        again.type(`/exit${keys.enter}`);
        await again.exit;
      }
    });
  });

describe('/copy', () => {
  const desk = tuiHarness(openShop);
  const code = 'const a = 1;\n\tconst b = 2;';
  const answers = [
    `First:\n\n\`\`\`ts\n${code}\n\`\`\`\n\n- In a list:\n\n  \`\`\`sh\n  npm test\n  \`\`\`\n`,
    'No code, *only* words.',
  ];

  /** The last text that was sent to the clipboard of the terminal. */
  const sentTo = ({ raw }: Terminal) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    const found = [...raw.matchAll(/\u001b\]52;c;([^\u001b]*)\u001b\\/g)].at(-1)?.[1] ?? '';
    return Buffer.from(found, 'base64').toString();
  };

  it('copies the last block, the N-th last one or the whole answer by the terminal, and says which', async () => {
    desk.stage.server.reply(...answers.map((text) => anthropicReply({ text })));
    const tui = await desk.open([], { columns: 80, rows: 30 });
    tui.type(`/copy${keys.enter}`);
    await tui.shows('No answer to copy yet.');
    tui.type(`code${keys.enter}`);
    await tui.shows(/npm test\n[\s\S]*out\b/);
    const says = async (command: string, notice: string) => {
      tui.type(`${command}${keys.enter}`);
      await tui.shows(new RegExp(`\n${notice}$`));
      return sentTo(tui);
    };
    expect(await says('/copy', 'Copied 1 line of sh, if the terminal allows it')).toBe('npm test');
    expect(await says('/copy 2', 'Copied 2 lines of ts, if the terminal allows it')).toBe(code);
    await says('/copy 3', 'No block 3: only 2 blocks of code\\.');
    await says('/copy all', 'Expected a number of a block, counted from the last: /copy 2\\. Got "all"\\.');
    tui.type(`words${keys.enter}`);
    await tui.shows('only words.');
    expect(await says('/copy', 'Copied the last answer, 1 line, if the terminal allows it')).toBe(answers[1]);
    expect(await says('/copy 1', 'Copied 1 line of sh, if the terminal allows it')).toBe('npm test');
  });

  it('uses the program that the machine has for its clipboard', async () => {
    const folder = join(desk.stage.home, 'bin');
    await mkdir(folder);
    await writeFile(join(folder, 'xclip'), '#!/bin/sh\necho "$@" > "$HOME/args"\ncat > "$HOME/clip"\n');
    await chmod(join(folder, 'xclip'), 0o755);
    desk.stage.server.reply(anthropicReply({ text: answers[0] ?? '' }));
    const env = { DISPLAY: ':7', PATH: `${folder}:${process.env['PATH']}` };
    const tui = await desk.open([], { columns: 80, rows: 30, env });
    tui.type(`code${keys.enter}`);
    await tui.shows(/npm test\n[\s\S]*out\b/);
    tui.type(`/copy 2${keys.enter}`);
    await tui.shows(/\nCopied 2 lines of ts$/);
    expect(await readFile(join(desk.stage.home, 'clip'), 'utf8')).toBe(code);
    expect(await readFile(join(desk.stage.home, 'args'), 'utf8')).toBe('-selection clipboard\n');
    expect(sentTo(tui)).toBe(code);
  });
});
