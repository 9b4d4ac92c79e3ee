import type { HookRegistry, Question, UserInterface } from '@robota-sdk/agent-core';

/** Runs the notification hooks whenever the user is asked, without delaying the question. */
export function announceQuestions(ui: UserInterface, hooks: HookRegistry, kind: string): UserInterface {
  return {
    ask: (question, signal) => {
      if (hooks.has('notification')) {
        const notice = { kind, title: question.title, message: messageOf(question) };
        void hooks.run('notification', notice, new AbortController().signal).catch(() => {});
      }
      return ui.ask(question, signal);
    },
    notify: (notice) => ui.notify(notice),
  };
}

function messageOf({ title, detail = '' }: Question): string {
  return detail === '' ? title : `${title}\n${detail}`;
}
