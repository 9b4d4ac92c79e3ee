import { languageProblem } from '@robota-sdk/agent-config';
import type { Command } from '@robota-sdk/agent-core';
import { liveSettings } from '../assembly/follow-settings.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';

/** What is offered; any other language may be named as well. */
const languages: Readonly<Record<string, string>> = {
  en: 'English',
  ko: '한국어',
  ja: '日本語',
  zh: '中文',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
};

export const languageCommand: Command<InteractiveSession> = {
  name: 'language',
  description: 'Show or change the language of the answers, for this and later sessions',
  argumentHint: '[en|ko|ja|zh|…|auto]',
  subcommands: [
    ...Object.entries(languages).map(([name, description]) => ({ name, description })),
    { name: 'auto', description: 'Answer in the language of the question' },
  ],
  run: async (args, { session }) => {
    const live = session.getSession().state.get(liveSettings).current;
    if (!live)
      return { kind: 'error', text: 'This session has its settings from a program, not from files.' };
    const current = live.config.settings.language;
    if (args === '') return { kind: 'notice', text: `Answers are in ${nameOf(current)}.` };
    const problem = args === 'auto' ? undefined : languageProblem(args);
    if (problem !== undefined) return { kind: 'error', text: problem };
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
      ? 'In this session a stronger setting decides; /config explain language tells which.'
      : 'It holds from the next prompt on.';
    return { kind: 'notice', text: `Answers are in ${nameOf(wanted)}; saved to ${file}. ${effect}` };
  },
};

function nameOf(language: string | undefined): string {
  if (language === undefined) return 'the language of the question';
  const name = languages[language];
  return name === undefined ? language : `${name} (${language})`;
}
