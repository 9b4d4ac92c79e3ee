import {
  AgentError,
  checkArguments,
  having,
  type ITransportAdapter,
  text,
} from '@robota-sdk/agent-sdk/front-end';
import { createHeadlessRunner, type IHeadlessRunnerOptions } from './headless-runner.ts';

export interface HeadlessTransportOptions extends Omit<IHeadlessRunnerOptions, 'session'> {
  readonly prompt: string;
}

export interface HeadlessTransport extends ITransportAdapter {
  /** 0 done or interrupted, 1 error; meaningful once `start` has resolved. */
  getExitCode(): number;
}

/** A transport that runs one prompt and ends. */
export function createHeadlessTransport(options: HeadlessTransportOptions): HeadlessTransport {
  checkArguments('createHeadlessTransport', { options: [options, having({ prompt: text })] });
  let session: IHeadlessRunnerOptions['session'] | undefined;
  let exitCode = 0;
  return {
    name: 'headless',
    attach: (attached) => {
      session = attached;
    },
    start: async () => {
      if (!session)
        throw new AgentError('internal', 'The headless transport has no session; call attach first.');
      const { prompt, ...rest } = options;
      exitCode = await createHeadlessRunner({ ...rest, session }).run(prompt);
    },
    stop: async () => {},
    getExitCode: () => exitCode,
  };
}
