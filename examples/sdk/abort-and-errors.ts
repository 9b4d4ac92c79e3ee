// `kind` to decide, `code` for detail, `result` for what there is so far.
import { AgentError, query } from '@robota-sdk/agent-sdk';

async function attempt(signal: AbortSignal): Promise<void> {
  try {
    console.log(await query('Fix the build', { cwd: 'app', maxTurns: 1, signal }));
  } catch (error) {
    if (!AgentError.is(error)) throw error;
    if (error.kind === 'aborted' || error.kind === 'limit') console.log(error.code, error.result?.turns ?? 0);
    else console.log(error.message, error.hint, error.retryable ? 'Try again later.' : '');
  }
}

await attempt(AbortSignal.timeout(120_000));
await attempt(AbortSignal.abort());
