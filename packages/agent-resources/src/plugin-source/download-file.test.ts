import { fileURLToPath } from 'node:url';
import { startModelServer, startProxy, startTlsFront, testAuthority } from '@robota-sdk/agent-testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import { downloadFile } from './download-file.ts';

it('downloads through the proxy of the environment, and names it if it refuses', async () => {
  const server = await startModelServer();
  server.handleQuestions(() => ({ chunks: ['the archive'] }));
  const front = await startTlsFront(Number(new URL(server.url).port));
  const proxy = await startProxy({
    portOf: (host) => (host === 'packages.robota.test' ? front.port : undefined),
  });
  vi.stubEnv('HTTPS_PROXY', proxy.url);
  vi.stubEnv('NODE_EXTRA_CA_CERTS', fileURLToPath(testAuthority));
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await proxy.stop();
    await front.stop();
    await server.close();
  });
  const content = await downloadFile('https://packages.robota.test/a.tgz', { maxBytes: 100 });
  expect(content.toString()).toBe('the archive');
  await expect(downloadFile('https://other.robota.test/a.tgz', { maxBytes: 100 })).rejects.toThrow(
    `the proxy ${proxy.url} does not connect to other.robota.test:443 (HTTP 403)`,
  );
});
