import type { JsonObject, Message } from '@robota-sdk/agent-sdk/front-end';
import {
  deniedCommand,
  discountTest,
  discountTotal,
  lastTest,
  plainTotal,
  rightLine,
  testCommand,
  tourPrompts,
  wrongLine,
} from './tour-project.ts';

/** A call that the scripted model makes. */
export interface TourCall {
  readonly name: string;
  readonly input: JsonObject;
}

/** One answer of the scripted model that asks for tools. */
interface ScriptedTurn {
  readonly say: string;
  readonly calls: readonly TourCall[];
}

/** How the calls of a turn ended. */
export type CallStatus = Extract<Message, { readonly role: 'tool' }>['status'];

/** The answers to a prompt: turns that receive how their calls ended, and the last answer. */
export type Scene = Generator<ScriptedTurn, string, readonly CallStatus[]>;

/** The scene of a prompt. A prompt that is not of the tour gets an answer that says so. */
export function sceneOf(prompt: string): Scene {
  const scene = scenes[prompt.trim()];
  return scene ? scene() : unknownPrompt();
}

const scenes: Readonly<Record<string, () => Scene>> = {
  [tourPrompts.explain]: explainFailure,
  [tourPrompts.fix]: fixFailure,
  [tourPrompts.push]: pushFix,
  [tourPrompts.plan]: planDiscount,
};

const runTests: TourCall = { name: 'Bash', input: { command: testCommand } };

function* explainFailure(): Scene {
  yield { say: "I'll run the tests first.", calls: [runTests] };
  yield {
    say: 'One of two tests fails. The code should show why.',
    calls: [{ name: 'Read', input: { file_path: 'cart.js' } }],
  };
  return `\`total\` adds the price of each item **once**. It ignores \`count\`, so two pieces cost as much as one:

\`\`\`js
${wrongLine.trim()}
\`\`\`

Multiplying by \`item.count\` fixes it.`;
}

function* fixFailure(): Scene {
  const input = { file_path: 'cart.js', old_string: wrongLine, new_string: rightLine };
  const [edited] = yield {
    say: "I'll multiply each price by its count.",
    calls: [{ name: 'Edit', input }],
  };
  if (edited !== 'success') return 'The edit was not made, so `cart.js` is unchanged.';
  const [tested] = yield { say: 'Now the tests again.', calls: [runTests] };
  return tested === 'success' ? 'Fixed: both tests pass.' : 'The tests still fail.';
}

function* pushFix(): Scene {
  const [pushed] = yield {
    say: "I'll push it.",
    calls: [{ name: 'Bash', input: { command: `${deniedCommand} origin main` } }],
  };
  if (pushed === 'denied') return 'A rule in your settings denies `git push`, so nothing was pushed.';
  return 'Nothing was pushed: this project has no server.';
}

const plan = `# Plan: let a cart have a discount

1. Give total() an option discount  cart.js:2
2. Round once, at the end  cart.js:5
3. Add a test for 10 %  cart.test.js

Check: \`${testCommand}\``;

function* planDiscount(): Scene {
  yield {
    say: "I'll read the code and its tests before I plan.",
    calls: ['cart.js', 'cart.test.js'].map((file_path) => ({ name: 'Read', input: { file_path } })),
  };
  const [approved] = yield {
    say: 'The plan is ready.',
    calls: [{ name: 'ExitPlanMode', input: { plan } }],
  };
  if (approved !== 'success') return 'The plan was not approved, so nothing was changed.';
  const edits = yield {
    say: "I'll follow the plan.",
    calls: [
      {
        name: 'Edit',
        input: { file_path: 'cart.js', old_string: plainTotal, new_string: discountTotal },
      },
      {
        name: 'Edit',
        input: {
          file_path: 'cart.test.js',
          old_string: lastTest,
          new_string: discountTest + lastTest,
        },
      },
    ],
  };
  if (edits.some((status) => status !== 'success')) return 'Not every edit was made, so I stop here.';
  const [tested] = yield { say: 'The check of the plan:', calls: [runTests] };
  return tested === 'success' ? 'Done as planned: three tests pass.' : 'The tests fail.';
}

function* unknownPrompt(): Scene {
  const known = Object.values(tourPrompts).map((prompt) => `"${prompt}"`);
  return `This is a script, not AI. It only knows the prompts of the tour: ${known.join(', ')}.`;
}
