import { proves } from '@robota-sdk/agent-testing/proves';
import { detectCapabilities } from '@robota-sdk/agent-tui';
import { describe, expect, it } from 'vitest';
import { UserNotifier } from './user-notifier.ts';

function open(env: Record<string, string> = { TERM: 'xterm-ghostty' }, { isWanted = true } = {}) {
  const written: string[] = [];
  const clock = { time: 0 };
  const notifier = new UserNotifier({
    capabilities: () => detectCapabilities(env, 'linux'),
    signal: (sequence) => written.push(sequence.replaceAll('\u001b', 'ESC').replaceAll('\u0007', 'BEL')),
    isWanted: () => isWanted,
    title: () => 'shop',
    now: () => clock.time,
  });
  /** Output since the last call. */
  const news = () => written.splice(0);
  return { notifier, news, clock };
}

const answer = { status: 'completed', text: 'The total\nincludes tax.' } as const;
const told = 'ESC]9;robota shop: The total includes tax.ESC\\';

describe('a user who looks elsewhere', () => {
  it('sees the activity in the title and in the tab', () => {
    proves('P-78', 'P-80');
    const { notifier, news } = open();
    notifier.start();
    expect(news()).toEqual(['ESC]0;robota shopESC\\']);
    notifier.runBegins();
    expect(news()).toEqual(['ESC]0;* robota shopESC\\', 'ESC]9;4;3;0ESC\\']);
    const over = notifier.questionWaits('Robota wants to run a command');
    expect(news()).toEqual(['ESC]0;? robota shopESC\\', 'ESC]9;4;4;100ESC\\']);
    over();
    over();
    expect(news()).toEqual(['ESC]0;* robota shopESC\\', 'ESC]9;4;3;0ESC\\']);
    notifier.runEnds(answer);
    expect(news()).toEqual(['ESC]0;robota shopESC\\', 'ESC]9;4;0;0ESC\\']);
    notifier.runBegins();
    news();
    notifier.stop();
    expect(news()).toEqual(['ESC]9;4;0;0ESC\\']);
  });

  it('is told when a run ends or a question waits', () => {
    const { notifier, news } = open();
    notifier.focus(false);
    notifier.runBegins();
    news();
    notifier.questionWaits('Robota wants to\u0007 run a command')();
    expect(news()).toContain('ESC]9;robota shop: Robota wants to run a commandESC\\');
    notifier.runEnds(answer);
    expect(news()).toContain(told);
    notifier.runBegins();
    notifier.runEnds({ status: 'failed', text: 'Anthropic refused the key.' });
    expect(news()).toContain('ESC]9;robota shop: failed: Anthropic refused the key.ESC\\');
    notifier.runBegins();
    notifier.runEnds({ status: 'aborted', text: '' });
    expect(news().join('')).not.toContain(']9;robota');
  });

  it('is told of a run that took long, and not of a short one that was watched', () => {
    const { notifier, news, clock } = open();
    notifier.runBegins();
    clock.time = 29_000;
    notifier.runEnds(answer);
    expect(news()).not.toContain(told);
    notifier.runBegins();
    clock.time += 30_000;
    notifier.runEnds(answer);
    expect(news()).toContain(told);
  });

  it('hears a bell where the terminal knows no notifications, and nothing where that is not wanted', () => {
    const { notifier, news } = open({ TERM: 'xterm' });
    notifier.focus(false);
    notifier.runBegins();
    notifier.runEnds(answer);
    expect(news()).toContain('BEL');
    const silent = open({ TERM: 'xterm' }, { isWanted: false });
    silent.notifier.focus(false);
    silent.notifier.runBegins();
    silent.notifier.runEnds(answer);
    expect(silent.news()).not.toContain('BEL');
    const dumb = open({ TERM: 'dumb' });
    dumb.notifier.start();
    expect(dumb.news()).toEqual([]);
  });
});
