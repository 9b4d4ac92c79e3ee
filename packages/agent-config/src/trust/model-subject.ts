import type { TrustGate } from './trust-gate.ts';
import type { TrustSubject } from './trust-item.ts';

/** Whoever names the session's own model, or one of its vendor's families, sends the conversation to nobody new. */
const harmless = /^(?:inherit|default|sonnet|haiku|opus)$/i;

/** Something of files that may name a model: `skill review`, `agent tester`. */
export interface ModelChooser {
  readonly title: string;
  readonly model?: string | undefined;
  /** Whether the repository supplies it. */
  readonly fromProject: boolean;
}

/** The model that something of a repository asks for, as something to agree to; nothing where that is nobody new. */
export function modelSubject({ title, model, fromProject }: ModelChooser): TrustSubject | undefined {
  if (!fromProject || model === undefined || harmless.test(model)) return undefined;
  return { kind: 'model', name: `the ${title} chooses who is asked`, content: model };
}

/** Whether the model that something asks for may be asked. */
export function mayChooseModel(chooser: ModelChooser, gate: TrustGate | undefined): boolean {
  const subject = modelSubject(chooser);
  return subject === undefined || gate?.allows(subject) === true;
}
