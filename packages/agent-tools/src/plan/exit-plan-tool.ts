import {
  type Answer,
  type AskedCall,
  type JsonObject,
  jsonSchema,
  type Question,
  type StateKey,
  type Tool,
  type ToolContext,
  type ToolOutput,
  textOutput,
} from '@robota-sdk/agent-core';

export interface ExitPlanInput {
  /** Markdown. */
  readonly plan: string;
}

/** The modes in which an approved plan can be executed. */
export type ExecutionMode = 'acceptEdits' | 'default';

/** Plan mode as the tool sees it; the session sets both members. */
export interface PlanMode {
  isOn(): boolean;
  /** Stores an approved plan and leaves plan mode. */
  approve(plan: string, mode: ExecutionMode): Promise<void>;
}

/** Off in sessions without modes. */
export const planMode: StateKey<PlanMode> = {
  name: 'plan-mode',
  create: () => ({ isOn: () => false, approve: async () => {} }),
};

const choices = [
  { label: 'Approve, and accept all edits', hold: 'session', mode: 'acceptEdits', means: 'yes' },
  { label: 'Approve, and ask before each edit', hold: 'once', mode: 'default' },
  { label: 'Keep planning', hold: 'deny', means: 'no', asks: 'Comments on the plan:' },
] as const satisfies readonly (Pick<
  Extract<Question, { kind: 'select' }>['options'][number],
  'label' | 'means' | 'asks'
> & {
  hold: AskedCall['holds'][number];
  mode?: ExecutionMode;
})[];

/** Presents the plan. Only the user's approval leaves plan mode. */
export const exitPlanTool: Tool<ExitPlanInput> = {
  name: 'ExitPlanMode',
  description:
    'In plan mode: present your finished plan (Markdown: title, numbered steps with files, how to check) for approval.',
  input: jsonSchema<ExitPlanInput>({
    type: 'object',
    properties: { plan: { type: 'string', minLength: 1 } },
    required: ['plan'],
  }),
  execution: 'sequential',
  repeatable: true,
  access: () => [],
  async execute({ plan }, context) {
    const mode = context.state.get(planMode);
    if (!mode.isOn())
      return textOutput('Plan mode is off, so no approval is needed. Carry out the plan.', { isError: true });
    const answer = await context.ui.ask(questionAbout(plan, context), context.signal);
    context.signal.throwIfAborted();
    const choice = answer.kind === 'selected' ? choices[answer.indexes[0] ?? -1] : undefined;
    const edited = editedPlan(answer, plan);
    if (choice !== undefined && 'mode' in choice) {
      await mode.approve(edited ?? plan, choice.mode);
      return approved({ plan: edited ?? plan, isEdited: edited !== undefined, mode: choice.mode }, answer);
    }
    return refused(plan, answer);
  },
};

function questionAbout(plan: string, { callId }: ToolContext): Question {
  const input: JsonObject = { plan };
  return {
    kind: 'select',
    title: ['Plan', planTitle(plan)].filter((part) => part !== '').join(': '),
    detail: plan,
    options: choices.map(({ label, ...rest }) => ({
      label,
      ...('means' in rest ? { means: rest.means } : {}),
      ...('asks' in rest ? { asks: rest.asks } : {}),
    })),
    isShownByCall: true,
    about: {
      call: { type: 'tool-call', id: callId, name: exitPlanTool.name, input },
      access: [],
      display: { kind: 'plan', text: plan },
      reason: 'Plan mode ends only when you approve a plan.',
      rules: [],
      sessionMode: 'acceptEdits',
      holds: choices.map(({ hold }) => hold),
    },
  };
}

/** The first heading or line of a plan; empty if it starts with a step. */
export function planTitle(plan: string): string {
  const [line = ''] = plan.split('\n').filter((each) => each.trim() !== '');
  if (/^\s*(?:\d{1,3}[.)]|[-*+])\s/.test(line)) return '';
  return line
    .replace(/^[#\s]+/, '')
    .replace(/^Plan:\s*/i, '')
    .trim();
}

/** The plan as the user edited it; undefined if unchanged. */
function editedPlan(answer: Answer, plan: string): string | undefined {
  const edited = answer.kind === 'selected' ? answer.input?.['plan'] : undefined;
  return typeof edited === 'string' && edited.trim() !== '' && edited !== plan ? edited : undefined;
}

function approved(
  {
    plan,
    isEdited,
    mode,
  }: { readonly plan: string; readonly isEdited: boolean; readonly mode: ExecutionMode },
  answer: Answer,
): ToolOutput {
  const edits = mode === 'acceptEdits' ? 'Edits no longer need approval.' : 'The user approves each edit.';
  const comments = commentsOf(answer);
  const text = [
    `The user approved the plan. Plan mode is off. ${edits} Carry out the plan now.`,
    ...(isEdited ? [`The user edited it. Follow this plan:\n\n${plan}`] : []),
    ...(comments === '' ? [] : [`Comments of the user:\n${comments}`]),
  ].join('\n\n');
  const display = { kind: 'plan', text: plan, outcome: 'approved', mode } as const;
  return textOutput(text, { display: { ...display, ...(comments === '' ? {} : { comments }) } });
}

function commentsOf(answer: Answer): string {
  return answer.kind === 'selected' || answer.kind === 'text' ? (answer.text?.trim() ?? '') : '';
}

function refused(plan: string, answer: Answer): ToolOutput {
  const comments = commentsOf(answer);
  const edited = editedPlan(answer, plan);
  const display = {
    kind: 'plan',
    text: edited ?? plan,
    outcome: 'presented',
    ...(comments === '' ? {} : { comments }),
  } as const;
  if (comments !== '' || edited !== undefined) {
    const text = [
      'The user wants changes to the plan. Plan mode stays on. Revise the plan and present it again.',
      ...(edited === undefined ? [] : [`The user edited it:\n\n${edited}`]),
      ...(comments === '' ? [] : [comments]),
    ].join('\n\n');
    return textOutput(text, { display });
  }
  if (answer.kind === 'unavailable')
    return {
      ...textOutput('The plan was given to the user as the result of this run.', { display }),
      endsRun: { text: plan },
    };
  return {
    ...textOutput('The user did not approve the plan yet. Plan mode stays on. Wait for the next message.', {
      display,
    }),
    endsRun: {},
  };
}
