import { anthropicReply } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { expectScreen, keys, openShop, sizes, tuiHarness } from './tui.ts';

const desk = tuiHarness(openShop);
const read = (path: string, id: string) =>
  anthropicReply({ toolCalls: [{ name: 'Read', input: { file_path: path }, id }] });

describe.each(sizes)('the context screen at $columns×$rows', (size) => {
  it('folds and drops outputs when told to, and the next process still sends it so', async () => {
    const { server } = desk.stage;
    await desk.stage.file('src/legacy.js', 'const legacy = 1;\n'.repeat(700));
    await desk.stage.file('src/cart.js', 'const cart = 2;\n'.repeat(400));
    const usage = { input: 300, cacheRead: 11_000, cacheWrite: 900, output: 20 };
    server.reply(
      read('src/legacy.js', 'toolu_1'),
      anthropicReply({ text: 'It is old.' }),
      read('src/cart.js', 'toolu_2'),
      anthropicReply({ text: 'It is new.', usage }),
    );
    const tui = await desk.open([], size);
    tui.type(`read the legacy code${keys.enter}`);
    await tui.shows(/It is old\.[\s\S]*\n> Ask for a change/);
    tui.type(`and the cart${keys.enter}`);
    await tui.shows(/It is new\.[\s\S]*\n> Ask for a change/);
    tui.type(`/context${keys.enter}`);
    await tui.shows('── Context');
    await expectScreen(tui, 'context', desk.stage);
    tui.type(`d${keys.down} `);
    await tui.shows('apply 2');
    await expectScreen(tui, 'context-marked', desk.stage);
    tui.type('a');
    await tui.shows('Context edited:');
    await expectScreen(tui, 'context-applied', desk.stage);
    tui.type(keys.ctrlD);
    await tui.exit;
    const shown = await desk.stage.robota(['-p', '/context', '-c']);
    expect(shown.stdout).toMatch(/^1\. +~0 +0% {2}Read src\/legacy\.js \(turn 1, dropped, was [\d.]+K\)$/m);
    expect(shown.stdout).toMatch(/^2\. +~\d+ +0% {2}Read src\/cart\.js \(turn 2, folded, was [\d.]+K\)$/m);
    server.reply(anthropicReply({ text: 'ok' }));
    await desk.stage.robota(['-p', 'continue', '-c']);
    const sent = JSON.stringify(server.requests.at(-1)?.body);
    expect(sent).not.toContain('const legacy');
    expect(sent).not.toContain('const cart');
    expect(sent).toContain('Output of Read folded by the user');
    expect(sent.match(/"tool_use"/g)).toHaveLength(1);
    const restored = await desk.stage.robota(['-p', '/context restore 1 2', '-c']);
    expect(restored.stdout).toContain('restored 2');
    server.reply(anthropicReply({ text: 'ok' }));
    await desk.stage.robota(['-p', 'continue', '-c']);
    const whole = JSON.stringify(server.requests.at(-1)?.body);
    expect(whole).toContain('const legacy');
    expect(whole).toContain('const cart');
  });
});
