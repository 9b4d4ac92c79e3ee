import { AgentError, type ToolScope } from '@robota-sdk/agent-core';
import { fileLimitText } from './background-output.ts';
import { describeListed, describeState, jobName } from './describe-job.ts';
import { type BackgroundJob, processes } from './processes.ts';

/** Lists the background jobs of the session: number, state, command. */
export function listJobs(scope: ToolScope): string {
  const jobs = scope.state.peek(processes)?.list() ?? [];
  return jobs.length === 0 ? 'No background jobs.' : jobs.map(describeListed).join('\n');
}

/** Returns a job's output since the last read, and its state. */
export async function readJob(id: number | undefined, scope: ToolScope): Promise<string> {
  const background = findJob(id, scope);
  const { job, output } = background;
  // Read before the output, so that "finished" never appears without the last output.
  const state = describeState(job);
  if (job.exit !== undefined) await job.process.settle();
  void output.write(job.text.flush());
  const { text, dropped } = output.take();
  const place = `${output.isFull ? `the first ${fileLimitText}` : 'all of it'} in ${output.file}`;
  const left = dropped > 0 ? `[... ${dropped} characters left out; ${place} ...]\n` : '';
  const body = text === '' ? '(no new output)' : left + text.replace(/(?<!\n)\n+$/, '');
  const binary = job.text.isBinary ? `\n[binary output, ${job.text.bytes} bytes so far, not shown]` : '';
  const failed = job.exit !== undefined && job.exit.code !== 0;
  const blocked = (job.sandbox?.remarksOn(text, { failed }) ?? []).map((remark) => `\n[${remark}]`).join('');
  return `${body}${binary}${blocked}\n[${jobName(background.id)}: ${state}]`;
}

/** Ends a job with all its processes, and returns its last output. */
export async function killJob(id: number | undefined, scope: ToolScope): Promise<string> {
  const { job, id: found } = findJob(id, scope);
  if (job.exit === undefined || job.process.isRunning) await job.stop('killed');
  return readJob(found, scope);
}

function findJob(id: number | undefined, scope: ToolScope): BackgroundJob {
  const jobs = scope.state.peek(processes)?.list() ?? [];
  const found = id === undefined && jobs.length === 1 ? jobs[0] : jobs.find((job) => job.id === id);
  if (found) return found;
  const known =
    jobs.length === 0 ? 'No background jobs.' : `Jobs: ${jobs.map((job) => jobName(job.id)).join(', ')}.`;
  throw new AgentError(
    'tool',
    id === undefined ? `Give the id of the job. ${known}` : `Unknown job ${jobName(id)}. ${known}`,
  );
}
