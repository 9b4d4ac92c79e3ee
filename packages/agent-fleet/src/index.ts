export type {
  AttemptHandlers,
  AttemptOrder,
  AttemptProcess,
  AttemptRunner,
  FromAttempt,
  SessionPlace,
  ToAttempt,
  WorkOutcome,
} from './contract/attempt.ts';
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
export type {
  ReserveResult,
  StepContext,
  StepResult,
  StoredAnswer,
  TaskChange,
  TaskSteps,
} from './contract/steps.ts';
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
  WorkspaceRequest,
  Workspaces,
} from './contract/workspace.ts';
