import { findOptionalModule, type JsonObject } from '@robota-sdk/agent-core';
import type { FleetQuestion, FleetSpending, FleetTaskState, FleetWorker } from '../../contract/fleet.ts';

/** The part of the client of agent-fleet that the page needs. */
export interface FleetPort {
  submit(commands: readonly FleetAction[]): Promise<void>;
  /** Runs a command of `robota fleet` with one task, as the command line does. */
  run(command: 'add' | 'schedule', request: FleetCommandRequest): Promise<void>;
  tasks(): Promise<readonly Pick<FleetTaskDetails, 'id' | 'name' | 'state' | 'createdAt'>[]>;
  task(reference: string): Promise<FleetTaskDetails | undefined>;
  workers(): Promise<readonly Omit<FleetWorker, 'isSilent' | 'isHere'>[]>;
  schedules(): Promise<readonly FleetScheduleRecord[]>;
  costs(): Promise<FleetSpending>;
  problems(): Promise<readonly { readonly message: string }[]>;
  close(): Promise<void>;
}

interface FleetCommandRequest {
  readonly words?: readonly string[];
  readonly options?: Readonly<Record<string, string>>;
  /** The fields of a task, as a line of JSON has them. */
  readonly task: JsonObject;
}

export type FleetAction =
  | { readonly type: 'stop' | 'retry'; readonly id: string }
  | { readonly type: 'say'; readonly id: string; readonly text: string }
  | { readonly type: 'drain' }
  | { readonly type: 'unschedule'; readonly id: string }
  | { readonly type: 'budget'; readonly daily?: number | null; readonly total?: number | null }
  | {
      readonly type: 'answer';
      readonly id: string;
      readonly hash: string;
      readonly decision: 'allow' | 'deny' | 'text';
      readonly text?: string;
    };

export interface FleetTaskDetails {
  readonly id: string;
  readonly name: string;
  readonly state: FleetTaskState;
  readonly reason?: { readonly code: string; readonly message: string; readonly until?: string };
  readonly question?: FleetQuestion;
  readonly branch?: string;
  readonly attempts: number;
  readonly cost: number;
  readonly turns: number;
  readonly worker?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly sessionId?: string;
  readonly activity?: string;
  readonly filesChanged?: number;
  readonly added?: number;
  readonly removed?: number;
  readonly spec: {
    readonly repo: string;
    readonly model?: string;
    readonly maxCost?: number;
    readonly attempts: number;
    readonly after: readonly string[];
    readonly labels: readonly string[];
    readonly origin: { readonly kind: string; readonly schedule?: string };
  };
  readonly directory?: string;
}

interface FleetScheduleRecord {
  readonly id: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly nextDue?: string;
  readonly spec: { readonly name: string };
}

const packageName = '@robota-sdk/agent-fleet';
export const fleetInstall = `npm install -g ${packageName}`;

interface FleetModule {
  openClient(options: FleetOptions): Promise<Omit<FleetPort, 'run'>>;
  runFleetCommand(request: ParsedCommand, terminal: CommandTerminal): Promise<number>;
}

/** The words of a command, as the command line reads them. */
interface ParsedCommand {
  readonly command: string;
  readonly words: readonly string[];
  has(option: string): boolean;
  value(option: string): string | undefined;
  values(option: string): readonly string[];
}

/** The part of a terminal that adding a task needs. */
interface CommandTerminal {
  readonly program: string;
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isInteractive: boolean;
  print(text: string): Promise<void>;
  note(text: string): Promise<void>;
  readInput(): Promise<string>;
}

interface FleetOptions {
  readonly home: string;
  readonly database?: string | undefined;
}

/** Opens the client of the optional package; undefined if it is not installed. It loads no engine. */
export async function openFleet(options: FleetOptions): Promise<FleetPort | undefined> {
  const address = findOptionalModule(`${packageName}/command-line`, { beside: import.meta.url });
  if (address === undefined) return undefined;
  const module = (await import(address)) as FleetModule;
  const client = await module.openClient(options);
  return Object.assign(client, {
    run: async (command: string, request: FleetCommandRequest) => {
      await module.runFleetCommand(wordsOf(command, request), terminalOf(request, options));
    },
  });
}

/** The task comes from the standard input, so that no text of the page is taken for a file or an option. */
function wordsOf(command: string, { words = [], options = {} }: FleetCommandRequest): ParsedCommand {
  const all: Readonly<Record<string, string | undefined>> = { ...options, from: '-' };
  const value = (option: string) => (Object.hasOwn(all, option) ? all[option] : undefined);
  return {
    command,
    words,
    has: (option) => value(option) !== undefined,
    value,
    values: (option) => [value(option)].filter((each) => each !== undefined),
  };
}

function terminalOf({ task }: FleetCommandRequest, { home, database }: FleetOptions): CommandTerminal {
  const ignore = async () => {};
  return {
    program: 'robota',
    cwd: home,
    home,
    env: { ROBOTA_FLEET: database },
    isInteractive: false,
    print: ignore,
    note: ignore,
    readInput: async () => JSON.stringify(task),
  };
}
