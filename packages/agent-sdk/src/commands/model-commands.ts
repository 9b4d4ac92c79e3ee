import { expectedLanguage, isLanguage } from '@robota-sdk/agent-config';
import {
  didYouMean,
  guessedName,
  guessHint,
  isPermissionMode,
  loadCatalogue,
  type Model,
  modelMenuName,
  permissionModes,
} from '@robota-sdk/agent-core';
import { tickPlan } from '@robota-sdk/agent-tools';
import { parseGoal } from '../goal/parse-goal.ts';
import { smallWindowProblems } from '../prompt/small-window.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';
import type { CommandActions } from './built-in-commands.ts';
import { languageRow } from './command-table.ts';

/** Commands that choose how the model answers. */
export const modelCommands: CommandActions = {
  model: {
    complete: async (prefix, { session }) => modelNames(prefix, session.listModels()),
    run: async (args, { session }) => {
      if (args !== '') {
        const model = await session.setModel(args);
        const hint = guessedName(args.trim(), model) ? ` ${guessHint(args.trim())}` : '';
        const small = smallWindowProblems(model).map(({ message }) => ` ${message}`);
        const text = `The model is now ${modelMenuName(model)}.${hint}${small.join('')}`;
        return { kind: 'notice', text, data: model };
      }
      const current = session.getSession().model;
      const rows = session.listModels().map((model) => {
        const mark = model.id === current.id && model.vendor === current.vendor ? '*' : ' ';
        return `${mark} ${rowOf(model)}`;
      });
      return { kind: 'notice', text: [...rows, ...(await servedRows(session))].join('\n') };
    },
  },
  mode: {
    run: async (args, { session }) => {
      if (args === '') return { kind: 'notice', text: `Permission mode: ${session.permissions.mode}` };
      if (!isPermissionMode(args)) {
        const text = `Unknown mode "${args}". Available: ${permissionModes.join(', ')}.`;
        return { kind: 'error', text: [text, didYouMean(args, permissionModes) ?? []].flat().join(' ') };
      }
      session.permissions.choose(args);
      return { kind: 'notice', text: `Permission mode: ${args} (this session only).` };
    },
  },
  plan: {
    run: async (args, { session }) => {
      if (args.trim() !== '') {
        session.permissions.mode = 'plan';
        return { kind: 'prompt', text: args };
      }
      const { plan } = session.context;
      const hint = 'Plan a task with /plan TASK: the model only reads until you approve its plan.';
      if (plan !== undefined)
        return { kind: 'notice', text: tickPlan(plan, session.todos), isMarkdown: true };
      return { kind: 'notice', text: `No plan has been approved in this session. ${hint}` };
    },
  },
  goal: {
    run: async (args, { session }) => {
      if (args === '') return { kind: 'notice', text: describeGoal(session) };
      if (args === 'clear') {
        const removed = await session.goal.clear();
        return { kind: 'notice', text: removed ? 'Goal removed.' : 'No goal set.' };
      }
      const goal = parseGoal(args);
      const reminder = await session.goal.set(goal);
      return { kind: 'prompt', text: goal.text, attachments: [{ type: 'text', text: reminder }] };
    },
  },
  language: {
    run: async (args, { session }) => {
      const { live } = session;
      if (!live)
        return { kind: 'error', text: 'This session has its settings from a program, not from files.' };
      const current = live.config.settings.language;
      if (args === '') return { kind: 'notice', text: `Answers are in ${nameOf(current)}.` };
      if (args !== 'auto' && !isLanguage(args))
        return { kind: 'error', text: `Expected ${expectedLanguage}.` };
      const wanted = args === 'auto' ? undefined : args;
      const { editSetting } = await import('@robota-sdk/agent-config');
      const edit = { path: ['language'], scope: 'user' } as const;
      const { file } = await editSetting(
        wanted === undefined ? { ...edit, action: 'unset' } : { ...edit, action: 'set', text: wanted },
        live.place,
      );
      const before = session.getSession().systemMessage;
      await live.reload();
      const now = live.config.settings.language;
      const isStronger = now !== wanted || (now !== current && session.getSession().systemMessage === before);
      const effect = isStronger
        ? 'A setting with higher precedence applies in this session; run /config explain language to see which.'
        : 'It takes effect with the next prompt.';
      return { kind: 'notice', text: `Answers are in ${nameOf(wanted)}; saved to ${file}. ${effect}` };
    },
  },
};

/** The names with a part of a name, the short ones first, then those that begin with it. */
function modelNames(part: string, models: readonly Model[]): readonly string[] {
  const wanted = part.toLowerCase();
  const vendors = new Set(models.map(({ vendor }) => vendor));
  const short = loadCatalogue().vendors.flatMap(({ id, aliases }) =>
    vendors.has(id) ? Object.keys(aliases).filter((name) => wanted !== '' && name.startsWith(wanted)) : [],
  );
  const names = models.map(({ vendor, id }) => `${vendor}/${id}`);
  const begins = (name: string) =>
    name.toLowerCase().startsWith(wanted) || name.toLowerCase().includes(`/${wanted}`);
  const rest = names.filter((name) => !begins(name) && name.toLowerCase().includes(wanted));
  return [...short, ...names.filter(begins), ...rest];
}

function rowOf(model: Model): string {
  return `${model.vendor}/${model.id}  ${modelMenuName(model)}`;
}

/** Models of the user's running servers that the catalogue does not have. */
async function servedRows(session: InteractiveSession): Promise<readonly string[]> {
  if (!session.live) return [];
  const { discoverModels, listedModels } = await import('@robota-sdk/agent-models');
  const { config } = session.live;
  const catalogue = { ...config.catalogue, models: session.listModels() };
  return listedModels(catalogue, await discoverModels(config)).map((model) => `  ${rowOf(model)}`);
}

function describeGoal({ goal }: InteractiveSession): string {
  const { pinned, current } = goal;
  if (pinned === undefined) return 'No goal set. Set one with /goal TEXT --check COMMAND.';
  if (goal.hasIdleCheck)
    return `Goal: ${pinned}\nThe check does not run after a resume. Set the goal again to run it.`;
  if (current?.check === undefined)
    return `Goal: ${pinned}\nNo check: add one with /goal TEXT --check COMMAND.`;
  return `Goal: ${pinned}\n${goal.report()?.proven ? 'Proven: the check passed after the last change.' : 'Not proven yet.'}`;
}

function nameOf(language: string | undefined): string {
  if (language === undefined) return 'the language of the question';
  const known = languageRow.subcommands?.find(({ name }) => name === language);
  return known ? `${known.description} (${language})` : language;
}
