import { AgentError } from '@robota-sdk/agent-core';
import { visibleText } from '@robota-sdk/agent-tui';
import { exitCodes, type FleetConsole, type FleetRequest } from '../console/fleet-console.ts';
import { answerIn, isOpen } from '../console/read-answer.ts';
import type { TaskDetails, TaskQuestion } from '../contract/task.ts';
import { printTasks } from './control-commands.ts';
import { requireTask, withClient } from './with-client.ts';

/** `robota fleet answer`: shows the question of a parked task and sends the answer to it. */
export async function answerCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  const [reference, ...rest] = request.words;
  return withClient(request, console, async (client) => {
    const task = await requireTask(client, reference);
    const question = questionOf(task);
    const text = rest.length > 0 ? rest.join(' ') : await askUser(question, console);
    if (text === undefined) {
      await console.note('Not answered.');
      return exitCodes.waiting;
    }
    await client.submit([{ type: 'answer', id: task.id, hash: question.hash, ...answerIn(text, question) }]);
    if (request.has('json')) await printTasks([task], client, console);
    const hasWorkers = (await client.workers()).length > 0;
    const when = hasWorkers ? 'when a worker is free' : `with: ${console.program} fleet run`;
    await console.note(`Answered; task ${task.id} resumes ${when}${hasWorkers ? '.' : ''}`);
    return exitCodes.done;
  });
}

function questionOf({ question, state, id }: TaskDetails): TaskQuestion {
  if (question && state === 'parked') return question;
  throw new AgentError('usage', `Task ${id} is ${state} and has no question.`);
}

async function askUser(question: TaskQuestion, console: FleetConsole): Promise<string | undefined> {
  if (!console.isInteractive)
    throw new AgentError('usage', `Missing answer to: ${question.text}`, {
      hint: isOpen(question) ? 'Give a text.' : 'Give allow, deny, or a reason to deny it.',
    });
  // Everything invisible is spelled out: what is approved is what is seen.
  await console.note(visibleText(question.text));
  for (const [index, choice] of (question.choices ?? []).entries())
    await console.note(`  ${index + 1}. ${choice}`);
  const prompt = isOpen(question) ? 'Answer (Enter cancels): ' : 'allow or deny (Enter cancels): ';
  const line = (await console.ask(prompt))?.trim();
  return line === '' ? undefined : line;
}
