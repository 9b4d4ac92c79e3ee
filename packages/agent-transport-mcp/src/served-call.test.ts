import type { CallToolResult, ElicitRequestFormParams, ServerContext } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { ServedCall, ServedCalls } from './served-call.ts';

const form: ElicitRequestFormParams = {
  message: 'Go on?',
  requestedSchema: { type: 'object', properties: {} },
};
const said = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

/** A request of a client that speaks 2026-07-28. */
function request(more: { readonly state?: string; readonly responses?: Record<string, unknown> } = {}) {
  const controller = new AbortController();
  const notified: unknown[] = [];
  const context = {
    mcpReq: {
      envelope: {},
      signal: controller.signal,
      requestState: () => more.state,
      inputResponses: more.responses,
      _meta: { progressToken: 'p' },
      notify: async (notification: unknown) => void notified.push(notification),
    },
  } as unknown as ServerContext;
  return { context, notified, cancel: () => controller.abort(new Error('cancelled')) };
}

/** A call that asks twice and reports before each question. */
function twice(context: ServerContext, holdMs?: number) {
  return new ServedCall(
    context,
    { canAsk: true, ...(holdMs === undefined ? {} : { holdMs }) },
    async (call) => {
      const answers: string[] = [];
      for (const round of [1, 2]) {
        call.report(round, `round ${round}`);
        const { action } = await call.ask(form, call.signal);
        answers.push(action);
      }
      return said(answers.join());
    },
  );
}

const answered = (state: string, action: string) => request({ state, responses: { answer: { action } } });

describe('a call that asks its user since 2026-07-28', () => {
  it('is held between the requests of its client, each of which hears of its progress', async () => {
    const calls = new ServedCalls();
    const first = request();
    const asked = await calls.serve(first.context, () => twice(first.context));
    expect(asked).toMatchObject({
      resultType: 'input_required',
      inputRequests: { answer: { method: 'elicitation/create' } },
    });
    const state = String(asked.requestState);
    const second = answered(state, 'accept');
    expect(await calls.serve(second.context, () => twice(second.context))).toMatchObject({
      requestState: state,
    });
    const third = answered(state, 'decline');
    expect(await calls.serve(third.context, () => twice(third.context))).toEqual(said('accept,decline'));
    expect([first, second, third].map(({ notified }) => notified.length)).toEqual([1, 1, 0]);
    await expect(calls.serve(third.context, () => twice(third.context))).rejects.toThrow(
      'is over. Call again.',
    );
  });

  it('asks again where the answer is missing', async () => {
    const calls = new ServedCalls();
    const { context } = request();
    const asked = await calls.serve(context, () => twice(context));
    const empty = request({ state: String(asked.requestState) });
    expect(await calls.serve(empty.context, () => twice(context))).toEqual(asked);
  });

  it('ends without an answer in time, with its client, and when its conversation is asked for something else', async () => {
    for (const end of ['time', 'client', 'release'] as const) {
      const calls = new ServedCalls();
      const { context } = request();
      const call = twice(context, end === 'time' ? 20 : undefined);
      call.sessionId = 's';
      const asked = await calls.serve(context, () => call);
      calls.release('another');
      expect(call.isHeld).toBe(true);
      if (end === 'client') calls.end();
      if (end === 'release') calls.release('s');
      await call.over;
      expect(call.signal.aborted).toBe(true);
      const late = answered(String(asked.requestState), 'accept');
      await expect(calls.serve(late.context, () => call)).rejects.toThrow('is over');
    }
  });

  it('ends with a cancelled request', async () => {
    const calls = new ServedCalls();
    const { context, cancel } = request();
    const served = calls.serve(
      context,
      () =>
        new ServedCall(context, { canAsk: true }, async (call) => {
          await new Promise((_, reject) =>
            call.signal.addEventListener('abort', () => reject(call.signal.reason)),
          );
          return said('never');
        }),
    );
    cancel();
    await expect(served).rejects.toThrow('cancelled');
  });
});
