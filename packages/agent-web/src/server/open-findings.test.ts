import { syncBuiltinESMExports } from 'node:module';
import zlib from 'node:zlib';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { afterEach, expect } from 'vitest';
import { openServer } from './open-server.ts';

const { gzip } = zlib;
afterEach(() => {
  zlib.gzip = gzip;
  syncBuiltinESMExports();
});

stillOpen('makes a page again that could not be made once', {
  observe: async () => {
    const web = await openServer({
      target: { kind: 'loopback', port: 0 },
      folder: await temporaryDirectory('robota-web'),
      routes: [],
      streams: { async *open() {} },
      log: () => {},
    });
    const fail = (_: unknown, __: unknown, done: (error: Error) => void) => done(new Error('out of memory'));
    zlib.gzip = fail as typeof gzip;
    syncBuiltinESMExports();
    const first = (await fetch(`${web.origin}/`)).status;
    zlib.gzip = gzip;
    syncBuiltinESMExports();
    const second = (await fetch(`${web.origin}/`)).status;
    await web.close();
    return [first, second];
  },
  today: [500, 500],
  wanted: ([, second]) => expect(second).toBe(200),
});
