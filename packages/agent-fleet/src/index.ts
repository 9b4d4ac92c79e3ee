export { type AttemptRunnerOptions, attemptRunner } from './attempt/run-attempt.ts';
export { writeFleetFile } from './client/fleet-files.ts';
export { readInbox } from './client/inbox.ts';
export { LocalClient } from './client/local-client.ts';
export { type FleetLocation, openClient } from './client/open-client.ts';
export { TaskProjection } from './client/task-projection.ts';
export type {
  AttemptHandlers,
  AttemptOrder,
  AttemptProcess,
  AttemptRunner,
  FromAttempt,
  SessionStorage,
  ToAttempt,
  WorkOutcome,
} from './contract/attempt.ts';
export type {
  AttemptWorkspace,
  CommandOptions,
  DeliveryRequest,
  DeliveryResult,
  FleetHome,
  WorkspaceRequest,
  Workspaces,
} from './contract/attempt-workspace.ts';
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
  type Delivery,
  type FleetCommandResult,
  isEnded,
  type Receipt,
  type TaskDetails,
  type TaskOrigin,
  type TaskQuestion,
  type TaskReason,
  type TaskRecord,
  type TaskSpec,
  type TaskState,
} from './contract/task.ts';
export { TaskFailure } from './contract/task-failure.ts';
export { openSessionStore } from './session-store/open-session-store.ts';
export {
  PostgresSessionStore,
  type PostgresSessionStoreOptions,
} from './session-store/postgres-session-store.ts';
export type { TaskSource } from './task/read-task.ts';
export { newTaskId } from './task/task-id.ts';
export { runSupervisor, type SupervisorOptions, supervisorOf } from './worker/run-supervisor.ts';
export type { TaskHereOptions } from './worker/run-task-here.ts';
export { type PostgresWorkerOptions, runWorker } from './worker/run-worker.ts';
export type { WorkerOptions } from './worker/worker-services.ts';
export { collectGarbage, type GarbageRequest, type GarbageVerdict } from './workspace/gc/collect-garbage.ts';
export { createWorkspaces, type WorkspacesOptions } from './workspace/open-workspace.ts';
export { databaseSnapshots } from './workspace/stores/database-snapshots.ts';
export { firstStore } from './workspace/stores/first-store.ts';
export { originSnapshots } from './workspace/stores/origin-snapshots.ts';
export type { SnapshotStore } from './workspace/tree/snapshot-store.ts';
