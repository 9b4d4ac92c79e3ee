import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { expect } from 'vitest';
import { openSession, storeOnDisk } from '../fixtures/open-session.ts';

stillOpen('continues with a shorter conversation only once the file has it', {
  observe: async () => {
    const store = await storeOnDisk();
    const handle = await store.create({ cwd: await temporaryDirectory() });
    const { session } = openSession(
      ({ messages }) => ({
        text: JSON.stringify(messages[0]).includes('<record>') ? 'notes' : 'many words '.repeat(6_000),
      }),
      { handle },
    );
    for (const prompt of ['first', 'second', 'third']) await session.run(prompt);
    const { appendAll } = handle;
    const sizes: { inMemory: number; inFile: number }[] = [];
    handle.appendAll = (...given) => {
      sizes.push({ inMemory: session.messages.length, inFile: handle.messages().length });
      return appendAll.apply(handle, given);
    };
    expect(await session.compact()).toMatchObject({ kind: 'summarised' });
    await session.close();
    return sizes.map(({ inMemory, inFile }) => inMemory === inFile);
  },
  today: [false],
  wanted: (isSame) => expect(isSame).toEqual([true]),
});
