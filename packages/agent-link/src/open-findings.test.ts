import { once } from 'node:events';
import { createConnection } from 'node:net';
import { userPaths } from '@robota-sdk/agent-sdk/front-end';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { expect } from 'vitest';
import { openScripted } from '../../agent-sdk/src/fixtures/scripted-session.ts';
import { makeTestProject } from '../../agent-sdk/src/fixtures/test-project.ts';
import { LinkFolder, type LinkRecord } from './link-folder.ts';
import { serveLink } from './link-server.ts';
import { SharedSession } from './shared-session.ts';

/** A folder on a full disk. */
class FullFolder extends LinkFolder {
  socket = '';

  override announce({ socket }: Omit<LinkRecord, 'owner'>): () => void {
    this.socket = socket;
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  }
}

stillOpen('closes the socket of a session that cannot be announced', {
  observe: async () => {
    const place = await makeTestProject();
    const { session } = await openScripted(place);
    const folder = new FullFolder(userPaths(place.host).links);
    const questions = { waiting: () => [], answer: () => false, subscribe: () => () => {} };
    const shared = new SharedSession({
      session,
      front: 'terminal',
      questions,
      release: () => session.shutdown(),
    });
    await expect(serveLink(shared, folder)).rejects.toThrow('ENOSPC');
    const visitor = createConnection(folder.socket);
    const outcome = await once(visitor, 'connect').then(
      () => 'connected',
      () => 'refused',
    );
    visitor.destroy();
    await session.shutdown();
    return outcome;
  },
  today: 'connected',
  wanted: (outcome) => expect(outcome).toBe('refused'),
});
