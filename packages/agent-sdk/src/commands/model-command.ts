import { type Command, guessedName, guessHint, modelMenuName } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../session/interactive-session.ts';

export const modelCommand: Command<InteractiveSession> = {
  name: 'model',
  description: 'Show the models, or go on with another one',
  argumentHint: '[model]',
  complete: async (prefix, { session }) =>
    session
      .listModels()
      .map(({ vendor, id }) => `${vendor}/${id}`)
      .filter((name) => name.startsWith(prefix) || name.includes(`/${prefix}`)),
  run: async (args, { session }) => {
    if (args !== '') {
      const model = await session.setModel(args);
      const hint = guessedName(args.trim(), model) ? ` ${guessHint(args.trim())}` : '';
      return { kind: 'notice', text: `The model is now ${modelMenuName(model)}.${hint}`, data: model };
    }
    const current = session.getSession().model;
    const rows = session.listModels().map((model) => {
      const mark = model.id === current.id && model.vendor === current.vendor ? '*' : ' ';
      return `${mark} ${model.vendor}/${model.id}  ${modelMenuName(model)}`;
    });
    return { kind: 'notice', text: rows.join('\n') };
  },
};
