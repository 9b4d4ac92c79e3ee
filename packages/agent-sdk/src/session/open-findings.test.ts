import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { expect } from 'vitest';
import { openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';

stillOpen('disposes the extensions of a session that cannot be opened', {
  observe: async () => {
    const place = await makeTestProject();
    const first = await openScripted(place, [{ text: 'ok' }], { store: 'new' });
    await first.session.submit('hi');
    const steps: string[] = [];
    const server = {
      name: 'server',
      setup: () => void steps.push('set up'),
      dispose: () => void steps.push('disposed'),
    };
    const store = { open: first.session.id };
    const again = openScripted(place, [], { store, extensions: [server] });
    await expect(again).rejects.toMatchObject({ code: 'session-in-use' });
    await first.session.shutdown();
    return steps;
  },
  today: ['set up'],
  wanted: (steps) =>
    expect(steps.filter((step) => step === 'disposed')).toHaveLength(
      steps.filter((step) => step === 'set up').length,
    ),
});
