import { AgentError } from '@robota-sdk/agent-core';
import type { FleetConsole, FleetRequest } from '../console/fleet-console.ts';

type Run = (request: FleetRequest, console: FleetConsole) => Promise<number>;

/** The module of each command; loaded on demand. */
const commands: Readonly<Record<string, () => Promise<Run>>> = {
  list: async () => (await import('./list-command.ts')).fleetListCommand,
  add: async () => (await import('./add-command.ts')).addCommand,
  show: async () => (await import('./show-command.ts')).fleetShowCommand,
  follow: async () => (await import('./follow-command.ts')).followCommand,
  attach: async () => (await import('./attach-command.ts')).attachCommand,
  answer: async () => (await import('./answer-command.ts')).answerCommand,
  stop: async () => (await import('./control-commands.ts')).stopCommand,
  retry: async () => (await import('./control-commands.ts')).retryCommand,
  drain: async () => (await import('./control-commands.ts')).drainCommand,
  schedule: async () => (await import('./schedule-command.ts')).scheduleCommand,
  hook: async () => (await import('./hook-command.ts')).hookCommand,
  doctor: async () => (await import('./doctor-command.ts')).fleetDoctorCommand,
  run: async () => (await import('./work-commands.ts')).fleetRunCommand,
  start: async () => (await import('./work-commands.ts')).startCommand,
  worker: async () => (await import('./work-commands.ts')).fleetWorkerCommand,
  task: async () => (await import('./task-command.ts')).fleetTaskCommand,
  gc: async () => (await import('./gc-command.ts')).gcCommand,
  cost: async () => (await import('./cost-command.ts')).costCommand,
};

/** Runs a command of the fleet; resolves with the exit code. */
export async function runFleetCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  const load = Object.hasOwn(commands, request.command) ? commands[request.command] : undefined;
  if (!load) throw new AgentError('usage', `Unknown command "${request.command}" of the fleet.`);
  return (await load())(request, console);
}
