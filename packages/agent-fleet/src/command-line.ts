export { exitCodes, type FleetConsole, type FleetRequest, type Watching } from './commands/fleet-console.ts';
export { runFleetCommand } from './commands/run-fleet-command.ts';
export { openSessionStore } from './session-store/open-session-store.ts';
