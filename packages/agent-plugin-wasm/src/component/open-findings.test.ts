import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { describe, expect, onTestFinished } from 'vitest';
import { grantedFetch } from './granted-fetch.ts';

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The headers of the request to which one of a plugin was redirected. */
async function redirected(method: string, headers: readonly (readonly [string, string])[], body?: string) {
  let got: IncomingHttpHeaders = {};
  let gotMethod: string | undefined;
  const other = await serve((request, response) => {
    got = request.headers;
    gotMethod = request.method;
    response.end('ok');
  });
  const first = await serve((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(302, { location: `http://${other}/` }).end());
  });
  const { signal } = new AbortController();
  const outcome = await grantedFetch(
    { method, url: `http://${first}/`, headers, body: body === undefined ? undefined : Buffer.from(body) },
    { hosts: [first, other], signal },
  ).then(
    ({ status }) => String(status),
    (thrown: Error) => thrown.message.replace(other, 'OTHER'),
  );
  return { outcome, method: gotMethod, headers: got };
}

describe('a request of a plugin that is redirected to another host', () => {
  stillOpen('takes no key along', {
    observe: async () => (await redirected('GET', [['x-api-key', 'sk-secret']])).headers['x-api-key'],
    today: 'sk-secret',
    wanted: (key) => expect(key).toBeUndefined(),
  });

  stillOpen('announces no body that it does not have any more', {
    observe: async () => {
      const { outcome, method, headers } = await redirected('POST', [['content-length', '4']], 'body');
      return { outcome, method, length: headers['content-length'] };
    },
    today: { outcome: '200', method: 'GET', length: '4' },
    wanted: ({ length }) => expect(length ?? '0').toBe('0'),
  });
});
