import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UserContent } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';

const said = (text: string): readonly UserContent[] => [{ type: 'text', text }];
const picture: readonly UserContent[] = [{ type: 'image', mimeType: 'image/png', data: 'aGk=' }];
const fileOf = (session: InteractiveSession) => join(session.outputDir, '..', 'queue.json');
const textsIn = (session: InteractiveSession) =>
  existsSync(fileOf(session)) ? JSON.stringify(JSON.parse(readFileSync(fileOf(session), 'utf8'))) : '';

/** A place with a session that was left while messages were queued. */
async function leftBehind() {
  const place = await makeTestProject();
  const { session } = await openScripted(place, [{ text: 'ok' }], { store: 'new' });
  await session.submit('go');
  session.steer(said('now'));
  session.steer(picture);
  session.queue.remind(said('attached'));
  session.followUp(said('later'));
  session.unsent.hold(['/compact']);
  await session.shutdown();
  return place;
}

describe('UnsentMessages', () => {
  it('has a message on disk until the conversation has it, even while a hook judges it', async () => {
    const place = await makeTestProject();
    const seen: string[] = [];
    const script = [
      { text: 'a', before: () => session.steer(said('mind the tests')) },
      { text: 'b' },
      { text: 'c' },
    ];
    const { session } = await openScripted(place, script, { store: 'new' });
    session.hooks.add(
      'input',
      async ({ text }) => {
        if (text === 'mind the tests') session.followUp(said('meanwhile'));
        seen.push(textsIn(session));
        return {};
      },
      'test',
    );
    await session.submit('go');
    expect(seen.filter((text) => text.includes('mind the tests') && text.includes('meanwhile'))).not.toEqual(
      [],
    );
    expect(existsSync(fileOf(session))).toBe(false);
    await session.shutdown();
  });

  it('returns what an earlier process left as texts, and keeps it until the next message', async () => {
    const place = await leftBehind();
    const { session } = await openScripted(place, [{ text: 'ok' }], { store: 'latest' });
    session.unsent.hold([]);
    expect(session.unsent.restore({ toQueue: false })).toEqual(['now', '', 'later', '/compact']);
    expect(textsIn(session)).toContain('later');
    expect(session.unsent.restore({ toQueue: false })).toEqual([]);
    await session.submit('now later');
    expect(existsSync(fileOf(session))).toBe(false);
    await session.shutdown();
  });

  it('queues it again as it was, with images and attachments, for a run that resumes', async () => {
    const place = await leftBehind();
    const { session } = await openScripted(place, [], { store: 'latest' });
    expect(session.unsent.restore({ toQueue: true })).toEqual(['/compact']);
    expect(session.queue.steering.map(({ content }) => content)).toEqual([said('now'), picture]);
    expect(session.queue.followUp.map(({ content }) => content)).toEqual([said('later')]);
    expect(session.queue.reminders.map(({ content }) => content)).toEqual([said('attached')]);
    expect(textsIn(session)).toContain('later');
    expect(session.cancelQueue()).toHaveLength(3);
    expect(existsSync(fileOf(session))).toBe(false);
    await session.shutdown();
  });

  it.each(['', '{', '[]', '{"version":1,"steering":[1],"followUp":[],"reminders":[],"entered":[]}'])(
    'ignores the damaged file %j',
    async (text) => {
      const place = await leftBehind();
      const { session } = await openScripted(place, [], { store: 'latest' });
      writeFileSync(fileOf(session), text);
      expect(session.unsent.restore({ toQueue: true })).toEqual([]);
      await session.shutdown();
    },
  );
});
