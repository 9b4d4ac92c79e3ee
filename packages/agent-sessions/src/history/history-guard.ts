import type { AgentRun, ApiKind, Message, Model, Notice } from '@robota-sdk/agent-core';
import type { EntryDraft } from '../entry/entry.ts';
import { omissionDraft } from '../entry/omit.ts';
import { SoundHistory } from '../entry/sound-history.ts';
import { findRemedy } from './find-remedy.ts';

export interface HistoryGuardOptions {
  readonly notify: (notice: Notice) => void;
  readonly append: (draft: EntryDraft) => Promise<void>;
  /** Replaces the conversation by one without the refused content. */
  readonly adopt: (messages: readonly Message[]) => void;
}

/** Makes sure that no single message can make a session unusable: repairs before requests and after refusals. */
export class HistoryGuard {
  readonly #options: HistoryGuardOptions;
  readonly #histories = new Map<ApiKind, SoundHistory>();

  constructor(options: HistoryGuardOptions) {
    this.#options = options;
  }

  /** The hooks of the agent loop; they read the model again for every request. */
  partsOf(model: () => Model): Required<Pick<AgentRun, 'repairHistory' | 'findRemedy'>> {
    return {
      repairHistory: (messages) => this.#historyFor(model().api).repair(messages),
      findRemedy: (messages, failure) => {
        const remedy = findRemedy(messages, failure);
        if (!remedy) return undefined;
        return {
          messages: remedy.messages,
          keep: async () => {
            this.#options.adopt(remedy.messages);
            await this.#options.append(omissionDraft(remedy.omission));
            this.#options.notify({ level: 'warning', text: remedy.notice });
          },
        };
      },
    };
  }

  #historyFor(api: ApiKind): SoundHistory {
    const known = this.#histories.get(api);
    if (known) return known;
    const history = new SoundHistory(api, (text) => this.#options.notify({ level: 'warning', text }));
    this.#histories.set(api, history);
    return history;
  }
}
