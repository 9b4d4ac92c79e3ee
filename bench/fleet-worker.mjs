// A worker of a fleet: `node fleet-worker.mjs '{"home": …, "jobs": …, "url": …}'`; without a URL the supervisor of the home.
import { runSupervisor, runWorker } from '@robota-sdk/agent-fleet';

const { url, ...options } = JSON.parse(process.argv[2] ?? '{}');
const shared = {
  version: 'bench',
  env: process.env,
  signal: new AbortController().signal,
  untilEmpty: true,
  ...options,
};
await (url === undefined ? runSupervisor(shared) : runWorker({ url, ...shared }));
