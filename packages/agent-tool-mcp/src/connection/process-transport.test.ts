import { HookProcesses } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { expect, it } from 'vitest';
import { ProcessTransport } from './process-transport.ts';

it('large messages leave no listeners behind', async () => {
  proves('R-75');
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  const processes = new HookProcesses();
  const transport = new ProcessTransport({
    command: process.execPath,
    args: ['-e', 'process.stdin.resume()'],
    env: { PATH: process.env.PATH ?? '' },
    cwd: process.cwd(),
    processes,
  });
  await transport.start();
  const text = 'x'.repeat(1_000_000);
  for (let count = 0; count < 20; count++)
    await transport.send({ jsonrpc: '2.0', method: 'notifications/message', params: { text } });
  await transport.close();
  await processes.dispose();
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', note);
  expect(warnings.map(({ name }) => name)).toEqual([]);
});
