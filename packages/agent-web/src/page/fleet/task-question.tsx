import { visibleText } from '@robota-sdk/agent-export/page';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { askedText, type FleetTask } from '../../contract/fleet.ts';
import type { AnswerRequest, WebQuestion } from '../../contract/question.ts';
import { Age } from '../components/age.tsx';
import { AnswerForm } from '../question/answer-form.tsx';

interface FleetAnswer {
  readonly decision: 'allow' | 'deny' | 'text';
  readonly text?: string;
}

/** The question of a parked task below its row, with its whole text and the answers to it. */
export function TaskQuestion({
  task,
  onAnswer,
  onClose,
}: {
  readonly task: FleetTask;
  readonly onAnswer: (answer: FleetAnswer) => void;
  readonly onClose: () => void;
}) {
  const box = useRef<HTMLElement>(null);
  const { question } = task;
  const asked = useMemo(() => question && questionOf(question), [question?.hash]);
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  if (!question || !asked) return null;
  const isOpen = question.tool === 'AskUser';
  return (
    <section ref={box} class="task-question" tabindex={-1} aria-label={`Question of ${task.name}`}>
      <p class="small dim">
        {isOpen ? 'It asks' : `It wants to use ${question.tool}`} ·{' '}
        <Age time={Date.parse(question.askedAt)} suffix=" ago" />
      </p>
      <pre class="answer-call">{visibleText(askedText(question))}</pre>
      <AnswerForm
        key={question.hash}
        question={asked}
        isBusy={false}
        isElsewhere={false}
        dismissal="Close"
        onAnswer={(answer) => {
          const given = answerOf(answer, asked);
          if (given) onAnswer(given);
          else onClose();
        }}
      />
    </section>
  );
}

/** Calls of a fleet are allowed once or denied. Nothing is known of their danger, so that no yes is chosen first. */
function questionOf({
  hash,
  tool,
  text,
  choices = [],
  askedAt,
}: NonNullable<FleetTask['question']>): WebQuestion {
  const base = {
    id: hash,
    digest: hash,
    title: text,
    asked: Date.parse(askedAt),
    reasons: [],
    dangers: [tool],
  };
  if (tool === 'AskUser')
    return {
      ...base,
      dangers: [],
      kind: choices.length > 0 ? 'select' : 'text',
      choices: choices.map((label, index) => ({ id: String(index + 1), label })),
      textLabel: choices.length > 0 ? 'Another answer' : 'Your answer',
    };
  return {
    ...base,
    kind: 'permission',
    choices: [
      { id: 'allow', label: 'Allow once' },
      { id: 'deny', label: 'Deny', text: 'Reason, which the agent is told' },
    ],
  };
}

/** The answer as the fleet takes it; undefined if the question was closed. */
function answerOf(answer: AnswerRequest['answer'], { kind, choices }: WebQuestion): FleetAnswer | undefined {
  if ('dismissed' in answer) return undefined;
  const text = answer.text === undefined ? {} : { text: answer.text };
  if (!('choice' in answer)) return { decision: 'text', ...text };
  if (kind === 'permission')
    return answer.choice === 'allow' ? { decision: 'allow' } : { decision: 'deny', ...text };
  return { decision: 'text', text: choices.find(({ id }) => id === answer.choice)?.label ?? '' };
}
