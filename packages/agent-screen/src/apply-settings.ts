import type { Settings } from '@robota-sdk/agent-sdk/front-end';
import { keyPresets } from './keys/app-actions.ts';
import type { TuiApp } from './tui-app.ts';

/** Applies settings of the terminal as they change. What keys or commands changed since then stays. */
export class AppliedSettings {
  readonly #app: TuiApp;
  #before: Settings['terminal'] | undefined;

  constructor(app: TuiApp) {
    this.#app = app;
  }

  apply(after: Settings['terminal']): void {
    const app = this.#app;
    const before = this.#before;
    this.#before = after;
    if (after.keys !== before?.keys) app.keys.usePreset(keyPresets[after.keys]);
    if (after.vim !== before?.vim) app.editor.isVim = after.vim;
    if (after.notifications !== before?.notifications) app.isNotifying = after.notifications;
    const isOther = after.view !== before?.view;
    if (isOther) app.setView(after.view);
    if (isOther || after.hideThinking !== before?.hideThinking)
      app.isThinkingHidden = after.hideThinking ?? after.view === 'compact';
    const { theme } = after;
    if (theme !== before?.theme && theme !== app.theme.setting) void app.theme.setSetting(theme);
    app.refresh();
  }
}
