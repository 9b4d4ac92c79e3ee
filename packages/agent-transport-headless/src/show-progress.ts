import { type AgentEvent, textOf, toolStateOf } from '@robota-sdk/agent-sdk';
import type { Output } from './output.ts';

/** Prints what happens as lines of text: for people who watch a run without a terminal UI. */
export function showProgress(event: AgentEvent, output: Output): void | Promise<void> {
  switch (event.type) {
    case 'text-delta':
      return output.write(output.clean(event.text));
    case 'text-end':
    case 'thinking-end':
      // Also ends a control sequence left open, which would swallow the line after it.
      return output.write(output.clean('\n'));
    case 'text-restart':
      return output.write('\n[the answer begins anew]\n');
    case 'thinking-delta':
      return output.write(
        output.colour ? `\u001b[2m${output.clean(event.text)}\u001b[22m` : output.clean(event.text),
      );
    case 'tool-start': {
      const { toolName, firstArg } = toolStateOf(event.call);
      return output.write(output.clean(`⏺ ${toolName}(${firstArg.slice(0, 80)})\n`));
    }
    case 'tool-end':
      return output.write(output.clean(`  ⎿ ${event.status}: ${firstLines(textOf(event.result.content))}\n`));
    case 'server-tool':
      return output.write(output.clean(`⏺ ${event.content.name} ${event.content.summary}\n`));
    case 'notice-show':
      return output.write(output.clean(`robota: ${event.text}\n`));
    case 'retry-wait': {
      const seconds = Math.max(1, Math.round(event.delayMs / 1000));
      const { vendor } = event.model;
      const retry = `retry ${event.attempt} of ${event.maxAttempts} in ${seconds} s`;
      return output.write(`robota: waiting for ${vendor}, ${retry} (${event.failure.code})\n`);
    }
    case 'model-switch':
      return output.write(
        `robota: ${event.from.id} failed (${event.failure.code}); going on with ${event.to.id}\n`,
      );
  }
}

function firstLines(text: string): string {
  const lines = text.trimEnd().split('\n');
  const shown = lines.slice(0, 3).join('\n    ');
  return lines.length > 3 ? `${shown}\n    … ${lines.length - 3} more lines` : shown;
}
