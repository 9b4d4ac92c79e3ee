export type { AttemptOrder, FromAttempt, SessionPlace, ToAttempt, WorkOutcome } from './contract/attempt.ts';
export type {
  FleetClient,
  FleetCommand,
  FleetCosts,
  Schedule,
  TaskQuery,
  WorkerRecord,
} from './contract/client.ts';
export {
  type FleetDatabase,
  type Lease,
  LostLeaseError,
  type Queryable,
  type Rows,
} from './contract/database.ts';
export {
  type AttemptRecord,
  type CommandResult,
  type Delivery,
  isEnded,
  type Receipt,
  type TaskDetails,
  type TaskOrigin,
  type TaskQuestion,
  type TaskReason,
  type TaskRecord,
  type TaskSpec,
  type TaskState,
  taskStates,
} from './contract/task.ts';
export type {
  CommandOptions,
  DeliveryRequest,
  DeliveryResult,
  FleetHome,
  Workspace,
} from './contract/workspace.ts';
