import { useState } from 'preact/hooks';
import type { FleetTask } from '../../contract/fleet.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';

export interface FleetAnswer {
  readonly decision: 'allow' | 'deny' | 'text';
  readonly text?: string;
}

/** The question of a parked task with its whole text, and the answers to it. */
export function AnswerDialog({
  task,
  onAnswer,
  onClose,
}: {
  readonly task: FleetTask;
  readonly onAnswer: (answer: FleetAnswer) => void;
  readonly onClose: () => void;
}) {
  const [text, setText] = useState('');
  const { question } = task;
  if (!question) return null;
  const isOpen = question.tool === 'AskUser';
  const words = text.trim();
  return (
    <Dialog title={`${task.id} asks`} onClose={onClose}>
      <form
        class="dialog-body"
        onSubmit={(event) => {
          event.preventDefault();
          if (isOpen && words !== '') onAnswer({ decision: 'text', text: words });
        }}
      >
        <p class="dim">
          {task.name}
          {isOpen ? ' has a question.' : ' wants to run:'}
        </p>
        <pre class="answer-call">{question.text}</pre>
        {question.choices?.map((choice) => (
          <Button key={choice} onClick={() => onAnswer({ decision: 'text', text: choice })}>
            {choice}
          </Button>
        ))}
        <label>
          {isOpen ? 'Answer' : 'Reason, if you deny it'}
          <textarea
            class="field"
            rows={2}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <div class="dialog-actions">
          {isOpen ? (
            <Button kind="primary" type="submit" disabled={words === ''}>
              Send answer
            </Button>
          ) : (
            <>
              <Button
                onClick={() => onAnswer({ decision: 'deny', ...(words === '' ? {} : { text: words }) })}
              >
                Deny
              </Button>
              <Button kind="primary" disabled={words !== ''} onClick={() => onAnswer({ decision: 'allow' })}>
                Allow once
              </Button>
            </>
          )}
        </div>
      </form>
    </Dialog>
  );
}
