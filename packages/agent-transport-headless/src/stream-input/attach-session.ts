import type { InteractiveSession, SessionEvent, SubmitOptions } from '@robota-sdk/agent-sdk/front-end';
import { eventLine, initLine, messageEvents } from '../output/message-events.ts';
import { type Output, redactedOutput } from '../output/output.ts';
import { partialMessages } from '../output/partial-messages.ts';
import { printStreamEvents } from '../output/print-stream-events.ts';
import { SessionUsage } from '../output/session-usage.ts';
import { statusMessages } from '../output/status-messages.ts';
import { taskMessages } from '../output/task-messages.ts';
import type { ControlSubject } from './control-subject.ts';
import type { InitializeOptions } from './initialize-request.ts';
import { updatePermissions } from './permission-updates.ts';
import type { ServeStreamOptions } from './serve-stream.ts';

/** A session that a program is connected to. */
export interface ServedSession {
  readonly session: InteractiveSession;
  readonly subject: ControlSubject;
  readonly stdout: Output;
  readonly submit: SubmitOptions | undefined;
  readonly wishes: InitializeOptions | undefined;
  /** Disconnects the program. */
  stop(): void;
}

/** Options of a stream with its output and the servers of its program. */
export type StreamServerOptions = ServeStreamOptions &
  Required<Pick<ServeStreamOptions, 'stdout' | 'servers'>>;

export type AttachOptions = StreamServerOptions & {
  readonly wishes: InitializeOptions | undefined;
  readonly prompts: ControlSubject['prompts'];
  follow(event: SessionEvent): unknown;
};

/** Connects a program to a session: from now on it is told what happens there, beginning with the session itself. */
export async function attachSession(
  session: InteractiveSession,
  options: AttachOptions,
): Promise<ServedSession> {
  const { channel, ui, servers, wishes, prompts, follow } = options;
  const { version = '', partial = false, hidesThinking = false } = options;
  const display = { hidesThinking };
  const stdout = redactedOutput(options.stdout, (text) => session.redact(text));
  const abort = () => void session.abort();
  if (ui) {
    ui.interrupt = abort;
    ui.update = (updates) =>
      updatePermissions(session, updates, (text) => void options.stderr?.say(`robota: ${text}`));
  }
  stdout.closed.addEventListener('abort', abort, { once: true });
  const { forwardsAgents, summarizesAgents, jsonSchema } = wishes ?? {};
  const stops = [
    // An SDK of Claude Code knows these by other lines, and only pieces of answers as stream events.
    ...(wishes ? [] : [printStreamEvents(session, stdout, { partial: false })]),
    ...(partial ? [partialMessages(session, stdout, display)] : []),
    statusMessages(session, stdout),
    messageEvents(session, stdout, { withAgents: forwardsAgents, display }),
    taskMessages(session, stdout, { withSummaries: summarizesAgents }),
    session.subscribe(follow),
  ];
  const { model, thinking } = session;
  const first = { model: `${model.vendor}/${model.id}`, thinking, hidesThinking };
  const stop = () => {
    for (const each of stops) each();
    stdout.closed.removeEventListener('abort', abort);
  };
  await stdout.write(initLine(session, { version }));
  channel.open((message) => void stdout.write(eventLine(session, message)));
  options.hookMessages?.connect((line) => void stdout.write(eventLine(session, line)));
  await session.tasks.resumeWaiting();
  const submit = jsonSchema ? { ...options.submit, jsonSchema } : options.submit;
  const usage = new SessionUsage(session);
  const subject = { session, usage, servers, ui, version, first, display, prompts };
  return { session, subject, stdout, submit, stop, wishes };
}
