export { openClient } from './client/open-client.ts';
export { openSessionStore } from './commands/load-session-store.ts';
export { runFleetCommand } from './commands/run-fleet-command.ts';
export { exitCodes, type FleetConsole, type FleetRequest, type Watching } from './console/fleet-console.ts';
