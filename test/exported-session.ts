import {
  type AssistantContent,
  createMessage,
  type Display,
  type Message,
  type ToolStatus,
  toolEnd,
  type UserContent,
} from '@robota-sdk/agent-core';
import { JsonlSessionStore, type SessionHandle } from '@robota-sdk/agent-sessions';

/** A red dot. */
const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==';

const model = { vendor: 'anthropic', id: 'claude-opus-4-5', api: 'anthropic' } as const;

export interface AnswerOptions {
  readonly usage?: readonly [input: number, cacheRead: number, cacheWrite: number, output: number];
  readonly cost?: number;
}

/** An open session of a home directory with short ways to say things in it. */
export class Storyteller {
  readonly handle: SessionHandle;

  private constructor(handle: SessionHandle) {
    this.handle = handle;
  }

  static async begin(home: string, cwd: string): Promise<Storyteller> {
    const store = new JsonlSessionStore({ home: `${home}/.robota` });
    return new Storyteller(await store.create({ cwd }));
  }

  ask(...content: (string | UserContent)[]): Promise<string> {
    const blocks = content.map((one) =>
      typeof one === 'string' ? ({ type: 'text', text: one } as const) : one,
    );
    return this.#add(createMessage({ role: 'user', content: blocks }, null));
  }

  answer(content: string | readonly AssistantContent[], options: AnswerOptions = {}): Promise<string> {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content;
    const [input, cacheRead, cacheWrite, output] = options.usage ?? [10, 0, 0, 5];
    const usage = { input, output, cacheRead, cacheWrite };
    const draft = {
      role: 'assistant',
      content: blocks,
      model,
      usage,
      cost: options.cost ?? 0,
      stopReason: 'end',
    } as const;
    return this.#add(createMessage(draft, null));
  }

  result(
    toolCallId: string,
    text: string,
    more: { display?: Display; status?: ToolStatus; durationMs?: number; exitCode?: number } = {},
  ): Promise<string> {
    const { status = 'success', ...rest } = more;
    const content = [{ type: 'text', text }] as const;
    return this.#add(
      createMessage(
        { role: 'tool', toolCallId, toolName: 'Bash', content, ...toolEnd(status), ...rest },
        null,
      ),
    );
  }

  async #add(message: Message): Promise<string> {
    const { id } = await this.handle.append({ type: 'message', message });
    return id;
  }
}

/** A call block. */
export function call(id: string, name: string, input: Readonly<Record<string, string>>): AssistantContent {
  return { type: 'tool-call', id, name, input };
}

const esc = '\u001b';

/** A session with everything a page shows: thinking, tools, diffs, colours, images, a summary and two branches. */
export async function tellStory(home: string, cwd: string): Promise<SessionHandle> {
  const story = await Storyteller.begin(home, cwd);
  await story.ask('Why does the parser lose the last line?\nHere is what I see:', {
    type: 'image',
    mimeType: 'image/png',
    data: dot,
  });
  await story.answer(
    [
      {
        type: 'thinking',
        text: 'The reader splits on line feeds, so a text **without** a final one is carried over.',
      },
      { type: 'text', text: 'I will look at `read-lines.ts` and run its tests.' },
      call('c1', 'Read', { file_path: 'src/read-lines.ts' }),
      call('c2', 'Bash', { command: 'npm test -- read-lines' }),
    ],
    { usage: [1_800, 0, 12_400, 340], cost: 0.0862 },
  );
  await story.result(
    'c1',
    'export function readLines(text: string) {\n  return text.split("\\n").slice(0, -1);\n}',
    {
      display: { kind: 'file', path: 'src/read-lines.ts', text: '', firstLine: 1 },
    },
  );
  const output = `${esc}[32m✓${esc}[0m reads two lines\n${esc}[31;1m✗ keeps the last line${esc}[0m\n  ${esc}[2mexpected${esc}[0m ${esc}[38;5;208m3${esc}[0m, got ${esc}[38;2;120;80;255m2${esc}[0m\n${esc}[7m FAIL ${esc}[0m 1 of 2\n${esc}]0;title\u0007`;
  await story.result('c2', output, {
    status: 'error',
    exitCode: 1,
    display: { kind: 'terminal', command: 'npm test -- read-lines', output, exitCode: 1 },
  });
  const fix = await story.answer(
    [
      {
        type: 'text',
        text: 'Found it. `slice(0, -1)` drops the last line where the text has **no final line feed**:\n\n| text | lines | kept |\n|---|---|---|\n| `a\\nb\\n` | 2 | 2 |\n| `a\\nb` | 2 | 1 |\n\nThe fix:\n\n1. split first\n2. drop only an *empty* last piece\n\n```ts\nconst lines = text.split("\\n");\n```\n\nSee [the manual](https://example.com/manual) for why.',
      },
      call('c3', 'Edit', { file_path: 'src/read-lines.ts', old_string: 'a', new_string: 'b' }),
    ],
    { usage: [900, 12_400, 2_100, 620], cost: 0.0431 },
  );
  const forkAt = await story.result('c3', 'Edited', {
    display: {
      kind: 'diff',
      path: 'src/read-lines.ts',
      lines: [
        { kind: 'context', text: 'export function readLines(text: string) {', line: 1 },
        { kind: 'removed', text: '  return text.split("\\n").slice(0, -1);', line: 2 },
        { kind: 'added', text: '  const lines = text.split("\\n");', line: 2 },
        { kind: 'added', text: '  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;', line: 3 },
        { kind: 'context', text: '}', line: 4 },
        { kind: 'gap', text: '', hidden: 23 },
        { kind: 'removed', text: 'export const version = "1.0.0";', line: 27 },
        { kind: 'added', text: 'export const version = "1.1.0";', line: 28, noNewline: true },
      ],
      change: 'edit',
      added: 3,
      removed: 2,
    },
  });
  await story.ask('Add a test for Windows line endings, too');
  await story.answer('On the first way: done with a **regular expression**.', {
    usage: [400, 14_500, 900, 210],
    cost: 0.0195,
  });
  await story.handle.setLeaf(forkAt);
  await story.ask('Rather make it a stream of lines');
  await story.answer('On the second way: a generator it is.', {
    usage: [520, 14_500, 1_300, 480],
    cost: 0.0274,
  });
  await story.handle.setName('Lost last line');
  await story.handle.setLabel(fix, 'the fix');
  await story.handle.flush();
  return story.handle;
}
