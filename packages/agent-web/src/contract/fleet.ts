/** The fleet, or how to install it. */
export type FleetReply =
  | { readonly installed: false; readonly install: string }
  | {
      readonly installed: true;
      /** Unix milliseconds of the server, so that ages do not depend on the clock of the device. */
      readonly now: number;
      readonly tasks: readonly FleetTask[];
      /** Queued and ended tasks that are left out. */
      readonly hidden: number;
      readonly workers: readonly FleetWorker[];
      readonly schedules: readonly FleetSchedule[];
      readonly webhooks: readonly FleetWebhook[];
      readonly costs: FleetSpending;
      /** Tasks of the page may bring a command as their check. */
      readonly allowsChecks: boolean;
      /** Requests that cannot be carried out. */
      readonly problems: readonly string[];
    };

export type FleetTaskState =
  | 'queued'
  | 'preparing'
  | 'running'
  | 'parked'
  | 'checking'
  | 'done'
  | 'failed'
  | 'stopped';

/** A question of a parked task; an answer counts only for the question with this hash. */
export interface FleetQuestion {
  readonly hash: string;
  readonly tool: string;
  readonly text: string;
  readonly choices?: readonly string[];
  readonly askedAt: string;
}

/** The command of a question about one; the text of others. */
export function askedText({ tool, text }: FleetQuestion): string {
  return tool === 'Bash' && text.startsWith('Bash(') ? text.slice(5, -1) : text;
}

export interface FleetWorker {
  readonly id: string;
  readonly host: string;
  readonly labels: readonly string[];
  readonly jobs: number;
  readonly running: number;
  readonly isDraining: boolean;
  /** ISO. */
  readonly beatAt: string;
  /** True if it has not been heard of for so long that its tasks go to others. */
  readonly isSilent: boolean;
  /** It runs on the machine of the server. */
  readonly isHere: boolean;
}

/** US dollars. */
export interface FleetSpending {
  readonly total: number;
  readonly today: number;
  readonly reserved: number;
  readonly totalLimit?: number;
  readonly dailyLimit?: number;
}

/** A task as a row. */
export interface FleetTask {
  readonly id: string;
  readonly name: string;
  readonly state: FleetTaskState;
  /** The reason why it waits, or its end. */
  readonly reason?: { readonly code: string; readonly message: string; readonly until?: string };
  readonly question?: FleetQuestion;
  /** The directory or the URL of its repository. */
  readonly repo: string;
  readonly model?: string;
  readonly worker?: string;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly turns: number;
  /** US dollars. */
  readonly cost: number;
  readonly maxCost?: number;
  /** The step it is at, of which all earlier ones are done; absent in the queue. */
  readonly step?: FleetStep;
  readonly activity?: string;
  /** ISO. */
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly updatedAt: string;
  readonly endedAt?: string;
  readonly after: readonly string[];
  readonly labels: readonly string[];
  readonly branch?: string;
  readonly sessionId?: string;
  readonly changes?: { readonly files: number; readonly added: number; readonly removed: number };
}

/** The steps of a task in their order. */
export const fleetSteps = ['prepare', 'baseline', 'work', 'check', 'deliver', 'receipt'] as const;
export type FleetStep = (typeof fleetSteps)[number];

export interface FleetSchedule {
  readonly id: string;
  readonly name: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly nextDue?: string;
  /** The newest task of the schedule. */
  readonly last?: Pick<FleetTask, 'id' | 'state' | 'cost'>;
}

/** A webhook that added tasks, by their name. */
export interface FleetWebhook {
  readonly name: string;
  /** Its tasks of the last seven days. */
  readonly week: number;
  /** The state of its newest task. */
  readonly last: FleetTaskState;
}
