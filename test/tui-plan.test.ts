import { anthropicReply } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { expectNothingWiped, expectScreen, keys, openShop, tuiHarness } from './tui.ts';

const desk = tuiHarness(openShop, expectNothingWiped);
const { open } = desk;

describe('the question whether a plan is approved', () => {
  const plan = [
    '# Plan: make the total include the tax',
    '',
    '1. Apply taxRate in total()  src/cart.js:11',
    '2. Round once, at the end  src/format.js:4',
    '3. Add a test for 0 % and 19 %  test/cart.test.js',
    '',
    'Check: `npm test`',
  ].join('\n');

  it('takes comments on its steps, and says how it was approved', async () => {
    desk.stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'ExitPlanMode', input: { plan } }] }),
      anthropicReply({ toolCalls: [{ name: 'ExitPlanMode', input: { plan } }] }),
      anthropicReply({ text: 'Begun.' }),
    );
    const tui = await open(['--permission-mode', 'plan', 'add the tax']);
    await tui.shows('❯ 1  Approve, and accept all edits');
    tui.type(`${keys.tab}${keys.tab}half-even, please`);
    await tui.shows('│ half-even, please');
    await expectScreen(tui, 'question-plan', desk.stage);
    tui.type(keys.enter);
    await tui.shows('tab comment');
    tui.type(`3${keys.enter}`);
    await tui.shows(/Plan not approved yet[\s\S]*❯ 1 {2}Approve/);
    expect(desk.stage.results(1)[0]?.text).toContain('\n\nStep 2: half-even, please');
    tui.type(keys.enter);
    await tui.shows('Begun.');
    expect(await tui.screen()).toContain('✓ Plan approved · accept edits · 3 steps');
  });

  it('approves the plan as it was changed in the editor', async () => {
    desk.stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'ExitPlanMode', input: { plan } }] }),
      anthropicReply({ text: 'Begun.' }),
    );
    const editor = `sed -i '/^3/d'`;
    const tui = await open(['--permission-mode', 'plan', 'add the tax'], { env: { VISUAL: editor } });
    await tui.shows('3. Add a test');
    await tui.shows('❯ 1  Approve, and accept all edits');
    tui.type(keys.ctrlG);
    await expect.poll(async () => (await tui.viewport()).join('\n')).not.toContain('3. Add a test');
    await tui.shows('❯ 1  Approve, and accept all edits');
    tui.type(`2${keys.enter}`);
    await tui.shows('Begun.');
    const told = desk.stage.results(1)[0]?.text ?? '';
    expect(told).toContain('2. Round once');
    expect(told).not.toContain('3. Add a test');
    expect(await tui.screen()).toContain('✓ Plan approved · default · 2 steps');
  });
});
