import { findOptionalModule } from '@robota-sdk/agent-core';
import type { FleetQuestion, FleetSpending, FleetTaskState, FleetWorker } from '../../contract/fleet.ts';

/** The part of the client of agent-fleet that the page needs. */
export interface FleetPort {
  submit(commands: readonly FleetRequest[]): Promise<void>;
  tasks(): Promise<readonly { readonly id: string; readonly state: FleetTaskState }[]>;
  task(reference: string): Promise<FleetTaskDetails | undefined>;
  workers(): Promise<readonly Omit<FleetWorker, 'isSilent'>[]>;
  schedules(): Promise<readonly FleetScheduleRecord[]>;
  costs(): Promise<FleetSpending>;
  problems(): Promise<readonly { readonly message: string }[]>;
  close(): Promise<void>;
}

export type FleetRequest =
  | { readonly type: 'stop' | 'retry'; readonly id: string }
  | { readonly type: 'say'; readonly id: string; readonly text: string }
  | { readonly type: 'drain' }
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
  openClient(options: { readonly database?: string | undefined; readonly home: string }): Promise<FleetPort>;
}

/** Opens the client of the optional package; undefined if it is not installed. It loads no engine. */
export async function openFleet(options: {
  readonly home: string;
  readonly database?: string | undefined;
}): Promise<FleetPort | undefined> {
  const address = findOptionalModule(`${packageName}/command-line`, { beside: import.meta.url });
  if (address === undefined) return undefined;
  const module = (await import(address)) as FleetModule;
  return module.openClient(options);
}
