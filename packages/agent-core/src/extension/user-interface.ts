/** A question to the person. `detail` is shown in full above the choices. */
export type Question =
  | {
      readonly kind: 'select';
      readonly title: string;
      readonly detail?: string;
      readonly options: readonly { readonly label: string; readonly description?: string }[];
      readonly multiple?: boolean;
    }
  | { readonly kind: 'confirm'; readonly title: string; readonly detail?: string }
  | { readonly kind: 'text'; readonly title: string; readonly detail?: string; readonly masked?: boolean };

/** `unavailable`: there is nobody to ask; `dismissed`: the person declined to answer. */
export type Answer =
  | { readonly kind: 'selected'; readonly indexes: readonly number[]; readonly text?: string }
  | { readonly kind: 'confirmed'; readonly yes: boolean }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'dismissed' }
  | { readonly kind: 'unavailable' };

export interface Notice {
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}

/** The port to the person: questions and notices every front end can answer. */
export interface UserInterface {
  ask(question: Question, signal?: AbortSignal): Promise<Answer>;
  notify(notice: Notice): void;
}

/** Nobody is there: every question is unavailable, notices vanish. */
export const silentInterface: UserInterface = {
  ask: async () => ({ kind: 'unavailable' }),
  notify: () => {},
};
