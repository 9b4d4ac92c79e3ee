export { exitCodes, type FleetConsole, type FleetRequest, type Watching } from './commands/fleet-console.ts';
export { openSessionStore } from './commands/load-session-store.ts';
export { runFleetCommand } from './commands/run-fleet-command.ts';
