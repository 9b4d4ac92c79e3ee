import { describeExit } from '@robota-sdk/agent-core';
import { type Job, printLimit } from './job.ts';
import type { BackgroundJob } from './processes.ts';

/** The state of a job: running, finished, or finished with processes left. */
export function describeState(job: Job): string {
  const elapsed = formatSeconds(job.elapsedMs);
  if (job.exit === undefined) return `running for ${elapsed}`;
  const end = describeEnd(job);
  return job.process.isRunning
    ? `shell ended (${end}), processes it started still run`
    : `ended after ${elapsed}: ${end}`;
}

/** The displayed name of a background job. */
export function jobName(id: number): string {
  return `bash-${id}`;
}

/** One line of the list of jobs. */
export function describeListed({ id, job }: BackgroundJob): string {
  const command = job.command.replace(/\s+/g, ' ').trim();
  return `${jobName(id)}  ${describeState(job)}  ${command.length > 100 ? `${command.slice(0, 99)}…` : command}`;
}

/** Formats a duration: 0.4 s, 12 s, 3 min 5 s. */
export function formatSeconds(milliseconds: number): string {
  if (milliseconds < 9950) return `${Number((milliseconds / 1000).toFixed(1))} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 120) return `${seconds} s`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function describeEnd(job: Job): string {
  if (job.stopped === 'killed') return 'killed on request';
  if (job.stopped === 'timeout') return 'stopped by its time-out';
  if (job.stopped === 'output-limit') return `killed, it printed more than ${printLimit / 1024 / 1024} MB`;
  if (job.stopped === 'planting') return 'stopped, it kept creating repositories';
  return job.exit ? describeExit(job.exit) : 'running';
}
