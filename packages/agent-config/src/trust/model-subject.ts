import type { TrustGate } from './trust-gate.ts';
import type { TrustSubject } from './trust-item.ts';

/** The session's model and its vendor's families send the conversation to no new recipient. */
const harmless = /^(?:inherit|default|sonnet|haiku|opus)$/i;

/** Something of files that may name a model: `skill review`, `agent tester`. */
export interface ModelChooser {
  readonly title: string;
  readonly model?: string | undefined;
  /** True if the repository supplies it. */
  readonly fromProject: boolean;
}

/** The trust item for a model that a repository's resource requests; undefined if it is no new recipient. */
export function modelSubject({ title, model, fromProject }: ModelChooser): TrustSubject | undefined {
  if (!fromProject || model === undefined || harmless.test(model)) return undefined;
  return { kind: 'model', name: `the ${title} chooses who is asked`, content: model };
}

/** True if the model that something asks for may be asked. */
export function mayChooseModel(chooser: ModelChooser, gate: TrustGate | undefined): boolean {
  const subject = modelSubject(chooser);
  return subject === undefined || gate?.allows(subject) === true;
}
